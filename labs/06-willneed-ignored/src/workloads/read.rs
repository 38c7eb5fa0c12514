//! A read loop from the start of a file, in equal blocks, that may be short of bytes or of time.

use instruments::Unavailable;
use instruments::buffer::Buffer;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// When to stop, unless the end of the file comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// After this many bytes.
    pub(super) bytes: u64,
    /// After this long.
    pub(super) time: Option<Duration>,
}

impl Until {
    /// Only the end of the file stops it.
    pub(super) const END: Until = Until { bytes: u64::MAX, time: None };
}

/// Read on until `until`; returns bytes and read() calls.
pub(super) fn through(file: &File, buffer: &mut Buffer, until: Until) -> io::Result<(u64, u64)> {
    let (mut bytes, mut calls) = (0, 0);
    let deadline = until.time.map(|time| Instant::now() + time);
    while bytes < until.bytes && deadline.is_none_or(|deadline| Instant::now() < deadline) {
        let want = usize::try_from(until.bytes - bytes).map_or(buffer.len(), |left| left.min(buffer.len()));
        calls += 1;
        match file.read_at(&mut buffer[..want], bytes) {
            Ok(0) => break,
            Ok(count) => bytes += count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((bytes, calls))
}

pub(super) fn failed(what: &str, path: &std::path::Path, error: impl std::fmt::Display) -> Unavailable {
    Unavailable::failed(format!("{what} {}", instruments::open::shown(path)), error, "")
}
