//! Run a program as a child process and learn what the kernel knows about its life and death.
//!
//! SKELETON: signatures are fixed, bodies to be written.

use crate::Unavailable;
use crate::calls::Calls;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// What the child did and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Standard output, lossy UTF-8, bounded to 1 MiB.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// From before fork to after wait, nanoseconds.
    pub wall_ns: u64,
    /// From wait4(2).
    pub usage: Usage,
    /// From /proc/PID/io, read while the child was a zombie. None where the kernel does not account for it.
    pub io: Option<crate::proc::Io>,
    /// How it ended.
    pub exit: Exit,
}

/// struct rusage of the child, see getrusage(2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// User CPU time, nanoseconds.
    pub user_ns: u64,
    /// System CPU time, nanoseconds.
    pub system_ns: u64,
    /// Faults served without I/O.
    pub minor_faults: u64,
    /// Faults that waited for I/O.
    pub major_faults: u64,
    /// 512-byte blocks read from a device (ru_inblock).
    pub in_blocks: u64,
    /// 512-byte blocks written.
    pub out_blocks: u64,
    /// Peak resident set, bytes.
    pub max_rss_bytes: u64,
}

/// How the child ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// exit(code).
    Code(i32),
    /// Killed by a signal. `code` (si_code) and `address` (si_addr) are known when it ran with [`Watch::Death`].
    Signal {
        /// Signal number.
        number: i32,
        /// Its name, such as SIGBUS.
        name: String,
        /// si_code.
        code: Option<i32>,
        /// si_addr, the address that faulted.
        address: Option<u64>,
    },
}

/// How closely to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Not at all: for timing.
    Nothing,
    /// Stop at the signal that kills, to read its siginfo.
    Death,
    /// Stop at each system call's entry, to count (and [`Watch::Death`] too).
    Calls,
}

/// Run `program args` with no standard input, in a process group of its own, dead when we die; killed if an
/// interruption arrives. The second value is there with [`Watch::Calls`].
pub fn run(
    _program: &std::path::Path,
    _args: &[&OsStr],
    _watch: Watch,
) -> Result<(Outcome, Option<Calls>), Unavailable> {
    todo!()
}
