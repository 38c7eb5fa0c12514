//! Sizes as people write them: `512M`, `512 MiB`, `4k`; and as we print them: binary units, three significant digits.
//!
//! SKELETON: signatures are fixed, bodies to be written.

/// Parse a size in bytes. Units are binary, with or without `i` and `B`, any case, an optional space; fractions
/// such as `1.5G` are allowed. Err says in one line what was not understood, or that it is too large.
pub fn parse_bytes(_text: &str) -> Result<u64, String> {
    todo!()
}

/// `512 MiB`, `1.50 GiB`, `0 B`: three significant digits.
pub fn format_bytes(_bytes: u64) -> String {
    todo!()
}

/// The form that [`parse_bytes`] reads and a command line shows: `512M`, `4K`, `777`. Exact.
pub fn shell_bytes(_bytes: u64) -> String {
    todo!()
}

/// `381 ms`, `3.02 µs`, `15.5 s`: three significant digits.
pub fn format_ns(_ns: f64) -> String {
    todo!()
}

/// `131,072`.
pub fn format_count(_count: u64) -> String {
    todo!()
}

/// `25x`, `1.32x`, `0.62x`: three significant digits, no trailing zeros.
pub fn format_ratio(_ratio: f64) -> String {
    todo!()
}
