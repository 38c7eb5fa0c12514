//! Evidence made by hand: a file of 64 MiB on a machine with pages of 4 KiB and one caveat-free disk.

use instruments::host::{Device, Filesystem};
use instruments::residency::{Method, Residency};
use instruments::{Host, Plan, Reading, Unknown};
use lesson::Setting;
use willneed_ignored::asked::{Asked, Read};
use willneed_ignored::settings::Settings;

/// Size of the file.
pub const SIZE: u64 = 64 << 20;
/// Its pages.
pub const PAGES: u64 = SIZE / 4096;
/// A millisecond in nanoseconds.
pub const MS: u64 = 1_000_000;
/// What the device's settings say: one call may bring 4 MiB.
pub const SETTINGS: Settings = Settings { read_ahead_kb: 128, max_sectors_kb: 4096, own_bdi: false };
/// That in pages.
pub const CAP: u64 = (4 << 20) / 4096;

/// A plain machine, five trials.
pub fn setting() -> Setting {
    Setting {
        host: Host {
            page_bytes: 4096,
            mem_available_bytes: 8 << 30,
            filesystem: Filesystem { kind: "ext4".to_owned(), magic: 0xef53 },
            device: Some(Device {
                read_ahead_kb: SETTINGS.read_ahead_kb,
                max_sectors_kb: SETTINGS.max_sectors_kb,
                ..Device::default()
            }),
            ..Host::default()
        },
        plan: Plan { size_bytes: SIZE, block_bytes: 128 << 10, trials: 5 },
    }
}

/// So many of the file's pages are resident, and so many were evicted.
pub fn state(resident_pages: u64, evicted_pages: u64) -> Reading<Residency> {
    Reading::Known(Residency {
        pages: PAGES,
        resident_pages,
        dirty_pages: Some(0),
        writeback_pages: Some(0),
        evicted_pages: Some(evicted_pages),
        recently_evicted_pages: Some(0),
        method: Method::Cachestat,
    })
}

/// Nobody can know.
pub fn unknown() -> Reading<Residency> {
    Reading::Unknown(Unknown::NotPermitted)
}

/// Calls for pieces of the evicted file, after which so many pages were resident.
pub fn asked(piece_bytes: u64, resident_pages: u64) -> Asked {
    Asked {
        piece_bytes,
        calls: SIZE.div_ceil(piece_bytes),
        elapsed_ns: 20 * MS,
        cpu_ns: 18 * MS,
        device_read_bytes: Some(resident_pages * 4096),
        before: state(0, 0),
        after: state(resident_pages, 0),
    }
}

/// A read that found so many pages and got so much from the device, in so many milliseconds.
pub fn read(resident_pages: u64, delivered_bytes: u64, ms: u64) -> Read {
    Read {
        before: state(resident_pages, 0),
        bytes: SIZE,
        elapsed_ns: ms * MS,
        device_read_bytes: Some(delivered_bytes),
    }
}
