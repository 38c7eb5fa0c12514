//! A curve as tables and sentences, for plain text.

use crate::render::figure::table;
use crate::render::{Canvas, number};
use lesson::figure::{Curve, Point, Table};

/// One table a series, with a sentence that names its least and greatest.
pub(super) fn tables(curve: &Curve, canvas: &Canvas) -> Vec<String> {
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
