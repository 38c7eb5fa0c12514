//! Tables: rows and columns where they fit, one block a row where they do not.
//!
//! The first column is left-aligned, and so is a further one that holds more words than figures; columns of figures
//! are right-aligned. Text is wrapped inside its column where that lets the table fit and does not make it longer than
//! the blocks would be. Where that would leave a cell one word a line, heads of figures are wrapped, too, or the
//! table becomes blocks.

use super::{indent, titled};
use crate::render::Canvas;
use crate::render::text::{columns, pad, pad_left};
use crate::render::theme::Tone;
use lesson::figure::Table;

/// A word longer than this may be broken before a table is given up.
const LONGEST_WORD: usize = 24;

/// A table below its title, where there is one.
pub(super) fn draw(table: &Table, canvas: &Canvas) -> Vec<String> {
    let mut lines = titled(&table.title, canvas);
    let indent = if lines.is_empty() || canvas.plain { 0 } else { indent(canvas) };
    let grid = Grid::of(table, canvas);
    let stacked = grid.stacked(canvas.text() - indent, canvas);
    let room = canvas.inner() - indent;
    let in_columns = |widths: &[usize], gap: usize| {
        let lines = grid.lines(widths, gap, canvas);
        (lines.len() <= stacked.len() || !grid.is_wrapped(widths)).then_some(lines)
    };
    let drawn = grid.widths(room).and_then(|(widths, gap)| {
        let lines = in_columns(&widths, gap)?;
        // Heads are wrapped only here, since a head of several lines makes the whole table longer.
        if grid.is_readable(&widths) { Some(lines) } else { in_columns(&grid.with_heads_wrapped(room)?, 2) }
    });
    let drawn = drawn.unwrap_or(stacked);
    lines.extend(drawn.into_iter().map(|line| " ".repeat(indent) + &line));
    lines
}

/// Clean cells, every row as long as the longest.
struct Grid {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

impl Grid {
    fn of(table: &Table, canvas: &Canvas) -> Grid {
        let count = table.rows.iter().map(Vec::len).chain([table.head.len()]).max().unwrap_or(0);
        let row = |cells: &Vec<String>| {
            let mut row: Vec<String> =
                cells.iter().map(|cell| canvas.one_line(cell).trim().to_owned()).collect();
            row.resize(count, String::new());
            row
        };
        let head = row(&table.head);
        let rows: Vec<Vec<String>> = table.rows.iter().map(row).collect();
        let right =
            (0..count).map(|at| at > 0 && mostly_figures(rows.iter().map(|row| row[at].as_str()))).collect();
        Grid { head, rows, right }
    }

    fn cells(&self, at: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().chain([&self.head]).map(move |row| row[at].as_str())
    }

    /// Widths of the columns and the gap between them; None where the table does not fit `room` columns.
    fn widths(&self, room: usize) -> Option<(Vec<usize>, usize)> {
        let widest = self.each(|at| self.widest(at));
        let gaps = widest.len().saturating_sub(1);
        if let Some(gap) = [3, 2].into_iter().find(|gap| widest.iter().sum::<usize>() + gap * gaps <= room) {
            return Some((widest, gap));
        }
        let room = room.checked_sub(2 * gaps)?;
        let widths = shrunk(widest, &self.each(|at| self.narrowest(at)), room);
        (widths.iter().sum::<usize>() <= room).then_some((widths, 2))
    }

    /// Widths with a gap of two that leave no cell one word a line: heads of figures are wrapped as far as that needs
    /// it. None where not even that is enough.
    fn with_heads_wrapped(&self, room: usize) -> Option<Vec<usize>> {
        let room = room.checked_sub(2 * self.head.len().saturating_sub(1))?;
        let readable = self.each(|at| self.narrowest(at).max(self.readable(at)));
        let heads = self.each(|at| if self.right[at] { self.below_head(at) } else { readable[at] });
        let widths = shrunk(self.each(|at| self.widest(at)), &readable, room);
        let widths = shrunk(widths, &heads, room);
        (widths.iter().sum::<usize>() <= room).then_some(widths)
    }

    fn each<T>(&self, of: impl Fn(usize) -> T) -> Vec<T> {
        (0..self.head.len()).map(of).collect()
    }

    fn widest(&self, at: usize) -> usize {
        self.cells(at).map(columns).max().unwrap_or(0)
    }

    /// Whether no cell stands one word a line.
    fn is_readable(&self, widths: &[usize]) -> bool {
        (0..widths.len()).all(|at| widths[at] >= self.readable(at))
    }

    /// Whether some cell needs more than one line.
    fn is_wrapped(&self, widths: &[usize]) -> bool {
        (0..widths.len()).any(|at| self.cells(at).any(|cell| columns(cell) > widths[at]))
    }

    /// The width to which column `at` can be wrapped without breaking its words; figures keep theirs.
    fn narrowest(&self, at: usize) -> usize {
        let widest = self.widest(at);
        if self.right[at] {
            return widest;
        }
        let words = self.cells(at).flat_map(str::split_whitespace).map(columns);
        let longest = words.max().unwrap_or(0).clamp(4, LONGEST_WORD).min(widest);
        // The first column says what a row is about: one word a line can hardly be read.
        if at == 0 { longest.max(widest.div_ceil(2)) } else { longest }
    }

    /// The width from which on no cell of text in column `at` stands one word a line: two neighbours have room.
    fn readable(&self, at: usize) -> usize {
        let pair = |cell: &str| {
            let words: Vec<usize> = cell.split_whitespace().map(columns).collect();
            words.windows(2).map(|pair| pair[0] + 1 + pair[1]).min().unwrap_or(0)
        };
        self.rows.iter().map(|row| pair(&row[at])).max().unwrap_or(0)
    }

    /// The width of a column of figures whose head is wrapped at its words.
    fn below_head(&self, at: usize) -> usize {
        let figures = self.rows.iter().map(|row| columns(&row[at]));
        let words = self.head[at].split_whitespace().map(columns);
        // Nothing is wrapped to fewer than four columns.
        figures.chain(words).max().unwrap_or(0).max(4)
    }

    fn lines(&self, widths: &[usize], gap: usize, canvas: &Canvas) -> Vec<String> {
        let line = if canvas.plain { "-" } else { "─" };
        let total = widths.iter().sum::<usize>() + gap * widths.len().saturating_sub(1);
        let mut lines = Vec::new();
        if self.head.iter().any(|cell| !cell.is_empty()) {
            lines.extend(canvas.paint_all(Tone::Strong, self.row(&self.head, widths, gap, canvas)));
            lines.push(canvas.paint(Tone::Quiet, &line.repeat(total)));
        }
        lines.extend(self.rows.iter().flat_map(|row| self.row(row, widths, gap, canvas)));
        lines
    }

    /// A row: one line, or several where a cell of text is wrapped.
    fn row(&self, row: &[String], widths: &[usize], gap: usize, canvas: &Canvas) -> Vec<String> {
        let cells: Vec<Vec<String>> =
            row.iter().zip(widths).map(|(cell, width)| canvas.wrap(cell, *width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |line: usize, at: usize| {
            let text = cells[at].get(line).map_or("", String::as_str);
            if self.right[at] { pad_left(text, widths[at]) } else { pad(text, widths[at]) }
        };
        let line = |line| {
            let cells: Vec<String> = (0..row.len()).map(|at| cell(line, at)).collect();
            cells.join(&" ".repeat(gap)).trim_end().to_owned()
        };
        (0..height.max(1)).map(line).collect()
    }

    fn stacked(&self, width: usize, canvas: &Canvas) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            let Some((first, others)) = row.split_first() else { continue };
            let bare = first.starts_with(|c: char| c.is_ascii_digit());
            let name = if bare { format!("{} {first}", self.head[0]) } else { first.clone() };
            lines.extend(canvas.paint_all(Tone::Strong, canvas.wrap(name.trim(), width)));
            for (head, cell) in self.head[1..].iter().zip(others).filter(|(_, cell)| !cell.is_empty()) {
                let text = if head.is_empty() { cell.clone() } else { format!("{head}: {cell}") };
                lines.extend(canvas.hang("", &text, 2, width));
            }
        }
        lines
    }
}

/// `widths` until they take no more than `room`, the widest first; none gets narrower than its `floor`.
fn shrunk(mut widths: Vec<usize>, floor: &[usize], room: usize) -> Vec<usize> {
    while widths.iter().sum::<usize>() > room {
        let above = (0..widths.len()).filter(|at| widths[*at] > floor[*at]);
        let Some(at) = above.max_by_key(|at| widths[*at]) else { break };
        widths[at] -= 1;
    }
    widths
}

/// Whether more cells hold a figure, perhaps with its unit and spread, than words.
fn mostly_figures<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let (mut figures, mut words) = (0, 0);
    for cell in cells.filter(|cell| !cell.is_empty()) {
        let digits = cell.trim_start_matches(['+', '-', '−', '~', '<', '>', '≈', '±', ' ']);
        let figure = digits.starts_with(|c: char| c.is_ascii_digit()) && cell.split_whitespace().count() <= 3;
        *if figure { &mut figures } else { &mut words } += 1;
    }
    figures > words
}
