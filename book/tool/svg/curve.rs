//! Curves: lines with their spread, a mark of its own for each series, places that the sentence speaks of.

use super::axis::Range;
use super::layout::{Hold, LINE, Layout, WIDTH, series_class, width};
use lesson::figure::{Curve, Point};

const HEIGHT: f64 = 170.0;

/// The plot, below it the legend.
pub fn draw(curve: &Curve, layout: &mut Layout) {
    let points = || curve.series.iter().flat_map(|series| &series.points);
    let xs = points().map(|point| point.x).chain(curve.marks.iter().map(|mark| mark.x));
    let x = Range::of(&curve.x, xs, false);
    let y = Range::of(&curve.y, points().flat_map(|point| [point.y, point.low, point.high]), true);
    let y_ticks = y.ticks(6);
    let left = y_ticks.iter().map(|tick| width(&y.text(*tick))).fold(0.0, f64::max) + 6.0;
    let right = WIDTH - 14.0;

    layout.paragraph(0.0, "quiet", &curve.y.label);
    let top = layout.bottom + 8.0;
    let bottom = top + HEIGHT;
    let at = |px: f64, py: f64| (left + x.place(px) * (right - left), bottom - y.place(py) * HEIGHT);
    for tick in y_ticks {
        let (_, height) = at(0.0, tick);
        layout.line((left, height), (right, height), "grid");
        layout.text(left - 5.0, height + 4.0, Hold::End, "quiet", &y.text(tick));
    }
    for tick in x_ticks(&x, right - left) {
        let (place, _) = at(tick, 0.0);
        layout.line((place, bottom), (place, bottom + 4.0), "axis");
        let half = width(&x.text(tick)) / 2.0;
        layout.text(place.min(WIDTH - half), bottom + 17.0, Hold::Middle, "quiet", &x.text(tick));
    }
    layout.line((left, bottom), (right, bottom), "axis");
    for mark in &curve.marks {
        let (place, _) = at(mark.x, 0.0);
        layout.line((place, top), (place, bottom), "mark");
    }
    for (index, series) in curve.series.iter().enumerate() {
        let class = series_class(index);
        let known: Vec<&Point> = series.points.iter().filter(|point| point.y.is_finite()).collect();
        for point in &known {
            layout.line(at(point.x, point.low), at(point.x, point.high), &format!("spread {class}"));
        }
        let places: Vec<(f64, f64)> = known.iter().map(|point| at(point.x, point.y)).collect();
        layout.path(&places, &format!("curve {class}"));
        places.iter().for_each(|place| layout.mark(*place, index));
    }
    layout.bottom = bottom + 20.0;
    layout.paragraph(left, "quiet", &curve.x.label);
    for (index, series) in curve.series.iter().enumerate() {
        let height = layout.bottom + LINE - 4.0;
        layout.mark((6.0, height - 4.0), index);
        layout.paragraph(16.0, "", &series.name);
    }
    for mark in &curve.marks {
        let height = layout.bottom + LINE - 4.0;
        let above = layout.bottom;
        layout.line((6.0, height - 9.0), (6.0, height + 2.0), "mark");
        layout.bottom = above;
        layout.paragraph(16.0, "", &format!("{}: {}", x.text(mark.x), mark.label));
    }
}

/// The most ticks whose texts do not touch.
fn x_ticks(x: &Range, room: f64) -> Vec<f64> {
    (2..=8)
        .rev()
        .map(|most| x.ticks(most))
        .find(|ticks| ticks.iter().map(|tick| width(&x.text(*tick)) + 8.0).sum::<f64>() <= room)
        .unwrap_or_else(|| x.ticks(2))
}
