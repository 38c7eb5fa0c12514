//! How much of a file is resident in the page cache.
//!
//! SKELETON: signatures are fixed, bodies to be written.

use crate::Reading;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;

/// Which system call answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// cachestat(2), Linux 6.5 on.
    Cachestat,
    /// mincore(2) over windows of a mapping.
    Mincore,
}

/// A file's (or a range's) pages in the page cache, counted in pages of [`crate::pages::page_bytes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Residency {
    /// Pages that the range spans (a partial last page counts).
    pub pages: u64,
    /// Pages of it in memory.
    pub resident_pages: u64,
    /// Pages changed in memory and not yet on their way to the disk. None where only mincore answers.
    pub dirty_pages: Option<u64>,
    /// Pages being written to the disk now. None where only mincore answers.
    pub writeback_pages: Option<u64>,
    /// Pages that reclaim (not DONTNEED) took away and whose shadow is still there.
    pub evicted_pages: Option<u64>,
    /// Those of them that would count as a refault, had they come back now.
    pub recently_evicted_pages: Option<u64>,
    /// Which call answered.
    pub method: Method,
}

/// One cell of a residency map: pages by state. See [`map`].
pub type Bucket = Residency;

/// The whole file's residency.
pub fn of_file(file: &File) -> io::Result<Reading<Residency>> {
    of_range(file, 0, u64::MAX)
}

/// The residency of `len` bytes from `offset`; the range is cut at the end of the file.
pub fn of_range(_file: &File, _offset: u64, _len: u64) -> io::Result<Reading<Residency>> {
    todo!()
}

/// The file in `buckets` equal, page-aligned ranges (fewer where it has fewer pages), in order.
pub fn map(_file: &File, _buckets: usize) -> io::Result<Reading<Vec<Bucket>>> {
    todo!()
}
