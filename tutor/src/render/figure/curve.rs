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
    let y =
        Range::of(&curve.y, points(curve).flat_map(|point| [point.y, point.low, point.high]), true).rounded();
    let rows = plot_rows(canvas);
    let spread = |ticks: &[f64]| {
        let places: Vec<usize> = ticks.iter().map(|tick| row(&y, *tick, rows)).collect();
        places.windows(2).all(|pair| pair[0] >= pair[1] + 2)
    };
    let mut y_ticks = y.ticks(spread);
    for end in y.ends() {
        let far = |tick: &f64| row(&y, *tick, rows).abs_diff(row(&y, end, rows)) > 1;
        if y_ticks.iter().all(far) {
            y_ticks.push(end);
        }
    }
    let left = y_ticks.iter().map(|tick| columns(&y.text(*tick))).max().unwrap_or(0);
    let width = room(canvas).saturating_sub(left + 3).max(8);

    let mut plot = Plot::new(width, rows);
    curve.marks.iter().filter(|mark| mark.x.is_finite()).for_each(|mark| plot.mark(x.place(mark.x)));
    curve.series.iter().enumerate().for_each(|(at, series)| plot.series(series, &x, &y, style(at)));

    let x_ticks = x.ticks(|ticks| labels(&x, ticks, width).is_some());
    let mut lines = canvas.paint_all(Tone::Quiet, canvas.wrap(&axis_title(&curve.y, &y), room(canvas)));
    for at in 0..rows {
        let tick = y_ticks.iter().find(|tick| row(&y, **tick, rows) == at);
        let label = pad_left(&tick.map(|tick| y.text(*tick)).unwrap_or_default(), left);
        let axis = if tick.is_some() { "┤" } else { "│" };
        lines.push(format!(
            "{}{}",
            canvas.paint(Tone::Quiet, &format!("{label} {axis}")),
            plot.row(at, canvas)
        ));
    }
    let axis = plot.axis(x_ticks.iter().map(|tick| x.place(*tick)));
    lines.push(canvas.paint(Tone::Quiet, &format!("{} └{axis}", " ".repeat(left))));
    let numbers = labels(&x, &x_ticks, width).unwrap_or_default();
    lines.push(canvas.paint(Tone::Quiet, &format!("{}{numbers}", " ".repeat(left + 2))));
    lines.extend(legend::legend(curve, &x, plot.overlaps(), canvas));
    lines
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
