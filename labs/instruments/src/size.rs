//! Sizes as people write them: `512M`, `512 MiB`, `4k`; and as we print them: binary units, three significant digits.

mod parse;
mod print;

pub use parse::parse_bytes;
pub use print::{format_bytes, format_count, format_ns, format_ratio, shell_bytes};

/// The largest size of a file, and so of anything here: file offsets are signed 64-bit numbers (off_t).
pub const LARGEST_BYTES: u64 = i64::MAX as u64;

/// Letters of the binary units, each 1024 times the one before; bytes first.
const UNITS: [&str; 7] = ["", "K", "M", "G", "T", "P", "E"];

#[cfg(test)]
mod tests;
