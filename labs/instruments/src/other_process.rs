//! Another process does something to our file. It is forked for that one thing and truly another process, so nothing
//! that follows can be put down to our own program's hand.

use nix::errno::Errno;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};

/// The largest filesystem that [`fill`] agrees to fill: nobody's disk is filled by mistake.
pub const MAX_FILL_BYTES: u64 = 64 << 20;

/// What the other process did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherProcess {
    /// Its process id.
    pub pid: u32,
    /// The error that ended its work; 0 where there was none.
    pub errno: i32,
}

impl OtherProcess {
    /// The error by its symbol, such as `EPERM`; `none` where there was none.
    pub fn error_name(&self) -> String {
        error_name(self.errno)
    }
}

/// An error number by its symbol, such as `ENOSPC`; `none` for 0.
pub fn error_name(errno: i32) -> String {
    match errno {
        0 => "none".into(),
        errno => format!("{:?}", Errno::from_raw(errno)),
    }
}

/// Another process sets the length of `file`. See ftruncate(2). The call itself failing is in [`OtherProcess::errno`].
pub fn truncate(file: &File, len_bytes: u64) -> io::Result<OtherProcess> {
    let len = i64::try_from(len_bytes).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let fd = file.as_raw_fd();
    in_another_process(|| {
        // SAFETY: the child inherited the descriptor; ftruncate touches no memory of ours.
        if unsafe { libc::ftruncate(fd, len) } == 0 { 0 } else { Errno::last_raw() }
    })
}

/// Another process writes to `file` until that is refused: [`OtherProcess::errno`] says how (ENOSPC where the disk is
/// full). Refuses a filesystem with more than [`MAX_FILL_BYTES`] free.
pub fn fill(file: &File) -> io::Result<OtherProcess> {
    let free = free_bytes(file)?;
    if free > MAX_FILL_BYTES {
        let why = format!("it has {free} bytes free; only a filesystem of ours is ever filled");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let fd = file.as_raw_fd();
    in_another_process(|| fill_until_refused(fd))
}

/// Bytes that are free on the filesystem of `file`. See fstatvfs(3).
pub fn free_bytes(file: &File) -> io::Result<u64> {
    let stat = nix::sys::statvfs::fstatvfs(file)?;
    // The fields are u64 on 64-bit machines and narrower elsewhere.
    #[allow(clippy::useless_conversion)]
    Ok(u64::from(stat.blocks_free()) * u64::from(stat.fragment_size()))
}

/// Ask for room for the first `bytes` bytes of `file` now, so that no later store needs it: fallocate(2), or
/// what posix_fallocate(3) does where the filesystem has none. ENOSPC is an error that a program can handle. It keeps
/// room, not length: nobody is kept from cutting the file.
pub fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    let len = i64::try_from(bytes).map_err(|_| io::ErrorKind::FileTooLarge)?;
    Ok(nix::fcntl::posix_fallocate(file, 0, len)?)
}

fn fill_until_refused(fd: RawFd) -> i32 {
    static ONES: [u8; 4096] = [1; 4096];
    loop {
        // SAFETY: the child inherited the descriptor, and the buffer is a static of this length.
        if unsafe { libc::write(fd, ONES.as_ptr().cast(), ONES.len()) } < 0 {
            return Errno::last_raw();
        }
    }
}

/// `work` returns an errno, which leaves the child as its exit code: all of Linux's fit into 8 bits but a few that no
/// call here returns.
fn in_another_process(work: impl FnOnce() -> i32) -> io::Result<OtherProcess> {
    // SAFETY: the child makes nothing but system calls (both callers' closures are made of them) and leaves through
    // _exit, so it needs no lock that another thread may have held at the fork.
    match unsafe { fork() }? {
        ForkResult::Child => {
            let errno = work();
            // SAFETY: _exit runs nothing of ours and does not return.
            unsafe { libc::_exit(errno) }
        }
        ForkResult::Parent { child } => loop {
            match waitpid(child, None) {
                Ok(WaitStatus::Exited(_, errno)) => {
                    return Ok(OtherProcess { pid: child.as_raw().unsigned_abs(), errno });
                }
                Ok(other) => return Err(io::Error::other(format!("the other process ended by {other:?}"))),
                Err(Errno::EINTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_process_is_another_one_and_its_truncation_is_seen_here() {
        let file = tempfile::tempfile().expect("a temporary file");
        file.set_len(10_000).expect("long enough");
        let other = truncate(&file, 123).expect("forked");
        assert_eq!(other.errno, 0);
        assert_ne!(other.pid, std::process::id());
        assert_eq!(file.metadata().expect("still open").len(), 123);
    }

    #[test]
    fn an_error_comes_back_by_its_name() {
        let read_only = File::open("/proc/self/exe").expect("this program");
        let other = truncate(&read_only, 0).expect("forked");
        assert_eq!(other.error_name(), "EINVAL");
        assert_eq!(error_name(0), "none");
        assert_eq!(error_name(libc::ENOSPC), "ENOSPC");
    }

    #[test]
    fn a_large_disk_is_not_filled() {
        let file = tempfile::tempfile().expect("a temporary file");
        if free_bytes(&file).expect("statvfs") <= MAX_FILL_BYTES {
            return eprintln!("skipped: the temporary directory is nearly full by itself");
        }
        assert!(fill(&file).is_err());
        assert_eq!(file.metadata().expect("still open").len(), 0);
    }
}
