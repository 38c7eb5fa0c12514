//! The paper that figures are drawn on: as wide as a phone, as long as it takes.

use crate::generate::html;
use std::fmt::Write;

/// Units across.
pub const WIDTH: f64 = 360.0;
/// Height of letters.
pub const LETTER: f64 = 12.0;
/// From one line of text to the next.
pub const LINE: f64 = 16.0;

/// Where a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// At its start.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

/// What is drawn so far.
#[derive(Debug, Default)]
pub struct Layout {
    body: String,
    /// How far down it is used.
    pub bottom: f64,
}

impl Layout {
    /// One line of text with its baseline at `y`.
    pub fn text(&mut self, x: f64, y: f64, hold: Hold, class: &str, text: &str) {
        let anchor = match hold {
            Hold::Start => "start",
            Hold::Middle => "middle",
            Hold::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{}</text>",
            html(text)
        );
        self.bottom = self.bottom.max(y + 4.0);
    }

    /// Lines of text below what is there, as many as it takes.
    pub fn paragraph(&mut self, x: f64, class: &str, text: &str) {
        for line in lines(text, WIDTH - x) {
            let y = self.bottom + LINE - 4.0;
            self.text(x, y, Hold::Start, class, &line);
        }
    }

    /// A filled rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{class}\"></rect>"
        );
        self.bottom = self.bottom.max(y + height);
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" class=\"{class}\"></line>",
            from.0, from.1, to.0, to.1
        );
        self.bottom = self.bottom.max(from.1).max(to.1);
    }

    /// A line through points.
    pub fn path(&mut self, points: &[(f64, f64)], class: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ =
            writeln!(self.body, "<polyline points=\"{}\" class=\"{class}\"></polyline>", points.join(" "));
    }

    /// A mark of its own shape for each series, so that colour is never the only signal.
    pub fn mark(&mut self, (x, y): (f64, f64), series: usize) {
        let class = series_class(series);
        let _ = match series % 4 {
            0 => {
                writeln!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" class=\"{class}\"></circle>")
            }
            1 => writeln!(
                self.body,
                "<polygon points=\"{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\" class=\"{class}\"></polygon>",
                x - 3.5,
                y + 3.0,
                x + 3.5,
                y + 3.0,
                x,
                y - 4.0
            ),
            2 => writeln!(
                self.body,
                "<polygon points=\"{:.1},{y:.1} {x:.1},{:.1} {:.1},{y:.1} {x:.1},{:.1}\" class=\"{class}\"></polygon>",
                x - 4.0,
                y - 4.0,
                x + 4.0,
                y + 4.0
            ),
            _ => writeln!(
                self.body,
                "<polygon points=\"{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\" class=\"{class}\"></polygon>",
                x - 3.5,
                y - 3.0,
                x + 3.5,
                y - 3.0,
                x,
                y + 4.0
            ),
        };
    }

    /// The drawing, with its name and its words.
    pub fn svg(&self, name: &str, words: &str) -> String {
        let height = self.bottom + 4.0;
        format!(
            "<svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {WIDTH} {height:.0}\" xmlns=\"http://www.w3.org/2000/svg\">\n<desc>{}</desc>\n{}</svg>",
            html(name),
            html(words),
            self.body
        )
    }
}

/// The class that gives a series its colour.
pub fn series_class(series: usize) -> String {
    format!("s{}", series % 4)
}

/// About how wide a text is: letters of proportional type are a little more than half as wide as high.
pub fn width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER * 0.54
}

/// `text` in lines of at most this width.
pub fn lines(text: &str, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + width(word) + LETTER * 0.54 <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
