//! What each explanation says.

use super::Why;
use crate::words::many;
use crate::workloads::count::pauses_from_bytes;
use instruments::size::{format_bytes, format_count, format_ns, format_ratio};
use std::fmt;

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::StaysDirty { pages, device_bytes } => {
                write!(
                    f,
                    "A store changes the page in the cache and marks it dirty; no write of any kind was asked for. All {} \
                     are in that state.",
                    many(*pages, "page")
                )?;
                match device_bytes {
                    Some(bytes) => {
                        write!(f, " Meanwhile the disk took {} from the whole system.", format_bytes(*bytes))
                    }
                    None => Ok(()),
                }
            }
            Why::BackgroundFlusher { written_pages, reached_bytes, threshold_bytes } => write!(
                f,
                "The kernel had begun by itself: with this file, {} would be dirty in the whole system, and above {} its \
                 flusher writes in the background. {} had been written when they were counted.",
                format_bytes(*reached_bytes),
                format_bytes(*threshold_bytes),
                many(*written_pages, "page")
            ),
            Why::WrittenMeanwhile { written_pages, threshold_bytes } => {
                write!(f, "{} had been written already.", many(*written_pages, "page"))?;
                if let Some(threshold) = threshold_bytes {
                    write!(
                        f,
                        " The kernel's own limit of {} was not reached, so that was not the reason.",
                        format_bytes(*threshold)
                    )?;
                }
                f.write_str(" Another program's sync or the filesystem's own commit can do it; nothing here tells which.")
            }
            Why::WriteBytesCountDirtying { write_bytes, device_bytes } => write!(
                f,
                "/proc/PID/io says write_bytes rose by {}, and the disk took {} from everybody. That counter counts bytes \
                 made dirty, not bytes written.",
                format_bytes(*write_bytes),
                format_bytes(*device_bytes)
            ),
            Why::AFaultMarks { faults, pages } => write!(
                f,
                "The stores took {} for {}: what is clean is mapped read-only, so the first store into a page, or into the \
                 large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.",
                many(*faults, "fault"),
                many(*pages, "page")
            ),
            Why::SyncWaits { pages, device_bytes } => write!(
                f,
                "Before the call all {} were dirty, after it none, and the disk had taken {}: MS_SYNC writes, and waits \
                 until the disk says that it has everything.",
                many(*pages, "page"),
                format_bytes(*device_bytes)
            ),
            Why::AsyncIsEmpty { call_ns, rest_ns } => write!(
                f,
                "The call returned after {}, and {} later still nothing was on its way. Linux keeps track of dirty pages by \
                 itself, so MS_ASYNC has nothing to add: it checks its arguments.",
                format_ns(*call_ns as f64),
                format_ns(*rest_ns as f64)
            ),
            Why::WholeFolio { pages, single_pages, read_pages } => {
                write!(
                    f,
                    "The cache holds a file in pieces, called folios, and keeps the dirty mark once a folio. A write had made \
                     folios of {}",
                    many(*pages, "page")
                )?;
                match read_pages {
                    Some((least, most)) if least == pages && most == pages => {
                        f.write_str(", an ordinary read too.")?;
                    }
                    Some((least, most)) if least == most => {
                        write!(f, ", an ordinary read of {}.", format_count(*least))?;
                    }
                    Some((least, most)) => {
                        let (least, most) = (format_count(*least), format_count(*most));
                        write!(f, ", an ordinary read of {least} to {most}.")?;
                    }
                    None => f.write_str(".")?,
                }
                write!(
                    f,
                    " Where each page had come in by itself, {} became dirty: the same byte, the same file, smaller folios.",
                    many(*single_pages, "page")
                )
            }
            Why::FoliosOfOnePage { filesystem } => write!(
                f,
                "The dirty mark is kept once a folio, the piece in which the cache holds a file. It was one page however the \
                 file had come in: here {} has folios of one page.",
                named(filesystem)
            ),
            Why::SmallestFolio { filesystem, pages } => write!(
                f,
                "Even where each page was asked for by itself, {} became dirty, as one piece: here {} has no smaller folios.",
                many(*pages, "page"),
                named(filesystem)
            ),
            Why::StoreWritesThePiece { by_store_bytes, by_write_bytes } => write!(
                f,
                "To sync that one byte the disk took {} after the store, and {} after a write(). A write() tells the filesystem \
                 which blocks it changed; of a store the kernel knows no more than the folio.",
                format_bytes(*by_store_bytes),
                format_bytes(*by_write_bytes)
            ),
            Why::PieceIsWritten { bytes } => write!(
                f,
                "To sync that one byte the disk took {}, after the store as after a write(): the whole piece is written.",
                format_bytes(*bytes)
            ),
            Why::EachWriteWaits { write_ns, flushes } => {
                write!(
                    f,
                    "With O_DSYNC each write() took {}: it returned when the disk had its block.",
                    format_ns(*write_ns as f64)
                )?;
                match flushes {
                    Some(flushes) if *flushes > 0.5 => write!(
                        f,
                        " The disk completed {flushes:.1} flushes of its own cache for each."
                    ),
                    _ => Ok(()),
                }
            }
            Why::OneWaitForAll { faster } => write!(
                f,
                "The same data with one fdatasync() at the end was {} faster than O_DSYNC, and as durable when it \
                 returned. What costs is the waiting, and one wait can serve many writes.",
                format_ratio(*faster)
            ),
            Why::PlainOwesAll { pages } => write!(
                f,
                "The plain writes returned with all {} dirty: at the speed of memory, and nothing of it on the disk.",
                many(*pages, "page")
            ),
            Why::DirectIsNoFlush { no_flush_seen } => {
                f.write_str(
                    "O_DIRECT goes past the cache to the drive. This one says that it has a volatile cache of its own, \
                     and O_DIRECT does not flush that.",
                )?;
                f.write_str(if *no_flush_seen { " The disk counted no flush." } else { "" })?;
                f.write_str(" A promise takes O_DSYNC or fdatasync() as well.")
            }
            Why::NoVolatileCache { filesystem } => write!(
                f,
                "O_DIRECT hands the data to the drive. This drive says that it has no volatile cache, so there is nothing to \
                 flush; and the file did not grow: {filesystem} wrote over the blocks that it had, whose place was on the disk \
                 before. On another drive or filesystem the same program would promise nothing."
            ),
            Why::ThroughTheCache { pages, device_bytes } => {
                write!(
                    f,
                    "O_DSYNC writes through the cache: all {} are there for the next reader. None is dirty: before each write() \
                     returned, its data went to the disk",
                    many(*pages, "page")
                )?;
                match device_bytes {
                    Some(bytes) => write!(f, ", which took {} in that time from all programs together.", format_bytes(*bytes)),
                    None => f.write_str("."),
                }
            }
            Why::DirectLeavesNone { pages } => write!(
                f,
                "Of {} written with O_DIRECT none is in the cache: that is the flag that goes past it.",
                many(*pages, "page")
            ),
            Why::WrittenBeforeItLeft { pages, delivered_bytes } => {
                write!(
                    f,
                    "{} were not on the disk when mapping and file had been closed: closing had synced nothing here, and lost nothing. \
                     The kernel writes a dirty page before it lets it go",
                    many(*pages, "page")
                )?;
                match delivered_bytes {
                    Some(bytes) => write!(f, ", and the disk gave back {}.", format_bytes(*bytes)),
                    None => f.write_str("."),
                }
            }
            Why::AdviceDropsTheClean { kept_pages, pages } => {
                match kept_pages {
                    0 => write!(f, "POSIX_FADV_DONTNEED alone took all {} out of memory", many(*pages, "page"))?,
                    kept => write!(
                        f,
                        "POSIX_FADV_DONTNEED alone left {} of {} in memory",
                        format_count(*kept),
                        many(*pages, "page")
                    )?,
                }
                f.write_str(": it starts the writing of dirty pages, and drops what the disk has by then, nothing else.")
            }
            Why::Expiry { interval, expire, seen_ns } => {
                write!(
                    f,
                    "The kernel's flusher looks every {interval}, and writes what has been dirty for longer than {expire}. Until \
                     then a small file lies in memory only: a power cut takes it."
                )?;
                match seen_ns {
                    Some(seen) => write!(f, " The one that was watched went after {}.", format_ns(*seen as f64)),
                    None => Ok(()),
                }
            }
            Why::ClockOff => f.write_str(
                "dirty_writeback_centisecs is 0: the flusher does not look by itself. What nobody syncs stays until too much is \
                 dirty.",
            ),
            Why::Limits { background_bytes, throttle_bytes, system_dirty_bytes } => {
                write!(
                    f,
                    "Once more than {} are dirty in the whole system (now: {}), the flusher writes at once.",
                    format_bytes(*background_bytes),
                    format_bytes(*system_dirty_bytes)
                )?;
                match throttle_bytes {
                    Some(bytes) => write!(
                        f,
                        " From {} on, midway to the ceiling of {}, those who write are made to pause, the more the \
                         nearer they get to it.",
                        format_bytes(pauses_from_bytes(*background_bytes, *bytes)),
                        format_bytes(*bytes)
                    ),
                    None => Ok(()),
                }
            }
            Why::ShareOfAvailable { ratio, available_bytes } => write!(
                f,
                "That limit is dirty_background_ratio, {ratio}% of the {} that are available. More memory means more unsaved \
                 data.",
                format_bytes(*available_bytes)
            ),
            Why::NotTheShare { ratio, share_bytes, background_bytes } => write!(
                f,
                "dirty_background_ratio is {ratio}%, which would be {} of what is available. The kernel itself says {}: believe \
                 the kernel. It takes the ratio of free memory and cached files alone; what it could reclaim elsewhere counts as \
                 available, but not for this.",
                format_bytes(*share_bytes),
                format_bytes(*background_bytes)
            ),
        }
    }
}

/// A filesystem's name, or what one says where it is not known.
fn named(filesystem: &str) -> &str {
    if filesystem.is_empty() { "this filesystem" } else { filesystem }
}
