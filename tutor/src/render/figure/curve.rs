//! Curves: series of points with their spread over two axes; in plain form a table and a sentence.

mod plot;

use super::super::text::{columns, pad_left};
use super::super::theme::Tone;
use super::super::{Canvas, number};
use super::axis::Range;
use super::{indented, room, table, titled};
use lesson::figure::{Axis, Curve, Point, Series, Table};
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
        lines.extend(tables(curve, canvas));
    } else {
        lines.extend(indented(picture(curve, canvas), canvas));
    }
    lines
}

/// Rows for the points: what is left of the page for a picture, within reason.
fn plot_rows(canvas: &Canvas) -> usize {
    canvas.lines().saturating_sub(11).clamp(5, 12)
}

fn points(curve: &Curve) -> impl Iterator<Item = &Point> {
    curve.series.iter().flat_map(|series| &series.points)
}

fn picture(curve: &Curve, canvas: &Canvas) -> Vec<String> {
    let marks = curve.marks.iter().map(|mark| mark.x);
    let x = Range::of(&curve.x, points(curve).map(|point| point.x).chain(marks), false);
    let y = Range::of(&curve.y, points(curve).flat_map(|point| [point.y, point.low, point.high]), true);
    let rows = plot_rows(canvas);
    let spread = |ticks: &[f64]| {
        let places: Vec<usize> = ticks.iter().map(|tick| row(&y, *tick, rows)).collect();
        places.windows(2).all(|pair| pair[0] >= pair[1] + 2)
    };
    let y_ticks = y.ticks(spread);
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
    let numbers = labels(&x, &x_ticks, width + 2).unwrap_or_default();
    lines.push(canvas.paint(Tone::Quiet, &format!("{}{numbers}", " ".repeat(left + 2))));
    lines.extend(legend(curve, &x, plot.overlaps(), left + 2, canvas));
    lines
}

/// The row of a value, from the top.
fn row(y: &Range, value: f64, rows: usize) -> usize {
    rows - 1 - (y.place(value) * (rows - 1) as f64).round() as usize
}

fn axis_title(axis: &Axis, range: &Range) -> String {
    if range.is_log() { format!("{} (log scale)", axis.label) } else { axis.label.clone() }
}

/// The tick texts, each centred below its tick; None where two would touch.
fn labels(x: &Range, ticks: &[f64], width: usize) -> Option<String> {
    let mut line = String::new();
    for tick in ticks {
        let text = x.text(*tick);
        let middle = (x.place(*tick) * (width - 1) as f64).round() as usize;
        let wide = columns(&text);
        let start = middle.saturating_sub(wide / 2).min(width.saturating_sub(wide));
        if !line.is_empty() && start < columns(&line) + 2 {
            return None;
        }
        line.push_str(&" ".repeat(start.saturating_sub(columns(&line))));
        line.push_str(&text);
    }
    (columns(&line) <= width).then_some(line)
}

/// The horizontal axis in words, then what each glyph means.
fn legend(curve: &Curve, x: &Range, overlaps: bool, left: usize, canvas: &Canvas) -> Vec<String> {
    let width = room(canvas);
    let title = axis_title(&curve.x, x);
    let mut lines: Vec<String> = canvas
        .wrap(&title, width)
        .iter()
        .map(|line| canvas.paint(Tone::Quiet, &pad_left(line, width)))
        .collect();
    let mut entries: Vec<(String, Tone, String)> = Vec::new();
    if curve.series.len() > 1 {
        let of = |(at, series): (usize, &Series)| {
            let (glyph, tone) = style(at);
            (glyph.to_string(), tone, series.name.clone())
        };
        entries.extend(curve.series.iter().enumerate().map(of));
    }
    if overlaps {
        entries.push((plot::OVERLAP.to_string(), Tone::Strong, "several".to_owned()));
    }
    for mark in &curve.marks {
        let at = number::tick(curve.x.scale, mark.x);
        entries.push((plot::MARK.to_string(), Tone::Quiet, format!("{at}: {}", mark.label)));
    }
    lines.extend(flow(&entries, left.min(4), width, canvas));
    lines
}

/// Entries side by side, as many on a line as fit.
fn flow(entries: &[(String, Tone, String)], left: usize, width: usize, canvas: &Canvas) -> Vec<String> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (glyph, tone, text) in entries {
        let texts = canvas.wrap(text, width - left - 2);
        let wide = texts.iter().map(|text| columns(text)).max().unwrap_or(0) + 2;
        let glyph = canvas.paint(*tone, glyph);
        match lines.last_mut() {
            Some((used, line)) if texts.len() == 1 && *used + 3 + wide <= width => {
                *line = format!("{line}   {glyph} {}", texts[0]);
                *used += 3 + wide;
            }
            _ => {
                for (at, text) in texts.iter().enumerate() {
                    let sign = if at == 0 { glyph.clone() } else { " ".to_owned() };
                    lines.push((left + wide, format!("{}{sign} {text}", " ".repeat(left))));
                }
            }
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// One table a series, with a sentence that names its least and greatest.
fn tables(curve: &Curve, canvas: &Canvas) -> Vec<String> {
    let x = |value: f64| number::tick(curve.x.scale, value);
    let y = |value: f64| number::scaled(curve.y.scale, value);
    let mut lines = Vec::new();
    for series in &curve.series {
        let row = |point: &Point| {
            let spread = if point.low == point.high {
                String::new()
            } else {
                format!("{} to {}", y(point.low), y(point.high))
            };
            vec![x(point.x), y(point.y), spread]
        };
        let head = vec![curve.x.label.clone(), curve.y.label.clone(), "low to high".to_owned()];
        let title = format!("{}:", series.name);
        lines.extend(table::draw(
            &Table { title, head, rows: series.points.iter().map(row).collect() },
            canvas,
        ));
        let known = || series.points.iter().filter(|point| point.y.is_finite());
        let least = known().min_by(|a, b| a.y.total_cmp(&b.y));
        let greatest = known().max_by(|a, b| a.y.total_cmp(&b.y));
        if let (Some(least), Some(greatest)) = (least, greatest) {
            let text = format!(
                "{}: the least is {} at {}, the greatest {} at {}.",
                series.name,
                y(least.y),
                x(least.x),
                y(greatest.y),
                x(greatest.x)
            );
            lines.extend(canvas.wrap(&text, canvas.text()));
        }
    }
    for mark in &curve.marks {
        lines.extend(canvas.hang("-", &format!("{}: {}", x(mark.x), mark.label), 2, canvas.text()));
    }
    lines
}
