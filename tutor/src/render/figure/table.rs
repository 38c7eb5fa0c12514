//! Tables: rows and columns where they fit, one block a row where they do not.
//!
//! The first column is left-aligned, columns of figures are right-aligned; a further column without a single figure
//! is text and reads better from the left.

use super::{indent, titled};
use crate::render::Canvas;
use crate::render::text::{columns, pad, pad_left};
use crate::render::theme::Tone;
use lesson::figure::Table;

/// The narrowest column that text is wrapped into.
const MIN_TEXT: usize = 20;

/// A table below its title, where there is one.
pub(super) fn draw(table: &Table, canvas: &Canvas) -> Vec<String> {
    let mut lines = titled(&table.title, canvas);
    let indent = if lines.is_empty() || canvas.plain { 0 } else { indent(canvas) };
    let grid = Grid::of(table, canvas);
    let drawn = match grid.widths(canvas.inner() - indent) {
        Some((widths, gap)) => grid.lines(&widths, gap, canvas),
        None => grid.stacked(canvas.text() - indent, canvas),
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
        let right = (0..count).map(|at| at > 0 && rows.iter().any(|row| is_figure(&row[at]))).collect();
        Grid { head, rows, right }
    }

    fn natural(&self, at: usize) -> usize {
        self.rows.iter().chain([&self.head]).map(|row| columns(&row[at])).max().unwrap_or(0)
    }

    /// Widths of the columns and the gap between them; None where the table does not fit `room` columns.
    fn widths(&self, room: usize) -> Option<(Vec<usize>, usize)> {
        let mut widths: Vec<usize> = (0..self.head.len()).map(|at| self.natural(at)).collect();
        let gaps = widths.len().saturating_sub(1);
        let total = widths.iter().sum::<usize>();
        if let Some(gap) = [3, 2].into_iter().find(|gap| total + gap * gaps <= room) {
            return Some((widths, gap));
        }
        let widest = (0..widths.len()).filter(|at| !self.right[*at]).max_by_key(|at| widths[*at])?;
        let others = total - widths[widest] + 2 * gaps;
        let left = room.saturating_sub(others);
        if left < MIN_TEXT {
            return None;
        }
        widths[widest] = left;
        Some((widths, 2))
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
            lines.extend(canvas.paint_all(Tone::Strong, canvas.wrap(first, width)));
            for (head, cell) in self.head[1..].iter().zip(others).filter(|(_, cell)| !cell.is_empty()) {
                let text = if head.is_empty() { cell.clone() } else { format!("{head}: {cell}") };
                lines.extend(canvas.hang("", &text, 2, width));
            }
        }
        lines
    }
}

/// Whether a cell holds a figure rather than words.
fn is_figure(cell: &str) -> bool {
    let digits = cell.trim_start_matches(['+', '-', '−', '~', '<', '>', '≈', '±', ' ']);
    digits.starts_with(|c: char| c.is_ascii_digit())
}
