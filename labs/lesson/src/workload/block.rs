//! The block of a read loop, as an argument.

use instruments::size::{format_bytes, parse_bytes};

/// A buffer as large as this is filled in no reasonable time, and none of the lessons needs it.
const LARGEST_BYTES: u64 = 1 << 30;

/// Parse the size of a block, for a clap value parser: what no loop can read with is refused before anything is done.
pub fn block_bytes(text: &str) -> Result<u64, String> {
    match parse_bytes(text)? {
        bytes @ 1..=LARGEST_BYTES => Ok(bytes),
        _ => Err(format!("a block has from 1 B to {}", format_bytes(LARGEST_BYTES))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_a_byte_at_least_and_fits_into_memory() {
        assert_eq!(block_bytes("1"), Ok(1));
        assert_eq!(block_bytes("1G"), Ok(1 << 30));
        for text in ["0", "2G", "9E", "banana", "-1", ""] {
            assert!(block_bytes(text).is_err(), "{text:?}");
        }
    }
}
