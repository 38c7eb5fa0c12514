//! How much of a file is resident in the page cache.
//!
//! cachestat(2) answers at once, also for a file of a terabyte. Where it is missing, and where it looks at the wrong
//! layer, mincore(2) answers over windows of a mapping. Where neither may answer, the result is
//! [`Unknown`] and not a number.

mod cachestat;
mod mincore;
mod permission;

use crate::magic::{self, Magic};
use crate::pages::{page_bytes, pages_for};
use crate::{Reading, Unknown};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileTypeExt;

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

/// Whether cachestat(2) may be called here.
pub(crate) fn has_cachestat() -> bool {
    cachestat::answers()
}

/// The whole file's residency.
///
/// Err for what is not a regular file and for a failing system call; [`Reading::Unknown`] where nobody may know. Asking
/// changes nothing: no page comes or goes.
pub fn of_file(file: &File) -> io::Result<Reading<Residency>> {
    of_range(file, 0, u64::MAX)
}

/// The residency of `len` bytes from `offset`; the range is cut at the end of the file.
pub fn of_range(file: &File, offset: u64, len: u64) -> io::Result<Reading<Residency>> {
    let size = size_of_regular(file)?;
    let range = pages_within(size, offset, len);
    Ok(match ask(file, size, std::slice::from_ref(&range))? {
        Reading::Known(counts) => Reading::Known(counts[0]),
        Reading::Unknown(why) => Reading::Unknown(why),
    })
}

/// The file in `buckets` equal, page-aligned ranges (fewer where it has fewer pages), in order.
///
/// Ranges differ by one page where the pages cannot be shared out evenly. An empty file has no buckets.
pub fn map(file: &File, buckets: usize) -> io::Result<Reading<Vec<Bucket>>> {
    let size = size_of_regular(file)?;
    ask(file, size, &shares(pages_for(size), buckets))
}

/// The same of a file that is growing: as if it had `size_bytes`. What lies past its end is absent.
pub fn map_up_to(file: &File, size_bytes: u64, buckets: usize) -> io::Result<Reading<Vec<Bucket>>> {
    let size = size_of_regular(file)?.max(size_bytes);
    ask(file, size, &shares(pages_for(size_bytes), buckets))
}

/// The map of a file that is not there yet.
pub fn map_of_nothing(size_bytes: u64, buckets: usize) -> Vec<Bucket> {
    let known = cachestat::answers().then_some(0);
    let absent = |pages: Range<u64>| Bucket {
        pages: pages.end - pages.start,
        resident_pages: 0,
        dirty_pages: known,
        writeback_pages: known,
        evicted_pages: known,
        recently_evicted_pages: known,
        method: if known.is_some() { Method::Cachestat } else { Method::Mincore },
    };
    shares(pages_for(size_bytes), buckets).into_iter().map(absent).collect()
}

/// The file's size in bytes; an error that says what it is instead, where it is not a regular file.
fn size_of_regular(file: &File) -> io::Result<u64> {
    let metadata = file.metadata()?;
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(metadata.len());
    }
    let what = if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "a device"
    } else {
        "not a file with data"
    };
    let text = format!("it is {what}: only regular files are asked for their pages");
    Err(io::Error::new(io::ErrorKind::InvalidInput, text))
}

/// The pages that `len` bytes from `offset` touch, cut at the end of a file of `size` bytes.
fn pages_within(size: u64, offset: u64, len: u64) -> Range<u64> {
    let start = offset.min(size);
    let end = offset.saturating_add(len).min(size);
    if start >= end { 0..0 } else { start / page_bytes()..pages_for(end) }
}

/// `pages` pages in at most `parts` ranges that differ by no more than one page.
fn shares(pages: u64, parts: usize) -> Vec<Range<u64>> {
    let parts = (parts as u64).min(pages);
    let edge = |part: u64| (u128::from(pages) * u128::from(part) / u128::from(parts)) as u64;
    (0..parts).map(|part| edge(part)..edge(part + 1)).collect()
}

/// Ask for all `ranges` by one and the same method.
fn ask(file: &File, size: u64, ranges: &[Range<u64>]) -> io::Result<Reading<Vec<Residency>>> {
    let magic = magic::of(file)?;
    if let Some(kind) = magic::own_cache(magic) {
        return Ok(Reading::Unknown(Unknown::Filesystem(kind.to_owned())));
    }
    if !magic::stacked(magic) {
        let counted: io::Result<Vec<_>> =
            ranges.iter().map(|range| cachestat::count(file, range.clone())).collect();
        match counted {
            Ok(counts) if !may_hide_pages(magic, &counts) => return Ok(Reading::Known(counts)),
            Ok(_) => (),
            Err(error) => match error.raw_os_error() {
                Some(libc::EOPNOTSUPP) => {
                    return Ok(Reading::Unknown(Unknown::Filesystem("hugetlbfs".to_owned())));
                }
                // A seccomp filter may say EPERM as well as the kernel does. mincore is asked below whether it lies
                // for this file: if it does not, the EPERM was the filter's.
                Some(libc::ENOSYS | libc::EPERM) => (),
                _ => return Err(error),
            },
        }
    }
    if let Some(why) = mincore::why_untrue(file, size)? {
        return Ok(Reading::Unknown(why));
    }
    ranges
        .iter()
        .map(|range| mincore::count(file, range.clone()))
        .collect::<io::Result<_>>()
        .map(Reading::Known)
}

/// FUSE may pass a file through to one below (Linux 6.9 on): then the pages are there, and cachestat finds none here.
fn may_hide_pages(magic: Magic, counts: &[Residency]) -> bool {
    magic == magic::FUSE && counts.iter().all(|count| count.resident_pages == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_a_range_touches() {
        let page = page_bytes();
        assert_eq!(pages_within(0, 0, u64::MAX), 0..0);
        assert_eq!(pages_within(1, 0, u64::MAX), 0..1);
        assert_eq!(pages_within(10 * page, page - 1, 2), 0..2);
        assert_eq!(pages_within(10 * page, 9 * page, 5 * page), 9..10);
        assert_eq!(pages_within(10 * page, 10 * page, 1), 0..0);
        assert_eq!(pages_within(10 * page, 3, 0), 0..0);
        assert_eq!(pages_within(u64::MAX / 2, u64::MAX, u64::MAX), 0..0);
    }

    #[test]
    fn shares_are_equal_and_leave_nothing_out() {
        assert_eq!(shares(0, 5), []);
        assert_eq!(shares(5, 0), []);
        assert_eq!(shares(3, 5), [0..1, 1..2, 2..3]);
        assert_eq!(shares(10, 3), [0..3, 3..6, 6..10]);
        let huge = shares(u64::MAX, 80);
        assert_eq!((huge[0].start, huge[79].end), (0, u64::MAX));
    }
}
