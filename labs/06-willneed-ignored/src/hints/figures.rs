//! What the act draws.

use super::{ARMS, Evidence};
use crate::words::{self, middle};
use crate::workloads::hinted::Advice;
use instruments::readahead_hints::Call;
use instruments::size::{format_bytes, format_count, format_ns};
use lesson::figure::{Bar, Bars, Table};
use lesson::{Figure, Setting};

pub(super) fn bars(evidence: &Evidence) -> Figure {
    let bar = |advice: Advice| {
        let times = evidence.times(advice, false);
        let delivered = evidence.of(advice, false).iter().map(|look| look.device_read_bytes).collect();
        Bar {
            label: advice.name().to_uppercase(),
            value: times.median().unwrap_or(0.0),
            text: words::time(&times),
            note: words::from_device(delivered),
        }
    };
    Figure::Bars(Bars {
        title: format!("time to read the first {} in order, evicted", format_bytes(evidence.part_bytes)),
        bars: [Advice::Normal, Advice::Sequential, Advice::Random].map(bar).to_vec(),
    })
}

/// What each hint left resident, and the same through a mapping.
pub(super) fn looks(evidence: &Evidence, setting: &Setting) -> Figure {
    let page_bytes = setting.host.page_bytes;
    let row = |(advice, mapped): (Advice, bool)| {
        let looks = evidence.of(advice, mapped);
        let count = |figures: Vec<u64>| middle(figures).map_or_else(|| "unknown".to_owned(), format_count);
        let way = if mapped { "mapping" } else { "read()" };
        vec![
            format!("{way}, {}", advice.name().to_uppercase()),
            evidence.times(advice, mapped).median().map_or_else(|| "no trial".to_owned(), format_ns),
            count(looks.iter().map(|look| look.major_faults).collect()),
            count(looks.iter().filter_map(|look| look.ahead_pages(page_bytes)).collect()),
        ]
    };
    let part = format_count(evidence.part_bytes.div_ceil(page_bytes.max(1)));
    Figure::Table(Table {
        title: format!("{part} pages looked at in order, and what was there beyond"),
        head: ["how", "median time", "major faults", "pages ahead"].map(str::to_owned).to_vec(),
        rows: ARMS.map(row).to_vec(),
    })
}

/// What each call that loads left resident.
pub(super) fn loads(evidence: &Evidence, setting: &Setting) -> Figure {
    let row = |call: Call| {
        let load = evidence.load(call)?;
        let resident = load.resident_pages.map_or_else(
            || "unknown".to_owned(),
            |pages| format!("{} of {}", format_count(pages), format_count(load.asked_pages)),
        );
        Some(vec![spelled(call).to_owned(), resident, format_ns(load.elapsed_ns as f64)])
    };
    let asked = load_bytes(evidence, setting);
    Figure::Table(Table {
        title: format!("one call for {asked}, by each call that loads"),
        head: ["call", "resident pages", "the call took"].map(str::to_owned).to_vec(),
        rows: Call::ALL.into_iter().filter_map(row).collect(),
    })
}

fn load_bytes(evidence: &Evidence, setting: &Setting) -> String {
    let pages = evidence.asked_bytes.div_ceil(setting.host.page_bytes.max(1));
    format!("{} pages", format_count(pages))
}

fn spelled(call: Call) -> &'static str {
    match call {
        Call::Fadvise => "posix_fadvise WILLNEED",
        Call::Madvise => "madvise WILLNEED",
        Call::Readahead => "readahead",
        Call::Populate => "madvise POPULATE_READ",
    }
}
