//! A screen from top to bottom: where we are, the label of what was recorded, what is shown, a remark, the keys.

use super::palette::{Band, Palette};
use crate::render::{self, Canvas};
use console::Term;

/// Rows around what is shown: head and label above, remark and keys below.
const AROUND: usize = 4;
/// The smallest window that every screen fits. A smaller one shows the upper left part. A room is better served by
/// 60 × 16, for which the screens are made.
pub const MIN_COLUMNS: usize = 40;
const MIN_ROWS: usize = 12;

/// How large the window is, and its colours.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Columns that are drawn for.
    pub columns: usize,
    /// Rows that are drawn for.
    pub rows: usize,
    window: (usize, usize),
    palette: Palette,
}

/// What stands on a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// At the left of the head.
    pub left: String,
    /// At its right.
    pub right: String,
    /// Machine and date of a recording.
    pub label: Option<String>,
    /// With their margin; no more than the body has.
    pub lines: Vec<String>,
}

impl Layout {
    /// For a window of this size.
    pub fn of(columns: usize, rows: usize, palette: Palette) -> Layout {
        Layout {
            columns: columns.max(MIN_COLUMNS),
            rows: rows.max(MIN_ROWS),
            window: (columns, rows),
            palette,
        }
    }

    /// For the window as it is now.
    pub fn here(palette: Palette) -> Layout {
        let (rows, columns) = Term::stdout().size_checked().unwrap_or((MIN_ROWS as u16, MIN_COLUMNS as u16));
        Layout::of(columns.into(), rows.into(), palette)
    }

    /// For the renderers: as large as the body is to them.
    pub fn canvas(&self) -> Canvas {
        Canvas {
            width: self.columns,
            // They leave two lines for keys and prompt.
            height: self.body() + 2,
            colour: self.palette.colours(),
            plain: self.palette == Palette::Dumb,
        }
    }

    /// Rows for what is shown.
    pub fn body(&self) -> usize {
        self.rows - AROUND
    }

    /// Rows that are the upper two thirds, less what stands above the body.
    pub fn upper(&self) -> usize {
        self.rows * 2 / 3 - 2
    }

    /// All rows of the window.
    pub fn rows(&self, frame: &Frame, remark: &str, keys: &[(&str, &str)]) -> Vec<String> {
        let canvas = self.canvas();
        let mut rows = vec![(Band::Head, self.head(frame)), (Band::Body, self.label(frame))];
        rows.extend(frame.lines.iter().take(self.body()).map(|line| (Band::Body, line.clone())));
        rows.resize(self.rows - 2, (Band::Body, String::new()));
        let remark = if remark.is_empty() { String::new() } else { format!(" {}", canvas.one_line(remark)) };
        rows.push((Band::Body, remark));
        rows.push((Band::Foot, render::keys(keys, &canvas)));
        let (columns, visible) = self.window;
        let last = rows.len() - 1;
        // In a window that is too small, what is cut off is not the keys.
        let shown = rows.into_iter().enumerate().filter(|(at, _)| *at + 1 < visible || *at == last);
        shown.map(|(_, (band, row))| self.palette.row(&row, columns, band)).collect()
    }

    fn head(&self, frame: &Frame) -> String {
        let canvas = self.canvas();
        let width = |text: &str| console::measure_text_width(text);
        // `Lab 5` and `8/8 · kernel-clock`, where title and step are long.
        let number = frame.left.split(" · ").next().unwrap_or_default();
        let step = frame.right.replacen("act ", "", 1).replacen(" of ", "/", 1);
        let forms = [(frame.left.as_str(), &frame.right), (&frame.left, &step), (number, &step)];
        let fits = |form: &&(&str, &String)| width(form.0) + width(form.1) + 2 <= canvas.inner();
        let (left, right) = forms.iter().find(fits).unwrap_or(&forms[2]);
        let right =
            canvas.fit(right, (canvas.inner() / 2).max(canvas.inner().saturating_sub(width(left) + 2)));
        let left = canvas.fit(left, canvas.inner() - width(&right) - 2);
        let gap = canvas.inner() - width(&left) - width(&right);
        format!("{}{left}{}{right}", " ".repeat(canvas.margin()), " ".repeat(gap))
    }

    fn label(&self, frame: &Frame) -> String {
        let canvas = self.canvas();
        let Some(label) = &frame.label else { return String::new() };
        let width = self.columns - canvas.margin();
        // The lab's second screen has all of it.
        let label = canvas.fit_facts(label, width);
        format!("{}{}", " ".repeat(canvas.margin()), canvas.paint(render::Tone::Alert, &label))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_has_as_many_rows_and_columns_as_the_window() {
        let frame = Frame {
            left: "Lab 2 · Cold vs warm".to_owned(),
            right: "act 2 of 4 · factor".to_owned(),
            label: Some("RECORDED 2026-11-30 · Linux 6.18, x86_64, ext4, VM (kvm)".to_owned()),
            lines: vec![" What is shown.".to_owned(); 40],
        };
        for (columns, rows) in [(60, 16), (100, 30), (40, 10), (20, 4), (200, 60)] {
            for palette in [Palette::Light, Palette::Bare, Palette::Dumb] {
                let drawn = Layout::of(columns, rows, palette).rows(&frame, "A remark.", &[("n", "next")]);
                assert_eq!(drawn.len(), rows, "{columns}x{rows}");
                assert!(drawn.iter().all(|row| console::measure_text_width(row) == columns), "{drawn:?}");
                assert!(drawn[rows - 1].contains("next"));
            }
        }
    }
}
