//! Figures in words, and the caveats that passes themselves call for.

use crate::cause::Why;
use crate::pass::Pass;
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
