//! Cutting a screen into pages: between paragraphs, never losing a line.

use super::head::Top;
use super::{Canvas, Page};

/// A paragraph or a figure: what should stand together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    lines: Vec<String>,
    tight: bool,
    fresh: bool,
}

impl Block {
    /// With an empty line before it.
    pub(super) fn new(lines: Vec<String>) -> Block {
        Block { lines, tight: false, fresh: false }
    }

    /// Directly below the one before.
    pub(super) fn tight(lines: Vec<String>) -> Block {
        Block { lines, tight: true, fresh: false }
    }

    /// Begins a page, unless all that follows still fits on this one.
    pub(super) fn fresh(lines: Vec<String>) -> Block {
        Block { lines, tight: false, fresh: true }
    }

    fn height(&self, page: &[String]) -> usize {
        self.lines.len() + self.gap(page)
    }

    fn gap(&self, page: &[String]) -> usize {
        usize::from(!self.tight && !page.is_empty())
    }
}

/// Lines that `blocks` need, one after the other.
pub(super) fn height(blocks: &[Block]) -> usize {
    blocks
        .iter()
        .filter(|block| !block.lines.is_empty())
        .map(|block| block.lines.len() + usize::from(!block.tight))
        .sum()
}

/// Lines of a page that `top` leaves free, the empty line below it included.
pub(super) fn room(top: &Top, canvas: &Canvas) -> usize {
    canvas.lines().saturating_sub(top.height()).max(2)
}

/// All pages, each with `top` on it.
pub(super) fn pages(top: &Top, blocks: Vec<Block>, canvas: &Canvas) -> Vec<Page> {
    let room = room(top, canvas) - 1;
    let blocks: Vec<Block> = blocks.into_iter().filter(|block| !block.lines.is_empty()).collect();
    let mut pages: Vec<Page> = vec![Page::new()];
    for (at, block) in blocks.iter().enumerate() {
        let page = pages.last().expect("there is always a page");
        let free = room - page.len();
        let wanted = if block.fresh { height(&blocks[at..]) } else { block.height(page) };
        if wanted > free && (block.fresh || block.lines.len() <= room) && !page.is_empty() {
            pages.push(Page::new());
        }
        let page = pages.last_mut().expect("there is always a page");
        if page.len() < room {
            page.resize(page.len() + block.gap(page), String::new());
        }
        for line in &block.lines {
            if pages.last().is_some_and(|page| page.len() == room) {
                pages.push(Page::new());
            }
            pages.last_mut().expect("there is always a page").push(line.clone());
        }
    }
    let count = pages.len();
    let draw = |(at, body): (usize, Page)| {
        let mut lines = top.lines(at + 1, count, canvas);
        lines.push(String::new());
        lines.extend(body);
        canvas.with_margin(lines)
    };
    pages.into_iter().enumerate().map(draw).collect()
}
