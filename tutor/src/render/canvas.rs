//! The paper: how large it is, and what may be put on it.

use super::theme::{Tone, paint};

/// Running text wider than this is hard to read.
const TEXT_COLUMNS: usize = 78;
/// Headers and figures wider than this fall apart before the eye.
const FRAME_COLUMNS: usize = 98;
/// Below these nothing sensible can be drawn; a smaller window wraps by itself.
const MIN_COLUMNS: usize = 24;
const MIN_LINES: usize = 8;

/// Where lines are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Columns.
    pub width: usize,
    /// Lines; two of them are left free for the key line and the prompt.
    pub height: usize,
    /// Whether escape sequences for colour may be used.
    pub colour: bool,
    /// Append-only text for pipes, logs and screen readers: no box drawing, no blocks, figures as sentences or
    /// simple tables. What we add ourselves is ASCII; from a lesson's text only letters, digits and the marks
    /// listed in [`super::text`] pass.
    pub plain: bool,
}

impl Canvas {
    /// Columns left of everything.
    pub fn margin(&self) -> usize {
        if self.plain { 0 } else { 1 }
    }

    /// Columns for a table that needs them.
    pub fn inner(&self) -> usize {
        self.width.max(MIN_COLUMNS) - 2 * self.margin()
    }

    /// Columns for headers and figures.
    pub fn frame(&self) -> usize {
        self.inner().min(FRAME_COLUMNS)
    }

    /// Columns for running text.
    pub fn text(&self) -> usize {
        self.inner().min(TEXT_COLUMNS)
    }

    /// Lines of a page.
    pub fn lines(&self) -> usize {
        self.height.max(MIN_LINES) - 2
    }

    /// `text` in this tone, or as it is.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        paint(self.colour && !self.plain, tone, text)
    }

    /// The whole of every line in this tone.
    pub fn paint_all(&self, tone: Tone, lines: Vec<String>) -> Vec<String> {
        lines.iter().map(|line| self.paint(tone, line)).collect()
    }

    /// Between two facts on one line.
    pub fn dot(&self) -> &'static str {
        if self.plain { " - " } else { " · " }
    }

    /// The margin before every line that has something on it.
    pub fn with_margin(&self, lines: Vec<String>) -> Vec<String> {
        let margin = " ".repeat(self.margin());
        lines
            .into_iter()
            .map(|line| {
                let line = line.trim_end();
                if line.is_empty() { String::new() } else { format!("{margin}{line}") }
            })
            .collect()
    }
}
