//! A child's system calls by name: one stop a call, at its entry, in all threads and children (ptrace and seccomp).
//!
//! [`crate::subject::run`] with [`Watch::Calls`](crate::subject::Watch::Calls) counts. Here is what it counts with:
//! a seccomp filter that makes each call stop under its number, the marks that part a workload's own calls from the
//! rest, and the names. The totals are those of `strace -f -c`:
//!
//! - what happens between fork and exec is left out, the execve(2) that starts the program is in;
//! - exit(2) and exit_group(2) never return, and are left out;
//! - a call that a signal interrupts and the kernel restarts counts each time that it enters;
//! - a call during which the process is killed counts here and not there, since strace counts at the return.

pub(crate) mod filter;
pub(crate) mod marks;
pub(crate) mod tally;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Calls by name.
pub type Counts = BTreeMap<String, u64>;

/// A child's system calls, in three stretches. Only a program that uses [`crate::resource_usage::Meter`] has the last
/// two; the marks themselves are not counted. A program that meters several pieces of work has them all in `workload`,
/// and what lies between them in `teardown`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// From exec to the start mark: the loader's and the runtime's own. All of it where there is no mark.
    pub startup: Counts,
    /// Between the marks.
    pub workload: Counts,
    /// After an end mark.
    pub teardown: Counts,
    /// Whether a start mark was seen.
    pub marked: bool,
}

impl Calls {
    /// Calls of this name in all three stretches: the figure that `strace -f -c` prints.
    pub fn total(&self, name: &str) -> u64 {
        [&self.startup, &self.workload, &self.teardown]
            .iter()
            .filter_map(|counts| counts.get(name).copied())
            .fold(0, u64::saturating_add)
    }

    /// All calls between the marks.
    pub fn workload_total(&self) -> u64 {
        self.workload.values().copied().fold(0, u64::saturating_add)
    }

    /// Calls of this name between the marks.
    pub fn workload_of(&self, name: &str) -> u64 {
        self.workload.get(name).copied().unwrap_or(0)
    }
}
