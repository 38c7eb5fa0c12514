//! What the glyphs and the horizontal axis of a curve mean.

use super::{axis_title, plot, style};
use crate::render::figure::axis::Range;
use crate::render::figure::room;
use crate::render::text::{columns, pad_left};
use crate::render::theme::Tone;
use crate::render::{Canvas, number};
use lesson::figure::{Curve, Series};

/// What each glyph means at the left, the horizontal axis in words at the right.
pub(super) fn legend(curve: &Curve, x: &Range, overlaps: bool, canvas: &Canvas) -> Vec<String> {
    let mut entries: Vec<Entry> = Vec::new();
    if curve.series.len() > 1 {
        let of = |(at, series): (usize, &Series)| (style(at).0, style(at).1, series.name.clone());
        entries.extend(curve.series.iter().enumerate().map(of));
    }
    if overlaps {
        entries.push((plot::OVERLAP, Tone::Strong, "several".to_owned()));
    }
    for mark in &curve.marks {
        let at = number::tick(curve.x.scale, mark.x);
        entries.push((plot::MARK, Tone::Quiet, format!("{at}: {}", mark.label)));
    }
    let width = room(canvas);
    let title = canvas.one_line(&axis_title(&curve.x, x));
    let mut lines = flow(&entries, width, canvas);
    let used = lines.first().map_or(0, |(used, _)| *used);
    if used + 3 + columns(&title) <= width {
        let title = pad_left(&title, width - used);
        match lines.first_mut() {
            Some((_, line)) => line.push_str(&title),
            None => lines.push((width, title)),
        }
        return lines.into_iter().map(|(_, line)| line).collect();
    }
    let title = canvas.wrap(&title, width).into_iter().map(|line| pad_left(&line, width));
    title.chain(lines.into_iter().map(|(_, line)| line)).collect()
}

/// A glyph, its tone, and what it means.
type Entry = (char, Tone, String);

/// Entries side by side, as many on a line as fit; each line with the columns that it takes.
fn flow(entries: &[Entry], width: usize, canvas: &Canvas) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (glyph, tone, text) in entries {
        let texts = canvas.wrap(text, width - 2);
        let glyph = canvas.paint(*tone, &glyph.to_string());
        let wide = texts.first().map_or(0, |text| columns(text)) + 2;
        match lines.last_mut() {
            Some((used, line)) if texts.len() == 1 && *used + 3 + wide <= width => {
                *line = format!("{line}   {glyph} {}", texts[0]);
                *used += 3 + wide;
            }
            _ => {
                for (at, text) in texts.iter().enumerate() {
                    let sign = if at == 0 { glyph.as_str() } else { " " };
                    lines.push((columns(text) + 2, format!("{sign} {text}")));
                }
            }
        }
    }
    lines
}
