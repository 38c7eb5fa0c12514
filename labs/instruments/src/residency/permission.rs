//! Who may know a file's residency: its owner, and those who may write to it (can_do_mincore in mm/mincore.c).
//!
//! The kernel is asked its own two questions, so that capabilities, user namespaces and access control lists count as
//! they do there.

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;

/// Whether the kernel tells this process the truth about `file`.
pub(super) fn may_know(file: &File) -> bool {
    owner_or_capable(file) || may_write(file)
}

/// O_NOATIME is allowed to the owner and under CAP_FOWNER, by the same inode_owner_or_capable. See open(2).
fn owner_or_capable(file: &File) -> bool {
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOATIME | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(format!("/proc/self/fd/{}", file.as_raw_fd()))
        .is_ok()
}

/// Write permission by the effective user, whatever mode the file was opened in. See faccessat2(2), Linux 5.8 on.
fn may_write(file: &File) -> bool {
    let flags = libc::AT_EACCESS | libc::AT_EMPTY_PATH;
    // SAFETY: the path is a static, null-terminated string; the kernel only reads it.
    let result =
        unsafe { libc::syscall(libc::SYS_faccessat2, file.as_raw_fd(), c"".as_ptr(), libc::W_OK, flags) };
    result == 0
}
