//! mincore(2): a byte a page, over windows of a mapping that is never touched.
//!
//! From Linux 5.2 on, mincore calls every page resident for those who neither own the file nor may write to it
//! (can_do_mincore in mm/mincore.c). It says so of pages past the end of the file, too, which no cache can hold: that is
//! how [`why_untrue`] tells a true answer from that one.

use super::{Method, Residency, permission};
use crate::pages::page_bytes;
use crate::{Unknown, interrupt};
use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::ops::Range;

/// Small enough that the kernel is never long busy with one mapping, large enough that mapping costs nothing.
const WINDOW_BYTES: u64 = 128 << 20;

/// No folio that holds the last byte of a file reaches this far past it: the largest have 512 MiB (64 KiB pages).
const PAST_THE_END_BYTES: u64 = 1 << 30;

/// Count `pages` of `file`, window by window. Trust it only after [`why_untrue`] has found nothing.
pub(super) fn count(file: &File, pages: Range<u64>) -> io::Result<Residency> {
    let step = WINDOW_BYTES / page_bytes();
    let mut resident = 0;
    for start in pages.clone().step_by(step as usize) {
        if interrupt::requested() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
        }
        resident += count_window(file, start..pages.end.min(start + step))?;
    }
    Ok(Residency {
        pages: pages.end - pages.start,
        resident_pages: resident,
        dirty_pages: None,
        writeback_pages: None,
        evicted_pages: None,
        recently_evicted_pages: None,
        method: Method::Mincore,
    })
}

/// None where mincore tells the truth about `file`, of `size` bytes; otherwise why it does not.
pub(super) fn why_untrue(file: &File, size: u64) -> io::Result<Option<Unknown>> {
    let past = size.next_multiple_of(PAST_THE_END_BYTES).saturating_add(PAST_THE_END_BYTES) / page_bytes();
    let believes_in_it = match count_window(file, past..past + 1) {
        Ok(resident) => resident > 0,
        // The filesystem allows no offset that large: the rule itself decides.
        Err(error) if error.raw_os_error() == Some(libc::EOVERFLOW) => !permission::may_know(file),
        Err(error) => return Ok(Some(refusal(error))),
    };
    Ok(match (believes_in_it, permission::may_know(file)) {
        (false, _) => None,
        (true, false) => Some(Unknown::NotPermitted),
        (true, true) => Some(Unknown::Kernel(
            "mincore(2) calls even pages past the end of the file resident here".to_owned(),
        )),
    })
}

fn refusal(error: io::Error) -> Unknown {
    Unknown::Kernel(match error.raw_os_error() {
        Some(libc::EACCES) => "mincore(2) can only tell about a file that is open for reading".to_owned(),
        _ => format!("neither cachestat(2) nor mincore(2) answers here: {error}"),
    })
}

fn count_window(file: &File, pages: Range<u64>) -> io::Result<u64> {
    let count = (pages.end - pages.start) as usize;
    let bytes = count * page_bytes() as usize;
    let window = MmapOptions::new().offset(pages.start * page_bytes()).len(bytes).map_raw_read_only(file)?;
    let mut states = vec![0u8; count];
    mincore(&window, &mut states)?;
    // Only the lowest bit has a meaning; the others are reserved.
    Ok(states.iter().filter(|&&state| state & 1 == 1).count() as u64)
}

fn mincore(window: &MmapRaw, states: &mut [u8]) -> io::Result<()> {
    assert_eq!(states.len(), window.len().div_ceil(page_bytes() as usize), "a byte a page");
    loop {
        let address = window.as_ptr().cast_mut().cast();
        // SAFETY: the whole range is mapped while `window` lives, the kernel writes a byte a page to `states`, which has
        // exactly that many (asserted above), and nobody reads through the mapping.
        let result = unsafe { libc::mincore(address, window.len(), states.as_mut_ptr()) };
        if result == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        // EAGAIN: the kernel had no page for its answer just then.
        if error.raw_os_error() != Some(libc::EAGAIN) {
            return Err(error);
        }
    }
}
