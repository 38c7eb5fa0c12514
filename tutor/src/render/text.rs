//! Cleaning, wrapping and fitting of text, by columns rather than bytes.

use super::Canvas;
use super::theme::Tone;
use textwrap::{Options, WordSplitter};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Marks that plain text keeps beside ASCII, letters and digits: they are read as text, and each has a meaning
/// that ASCII cannot give. Everything else that is not ASCII becomes its nearest ASCII form, or `?`.
pub(super) const PLAIN_MARKS: &str = "µ±×°§½¼¾";

/// Columns that `text` takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// `text` and spaces up to `width` columns.
pub(super) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Spaces, so that `text` ends at `width` columns.
pub(super) fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// A paragraph by itself, such as what is said below a page; an empty line for no text.
pub fn paragraph(text: &str, canvas: &Canvas) -> Vec<String> {
    let lines = canvas.wrap(text, canvas.text());
    if lines.is_empty() { vec![String::new()] } else { canvas.with_margin(lines) }
}

/// One entry of a list by itself: a paragraph that stands behind its label.
pub fn item(label: &str, text: &str, canvas: &Canvas) -> Vec<String> {
    canvas.with_margin(canvas.hang(label, text, columns(label), canvas.text()))
}

impl Canvas {
    /// `text` without anything that could move the cursor or change a line's width; in plain form also without
    /// what [`PLAIN_MARKS`] does not allow. Newlines stay.
    pub fn clean(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\n' => out.push('\n'),
                c if c.is_control() => out.push(' '),
                c if c.width() == Some(0) => {}
                c if self.plain => push_plain(&mut out, c),
                c => out.push(c),
            }
        }
        out
    }

    /// The same on one line.
    pub fn one_line(&self, text: &str) -> String {
        self.clean(text).replace('\n', " ")
    }

    /// Facts with commas between, on one line of at most `width` columns: the last ones give way rather than half a word.
    pub fn fit_facts(&self, text: &str, width: usize) -> String {
        let mut text = self.one_line(text);
        while columns(&text) > width {
            let Some(at) = text.rfind(", ") else { return self.fit(&text, width) };
            text.truncate(at);
        }
        text
    }

    /// One line of at most `width` columns; what does not fit ends in an ellipsis.
    pub fn fit(&self, text: &str, width: usize) -> String {
        let text = self.one_line(text);
        if columns(&text) <= width {
            return text;
        }
        let dots = if self.plain { "..." } else { "…" };
        let mut out = String::new();
        for c in text.chars() {
            out.push(c);
            if columns(&out) + columns(dots) > width {
                out.pop();
                break;
            }
        }
        out.truncate(out.trim_end().len());
        if columns(dots) <= width { out + dots } else { String::new() }
    }

    /// Lines of at most `width` columns, broken at spaces; none for no text. A word that is wider than a line is broken after one of
    /// its own punctuation marks, with a `\` at the end of the line.
    pub fn wrap(&self, text: &str, width: usize) -> Vec<String> {
        let width = width.max(4);
        let text = self.clean(text);
        if text.trim().is_empty() {
            return Vec::new();
        }
        let options = Options::new(width).word_splitter(WordSplitter::NoHyphenation).break_words(false);
        textwrap::wrap(text.trim_end(), options)
            .into_iter()
            .flat_map(|line| broken(line.trim_end(), width))
            .collect()
    }

    /// A paragraph whose first line begins with `label`; all lines stand at `indent` columns.
    pub fn hang(&self, label: &str, text: &str, indent: usize, width: usize) -> Vec<String> {
        let mut label = pad(label, indent);
        self.wrap(text, width.saturating_sub(indent))
            .into_iter()
            .map(|line| std::mem::replace(&mut label, " ".repeat(indent)) + &line)
            .collect()
    }

    /// A paragraph beside its label, which has the tone of labels; all lines stand at `indent` columns.
    pub fn labelled(&self, label: &str, text: &str, indent: usize) -> Vec<String> {
        let mut lines = self.hang("", text, indent, self.text());
        if let Some(first) = lines.first_mut() {
            *first = self.with_label(label, first, indent);
        }
        lines
    }

    /// `line`, which begins with `indent` spaces, with `label` in their place.
    pub fn with_label(&self, label: &str, line: &str, indent: usize) -> String {
        let gap = " ".repeat(indent.saturating_sub(columns(label)));
        format!("{}{gap}{}", self.paint(Tone::Label, label), line.get(indent..).unwrap_or_default())
    }

    /// A line whose blanks mean something, cut where it is too wide.
    pub(super) fn folded(&self, line: &str, width: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        for c in self.one_line(line).chars() {
            let last = lines.last_mut().expect("there is always a line");
            if columns(last) + c.width().unwrap_or(0) > width {
                lines.push(c.to_string());
            } else {
                last.push(c);
            }
        }
        lines
    }

    /// A command line after `$`, which stands at `indent`. One that is too long goes on after a `\`, as a shell
    /// reads it: at a space with an indent, inside a long word without one.
    pub fn command(&self, command: &str, indent: usize, width: usize) -> Vec<String> {
        let command = self.one_line(command);
        let start = format!("{}$", " ".repeat(indent));
        let mut lines = vec![start.clone()];
        for word in command.split_whitespace() {
            let last = lines.last_mut().expect("there is always a line");
            if columns(last) + columns(word) + 3 <= width {
                *last = format!("{last} {word}");
                continue;
            }
            if *last != start {
                last.push_str(" \\");
                lines.push(" ".repeat(indent + 3));
            }
            let last = lines.last_mut().expect("there is always a line");
            let mut pieces = broken(word, width.saturating_sub(indent + 6).max(4)).into_iter();
            *last = format!("{last} {}", pieces.next().unwrap_or_default());
            lines.extend(pieces);
        }
        lines
    }
}

fn push_plain(out: &mut String, c: char) {
    match c {
        c if c.is_ascii() || c.is_alphanumeric() || PLAIN_MARKS.contains(c) => out.push(c),
        '\u{a0}' | '\u{202f}' | '\u{2009}' => out.push(' '),
        '‘' | '’' => out.push('\''),
        '“' | '”' => out.push('"'),
        '‐' | '‑' | '–' | '—' | '−' | '·' => out.push('-'),
        '…' => out.push_str("..."),
        '→' => out.push_str("->"),
        '≤' => out.push_str("<="),
        '≥' => out.push_str(">="),
        '≈' => out.push('~'),
        _ => out.push('?'),
    }
}

/// A line that is too wide, since one word is: its pieces, each but the last ending in `\`.
fn broken(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = line;
    while columns(rest) > width {
        let room = fitting(rest, width - 1);
        let natural = rest[..room].rfind(['/', '=', ',', ':', '-', '_', '.', '#']).map(|at| at + 1);
        let cut = natural.filter(|at| *at > room / 2).unwrap_or(room);
        lines.push(format!("{}\\", &rest[..cut]));
        rest = &rest[cut..];
    }
    lines.push(rest.to_owned());
    lines
}

/// Bytes of `text` that fit into `width` columns; at least one character.
fn fitting(text: &str, width: usize) -> usize {
    let mut end = text.chars().next().map_or(0, char::len_utf8);
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        if columns(&text[..next]) > width {
            break;
        }
        end = next.max(end);
    }
    end
}
