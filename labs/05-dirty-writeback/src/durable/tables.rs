//! The two figures of this act: how fast each way was, and what it left where.

use super::{Arm, Evidence, of_all, speeds};
use crate::words::{self, row};
use instruments::Samples;
use instruments::size::{format_bytes, format_count};
use lesson::figure::{Bar, Bars, Table};
use lesson::{Figure, Setting};

/// `92.0 MiB/s ±3%`.
pub(super) fn speed(samples: &Samples) -> String {
    match (samples.median(), samples.half_spread()) {
        (Some(median), Some(spread)) if median > 0.0 => {
            format!("{}/s ±{:.0}%", format_bytes(median as u64), spread / median * 100.0)
        }
        (Some(only), None) => format!("{}/s (one trial)", format_bytes(only as u64)),
        _ => "no trial".to_owned(),
    }
}

fn name(arm: &Arm) -> &str {
    match arm.way.as_str() {
        "buffered" => "plain write()",
        "fdatasync" => "+ 1 fdatasync",
        "dsync" => "O_DSYNC",
        "sync" => "O_SYNC",
        "direct" => "O_DIRECT",
        "direct-dsync" => "O_DIRECT|O_DSYNC",
        other => other,
    }
}

/// How fast each way was for the program.
pub(super) fn speed_bars(evidence: &Evidence) -> Figure {
    let bar = |arm: &Arm| {
        let samples = speeds(arm);
        Bar {
            label: name(arm).to_owned(),
            value: samples.median().unwrap_or(0.0),
            text: speed(&samples),
            note: String::new(),
        }
    };
    let block = evidence.arms.iter().flat_map(|arm| &arm.trials).next();
    let title = match block {
        Some(trial) => format!("speed in blocks of {}", format_bytes(trial.bytes / trial.writes.max(1))),
        None => "speed".to_owned(),
    };
    Figure::Bars(Bars { title, bars: evidence.arms.iter().map(bar).collect() })
}

/// What the last trial of each way left, and what its flags promise on this disk.
pub(super) fn what_is_where(evidence: &Evidence, setting: &Setting) -> Figure {
    let row_of = |arm: &Arm| {
        let last = arm.trials.last().copied().unwrap_or_default();
        row([
            name(arm),
            &of_all(last.unwritten.of_pages(last.pages), last.pages),
            &words::bytes_or_unknown(last.device_write_bytes),
            &last.device_flushes.map_or_else(|| "unknown".to_owned(), format_count),
            promise(arm, setting),
        ])
    };
    Figure::Table(Table {
        title: "when it returned (the disk: everybody's)".to_owned(),
        head: row(["way", "dirty", "disk took", "flushes", "durable"]),
        rows: evidence.arms.iter().map(row_of).collect(),
    })
}

/// Whether the data survives a power cut just after the return, by what open(2) and fdatasync(2) promise.
fn promise(arm: &Arm, setting: &Setting) -> &'static str {
    let cache = setting.host.device.as_ref().and_then(|device| device.write_cache.as_deref());
    match arm.way.as_str() {
        "buffered" => "no",
        "direct" if cache == Some("write through") => "yes",
        "direct" => "no",
        _ => "yes",
    }
}
