//! Evidence made by hand: a machine with pages of 4 KiB and one caveat-free disk, a file of 64 MiB.

use dirty_writeback::stored::Stored;
use dirty_writeback::workloads::count::Unwritten;
use instruments::host::{Device, DirtySettings, Filesystem};
use instruments::{Host, Plan};
use lesson::Setting;

/// Size of the file.
pub const SIZE: u64 = 64 << 20;
/// Its pages.
pub const PAGES: u64 = SIZE / 4096;
/// A second in nanoseconds.
pub const S: u64 = 1_000_000_000;
/// A millisecond in nanoseconds.
pub const MS: u64 = 1_000_000;

/// A plain machine, five trials.
pub fn setting() -> Setting {
    Setting {
        host: Host {
            page_bytes: 4096,
            cachestat: true,
            filesystem: Filesystem { kind: "ext4".to_owned(), magic: 0xef53 },
            device: Some(Device { name: "sda".to_owned(), ..Device::default() }),
            dirty: DirtySettings {
                background_ratio: 10,
                ratio: 20,
                expire_centisecs: 3000,
                writeback_centisecs: 500,
                ..DirtySettings::default()
            },
            ..Host::default()
        },
        plan: Plan { size_bytes: SIZE, block_bytes: 32 << 10, trials: 5 },
    }
}

/// So many dirty, so many on their way.
pub fn unwritten(dirty: u64, writeback: u64) -> Unwritten {
    Unwritten { dirty_pages: Some(dirty), writeback_pages: Some(writeback) }
}

/// A file stored into, of which `unwritten` was not on the disk afterwards; nobody else wrote anything.
pub fn stored(unwritten: Unwritten) -> Stored {
    Stored {
        bytes: SIZE,
        pages: PAGES,
        store_ns: 20 * MS,
        minor_faults: 64,
        write_bytes: Some(SIZE),
        dirty_before_pages: Some(0),
        unwritten,
        device_write_bytes: Some(0),
        system_drift_bytes: 4096,
        system_dirty_before_bytes: 1 << 20,
        system_dirty_bytes: SIZE + (1 << 20),
        background_threshold_bytes: Some(1 << 30),
    }
}

/// The same where the kernel does not tell which pages of the file are dirty.
pub fn stored_unknown() -> Stored {
    Stored { dirty_before_pages: None, ..stored(Unwritten::default()) }
}
