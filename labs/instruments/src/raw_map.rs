//! A shared file mapping whose file may shrink underneath it: every load and store is one volatile access, made where
//! the program says it, and may end in SIGBUS.
//!
//! A `&[u8]` over such a mapping would promise the compiler that nobody else changes or removes the bytes. Another
//! process can do both, which is why this type never hands out a slice.

use crate::pages::page_bytes;
use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// A `MAP_SHARED` mapping, readable and writable, from the start of a file. It may be longer than the file.
#[derive(Debug)]
pub struct RawMap {
    map: MmapRaw,
}

/// How the kernel holds a mapping, from /proc/self/smaps. See proc_pid_smaps(5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// `Rss`: bytes of it that this process's page table reaches.
    pub mapped_bytes: u64,
    /// `ShmemPmdMapped` + `FilePmdMapped`: bytes of it reached through huge-page entries.
    pub huge_bytes: u64,
}

impl RawMap {
    /// Map `len_bytes` (at least one) of `file`, which must be open for reading and writing. See mmap(2).
    pub fn shared(file: &File, len_bytes: u64) -> io::Result<RawMap> {
        let len = usize::try_from(len_bytes).map_err(|_| io::ErrorKind::FileTooLarge)?;
        Ok(RawMap { map: MmapOptions::new().len(len).map_raw(file)? })
    }

    /// The address of its first byte.
    pub fn base(&self) -> u64 {
        self.map.as_ptr().addr() as u64
    }

    /// Its length.
    pub fn len_bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// Load the byte at `offset`. Where the file has no page there, the kernel sends SIGBUS and this does not return.
    ///
    /// # Panics
    /// If `offset` lies outside the mapping.
    pub fn load(&self, offset: u64) -> u8 {
        let place = self.place(offset);
        // SAFETY: `place` is inside a readable mapping of ours. Other processes may change the byte at any time, which a
        // volatile access allows for; a byte has no invalid values. Without a page behind it the access traps.
        unsafe { place.read_volatile() }
    }

    /// Store a byte at `offset`, under the same conditions as [`RawMap::load`].
    ///
    /// # Panics
    /// If `offset` lies outside the mapping.
    pub fn store(&self, offset: u64, value: u8) {
        let place = self.place(offset);
        // SAFETY: `place` is inside a writable mapping of ours to which no reference exists.
        unsafe { place.write_volatile(value) }
    }

    /// Store `bytes` from `offset` on, eight at a time where they lie so, under the same conditions as [`RawMap::load`].
    ///
    /// # Panics
    /// If they reach past the end of the mapping.
    pub fn store_all(&self, offset: u64, bytes: &[u8]) {
        let end = offset.checked_add(bytes.len() as u64);
        assert!(end.is_some_and(|end| end <= self.len_bytes()), "they reach past the end of the mapping");
        let start = self.map.as_mut_ptr().wrapping_add(offset as usize);
        let head = start.align_offset(align_of::<u64>()).min(bytes.len());
        let (head, rest) = bytes.split_at(head);
        let (words, tail) = rest.as_chunks::<8>();
        let aligned = start.wrapping_add(head.len()).cast::<u64>();
        for (at, word) in words.iter().enumerate() {
            // SAFETY: asserted above, all `bytes` lie inside a writable mapping of ours, to which no reference exists;
            // the first word begins where the address is aligned.
            unsafe { aligned.wrapping_add(at).write_volatile(u64::from_ne_bytes(*word)) };
        }
        head.iter().enumerate().for_each(|(at, byte)| self.store(offset + at as u64, *byte));
        let tail_at = offset + (bytes.len() - tail.len()) as u64;
        tail.iter().enumerate().for_each(|(at, byte)| self.store(tail_at + at as u64, *byte));
    }

    /// Write every dirty page of it to the disk, and wait until the disk has them: msync(2), MS_SYNC.
    pub fn sync(&self) -> io::Result<()> {
        self.map.flush()
    }

    /// What POSIX calls scheduling those writes: msync(2), MS_ASYNC.
    pub fn sync_async(&self) -> io::Result<()> {
        self.map.flush_async()
    }

    /// Let the kernel do the load, on our behalf: write(2) the byte at `offset` into a pipe. A system call has a way
    /// to return an error: EFAULT where the byte cannot be had.
    ///
    /// # Panics
    /// If `offset` lies outside the mapping.
    pub fn load_by_system_call(&self, offset: u64) -> io::Result<()> {
        let place = self.place(offset);
        let (_read_end, write_end) = io::pipe()?;
        // SAFETY: the kernel reads one byte inside a mapping of ours, and checks by itself whether it is there; both
        // ends of the pipe are open, and one byte fits into it.
        let written = unsafe { libc::write(write_end.as_raw_fd(), place.cast(), 1) };
        if written == 1 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// How the kernel holds this mapping now; None where /proc does not tell.
    pub fn held(&self) -> Option<Held> {
        let maps = procfs::process::Process::myself().ok()?.smaps().ok()?;
        let (start, end) = (self.base(), self.base() + self.len_bytes());
        let ours = maps.iter().filter(|map| map.address.0 < end && map.address.1 > start);
        let mut held = Held::default();
        for map in ours {
            let bytes = |key: &str| map.extension.map.get(key).copied().unwrap_or(0);
            held.mapped_bytes += bytes("Rss");
            held.huge_bytes += bytes("ShmemPmdMapped") + bytes("FilePmdMapped");
        }
        Some(held)
    }

    /// The mapping's addresses, as whole pages.
    pub(crate) fn page_range(&self) -> std::ops::Range<usize> {
        let start = self.map.as_ptr().addr();
        start..start + self.map.len().next_multiple_of(page_bytes() as usize)
    }

    fn place(&self, offset: u64) -> *mut u8 {
        let len = self.len_bytes();
        assert!(offset < len, "offset {offset} lies outside a mapping of {len} bytes");
        self.map.as_mut_ptr().wrapping_add(offset as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::undisturbed;
    use std::os::unix::fs::FileExt;

    #[test]
    fn a_mapping_and_read_see_the_same_bytes() {
        let file = tempfile::tempfile().expect("a temporary file");
        file.write_all_at(&[1, 2, 3], 0).expect("written");
        let map = RawMap::shared(&file, 3).expect("mapped");
        assert_eq!([map.load(0), map.load(1), map.load(2)], [1, 2, 3]);
        map.store(1, 9);
        let mut back = [0; 3];
        file.read_exact_at(&mut back, 0).expect("read");
        assert_eq!(back, [1, 9, 3]);
        assert!(map.load_by_system_call(2).is_ok());
    }

    #[test]
    fn many_bytes_are_stored_where_they_belong() {
        let file = tempfile::tempfile().expect("a temporary file");
        file.set_len(100).expect("a hundred bytes");
        let map = RawMap::shared(&file, 100).expect("mapped");
        for (offset, len) in [(0, 100), (3, 2), (3, 30), (8, 16), (99, 1), (100, 0)] {
            let bytes: Vec<u8> = (0..len).map(|at| (offset + at) as u8 ^ len as u8).collect();
            let mut expected = vec![0; 100];
            file.read_exact_at(&mut expected, 0).expect("read");
            expected[offset..offset + len].copy_from_slice(&bytes);
            map.store_all(offset as u64, &bytes);
            let mut found = vec![0; 100];
            file.read_exact_at(&mut found, 0).expect("read");
            assert_eq!(found, expected, "{len} bytes from {offset}");
        }
        map.sync().expect("a file of ours");
        map.sync_async().expect("a file of ours");
    }

    #[test]
    #[should_panic(expected = "past the end")]
    fn nothing_is_stored_past_the_end() {
        let file = tempfile::tempfile().expect("a temporary file");
        file.set_len(10).expect("ten bytes");
        RawMap::shared(&file, 10).expect("mapped").store_all(5, &[0; 6]);
    }

    #[test]
    fn a_page_without_a_file_behind_it_is_efault_to_a_system_call() {
        let file = tempfile::tempfile().expect("a temporary file");
        let page = page_bytes();
        file.set_len(page).expect("one page");
        let map = RawMap::shared(&file, 2 * page).expect("mapped");
        assert!(map.load_by_system_call(page - 1).is_ok());
        // Where huge pages reach past the end, the second page is there; nowhere is it another error.
        if let Err(error) = map.load_by_system_call(page) {
            assert_eq!(error.raw_os_error(), Some(libc::EFAULT));
        }
    }

    #[test]
    fn smaps_counts_what_was_touched() {
        undisturbed(|| {
            let file = tempfile::tempfile().expect("a temporary file");
            let page = page_bytes();
            file.write_all_at(&vec![1; 4 * page as usize], 0).expect("written");
            let map = RawMap::shared(&file, 4 * page).expect("mapped");
            let before = map.held().expect("/proc/self/smaps is ours to read");
            assert_eq!(before.mapped_bytes, 0);
            (0..4).for_each(|index| assert_eq!(map.load(index * page), 1));
            assert_eq!(map.held().expect("as before").mapped_bytes, 4 * page);
        });
    }

    #[test]
    #[should_panic(expected = "outside")]
    fn nothing_outside_can_be_touched() {
        let file = tempfile::tempfile().expect("a temporary file");
        file.set_len(10).expect("ten bytes");
        RawMap::shared(&file, 10).expect("mapped").load(10);
    }
}
