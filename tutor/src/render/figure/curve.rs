//! Curves: series of points with their spread over two axes; in plain form a table and a sentence.

mod legend;
mod plot;
mod words;

use super::axis::Range;
use super::{indented, room, titled};
use crate::render::Canvas;
use crate::render::text::{columns, pad_left};
use crate::render::theme::Tone;
use lesson::figure::{Axis, Curve, Point};
use plot::Plot;

/// A series by its place: glyph and tone.
const STYLES: [(char, Tone); 6] = [
    ('●', Tone::Ink),
    ('○', Tone::Alert),
    ('◆', Tone::Good),
    ('◇', Tone::Strong),
    ('▲', Tone::Ink),
    ('△', Tone::Alert),
];

fn style(at: usize) -> (char, Tone) {
    STYLES[at % STYLES.len()]
}

pub(super) fn draw(curve: &Curve, canvas: &Canvas) -> Vec<String> {
    let mut lines = titled(&curve.title, canvas);
    if canvas.plain {
        lines.extend(words::tables(curve, canvas));
    } else {
        lines.extend(indented(picture(curve, canvas), canvas));
    }
    lines
}

/// Rows for the points: what is left of the page for a picture, within reason.
fn plot_rows(canvas: &Canvas) -> usize {
    (canvas.lines() * 9 / 22).clamp(5, 12)
}

fn points(curve: &Curve) -> impl Iterator<Item = &Point> {
    curve.series.iter().flat_map(|series| &series.points)
}

fn picture(curve: &Curve, canvas: &Canvas) -> Vec<String> {
    let marks = curve.marks.iter().map(|mark| mark.x);
    let x = Range::of(&curve.x, points(curve).map(|point| point.x).chain(marks), false);
    let heights = points(curve).flat_map(|point| [point.y, point.low, point.high]);
    let y = Range::of(&curve.y, heights, true).rounded();
    let rows = plot_rows(canvas);
    let y_ticks = y_ticks(&y, rows);
    let left = y_ticks.iter().map(|tick| columns(&y.text(*tick))).max().unwrap_or(0);
    let width = room(canvas).saturating_sub(left + 3).max(8);
    let x_ticks = x.ticks(|ticks| labels(&x, ticks, width).is_some());

    let mut plot = Plot::new(width, rows);
    curve.marks.iter().filter(|mark| mark.x.is_finite()).for_each(|mark| plot.mark(x.place(mark.x)));
    curve.series.iter().enumerate().for_each(|(at, series)| plot.series(series, &x, &y, style(at)));

    let mut lines = canvas.wrap(&axis_title(&curve.y, &y), room(canvas));
    for at in 0..rows {
        let tick = y_ticks.iter().find(|tick| row(&y, **tick, rows) == at);
        let label = pad_left(&tick.map(|tick| y.text(*tick)).unwrap_or_default(), left);
        let axis = canvas.paint(Tone::Quiet, if tick.is_some() { "┤" } else { "│" });
        lines.push(format!("{label} {axis}{}", plot.row(at, canvas)));
    }
    let axis = format!("└{}", plot.axis(x_ticks.iter().map(|tick| x.place(*tick))));
    lines.push(format!("{} {}", " ".repeat(left), canvas.paint(Tone::Quiet, &axis)));
    lines.push(" ".repeat(left + 2) + &labels(&x, &x_ticks, width).unwrap_or_default());
    lines.extend(legend::legend(curve, &x, plot.overlaps(), canvas));
    lines
}

/// Round values at least two rows apart, and both ends where they are not too near to one of these.
fn y_ticks(y: &Range, rows: usize) -> Vec<f64> {
    let apart = |a: f64, b: f64| row(y, a, rows).abs_diff(row(y, b, rows)) > 1;
    let mut ticks = y.ticks(|ticks| ticks.windows(2).all(|pair| apart(pair[0], pair[1])));
    for end in y.ends() {
        if ticks.iter().all(|tick| apart(*tick, end)) {
            ticks.push(end);
        }
    }
    ticks
}

/// The row of a value, from the top.
fn row(y: &Range, value: f64, rows: usize) -> usize {
    rows - 1 - (y.place(value) * (rows - 1) as f64).round() as usize
}

fn axis_title(axis: &Axis, range: &Range) -> String {
    if range.is_log() { format!("{} (log scale)", axis.label) } else { axis.label.clone() }
}

/// The tick texts, each centred below its tick (one column more than the axis has); None where two would touch.
fn labels(x: &Range, ticks: &[f64], width: usize) -> Option<String> {
    let mut line = String::new();
    for tick in ticks {
        let text = x.text(*tick);
        let middle = (x.place(*tick) * (width - 1) as f64).round() as usize;
        let wide = columns(&text);
        let start = middle.saturating_sub(wide / 2).min((width + 1).saturating_sub(wide));
        if !line.is_empty() && start < columns(&line) + 2 {
            return None;
        }
        line.push_str(&" ".repeat(start.saturating_sub(columns(&line))));
        line.push_str(&text);
    }
    (columns(&line) <= width + 1).then_some(line)
}
