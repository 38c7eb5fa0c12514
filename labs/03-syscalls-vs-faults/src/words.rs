//! Figures in words.

use crate::cause::Why;
use instruments::Samples;
use instruments::size::{format_count, format_ns};
use lesson::Setting;

/// Pages that hold the data file on this machine.
pub fn pages_of(setting: &Setting) -> u64 {
    setting.plan.size_bytes.div_ceil(setting.host.page_bytes.max(1))
}

/// `1 page`, `131,072 pages`: a count with its thing, in the plural where it has one.
pub fn many(count: u64, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {thing}{s}", format_count(count))
}

/// `381 ms ±12 ms`; `no trial` where none was kept.
pub fn time(samples: &Samples) -> String {
    match (samples.median(), samples.half_spread()) {
        (Some(median), Some(spread)) => format!("{} ±{}", format_ns(median), format_ns(spread)),
        _ => "no trial".to_owned(),
    }
}

/// `33%`.
pub fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The middle one, which says what most of them are; None of nothing.
pub fn middle(figures: &[u64]) -> Option<u64> {
    let mut sorted = figures.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// What a sentence ends with when no cause was proven.
pub fn unexplained(causes: &[Why]) -> &'static str {
    if causes.is_empty() { " These figures do not tell why." } else { "" }
}
