//! What a run of `mmapwrite` found after the last store: what is dirty, what the disk has taken, and what each counter
//! says about it.

use crate::words;
use crate::workloads::count::Unwritten;
use instruments::bench::Run;
use instruments::size::{format_bytes, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::{Caveat, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// A mapping, stored into from its first byte to its last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Size of the file.
    pub bytes: u64,
    /// Its pages.
    pub pages: u64,
    /// From before the first store to after the last, nanoseconds.
    pub store_ns: u64,
    /// Faults that the stores took, without I/O.
    pub minor_faults: u64,
    /// /proc/self/io write_bytes over the stores; None where the kernel does not account for it.
    pub write_bytes: Option<u64>,
    /// The file's dirty pages before the first store.
    pub dirty_before_pages: Option<u64>,
    /// What was not on the disk after the last.
    pub unwritten: Unwritten,
    /// What the disk took over the stores, from everybody; None where no disk is visible.
    pub device_write_bytes: Option<u64>,
    /// How far the system's `Dirty` went up and down by itself before.
    pub system_drift_bytes: u64,
    /// The system's `Dirty` before the first store.
    pub system_dirty_before_bytes: u64,
    /// And after the last.
    pub system_dirty_bytes: u64,
    /// Above so many dirty bytes the kernel starts to write; None where it does not tell.
    pub background_threshold_bytes: Option<u64>,
}

impl Stored {
    /// From the line that `mmapwrite` printed.
    pub fn of(run: &Run) -> Result<Stored, Unavailable> {
        Ok(Stored {
            bytes: run.u64("bytes")?,
            pages: run.u64("pages")?,
            store_ns: run.u64("store_ns")?,
            minor_faults: run.u64("minor_faults")?,
            write_bytes: run.u64_if_known("write_bytes")?,
            dirty_before_pages: run.u64_if_known("dirty_before_pages")?,
            unwritten: unwritten(run, "dirty_pages", "writeback_pages")?,
            device_write_bytes: run.u64_if_known("device_write_bytes")?,
            system_drift_bytes: run.u64("system_drift_bytes")?,
            system_dirty_before_bytes: run.u64("system_dirty_before_bytes")?,
            system_dirty_bytes: run.u64("system_dirty_bytes")?,
            background_threshold_bytes: run.u64_if_known("background_threshold_bytes")?,
        })
    }

    /// The file was clean before the first store. Err says how many pages were dirty; where nobody can know, that is
    /// left to the caller.
    pub fn was_clean(&self) -> Result<(), String> {
        match self.dirty_before_pages {
            None | Some(0) => Ok(()),
            Some(pages) => {
                Err(format!("{} of the file were dirty before the first store", words::many(pages, "page")))
            }
        }
    }

    /// Every page is dirty or on its way: none of what was stored is on the disk. None where nobody can know.
    pub fn all_unwritten(&self) -> Option<bool> {
        self.unwritten.of_pages(self.pages).map(|pages| pages == self.pages)
    }

    /// How far the system's `Dirty` rose over the stores.
    pub fn system_grown_bytes(&self) -> u64 {
        self.system_dirty_bytes.saturating_sub(self.system_dirty_before_bytes)
    }

    /// What the disk took meanwhile from others, where the file's own pages were all still in memory.
    pub fn others(&self) -> Option<Caveat> {
        /// A disk takes a little all the time: logs, other files' times.
        const LITTLE: u64 = 20;
        let bytes = self.device_write_bytes.filter(|bytes| *bytes > self.bytes / LITTLE)?;
        (self.all_unwritten() == Some(true)).then(|| {
            Caveat::OtherWriters(format!(
                "the disk took {} while none of this file's pages had left",
                format_bytes(bytes)
            ))
        })
    }
}

/// A file's unwritten pages from two fields of a line.
pub fn unwritten(run: &Run, dirty: &str, writeback: &str) -> Result<Unwritten, Unavailable> {
    Ok(Unwritten { dirty_pages: run.u64_if_known(dirty)?, writeback_pages: run.u64_if_known(writeback)? })
}

/// Run a workload of this lab in the bench's scratch directory, on a file of `bytes` bytes.
pub fn run(bench: &mut Bench<'_>, workload: &str, bytes: u64, extra: &[&str]) -> Result<Run, Unavailable> {
    let (size, dir) = (shell_bytes(bytes), bench.scratch().path().to_owned());
    let mut args = vec![OsStr::new("--size"), OsStr::new(&size), OsStr::new("--dir"), dir.as_os_str()];
    args.extend(extra.iter().map(OsStr::new));
    bench.run(workload, &args)
}

/// The line that the learner types for it.
pub fn command(workload: &str, bytes: u64, extra: &str) -> String {
    let space = if extra.is_empty() { "" } else { " " };
    format!("tutor run {workload} --size {}{space}{extra}", shell_bytes(bytes))
}

/// What must be said where no figure of the file itself is known.
pub fn unknown_caveat(stored: &Stored, setting: &Setting) -> Option<Caveat> {
    stored.unwritten.dirty_pages.is_none().then(|| words::dirty_unknown(setting))
}
