//! The limits as a table and, where it was watched, the small file's dirty pages over time.

use super::{Clocks, Evidence, seconds};
use crate::words::{bytes_or_unknown, row};
use crate::workloads::count::pauses_from_bytes;
use crate::workloads::flushwatch::Watched;
use instruments::size::format_bytes;
use lesson::figure::{Axis, Curve, Mark, Point, Scale, Series, Table};
use lesson::{Figure, Setting};

/// The one that was watched first, where there is one.
pub(super) fn figures(evidence: &Evidence, setting: &Setting) -> Vec<Figure> {
    let clocks = Clocks::of(&setting.host.dirty);
    let mut figures: Vec<Figure> =
        evidence.watched.iter().map(|watched| over_time(watched, clocks)).collect();
    figures.push(limits(evidence, setting));
    figures
}

fn limits(evidence: &Evidence, setting: &Setting) -> Figure {
    let dirty = &setting.host.dirty;
    let clocks = Clocks::of(dirty);
    let (background, throttle) = (set_by(dirty.background_bytes, "background_"), set_by(dirty.bytes, ""));
    let clock = match clocks.interval_ns {
        0 => "never (switched off)".to_owned(),
        interval => format!("every {}", seconds(interval)),
    };
    let midway = evidence
        .background_threshold_bytes
        .zip(evidence.threshold_bytes)
        .map(|(background, most)| pauses_from_bytes(background, most));
    let rows = vec![
        row(["flusher looks", &clock, "dirty_writeback_centisecs"]),
        row(["writes if older", &seconds(clocks.expire_ns), "dirty_expire_centisecs"]),
        row(["writes if above", &bytes_or_unknown(evidence.background_threshold_bytes), &background]),
        row(["pauses begin above", &bytes_or_unknown(midway), "midway between the two"]),
        row(["the ceiling", &bytes_or_unknown(evidence.threshold_bytes), &throttle]),
        row(["dirty now", &format_bytes(evidence.system_dirty_bytes), "/proc/meminfo"]),
    ];
    Figure::Table(Table {
        title: "the kernel's own clock and limits, on this machine".to_owned(),
        head: row(["what", "figure", "set by"]),
        rows,
    })
}

/// Which of two settings rules: a number of bytes wins over a share.
fn set_by(bytes: u64, name: &str) -> String {
    let kind = if bytes > 0 { "bytes" } else { "ratio" };
    format!("dirty_{name}{kind}")
}

/// A step at each look at which the count had changed.
fn over_time(watched: &Watched, clocks: Clocks) -> Figure {
    let mut points: Vec<Point> = Vec::new();
    let mut point = |at_ns: u64, pages: u64| {
        let (x, y) = (at_ns as f64, pages as f64);
        points.push(Point { x, y, low: y, high: y });
    };
    let mut before = None;
    for look in &watched.looks {
        let pages = look.unwritten.of_pages(u64::MAX).unwrap_or(0);
        if let Some(before) = before.filter(|before| *before != pages) {
            point(look.at_ns.saturating_sub(watched.look_ns), before);
        }
        point(look.at_ns, pages);
        before = Some(pages);
    }
    let marks = [("the flusher looks", clocks.interval_ns), ("old enough", clocks.expire_ns)]
        .map(|(label, at)| Mark { x: at as f64, label: label.to_owned() });
    Figure::Curve(Curve {
        title: "pages of the small file that are not on the disk".to_owned(),
        x: Axis { label: "time since the write".to_owned(), scale: Scale::Nanoseconds, log: false },
        y: Axis { label: "pages".to_owned(), scale: Scale::Number, log: false },
        series: vec![Series { name: "not on the disk".to_owned(), points }],
        marks: marks.into_iter().filter(|mark| mark.x > 0.0).collect(),
    })
}
