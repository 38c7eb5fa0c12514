//! What a piece of work cost, seen from inside the process that did it.
//!
//! Also sets the two marks by which [`crate::calls`] tells a workload's own system calls from the loader's. A mark is
//! a prctl(2) call with an option that no kernel knows: it fails with EINVAL, changes nothing, and costs what one
//! system call costs. The clock starts after the first and stops before the second.

use crate::calls::marks;
use crate::proc::{self, Io};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A running measurement.
#[derive(Debug)]
pub struct Meter {
    io: Option<Io>,
    faults: Faults,
    clock: Instant,
}

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
        // A clock that was never read faults in the page that it reads; /proc may have to be looked up first.
        let _ = Instant::now();
        let io = proc::self_io();
        let faults = Faults::now();
        marks::set(marks::START);
        Meter { io, faults, clock: Instant::now() }
    }

    /// Stops the clock, sets the end mark, then reads the counters.
    pub fn stop(self) -> Metered {
        let elapsed = self.clock.elapsed();
        marks::set(marks::END);
        let faults = Faults::now();
        let io = proc::self_io();
        let grown = |field: fn(Io) -> u64| Some(field(io?).saturating_sub(field(self.io?)));
        Metered {
            elapsed_ns: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
            device_read_bytes: grown(|io| io.read_bytes),
            device_write_bytes: grown(|io| io.write_bytes),
            minor_faults: faults.minor.saturating_sub(self.faults.minor),
            major_faults: faults.major.saturating_sub(self.faults.major),
        }
    }
}

/// Faults of all threads of this process so far, from getrusage(2).
#[derive(Clone, Copy, Debug)]
struct Faults {
    minor: u64,
    major: u64,
}

impl Faults {
    fn now() -> Faults {
        let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process may always ask for its own usage");
        let count = |field: fn(&Usage) -> i64| u64::try_from(field(&usage)).unwrap_or(0);
        Faults { minor: count(Usage::minor_page_faults), major: count(Usage::major_page_faults) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::page_bytes;
    use crate::scratch::Scratch;
    use crate::state;
    use memmap2::MmapMut;
    use std::fs::File;

    #[test]
    fn each_touched_page_of_new_memory_is_a_minor_fault() {
        let pages = 64;
        let mut memory = MmapMut::map_anon(pages * page_bytes() as usize).unwrap();
        // SAFETY: the range is the mapping just made; the advice only asks for small pages.
        unsafe { libc::madvise(memory.as_mut_ptr().cast(), memory.len(), libc::MADV_NOHUGEPAGE) };
        let meter = Meter::start();
        memory.iter_mut().step_by(page_bytes() as usize).for_each(|byte| *byte = 1);
        let metered = meter.stop();
        assert!(metered.minor_faults >= pages as u64, "{metered:?}");
        assert!(metered.elapsed_ns > 0);
    }

    #[test]
    fn a_cold_file_comes_from_the_device() {
        if proc::self_io().is_none() {
            return println!("skipped: this kernel does not count a process's device bytes");
        }
        let scratch = match Scratch::create(None) {
            Ok(scratch) => scratch,
            Err(why) => return println!("skipped: {why}"),
        };
        let bytes = 4 << 20;
        let path = scratch.write("cold", bytes, &mut |_| ()).unwrap();
        if let Err(why) = state::make_cold(&File::open(&path).unwrap(), &path) {
            return println!("skipped: {why}");
        }
        let meter = Meter::start();
        let read = std::fs::read(&path).unwrap();
        let metered = meter.stop();
        assert_eq!(read.len() as u64, bytes);
        // Other tests of this process may read at the same time.
        assert!(metered.device_read_bytes >= Some(bytes), "{metered:?}");
    }
}
