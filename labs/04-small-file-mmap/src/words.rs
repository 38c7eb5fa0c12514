//! Figures in words, and the caveats that passes themselves call for.

use crate::cause::Why;
use crate::pass::Pass;
use instruments::Samples;
use lesson::caveat::of_host;
use lesson::{Caveat, Setting};

pub use lesson::words::{many, middle, percent, time};

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
