//! Tables: rows and columns where they fit, one block a row where they do not.
//!
//! The first column is left-aligned, and so is a further one that holds more words than figures; columns of figures
//! are right-aligned. Text is wrapped inside its column where that lets the table fit and does not make it longer than
//! the blocks would be.

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
    let drawn = match grid.widths(canvas.inner() - indent) {
        Some((widths, gap)) => {
            let lines = grid.lines(&widths, gap, canvas);
            if lines.len() > stacked.len() && grid.is_wrapped(&widths) { stacked } else { lines }
        }
        None => stacked,
    };
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
        let widest = |at| self.cells(at).map(columns).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..self.head.len()).map(widest).collect();
        let gaps = widths.len().saturating_sub(1);
        let needed = |widths: &[usize], gap: usize| widths.iter().sum::<usize>() + gap * gaps;
        if let Some(gap) = [3, 2].into_iter().find(|gap| needed(&widths, *gap) <= room) {
            return Some((widths, gap));
        }
        let narrowest: Vec<usize> = (0..widths.len()).map(|at| self.narrowest(at, widths[at])).collect();
        while needed(&widths, 2) > room {
            let at =
                (0..widths.len()).filter(|at| widths[*at] > narrowest[*at]).max_by_key(|at| widths[*at])?;
            widths[at] -= 1;
        }
        Some((widths, 2))
    }

    /// Whether some cell needs more than one line.
    fn is_wrapped(&self, widths: &[usize]) -> bool {
        (0..widths.len()).any(|at| self.cells(at).any(|cell| columns(cell) > widths[at]))
    }

    /// The width to which column `at` can be wrapped without breaking its words; figures are never wrapped.
    fn narrowest(&self, at: usize, widest: usize) -> usize {
        if self.right[at] {
            return widest;
        }
        let words = self.cells(at).flat_map(str::split_whitespace).map(columns);
        let longest = words.max().unwrap_or(0).clamp(4, LONGEST_WORD).min(widest);
        // The first column says what a row is about: one word a line can hardly be read.
        if at == 0 { longest.max(widest.div_ceil(2)) } else { longest }
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
