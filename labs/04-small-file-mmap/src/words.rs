//! Figures in words, and the caveats that passes themselves call for.

use crate::cause::Why;
use crate::pass::Pass;
use instruments::Samples;
use instruments::size::{format_count, format_ns};
use lesson::caveat::of_host;
use lesson::{Caveat, Setting};

/// `1 page`, `131,072 pages`: a count with its thing, in the plural where it has one.
pub fn many(count: u64, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {thing}{s}", format_count(count))
}

/// `381 ns ±12.0 ns`; `no trial` where none was kept.
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

/// What must be said beside times of warm files on this machine. What lies below the device has no part in them.
pub fn warm_caveats<'a>(setting: &Setting, mut passes: impl Iterator<Item = &'a Pass>) -> Vec<Caveat> {
    let mut caveats = of_host(&setting.host);
    caveats.retain(|caveat| !matches!(caveat, Caveat::CacheBelow(_)));
    if passes.any(|pass| pass.device_read_bytes.is_none()) {
        caveats.push(Caveat::NoDeviceCounter);
    }
    caveats
}

/// What must be said beside the medians of these arms: trials thrown away, and too few kept. An arm without any has
/// no median, and the sentence says so.
pub fn caveats_of_trials(setting: &Setting, arms: &[(&str, &Samples)]) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    for (name, samples) in arms {
        if let Some(why) = &samples.discarded_why {
            caveats.push(Caveat::Discarded(samples.discarded, format!("{name}: {why}")));
        }
    }
    let fewest = arms.iter().map(|(_, samples)| samples.values.len() as u32).min().unwrap_or(0);
    if (1..setting.plan.trials).contains(&fewest) {
        caveats.push(Caveat::FewTrials(fewest, setting.plan.trials));
    }
    caveats
}
