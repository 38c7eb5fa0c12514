//! Cutting a screen into pages: between paragraphs, never losing a line.

use super::head::Top;
use super::{Canvas, Page};

/// A paragraph or a figure: what should stand together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    lines: Vec<String>,
    first_on_page: Option<String>,
    tight: bool,
    fresh: bool,
}

impl Block {
    /// With an empty line before it.
    pub(super) fn new(lines: Vec<String>) -> Block {
        Block { lines, ..Block::default() }
    }

    /// Directly below the one before. `first_on_page` takes the place of its first line where it begins a page, so
    /// that it says again what it belongs to.
    pub(super) fn tight(lines: Vec<String>, first_on_page: Option<String>) -> Block {
        Block { lines, first_on_page, tight: true, fresh: false }
    }

    /// Begins a page, where that costs no page and not all that follows fits on this one.
    pub(super) fn fresh(lines: Vec<String>) -> Block {
        Block { lines, fresh: true, ..Block::default() }
    }

    /// Empty lines before it on this page.
    fn gap(&self, page: &[String]) -> usize {
        usize::from(!self.tight && !page.is_empty())
    }

    /// Its lines on this page.
    fn lines_on(&self, page: &[String]) -> impl Iterator<Item = &String> {
        let first = self.first_on_page.as_ref().filter(|_| page.is_empty());
        first.or(self.lines.first()).into_iter().chain(self.lines.iter().skip(1))
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
    best(top, std::iter::once(blocks), canvas)
}

/// The pages of the one of several `forms` that takes the fewest, and among these the first that keeps together all
/// that follows a fresh block.
pub(super) fn best(top: &Top, forms: impl Iterator<Item = Vec<Block>>, canvas: &Canvas) -> Vec<Page> {
    let room = room(top, canvas) - 1;
    let cuts = forms.flat_map(|mut blocks| {
        blocks.retain(|block| !block.lines.is_empty());
        [true, false].map(|honour_fresh| cut(&blocks, room, honour_fresh))
    });
    let bodies = cuts.min_by_key(|cut| (cut.pages.len(), cut.is_split)).unwrap_or_default().pages;
    let count = bodies.len();
    let draw = |(at, body): (usize, Page)| {
        let mut lines = top.lines(at + 1, count, canvas);
        lines.push(String::new());
        lines.extend(body);
        canvas.with_margin(lines)
    };
    bodies.into_iter().enumerate().map(draw).collect()
}

/// The bodies of pages.
#[derive(Default)]
struct Cut {
    pages: Vec<Page>,
    is_split: bool,
}

/// Pages of `room` lines each.
fn cut(blocks: &[Block], room: usize, honour_fresh: bool) -> Cut {
    let mut pages = Vec::new();
    let mut page = Page::new();
    let mut fresh_on = None;
    for (at, block) in blocks.iter().enumerate() {
        let fresh = block.fresh && honour_fresh;
        let wanted = if fresh { height(&blocks[at..]) } else { block.lines.len() + block.gap(&page) };
        let whole = fresh || block.lines.len() <= room;
        if page.len() + wanted > room && whole && !page.is_empty() {
            pages.push(std::mem::take(&mut page));
        }
        if block.fresh {
            fresh_on = Some(pages.len());
        }
        if page.len() < room && block.gap(&page) == 1 {
            page.push(String::new());
        }
        let lines: Vec<&String> = block.lines_on(&page).collect();
        for line in lines {
            if page.len() == room {
                pages.push(std::mem::take(&mut page));
            }
            page.push(line.clone());
        }
    }
    let is_split = fresh_on.is_some_and(|first| first != pages.len());
    pages.push(page);
    Cut { pages, is_split }
}
