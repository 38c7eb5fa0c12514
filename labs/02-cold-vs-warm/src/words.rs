//! Figures in words, and the caveats that passes themselves call for.

use crate::pass::Pass;
use instruments::residency::Residency;
use instruments::size::{format_bytes, format_count, format_ns};
use instruments::{Reading, Samples};
use lesson::caveat::{of_device, of_memory, of_spreads};
use lesson::{Caveat, Setting};

/// `381 ms ±12.0 ms`; `no run` where none was kept.
pub fn time(samples: &Samples) -> String {
    match (samples.median(), samples.half_spread()) {
        (Some(median), Some(spread)) => format!("{} ±{}", format_ns(median), format_ns(spread)),
        _ => "no run".to_owned(),
    }
}

/// `512 MiB from the device`, of the pass with the middle number of bytes.
pub fn from_device(passes: &[&Pass]) -> String {
    let mut delivered: Vec<_> = passes.iter().map(|pass| pass.device_read_bytes).collect();
    delivered.sort_unstable();
    match delivered.get(delivered.len() / 2) {
        Some(Some(bytes)) => format!("{} from the device", format_bytes(*bytes)),
        _ => "unknown from the device".to_owned(),
    }
}

/// `131,072 of 131,072`, or `unknown`.
pub fn resident(state: &Reading<Residency>) -> String {
    match state {
        Reading::Known(state) => {
            format!("{} of {}", format_count(state.resident_pages), format_count(state.pages))
        }
        Reading::Unknown(_) => "unknown".to_owned(),
    }
}

/// What must be said beside figures that come from these passes on this machine.
pub fn caveats<'a>(setting: &Setting, passes: impl Iterator<Item = &'a Pass> + Clone) -> Vec<Caveat> {
    let from_memory = passes.clone().all(|pass| pass.device_read_bytes == Some(0));
    let mut caveats = if from_memory { of_memory(&setting.host) } else { of_device(&setting.host) };
    if passes.clone().any(|pass| pass.device_read_bytes.is_none()) {
        caveats.push(Caveat::NoDeviceCounter);
    }
    if let Some(why) = passes.clone().find_map(|pass| pass.before.why_unknown()) {
        caveats.push(Caveat::ResidencyUnknown(why.to_string()));
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
    caveats.extend(of_spreads(arms));
    caveats
}
