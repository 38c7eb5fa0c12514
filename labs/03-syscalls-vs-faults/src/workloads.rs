//! The programs of this lab, each also there as `tutor run NAME`.

pub mod cachepages;
pub mod mmapsum;
pub mod readsum;

use instruments::size::{format_bytes, parse_bytes};
use lesson::Workload;

/// All of them.
pub fn all() -> Vec<Workload> {
    vec![mmapsum::workload(), readsum::workload(), cachepages::workload()]
}

/// A buffer larger than this says nothing more about read(), and may not fit into memory.
const MAX_BLOCK_BYTES: u64 = 1 << 30;

/// Parse a block size: at least a byte.
fn parse_block(text: &str) -> Result<u64, String> {
    match parse_bytes(text)? {
        block @ 1..=MAX_BLOCK_BYTES => Ok(block),
        _ => Err(format!("a block has 1 B to {}", format_bytes(MAX_BLOCK_BYTES))),
    }
}
