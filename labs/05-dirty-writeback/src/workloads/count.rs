//! What is not on the disk yet: counted by the file, by the whole system, and by the disk.

use instruments::pages::page_bytes;
use instruments::proc::{self, DeviceTotals};
use instruments::{Reading, residency};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::thread::sleep;
use std::time::Duration;

/// A file's pages that are newer in memory than on the disk. None where the kernel does not tell: before cachestat(2)
/// (Linux 6.5), and on filesystems below which it cannot look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwritten {
    /// Changed, and not on their way yet.
    pub dirty_pages: Option<u64>,
    /// On their way to the disk now.
    pub writeback_pages: Option<u64>,
}

impl Unwritten {
    /// Of `file` now.
    pub fn of(file: &File) -> io::Result<Unwritten> {
        Ok(match residency::of_file(file)? {
            Reading::Known(found) => {
                Unwritten { dirty_pages: found.dirty_pages, writeback_pages: found.writeback_pages }
            }
            Reading::Unknown(_) => Unwritten::default(),
        })
    }

    /// Both together, at most `pages`: a page that is stored into while it is being written is in both.
    pub fn of_pages(&self, pages: u64) -> Option<u64> {
        Some((self.dirty_pages?.saturating_add(self.writeback_pages?)).min(pages))
    }
}

/// Whole numbers of the system: everybody's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// `Dirty` of /proc/meminfo.
    pub dirty_bytes: u64,
    /// What the disk has taken since boot; None where no disk is visible.
    pub device: Option<DeviceTotals>,
}

impl System {
    /// Now, with the disk of this name.
    pub fn now(device: Option<&str>) -> io::Result<System> {
        let dirty_bytes = proc::meminfo()?.dirty_bytes;
        Ok(System { dirty_bytes, device: device.and_then(proc::device_totals) })
    }

    /// Bytes that the disk has taken since `before`.
    pub fn written_since(&self, before: &System) -> Option<u64> {
        self.device?.write_bytes.checked_sub(before.device?.write_bytes)
    }

    /// Flushes that the disk has completed since `before`.
    pub fn flushed_since(&self, before: &System) -> Option<u64> {
        self.device?.flushes?.checked_sub(before.device?.flushes?)
    }
}

/// How far the system's `Dirty` goes up and down by itself while we do nothing for `looks` times `pause`.
pub fn drift_bytes(looks: u32, pause: Duration) -> io::Result<u64> {
    let first = proc::meminfo()?.dirty_bytes;
    let (mut least, mut most) = (first, first);
    for _ in 0..looks {
        sleep(pause);
        let now = proc::meminfo()?.dirty_bytes;
        (least, most) = (least.min(now), most.max(now));
    }
    Ok(most - least)
}

/// Above so many dirty bytes in the whole system the kernel starts to write by itself: its own figure, where it tells.
pub fn background_threshold_bytes() -> Option<u64> {
    proc::vmstat().ok()?.get("nr_dirty_background_threshold")?.checked_mul(page_bytes())
}

/// Above so many, those who write pause: dirty_freerun_ceiling() in mm/page-writeback.c. The second limit is not where
/// that begins, but the ceiling that it keeps them below.
pub fn pauses_from_bytes(background_bytes: u64, most_bytes: u64) -> u64 {
    background_bytes.saturating_add(most_bytes) / 2
}

/// The most that may be dirty.
pub fn threshold_bytes() -> Option<u64> {
    proc::vmstat().ok()?.get("nr_dirty_threshold")?.checked_mul(page_bytes())
}
