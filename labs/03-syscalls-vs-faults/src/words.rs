//! Figures in words.

use crate::cause::Why;
use lesson::Setting;

pub use lesson::words::{many, middle, percent, time};

/// Pages that hold the data file on this machine.
pub fn pages_of(setting: &Setting) -> u64 {
    setting.plan.size_bytes.div_ceil(setting.host.page_bytes.max(1))
}

/// What a sentence ends with when no cause was proven.
pub fn unexplained(causes: &[Why]) -> &'static str {
    if causes.is_empty() { " These figures do not tell why." } else { "" }
}
