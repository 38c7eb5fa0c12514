//! Timelines: spans on a common scale, each on a line of its own.

use super::{blocks, column, indented, room, titled};
use crate::render::Canvas;
use crate::render::text::{columns, pad_left};
use crate::render::theme::Tone;
use instruments::size::format_ns;
use lesson::figure::{Span, Timeline};

/// A shorter scale shows nothing.
const MIN_SCALE: usize = 16;

pub(super) fn draw(timeline: &Timeline, canvas: &Canvas) -> Vec<String> {
    let mut lines = titled(&timeline.title, canvas);
    if canvas.plain {
        lines.extend(timeline.spans.iter().flat_map(|span| sentence(span, canvas)));
    } else {
        lines.extend(indented(picture(&timeline.spans, canvas), canvas));
    }
    lines
}

fn sentence(span: &Span, canvas: &Canvas) -> Vec<String> {
    let start = format_ns(span.start_ns as f64);
    let when = if span.length_ns == 0 {
        format!("at {start}: {}", span.label)
    } else {
        format!("at {start}, for {}: {}", format_ns(span.length_ns as f64), span.label)
    };
    let text = if span.note.is_empty() { when } else { format!("{when}, {}", span.note) };
    canvas.hang("-", &text, 2, canvas.text())
}

fn length(span: &Span) -> String {
    if span.length_ns == 0 {
        format!("at {}", format_ns(span.start_ns as f64))
    } else {
        format_ns(span.length_ns as f64)
    }
}

fn picture(spans: &[Span], canvas: &Canvas) -> Vec<String> {
    let end = spans.iter().map(|span| span.start_ns.saturating_add(span.length_ns)).max().unwrap_or(0).max(1);
    let labels: Vec<String> = spans.iter().map(|span| canvas.fit(&span.label, room(canvas) / 3)).collect();
    let labels = column(&labels);
    let lengths: Vec<String> = spans.iter().map(length).collect();
    let length_width = lengths.iter().map(|text| columns(text)).max().unwrap_or(0);
    let notes: Vec<String> = spans.iter().map(|span| canvas.one_line(&span.note)).collect();
    let note_width = notes.iter().map(|note| columns(note)).max().unwrap_or(0);
    let label_width = labels.first().map_or(0, |label| columns(label));
    let left = room(canvas).saturating_sub(label_width + length_width + 3);
    let beside = note_width > 0 && left >= MIN_SCALE + note_width + 2;
    let width = if beside { left - note_width - 2 } else { left }.max(4);

    let mut lines = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        let drawn = strip(span, end, width);
        let gap = " ".repeat(width - columns(&drawn));
        let ink = canvas.paint(Tone::Ink, &drawn);
        let line = format!("{}  {ink}{gap} {}", labels[at], pad_left(&lengths[at], length_width));
        let note = &notes[at];
        if beside {
            lines.push(format!("{line}  {note}"));
        } else {
            lines.push(line);
            lines.extend(canvas.hang("", note, label_width + 2, room(canvas)));
        }
    }
    lines.push(scale(end, label_width + 2, width, canvas));
    lines
}

/// A span at its place: at least the thinnest block; an instant is a stroke.
fn strip(span: &Span, end: u64, width: usize) -> String {
    let at = |ns: u64| ns as f64 / end as f64 * width as f64;
    let start = (at(span.start_ns).floor() as usize).min(width - 1);
    if span.length_ns == 0 {
        return " ".repeat(start) + "╿";
    }
    // A span shorter than a column shows its length, a longer one its end.
    let length = at(span.length_ns);
    let drawn =
        if length < 1.0 { length } else { at(span.start_ns.saturating_add(span.length_ns)) - start as f64 };
    " ".repeat(start) + &blocks(drawn / (width - start) as f64, width - start)
}

/// Zero and the end, below the spans.
fn scale(end: u64, left: usize, width: usize, canvas: &Canvas) -> String {
    let end = format_ns(end as f64);
    let rule = width.saturating_sub(columns(&end) + 4);
    let arrow = if rule > 0 { format!("{}▸", "─".repeat(rule)) } else { String::new() };
    format!("{}0 {} {end}", " ".repeat(left), canvas.paint(Tone::Quiet, &arrow))
}
