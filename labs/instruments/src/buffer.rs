//! A buffer to read into, on a page boundary, touched or knowingly not: neither its faults nor its place can spoil a
//! measurement.

use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// Page-aligned bytes, straight from mmap(2) with MAP_ANONYMOUS: an allocator would give memory that may or may not
/// have been used before. The first read(2) into untouched memory takes a fault for each page of it, and O_DIRECT
/// refuses memory that lies anyhow.
#[derive(Debug)]
pub struct Buffer {
    map: MmapMut,
}

impl Buffer {
    /// `len` bytes at a page boundary, every page written to.
    ///
    /// # Panics
    /// Where there is no memory for it, as every allocation does.
    pub fn touched(len: usize) -> Buffer {
        let mut buffer = Buffer::untouched(len);
        buffer.fill(1);
        buffer
    }

    /// `len` bytes at a page boundary, all zero, and with no page behind them yet.
    ///
    /// # Panics
    /// Where there is no room for it, as every allocation does.
    pub fn untouched(len: usize) -> Buffer {
        Buffer { map: MmapMut::map_anon(len).expect("memory for a buffer") }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::page_bytes;

    #[test]
    fn lies_on_a_page_boundary_and_has_its_length() {
        for len in [1, 4096, 128 << 10, (1 << 20) + 7] {
            for (buffer, first) in [(Buffer::touched(len), 1), (Buffer::untouched(len), 0)] {
                assert_eq!(buffer.len(), len);
                assert_eq!(buffer.as_ptr().addr() % page_bytes() as usize, 0);
                assert_eq!(buffer[0], first);
            }
        }
    }
}
