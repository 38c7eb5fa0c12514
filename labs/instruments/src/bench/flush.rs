//! Bring a file that was just written to the disk, piece by piece, so that the wait can be shown and interrupted.

use crate::{Unavailable, interrupt, open};
use nix::errno::Errno;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

const PIECE_BYTES: u64 = 16 << 20;

/// Write out the `bytes` bytes of `path`, reporting each piece, then fdatasync(2): only that makes it durable.
pub(super) fn flush(path: &Path, bytes: u64, progress: &mut dyn FnMut(u64)) -> Result<(), Unavailable> {
    let failed =
        |error: io::Error| Unavailable::failed(format!("write {} to the disk", open::shown(path)), error, "");
    let file = open::regular(path)?;
    let mut offset = 0;
    while offset < bytes {
        interrupt::check()?;
        let length = PIECE_BYTES.min(bytes - offset);
        write_out(&file, offset, length).map_err(failed)?;
        progress(length);
        offset += length;
    }
    file.sync_data().map_err(failed)
}

/// sync_file_range(2) over one piece, start to end. A filesystem without it leaves all to fdatasync; an I/O error is
/// told here, since the kernel tells it only once.
fn write_out(file: &File, offset: u64, length: u64) -> io::Result<()> {
    let flags =
        libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WRITE | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    let (offset, length) = (offset.cast_signed(), length.cast_signed());
    // SAFETY: the call takes numbers only and touches no memory of ours.
    let result = unsafe { libc::sync_file_range(file.as_raw_fd(), offset, length, flags) };
    match Errno::result(result) {
        Err(error @ (Errno::EIO | Errno::ENOSPC | Errno::EDQUOT)) => Err(error.into()),
        _ => Ok(()),
    }
}
