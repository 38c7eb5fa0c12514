//! cachestat(2): the kernel counts, whatever the size of the file.

use super::{Method, Residency};
use crate::pages::page_bytes;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;

/// The call's number on every architecture that Rust and this course know (alpha alone has 561). libc, nix and rustix
/// have no wrapper yet.
const SYS_CACHESTAT: libc::c_long = 451;

/// `struct cachestat_range` of linux/mman.h, in bytes; a length of 0 means to the end.
#[repr(C)]
struct ByteRange {
    off: u64,
    len: u64,
}

/// `struct cachestat` of linux/mman.h, in pages.
#[derive(Default)]
#[repr(C)]
struct Counts {
    cache: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

/// Count `pages` of `file`. Linux 6.5 on; see mm/filemap.c.
///
/// Errors: ENOSYS on an older kernel, EPERM for those who neither own the file nor may write to it (or under a seccomp
/// filter), EOPNOTSUPP on hugetlbfs.
pub(super) fn count(file: &File, pages: Range<u64>) -> io::Result<Residency> {
    // An empty range cannot be asked for: length 0 would mean the rest of the file.
    let counts = if pages.is_empty() { Counts::default() } else { cachestat(file, &pages)? };
    Ok(Residency {
        pages: pages.end - pages.start,
        resident_pages: counts.cache,
        dirty_pages: Some(counts.dirty),
        writeback_pages: Some(counts.writeback),
        evicted_pages: Some(counts.evicted),
        recently_evicted_pages: Some(counts.recently_evicted),
        method: Method::Cachestat,
    })
}

/// Whether this kernel has the call, and no filter forbids it: a kernel that knows it looks at the descriptor first.
pub(super) fn answers() -> bool {
    // SAFETY: -1 is never an open file, so the kernel refuses before it looks at the null pointers.
    let result = unsafe {
        let nothing = std::ptr::null::<ByteRange>();
        libc::syscall(SYS_CACHESTAT, -1 as libc::c_int, nothing, nothing, 0 as libc::c_uint)
    };
    result == -1 && io::Error::last_os_error().raw_os_error() == Some(libc::EBADF)
}

fn cachestat(file: &File, pages: &Range<u64>) -> io::Result<Counts> {
    let range = ByteRange { off: pages.start * page_bytes(), len: (pages.end - pages.start) * page_bytes() };
    let mut counts = Counts::default();
    // SAFETY: the kernel reads one ByteRange and writes one Counts, both laid out as linux/mman.h says and both alive
    // for the whole call; a kernel without the call touches neither.
    let result = unsafe {
        libc::syscall(SYS_CACHESTAT, file.as_raw_fd(), &raw const range, &raw mut counts, 0 as libc::c_uint)
    };
    if result == 0 { Ok(counts) } else { Err(io::Error::last_os_error()) }
}
