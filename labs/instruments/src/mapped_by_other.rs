//! Another process maps a file and has every page of it in its page tables, until it is told to end: nobody can take such
//! pages from the cache meanwhile.

use crate::pages::page_bytes;
use nix::errno::Errno;
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork};
use std::fs::File;
use std::io::{self, PipeWriter, Read};
use std::os::fd::{AsRawFd, RawFd};

/// A process that maps a file, as long as this lives. It dies with us: then its pipe closes.
#[derive(Debug)]
pub struct MappedByOther {
    pid: Pid,
    leash: Option<PipeWriter>,
}

/// What the child tells once every page is mapped.
const READY: u8 = 1;

/// Fork a process that maps the whole of `file`, reading one byte of each page. See mmap(2).
pub fn by_another_process(file: &File) -> io::Result<MappedByOther> {
    let len = usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let (mut told, tell) = io::pipe()?;
    let (leash_end, leash) = io::pipe()?;
    let ours = [told.as_raw_fd(), leash.as_raw_fd()];
    // SAFETY: the child makes nothing but system calls (see `hold`) and leaves through _exit, so it needs no lock that
    // another thread may have held at the fork.
    match unsafe { fork() }? {
        ForkResult::Child => {
            hold(file.as_raw_fd(), len, ours, tell.as_raw_fd(), leash_end.as_raw_fd());
            // SAFETY: _exit runs nothing of ours and does not return.
            unsafe { libc::_exit(0) }
        }
        ForkResult::Parent { child } => {
            let held = MappedByOther { pid: child, leash: Some(leash) };
            drop(tell);
            let mut word = [0];
            // End of file: it could not map it, and has gone.
            told.read_exact(&mut word).map_err(|_| io::Error::other("the other process could not map it"))?;
            Ok(held)
        }
    }
}

impl MappedByOther {
    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid.as_raw().unsigned_abs()
    }
}

impl Drop for MappedByOther {
    fn drop(&mut self) {
        drop(self.leash.take());
        while waitpid(self.pid, None) == Err(Errno::EINTR) {}
    }
}

/// In the child: map, touch, tell, and wait until the leash is let go.
fn hold(file: RawFd, len: usize, parents_ends: [RawFd; 2], tell: RawFd, leash: RawFd) {
    for end in parents_ends {
        // SAFETY: closes a descriptor of the child alone, which nothing in it uses any more.
        unsafe { libc::close(end) };
    }
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
    let map = unsafe { libc::mmap(std::ptr::null_mut(), len, libc::PROT_READ, libc::MAP_SHARED, file, 0) };
    if map == libc::MAP_FAILED {
        return;
    }
    for offset in (0..len).step_by(page_bytes() as usize) {
        // SAFETY: the offset lies inside of the mapping.
        let byte = unsafe { map.cast::<u8>().add(offset) };
        // SAFETY: the page is mapped for reading, and the file is ours, so nobody cuts it short; a byte has no wrong
        // values.
        let _ = unsafe { byte.read_volatile() };
    }
    let mut word = [READY];
    // SAFETY: the descriptor is open in the child, and the buffer has this length.
    unsafe { libc::write(tell, word.as_ptr().cast(), 1) };
    // SAFETY: as above; returns when the parent has closed the other end, or died.
    unsafe { libc::read(leash, word.as_mut_ptr().cast(), 1) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::kill;
    use std::io::Write;

    #[test]
    fn it_maps_the_file_while_it_lives() {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(&vec![1; 3 * page_bytes() as usize]).expect("room");
        let held = by_another_process(&file).expect("forked");
        assert_ne!(held.pid(), std::process::id());
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", held.pid())).expect("ours");
        assert!(maps.contains("r--s"), "{maps}");
        let pid = held.pid;
        drop(held);
        assert_eq!(kill(pid, None), Err(Errno::ESRCH));
    }

    #[test]
    fn what_cannot_be_mapped_is_an_error() {
        let empty = tempfile::tempfile().expect("a temporary file");
        assert!(by_another_process(&empty).is_err());
    }
}
