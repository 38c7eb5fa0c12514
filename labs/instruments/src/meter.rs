//! What a piece of work cost, seen from inside the process that did it.
//!
//! Also sets the two marks by which [`crate::calls`] tells a workload's own system calls from the loader's.
//!
//! SKELETON: signatures are fixed, bodies to be written.

use serde::{Deserialize, Serialize};

/// A running measurement.
#[derive(Debug)]
pub struct Meter {}

/// What was measured between [`Meter::start`] and [`Meter::stop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metered {
    /// Wall time, nanoseconds.
    pub elapsed_ns: u64,
    /// Bytes that the device delivered for us (/proc/self/io read_bytes). None without task I/O accounting.
    pub device_read_bytes: Option<u64>,
    /// Bytes that we made dirty (/proc/self/io write_bytes).
    pub device_write_bytes: Option<u64>,
    /// Faults served without I/O.
    pub minor_faults: u64,
    /// Faults that waited for I/O. Not a count of pages read.
    pub major_faults: u64,
}

impl Meter {
    /// Reads the counters, sets the start mark, then starts the clock: nothing of ours lies inside.
    pub fn start() -> Meter {
        todo!()
    }

    /// Stops the clock, sets the end mark, then reads the counters.
    pub fn stop(self) -> Metered {
        todo!()
    }
}
