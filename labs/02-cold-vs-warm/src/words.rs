//! Figures in words, and the caveats that passes themselves call for.

use crate::pass::Pass;
use instruments::Reading;
use instruments::residency::Residency;
use instruments::size::{format_bytes, format_count};
use lesson::caveat::{of_device, of_memory};
use lesson::{Caveat, Setting};

pub use lesson::words::time;

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
