//! Figures: each one as a picture for a terminal, and as sentences or a simple table for plain text.

mod axis;
mod bars;
mod curve;
mod map;
mod table;
mod timeline;

use crate::render::Canvas;
use crate::render::text::{columns, pad};
use lesson::Figure;
use map::Legend;

/// How far a picture stands to the right of its title.
const INDENT: usize = 2;

/// Any figure, without the page's margin.
pub fn draw(figure: &Figure, canvas: &Canvas) -> Vec<String> {
    match figure {
        Figure::Bars(bars) => bars::draw(bars, canvas),
        Figure::Table(table) => table::draw(table, canvas),
        Figure::Curve(curve) => curve::draw(curve, canvas),
        Figure::ResidencyMap(map) => map::draw(map, Legend::Used, canvas),
        Figure::Timeline(timeline) => timeline::draw(timeline, canvas),
    }
}

/// Any figure by itself.
pub fn figure(figure: &Figure, canvas: &Canvas) -> Vec<String> {
    canvas.with_margin(draw(figure, canvas))
}

/// A table, without the page's margin.
pub(super) fn table_lines(table: &lesson::figure::Table, canvas: &Canvas) -> Vec<String> {
    table::draw(table, canvas)
}

/// A table by itself.
pub fn table(table: &lesson::figure::Table, canvas: &Canvas) -> Vec<String> {
    canvas.with_margin(table::draw(table, canvas))
}

/// One frame of a live residency map: always as many lines as the frame before it. Plain: one sentence.
pub fn map_frame(map: &lesson::figure::ResidencyMap, canvas: &Canvas) -> Vec<String> {
    canvas.with_margin(map::draw(map, Legend::Whole, canvas))
}

/// The title above a picture; nothing where there is none.
fn titled(title: &str, canvas: &Canvas) -> Vec<String> {
    if title.trim().is_empty() { Vec::new() } else { canvas.wrap(title, canvas.text()) }
}

/// A picture below its title.
fn indented(lines: Vec<String>, canvas: &Canvas) -> Vec<String> {
    let indent = " ".repeat(indent(canvas));
    lines.into_iter().map(|line| format!("{indent}{line}")).collect()
}

/// How far a picture is indented: a narrow window has no column to give away.
fn indent(canvas: &Canvas) -> usize {
    if canvas.width < 50 { 0 } else { INDENT }
}

/// Columns for a picture.
fn room(canvas: &Canvas) -> usize {
    canvas.frame() - indent(canvas)
}

/// Horizontal block characters for `share` of `width` columns, in eighths of a column. What is not nothing shows at
/// least as the thinnest block.
fn blocks(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if !share.is_finite() || share <= 0.0 {
        return String::new();
    }
    let eighths = (share.min(1.0) * width as f64 * 8.0).round().max(1.0) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// Texts padded on the right to the width of the widest.
fn column(texts: &[String]) -> Vec<String> {
    let width = texts.iter().map(|text| columns(text)).max().unwrap_or(0);
    texts.iter().map(|text| pad(text, width)).collect()
}
