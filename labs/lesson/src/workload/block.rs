//! The block of a loop that reads or writes, as an argument.

use instruments::size::{format_bytes, parse_bytes};

/// A buffer as large as this is filled in no reasonable time, and none of the lessons needs it.
const LARGEST_BYTES: u64 = 1 << 30;

/// Parse the size of a block, for a clap value parser: what no loop can read with is refused before anything is done.
pub fn block_bytes(text: &str) -> Result<u64, String> {
    block_bytes_up_to(LARGEST_BYTES)(text)
}

/// The same for a loop whose blocks are smaller.
pub fn block_bytes_up_to(
    largest: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| match parse_bytes(text)? {
        bytes if (1..=largest).contains(&bytes) => Ok(bytes),
        _ => Err(format!("a block has from 1 B to {}", format_bytes(largest))),
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
        let small = block_bytes_up_to(1 << 20);
        assert_eq!(small("1M"), Ok(1 << 20));
        assert_eq!(small("2M"), Err("a block has from 1 B to 1 MiB".to_owned()));
    }
}
