//! Evidence made by hand: passes over a file of 8 MiB on a machine with pages of 4 KiB and one caveat-free disk.

use cold_vs_warm::below::Below;
use cold_vs_warm::pass::Pass;
use instruments::host::Filesystem;
use instruments::residency::{Method, Residency};
use instruments::{Host, Plan, Reading, Unknown};
use lesson::Setting;

/// Size of the file.
pub const SIZE: u64 = 8 << 20;
/// Its pages.
pub const PAGES: u64 = SIZE / 4096;
/// A millisecond in nanoseconds.
pub const MS: u64 = 1_000_000;

/// A plain machine, five trials.
pub fn setting() -> Setting {
    Setting {
        host: Host {
            page_bytes: 4096,
            filesystem: Filesystem { kind: "ext4".to_owned(), magic: 0xef53 },
            ..Host::default()
        },
        plan: Plan { size_bytes: SIZE, block_bytes: 128 << 10, trials: 5 },
    }
}

/// So many of the file's pages are resident, none dirty.
pub fn state(resident_pages: u64) -> Reading<Residency> {
    Reading::Known(Residency {
        pages: PAGES,
        resident_pages,
        dirty_pages: Some(0),
        writeback_pages: Some(0),
        evicted_pages: Some(0),
        recently_evicted_pages: Some(0),
        method: Method::Cachestat,
    })
}

/// Nobody can know.
pub fn unknown() -> Reading<Residency> {
    Reading::Unknown(Unknown::NotPermitted)
}

/// A read of the whole file that found `before`, took `elapsed_ns`, and got `delivered` from the device.
pub fn pass(before: Reading<Residency>, elapsed_ns: u64, delivered: Option<u64>) -> Pass {
    Pass {
        before,
        after: state(PAGES),
        bytes: SIZE,
        calls: 65,
        elapsed_ns,
        device_read_bytes: delivered,
        process_in_bytes: delivered.unwrap_or(0),
    }
}

/// Five such reads, one after the other, with these times in milliseconds.
pub fn passes(times_ms: [u64; 5], one: impl Fn(u64) -> Pass) -> Vec<Pass> {
    times_ms.into_iter().map(|ms| one(ms * MS)).collect()
}

/// Evicted and delivered by the device.
pub fn cold(elapsed_ns: u64) -> Pass {
    pass(state(0), elapsed_ns, Some(SIZE))
}

/// All resident, nothing from the device.
pub fn warm(elapsed_ns: u64) -> Pass {
    pass(state(PAGES), elapsed_ns, Some(0))
}

/// Of the file behind a loop device so many pages were resident before a pass and after it.
pub fn below(before: u64, after: u64) -> Below {
    Below { before: state(before), after: state(after) }
}
