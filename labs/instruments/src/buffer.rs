//! A buffer to read into, on a page boundary and touched: neither its faults nor its place can spoil a measurement.

use crate::pages::page_bytes;
use std::ops::{Deref, DerefMut};

/// Page-aligned bytes whose every page has been written to. The first read(2) into untouched memory takes a fault for
/// each page of it, and O_DIRECT refuses memory that lies anyhow.
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
    skip: usize,
    len: usize,
}

impl Buffer {
    /// `len` bytes at a page boundary.
    pub fn touched(len: usize) -> Buffer {
        let align = page_bytes() as usize;
        // Not zero: zeroes would come from the kernel untouched, as one page that all of them share.
        let bytes = vec![1; len + align];
        let start = bytes.as_ptr().addr();
        Buffer { skip: start.next_multiple_of(align) - start, bytes, len }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.skip..self.skip + self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.skip..self.skip + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lies_on_a_page_boundary_and_has_its_length() {
        for len in [1, 4096, 128 << 10, (1 << 20) + 7] {
            let buffer = Buffer::touched(len);
            assert_eq!(buffer.len(), len);
            assert_eq!(buffer.as_ptr().addr() % page_bytes() as usize, 0);
        }
    }
}
