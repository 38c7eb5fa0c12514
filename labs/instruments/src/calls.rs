//! Count a child's system calls: one stop a call, at its entry, all threads and children (ptrace + seccomp).
//!
//! SKELETON: signatures are fixed, bodies to be written.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Calls by name.
pub type Counts = BTreeMap<String, u64>;

/// A child's system calls, in three stretches. Only a program that uses [`crate::meter::Meter`] has the last two;
/// the marks themselves are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// From exec to the start mark: the loader's and the runtime's own. All of it where there is no mark.
    pub startup: Counts,
    /// Between the marks.
    pub workload: Counts,
    /// After the end mark.
    pub teardown: Counts,
    /// Whether a start mark was seen.
    pub marked: bool,
}

impl Calls {
    /// Calls of this name in all three stretches: the figure that `strace -f -c` prints.
    pub fn total(&self, name: &str) -> u64 {
        [&self.startup, &self.workload, &self.teardown].iter().filter_map(|counts| counts.get(name)).sum()
    }

    /// All calls between the marks.
    pub fn workload_total(&self) -> u64 {
        self.workload.values().sum()
    }

    /// Calls of this name between the marks.
    pub fn workload_of(&self, name: &str) -> u64 {
        self.workload.get(name).copied().unwrap_or(0)
    }
}
