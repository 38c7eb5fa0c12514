//! Evidence made by hand, on a machine with pages of 4 KiB and a device that reads 128 KiB ahead.

use instruments::host::{Device, Filesystem};
use instruments::{Host, Plan};
use lesson::Setting;
use small_file_mmap::pass::Pass;

/// Bytes in a page.
pub const PAGE: u64 = 4096;
/// Size of the data file.
pub const SIZE: u64 = 512 << 20;
/// A microsecond in nanoseconds.
pub const US: u64 = 1000;
/// How many times each pass did it.
pub const TIMES: u64 = 1000;

/// A plain machine, five trials.
pub fn setting() -> Setting {
    Setting {
        host: Host {
            page_bytes: PAGE,
            filesystem: Filesystem { kind: "ext4".to_owned(), magic: 0xef53 },
            device: Some(Device { read_ahead_kb: 128, ..Device::default() }),
            ..Host::default()
        },
        plan: Plan { size_bytes: SIZE, block_bytes: 128 << 10, trials: 5 },
    }
}

/// A pass over a warm file of `pages` pages, in which doing it once took `each_ns` and `faults` faults.
pub fn pass(pages: u64, each_ns: u64, faults: u64) -> Pass {
    Pass {
        resident_before_pages: pages,
        times: TIMES,
        elapsed_ns: each_ns * TIMES,
        batch: Some((TIMES, each_ns * TIMES)),
        device_read_bytes: Some(0),
        minor_faults: faults * TIMES,
        major_faults: 0,
    }
}

/// Five such passes, one after the other, with these times in nanoseconds.
pub fn passes(pages: u64, each_ns: [u64; 5], faults: u64) -> Vec<Pass> {
    each_ns.into_iter().map(|ns| pass(pages, ns, faults)).collect()
}

/// Five times around this one, a hundredth apart.
pub fn around(ns: u64) -> [u64; 5] {
    let step = ns / 100;
    [ns, ns + step, ns - step, ns, ns]
}
