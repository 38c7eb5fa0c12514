//! What the memory limit held, and what else happened in it.

use super::Evidence;
use instruments::size::{format_bytes, format_count};
use lesson::Figure;
use lesson::figure::{Bar, Bars, Table};

/// Cache and program, before and after.
pub(super) fn bars(evidence: &Evidence) -> Figure {
    let limit = format!("of {}", format_bytes(evidence.limit_bytes));
    let bar = |label: &str, bytes: u64| Bar {
        label: label.to_owned(),
        value: bytes as f64,
        text: format_bytes(bytes),
        note: limit.clone(),
    };
    let mut bars = vec![
        bar("cache before", evidence.before.file_bytes),
        bar("program before", evidence.before.anon_bytes),
    ];
    if let Some(after) = &evidence.after {
        bars.push(bar("cache after", after.file_bytes));
        bars.push(bar("program after", after.anon_bytes));
    }
    Figure::Bars(Bars { title: "what the memory limit holds".to_owned(), bars })
}

/// Errors, deaths, swap.
pub(super) fn table(evidence: &Evidence) -> Figure {
    let known = |count: Option<u64>| count.map_or_else(|| "unknown".to_owned(), format_count);
    let bytes = |bytes: Option<u64>| bytes.map_or_else(|| "unknown".to_owned(), format_bytes);
    let rows = [
        ("request", evidence.alloc_error.clone().map_or_else(|| "not told".to_owned(), no_error)),
        ("killed by", evidence.killed_by.clone().unwrap_or_else(|| "nobody".to_owned())),
        ("out-of-memory kills", known(evidence.oom_kills)),
        ("on swap after it", bytes(evidence.after.and_then(|after| after.swap_bytes))),
        ("times that the limit was met", known(evidence.limit_hits)),
    ];
    Figure::Table(Table {
        title: "what else happened".to_owned(),
        head: ["", "in the limit"].map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(|(name, what)| vec![name.to_owned(), what]).collect(),
    })
}

fn no_error(error: String) -> String {
    if error == "none" { "no error".to_owned() } else { error }
}
