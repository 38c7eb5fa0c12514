//! Readers of /proc and of memory cgroups, each beside a pure parser.
//!
//! Files of `key value` lines are parsed here and not by procfs, since procfs gives up on the whole file when one line
//! that it wants is missing, as it is in some containers.

pub mod cgroup;
mod counters;
mod diskstats;
mod io;
mod meminfo;
mod zoneinfo;

pub use counters::{Counters, vmstat};
pub use diskstats::{DeviceTotals, device_totals};
pub use io::{Io, io_of, self_io};
pub use meminfo::{Meminfo, meminfo};
pub use zoneinfo::{counter_grain_bytes, percpu_free_bytes};

use std::io::{Error, ErrorKind};

/// An error that names the file and what is wrong with its text.
fn malformed(file: &str, why: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidData, format!("{file} {why}"))
}
