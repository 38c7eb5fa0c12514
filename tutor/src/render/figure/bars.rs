//! Bars: a few values side by side; length says how much, the text beside it says exactly.

use super::{blocks, column, indent, indented, room, titled};
use crate::render::Canvas;
use crate::render::text::{columns, pad, pad_left};
use crate::render::theme::Tone;
use lesson::figure::{Bar, Bars};

/// Shorter bars than this cannot be told apart.
const MIN_BAR: usize = 16;

pub(super) fn draw(bars: &Bars, canvas: &Canvas) -> Vec<String> {
    let mut lines = titled(&bars.title, canvas);
    if canvas.plain {
        lines.extend(bars.bars.iter().flat_map(|bar| sentence(bar, canvas)));
    } else {
        lines.extend(indented(picture(bars, canvas), canvas));
    }
    lines
}

fn sentence(bar: &Bar, canvas: &Canvas) -> Vec<String> {
    let facts: Vec<&str> = [&*bar.text, &*bar.note].into_iter().filter(|fact| !fact.is_empty()).collect();
    canvas.hang("-", &format!("{}: {}", bar.label, facts.join(", ")), 2, canvas.text())
}

/// The three columns beside the bars.
struct Columns {
    labels: Vec<String>,
    texts: Vec<String>,
    notes: Vec<String>,
}

impl Columns {
    fn of(bars: &[Bar], canvas: &Canvas) -> Columns {
        let longest = room(canvas) / 3;
        let labels: Vec<String> = bars.iter().map(|bar| canvas.fit(&bar.label, longest)).collect();
        let notes: Vec<String> = bars.iter().map(|bar| canvas.one_line(&bar.note)).collect();
        let notes_width = notes.iter().map(|note| columns(note)).max().unwrap_or(0);
        Columns {
            labels: column(&labels),
            texts: aligned(bars, canvas),
            notes: notes.iter().map(|note| pad_left(note, notes_width)).collect(),
        }
    }

    /// Columns left for the bars with, or without, notes beside them.
    fn left(&self, with_notes: bool, canvas: &Canvas) -> usize {
        let width = |texts: &[String]| texts.first().map_or(0, |text| columns(text));
        let notes = if with_notes && width(&self.notes) > 0 { width(&self.notes) + 2 } else { 0 };
        room(canvas).saturating_sub(width(&self.labels) + width(&self.texts) + notes + 3)
    }
}

/// Values right-aligned where they end, their spreads left-aligned where they begin.
fn aligned(bars: &[Bar], canvas: &Canvas) -> Vec<String> {
    let clean: Vec<String> = bars.iter().map(|bar| canvas.one_line(&bar.text)).collect();
    let split = |text: &String| match text.find(" ±") {
        Some(at) => (text[..at].to_owned(), text[at..].to_owned()),
        None => (text.clone(), String::new()),
    };
    let parts: Vec<(String, String)> = clean.iter().map(split).collect();
    let values = parts.iter().map(|(value, _)| columns(value)).max().unwrap_or(0);
    let spreads = parts.iter().map(|(_, spread)| columns(spread)).max().unwrap_or(0);
    parts.iter().map(|(value, spread)| pad_left(value, values) + &pad(spread, spreads)).collect()
}

fn picture(figure: &Bars, canvas: &Canvas) -> Vec<String> {
    let bars = &figure.bars;
    let columns = Columns::of(bars, canvas);
    let longest = bars.iter().map(|bar| super::columns(&canvas.one_line(&bar.label))).max().unwrap_or(0);
    let beside = if longest > room(canvas) / 3 {
        // Cut short, two labels may be the same.
        None
    } else if columns.left(true, canvas) >= MIN_BAR {
        Some(true)
    } else if columns.left(false, canvas) >= MIN_BAR {
        Some(false)
    } else {
        None
    };
    let mut lines = Vec::new();
    for (at, bar) in bars.iter().enumerate() {
        let share = figure.share(bar);
        lines.extend(match beside {
            Some(notes) => row(&columns, at, share, notes, canvas),
            None => stacked(bar, share, canvas),
        });
    }
    lines
}

fn row(columns: &Columns, at: usize, share: f64, notes: bool, canvas: &Canvas) -> Vec<String> {
    let width = columns.left(notes, canvas);
    let bar = filled(share, width);
    let gap = " ".repeat(width - super::columns(&bar));
    let label = &columns.labels[at];
    let ink = canvas.paint(Tone::Ink, &bar);
    let mut first = format!("{label}  {ink}{gap} {}", columns.texts[at]);
    let note = &columns.notes[at];
    let mut below = Vec::new();
    if notes {
        first = format!("{first}  {note}");
    } else if !note.trim().is_empty() {
        let left = super::columns(label) + 2;
        below = canvas.hang("", note.trim(), left, room(canvas));
    }
    std::iter::once(first).chain(below).collect()
}

/// What fell is drawn in whole columns of another pattern: its sign is not the only signal.
fn filled(share: f64, width: usize) -> String {
    if share >= 0.0 {
        return blocks(share, width);
    }
    "░".repeat((-share * width as f64).round().max(1.0) as usize)
}

/// A narrow window: the label above its bar, the value beneath.
fn stacked(bar: &Bar, share: f64, canvas: &Canvas) -> Vec<String> {
    let width = canvas.frame() - indent(canvas);
    let mut lines = canvas.wrap(&bar.label, width);
    let drawn = filled(share, width - 2);
    if !drawn.is_empty() {
        lines.push(format!("  {}", canvas.paint(Tone::Ink, &drawn)));
    }
    let facts: Vec<&str> = [&*bar.text, &*bar.note].into_iter().filter(|fact| !fact.is_empty()).collect();
    if !facts.is_empty() {
        lines.extend(canvas.hang("", &facts.join(", "), 2, width));
    }
    lines
}
