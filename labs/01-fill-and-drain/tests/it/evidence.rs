//! Evidence made by hand: a file of 64 MiB on a machine with pages of 4 KiB, one caveat-free disk and no other programs.

use fill_and_drain::change::{Change, Idle};
use fill_and_drain::drain::{self, Round};
use fill_and_drain::workloads::fill::Filled;
use fill_and_drain::{fill, reclaim, refill};
use instruments::host::Filesystem;
use instruments::residency::{Method, Residency};
use instruments::residency_timeline::ResidencyTimeline;
use instruments::{Host, Plan};
use lesson::Setting;

pub const MIB: i64 = 1 << 20;
/// Size of the file.
pub const SIZE: u64 = 64 << 20;
/// Its pages.
pub const PAGES: u64 = SIZE / 4096;

/// A plain machine, five trials.
pub fn setting() -> Setting {
    Setting {
        host: Host {
            page_bytes: 4096,
            mem_total_bytes: 8 << 30,
            filesystem: Filesystem { kind: "ext4".to_owned(), magic: 0xef53 },
            ..Host::default()
        },
        plan: Plan { size_bytes: SIZE, block_bytes: 128 << 10, trials: 5 },
    }
}

/// Cached, MemFree and MemAvailable went so many MiB.
pub fn change(cached: i64, free: i64, available: i64) -> Change {
    Change {
        elapsed_ns: 10_000_000,
        cached_bytes: cached * MIB,
        free_bytes: free * MIB,
        available_bytes: available * MIB,
        percpu_bytes: Some(0),
        buffers_bytes: 0,
        reclaimed_pages: Some(0),
    }
}

/// Five idle windows in which each of those lines went so many MiB.
pub fn idle(mib: i64) -> Idle {
    Idle { grain_bytes: Some(1 << 19), windows: vec![change(mib, -mib, mib); 5] }
}

/// So many pages of the file are resident.
pub fn state(resident_pages: u64) -> Residency {
    Residency {
        pages: PAGES,
        resident_pages,
        dirty_pages: Some(0),
        writeback_pages: Some(0),
        evicted_pages: Some(0),
        recently_evicted_pages: Some(0),
        method: Method::Cachestat,
    }
}

/// Five writes that all did this.
pub fn filled(change: Change, after: Option<Residency>) -> fill::Evidence {
    fill::Evidence {
        size_bytes: SIZE,
        idle: idle(0),
        rounds: vec![Filled { change, after }; 5],
        film: ResidencyTimeline::default(),
        first: change,
    }
}

/// Five evictions that all did this.
pub fn drained(change: Change) -> drain::Evidence {
    drain::Evidence {
        size_bytes: SIZE,
        idle: idle(0),
        rounds: vec![Round { before_pages: PAGES, change }; 5],
        stuck: None,
        film: ResidencyTimeline::default(),
    }
}

/// Half was read five times in each way; so many pages came.
pub fn refilled(ordinary: u64, without_readahead: u64) -> refill::Evidence {
    let came = |resident_pages| vec![refill::Came { resident_pages, device_read_bytes: None }; 5];
    refill::Evidence {
        size_bytes: SIZE,
        pages: PAGES,
        asked_bytes: SIZE / 2,
        ordinary: came(ordinary),
        without_readahead: came(without_readahead),
        film: ResidencyTimeline::default(),
    }
}

/// What a limit held, MiB.
pub fn held(file: u64, anon: u64, swap: u64) -> reclaim::Held {
    let [file_bytes, anon_bytes, swap_bytes] = [file, anon, swap].map(|mib| mib << 20);
    reclaim::Held {
        charged_bytes: file_bytes + anon_bytes,
        file_bytes,
        anon_bytes,
        swap_bytes: Some(swap_bytes),
    }
}

/// A limit of 32 MiB with 24 MiB of cache, of which 24 MiB were asked for, and that ended so.
pub fn reclaimed(after: Option<reclaim::Held>) -> reclaim::Evidence {
    reclaim::Evidence {
        limit_bytes: 32 << 20,
        cgroup_version: 2,
        cache_bytes: 24 << 20,
        alloc_bytes: 24 << 20,
        before: held(24, 0, 0),
        after,
        alloc_error: after.map(|_| "none".to_owned()),
        killed_by: None,
        limit_hits: Some(7),
        oom_kills: Some(0),
        film: ResidencyTimeline::default(),
    }
}
