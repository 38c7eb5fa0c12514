//! Every explanation that this lab can give. The acts choose; what each one says stands in [`text`].

mod text;

use crate::stored::Stored;
use instruments::host::DirtySettings;
use lesson::Cause;
use lesson::nearest::agree;

/// Why the machine answered as it did, with the figures that prove it.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// All pages of the file were dirty after the last store.
    StaysDirty {
        /// How many.
        pages: u64,
        /// What the disk took meanwhile, from everybody.
        device_bytes: Option<u64>,
    },
    /// Pages were written during the stores, and the system's dirty bytes had passed the kernel's limit.
    BackgroundFlusher {
        /// Pages that were on the disk already.
        written_pages: u64,
        /// What would have been dirty in the whole system.
        reached_bytes: u64,
        /// The kernel's limit.
        threshold_bytes: u64,
    },
    /// Pages were written during the stores, and nothing tells by whom.
    WrittenMeanwhile {
        /// Pages that were on the disk already.
        written_pages: u64,
        /// The kernel's limit, which was not reached; None where it does not tell.
        threshold_bytes: Option<u64>,
    },
    /// The process's counter showed all of the bytes, and the disk had taken few of them.
    WriteBytesCountDirtying {
        /// /proc/PID/io write_bytes.
        write_bytes: u64,
        /// What the disk took, from everybody.
        device_bytes: u64,
    },
    /// Stores into clean pages take faults.
    AFaultMarks {
        /// Faults over the stores.
        faults: u64,
        /// Pages stored into.
        pages: u64,
    },
    /// MS_SYNC returned with nothing dirty, and the disk had taken the bytes.
    SyncWaits {
        /// Pages that were dirty before.
        pages: u64,
        /// What the disk took over the call.
        device_bytes: u64,
    },
    /// MS_ASYNC changed nothing.
    AsyncIsEmpty {
        /// How long the call took, nanoseconds.
        call_ns: u64,
        /// How long nothing happened after it, nanoseconds.
        rest_ns: u64,
    },
    /// One byte made a whole piece dirty, and a smaller one where pages had come in by themselves.
    WholeFolio {
        /// Pages of the piece that a write had made.
        pages: u64,
        /// Pages of the piece where each had come in by itself.
        single_pages: u64,
        /// The fewest and the most of those that a read had made, where known.
        read_pages: Option<(u64, u64)>,
    },
    /// One byte made one page dirty, however the file had come in.
    FoliosOfOnePage {
        /// Whose folios they are.
        filesystem: String,
    },
    /// One byte made several pages dirty, even where each had come in by itself.
    SmallestFolio {
        /// Whose folios they are.
        filesystem: String,
        /// Pages of each.
        pages: u64,
    },
    /// The disk took the whole piece after a store, and less after a write().
    StoreWritesThePiece {
        /// The least that it took after a store.
        by_store_bytes: u64,
        /// And after a write().
        by_write_bytes: u64,
    },
    /// The disk took the whole piece, whichever way the byte was changed.
    PieceIsWritten {
        /// The least that it took.
        bytes: u64,
    },
    /// With O_DSYNC the disk had taken each block before its write() returned.
    EachWriteWaits {
        /// Time for a write(), nanoseconds.
        write_ns: u64,
        /// Flushes that the disk completed for each, where it counts them.
        flushes: Option<f64>,
    },
    /// One fdatasync at the end was faster than a promise for each block.
    OneWaitForAll {
        /// How many times.
        faster: f64,
    },
    /// Plain writes had left all their pages dirty.
    PlainOwesAll {
        /// How many.
        pages: u64,
    },
    /// O_DIRECT handed its bytes to a drive with a volatile cache.
    DirectIsNoFlush {
        /// Whether the disk counts flushes and completed none for it.
        no_flush_seen: bool,
    },
    /// O_DIRECT handed its bytes to a drive that says it has no volatile cache.
    NoVolatileCache {
        /// One that overwrites in place.
        filesystem: String,
    },
    /// After O_DSYNC all pages were in the cache, and clean.
    ThroughTheCache {
        /// How many.
        pages: u64,
        /// What the disk took, from everybody.
        device_bytes: Option<u64>,
    },
    /// After O_DIRECT none was.
    DirectLeavesNone {
        /// Pages written.
        pages: u64,
    },
    /// Dirty pages were written before they left memory.
    WrittenBeforeItLeft {
        /// Pages that were not on the disk when the file was closed.
        pages: u64,
        /// What the disk gave back, where it is counted.
        delivered_bytes: Option<u64>,
    },
    /// What POSIX_FADV_DONTNEED alone did to dirty pages, none of which was lost.
    AdviceDropsTheClean {
        /// How many stayed.
        kept_pages: u64,
        /// Of how many.
        pages: u64,
    },
    /// The flusher writes what is old enough, when it looks.
    Expiry {
        /// How often it looks, as text.
        interval: String,
        /// How old, as text.
        expire: String,
        /// When it was seen to happen, nanoseconds.
        seen_ns: Option<u64>,
    },
    /// The flusher's clock is switched off.
    ClockOff,
    /// The limits on dirty memory.
    Limits {
        /// Above this the kernel writes at once.
        background_bytes: u64,
        /// The most that may be dirty.
        throttle_bytes: Option<u64>,
        /// What is dirty now.
        system_dirty_bytes: u64,
    },
    /// The kernel's limit is the setting's share of what is available.
    ShareOfAvailable {
        /// dirty_background_ratio, percent.
        ratio: u64,
        /// MemAvailable.
        available_bytes: u64,
    },
    /// The kernel's limit is another figure.
    NotTheShare {
        /// dirty_background_ratio, percent.
        ratio: u64,
        /// The share of MemAvailable.
        share_bytes: u64,
        /// The kernel's own figure.
        background_bytes: u64,
    },
}

impl Why {
    /// Who wrote pages while they were stored into, if the figures tell.
    pub fn background(stored: &Stored) -> Option<Why> {
        let written_pages = stored.pages - stored.unwritten.of_pages(stored.pages)?;
        let reached_bytes = stored.system_dirty_before_bytes.saturating_add(stored.bytes);
        Some(match stored.background_threshold_bytes {
            Some(threshold_bytes) if reached_bytes > threshold_bytes => {
                Why::BackgroundFlusher { written_pages, reached_bytes, threshold_bytes }
            }
            threshold_bytes => Why::WrittenMeanwhile { written_pages, threshold_bytes },
        })
    }

    /// write_bytes rose by what was stored, and the disk took less than half of it.
    pub fn write_bytes_count_dirtying(stored: &Stored) -> Option<Why> {
        let (write_bytes, device_bytes) = (stored.write_bytes?, stored.device_write_bytes?);
        (write_bytes >= stored.bytes / 10 * 9 && device_bytes < write_bytes / 2)
            .then_some(Why::WriteBytesCountDirtying { write_bytes, device_bytes })
    }

    /// The stores took faults.
    pub fn a_fault_marks(stored: &Stored) -> Option<Why> {
        (stored.minor_faults > 0)
            .then_some(Why::AFaultMarks { faults: stored.minor_faults, pages: stored.pages })
    }

    /// Whether the kernel's limit is what dirty_background_ratio makes of MemAvailable. Where bytes are set instead,
    /// there is nothing to compare.
    pub fn ratio_of(background_bytes: u64, available_bytes: u64, dirty: &DirtySettings) -> Option<Why> {
        let ratio = dirty.background_ratio;
        if dirty.background_bytes > 0 || ratio == 0 || available_bytes == 0 {
            return None;
        }
        let share_bytes = (available_bytes / 100).saturating_mul(ratio);
        Some(if agree(background_bytes as f64, share_bytes as f64) {
            Why::ShareOfAvailable { ratio, available_bytes }
        } else {
            Why::NotTheShare { ratio, share_bytes, background_bytes }
        })
    }

    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Why::StaysDirty { .. } => "stays-dirty",
            Why::BackgroundFlusher { .. } => "background-flusher",
            Why::WrittenMeanwhile { .. } => "written-meanwhile",
            Why::WriteBytesCountDirtying { .. } => "write-bytes-count-dirtying",
            Why::AFaultMarks { .. } => "a-fault-marks",
            Why::SyncWaits { .. } => "sync-waits",
            Why::AsyncIsEmpty { .. } => "async-is-empty",
            Why::WholeFolio { .. } => "whole-folio",
            Why::FoliosOfOnePage { .. } => "folios-of-one-page",
            Why::SmallestFolio { .. } => "smallest-folio",
            Why::StoreWritesThePiece { .. } => "store-writes-the-piece",
            Why::PieceIsWritten { .. } => "piece-is-written",
            Why::EachWriteWaits { .. } => "each-write-waits",
            Why::OneWaitForAll { .. } => "one-wait-for-all",
            Why::PlainOwesAll { .. } => "plain-owes-all",
            Why::DirectIsNoFlush { .. } => "direct-is-no-flush",
            Why::NoVolatileCache { .. } => "no-volatile-cache",
            Why::ThroughTheCache { .. } => "through-the-cache",
            Why::DirectLeavesNone { .. } => "direct-leaves-none",
            Why::WrittenBeforeItLeft { .. } => "written-before-it-left",
            Why::AdviceDropsTheClean { .. } => "advice-drops-the-clean",
            Why::Expiry { .. } => "expiry",
            Why::ClockOff => "clock-off",
            Why::Limits { .. } => "limits",
            Why::ShareOfAvailable { .. } => "share-of-available",
            Why::NotTheShare { .. } => "not-the-share",
        }
    }
}

impl From<Why> for Cause {
    fn from(why: Why) -> Cause {
        Cause { id: why.id().to_owned(), text: why.to_string() }
    }
}
