//! How large the pieces are in which the page cache holds a file.
//!
//! The kernel does not tell the size of a folio to those without privilege. But it keeps the dirty mark once a folio,
//! not once a page: store one byte, and the pages that became dirty are the folio's.

use crate::Reading;
use crate::residency;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Pages of the folios that hold the bytes at `places` evenly spread offsets of `file`, which must be resident and
/// open for reading and writing; a file of ours, since each of those bytes is stored again, unchanged, and written to
/// the disk. Empty where only mincore(2) answers, which does not tell what is dirty.
pub fn sample(file: &File, places: u64) -> io::Result<Vec<u64>> {
    let size = file.metadata()?.len();
    let mut folios = Vec::new();
    for place in 0..places.min(size) {
        let offset = (size / places).max(1) * place + size / places / 2;
        file.sync_data()?;
        let Some(before) = unwritten_pages(file)? else { break };
        let mut byte = [0];
        file.read_exact_at(&mut byte, offset.min(size - 1))?;
        file.write_all_at(&byte, offset.min(size - 1))?;
        let Some(after) = unwritten_pages(file)? else { break };
        folios.push(after.saturating_sub(before));
    }
    file.sync_data()?;
    Ok(folios)
}

/// Dirty pages, and those already on their way to the disk.
fn unwritten_pages(file: &File) -> io::Result<Option<u64>> {
    let Reading::Known(found) = residency::of_file(file)? else { return Ok(None) };
    Ok(found.dirty_pages.zip(found.writeback_pages).map(|(dirty, writeback)| dirty + writeback))
}
