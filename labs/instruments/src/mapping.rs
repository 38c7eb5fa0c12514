//! Map a file to look at its bytes, and never hand out a reference to them.
//!
//! A `&[u8]` over a shared mapping would be a promise that nobody changes the file meanwhile, and nobody can give it.
//! So all looks go through raw, volatile reads: another program that writes to the file changes a figure, and nothing
//! else. What remains is truncation: a look past the new end of the file raises SIGBUS, and kills the process that
//! looks. So a mapping belongs into a child, which the workloads are. A program that must survive it needs one of
//! the ways that the lab `sigbus-on-truncation` compares.

use crate::adding::sum_at;
use crate::pages::page_bytes;
use memmap2::{Advice, MmapOptions, MmapRaw};
use std::fs::File;
use std::io;

/// A shared, read-only mapping of a file's first bytes. See mmap(2), MAP_SHARED and PROT_READ.
#[derive(Debug)]
pub struct Mapping {
    map: MmapRaw,
}

impl Mapping {
    /// Map the first `bytes` bytes: one mmap(2), no other call. No page is read or mapped yet. Looks past the end of
    /// the file raise SIGBUS, so `bytes` must not be more than its size.
    pub fn new(file: &File, bytes: u64) -> io::Result<Mapping> {
        Mapping::with(&MmapOptions::new(), file, bytes)
    }

    /// The same, with every page read and mapped before it returns: MAP_POPULATE.
    pub fn populated(file: &File, bytes: u64) -> io::Result<Mapping> {
        Mapping::with(MmapOptions::new().populate(), file, bytes)
    }

    fn with(options: &MmapOptions, file: &File, bytes: u64) -> io::Result<Mapping> {
        let len = usize::try_from(bytes).map_err(io::Error::other)?;
        Ok(Mapping { map: options.clone().len(len).map_raw_read_only(file)? })
    }

    /// Say that looks will come in no order: madvise(2), MADV_RANDOM. Faults then bring in no page but their own.
    pub fn expect_random(&self) -> io::Result<()> {
        self.map.advise(Advice::Random)
    }

    /// Say that looks will come in order: madvise(2), MADV_SEQUENTIAL.
    pub fn expect_sequential(&self) -> io::Result<()> {
        self.map.advise(Advice::Sequential)
    }

    /// Look at the byte at `offset`.
    ///
    /// # Panics
    /// If it lies outside the mapping.
    pub fn look(&self, offset: u64) -> u8 {
        assert!(offset < self.map.len() as u64, "byte {offset} lies outside the mapping");
        // SAFETY: the offset is below the mapping's length; for the rest see `sum`.
        unsafe { self.map.as_ptr().wrapping_add(offset as usize).read_volatile() }
    }

    /// The sum of all bytes.
    pub fn sum(&self) -> u64 {
        // SAFETY: the mapping lives as long as `self` and is readable for its whole length. Other processes may
        // change the bytes, which `sum_at` allows. Past the end of a truncated file the kernel stops the read with
        // SIGBUS: the process ends there, nothing wrong is ever read.
        unsafe { sum_at(self.map.as_ptr(), self.map.len()) }
    }

    /// Look at one byte of every page, first to last, and add them up.
    pub fn touch(&self) -> u64 {
        (0..self.map.len())
            .step_by(page_bytes() as usize)
            // SAFETY: the offset is below the mapping's length; for the rest see `sum`.
            .map(|offset| u64::from(unsafe { self.map.as_ptr().wrapping_add(offset).read_volatile() }))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::FileExt;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(bytes).expect("written");
        file
    }

    #[test]
    fn every_byte_and_one_a_page() {
        let page = page_bytes() as usize;
        let mut bytes = vec![0_u8; 2 * page + 1];
        bytes[0] = 1;
        bytes[1] = 10;
        bytes[page] = 2;
        bytes[2 * page] = 4;
        let file = file(&bytes);
        for mapping in [Mapping::new, Mapping::populated] {
            let mapping = mapping(&file, bytes.len() as u64).expect("mapped");
            assert_eq!((mapping.sum(), mapping.touch()), (17, 7));
            assert_eq!((mapping.look(1), mapping.look(2 * page as u64)), (10, 4));
        }
        let part = Mapping::new(&file, page as u64 + 1).expect("mapped");
        part.expect_random().expect("advised");
        assert_eq!((part.sum(), part.touch()), (13, 3));
    }

    #[test]
    fn sees_what_is_written_after_it_was_made() {
        let file = file(&[1; 8]);
        let mapping = Mapping::new(&file, 8).expect("mapped");
        assert_eq!(mapping.sum(), 8);
        file.write_all_at(&[9], 3).expect("written");
        assert_eq!(mapping.sum(), 16);
    }

    #[test]
    fn an_empty_mapping_has_nothing_to_see() {
        let mapping = Mapping::new(&file(&[1]), 0).expect("mapped");
        assert_eq!((mapping.sum(), mapping.touch()), (0, 0));
    }
}
