//! Open a file with O_DIRECT, and learn what its reads and writes must keep to. See open(2), statx(2).

use crate::buffer::Buffer;
use crate::pages::page_bytes;
use std::fs::{File, OpenOptions};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// A file whose reads and writes go past the page cache.
#[derive(Debug)]
pub struct Direct {
    /// Open with O_DIRECT.
    pub file: File,
    /// Offsets and lengths must be multiples of this. A [`Buffer`] is aligned well enough for all of them.
    pub offset_align_bytes: u64,
}

/// Open `path` with O_DIRECT and prove by one read that it works: opening can succeed and reading fail, as on an
/// overlay over squashfs. statx(2) tells the alignment since Linux 6.1, on filesystems that fill it in; otherwise
/// the smallest power of two that a read accepts is the alignment.
///
/// Errors: EINVAL where the filesystem has no O_DIRECT, [`io::ErrorKind::Unsupported`] where it has none for this
/// file or wants memory aligned to more than a page, and any error of open(2) and read(2).
pub fn open(path: &Path) -> io::Result<Direct> {
    prove(OpenOptions::new().read(true).custom_flags(libc::O_DIRECT | libc::O_NONBLOCK).open(path)?)
}

/// The same for writing too, with further flags of open(2) such as O_DSYNC: for a file of ours.
pub fn open_to_write(path: &Path, flags: i32) -> io::Result<Direct> {
    prove(OpenOptions::new().read(true).write(true).custom_flags(libc::O_DIRECT | flags).open(path)?)
}

fn prove(file: File) -> io::Result<Direct> {
    let told = alignment(&file)?;
    if let Some((memory, offset)) = told {
        if offset == 0 {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "statx(2) tells of no direct I/O"));
        }
        if memory > page_bytes() {
            let why = format!("direct I/O wants memory at multiples of {memory} bytes");
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
    }
    let smallest = told.map_or(512, |(_, offset)| offset);
    let largest = told.map_or(64 << 10, |(_, offset)| offset);
    let mut buffer = Buffer::touched(largest as usize);
    let mut align = smallest;
    loop {
        match file.read_at(&mut buffer[..align as usize], 0) {
            Ok(_) => return Ok(Direct { file, offset_align_bytes: align }),
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) && align < largest => align *= 2,
            Err(error) => return Err(error),
        }
    }
}

/// Memory and offset alignment as statx(2) tells them; None where kernel or filesystem don't.
fn alignment(file: &File) -> io::Result<Option<(u64, u64)>> {
    let mut statx = MaybeUninit::<libc::statx>::zeroed();
    // SAFETY: the path is a static C string, empty, so that the descriptor, open while `file` lives, is what is asked
    // about; `statx` is memory of the size that the kernel fills.
    let result = unsafe {
        libc::statx(
            file.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH,
            libc::STATX_DIOALIGN,
            statx.as_mut_ptr(),
        )
    };
    if result != 0 {
        let error = io::Error::last_os_error();
        // A seccomp filter of an older container runtime may not know the call.
        return if error.raw_os_error() == Some(libc::ENOSYS) { Ok(None) } else { Err(error) };
    }
    // SAFETY: it was zeroed, and integers are all that it holds.
    let statx = unsafe { statx.assume_init() };
    let told = statx.stx_mask & libc::STATX_DIOALIGN != 0;
    Ok(told.then(|| (u64::from(statx.stx_dio_mem_align), u64::from(statx.stx_dio_offset_align))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_that_keeps_to_the_alignment_gets_the_file() {
        let path = Path::new("/proc/self/exe").canonicalize().expect("this program is a file");
        let direct = match open(&path) {
            Ok(direct) => direct,
            Err(error) => return eprintln!("skipped: no O_DIRECT for {}: {error}", path.display()),
        };
        assert!(direct.offset_align_bytes.is_power_of_two());
        let mut buffer = Buffer::touched(128 << 10);
        let count = direct.file.read_at(&mut buffer, 0).expect("aligned and accepted before");
        let expected = std::fs::read(&path).expect("this program can be read");
        assert!(count > 0);
        assert_eq!(buffer[..count], expected[..count]);
    }

    #[test]
    fn a_write_that_keeps_to_the_alignment_is_taken() {
        let scratch = match crate::scratch::Scratch::create(None) {
            Ok(scratch) => scratch,
            Err(why) => return eprintln!("skipped: {why}"),
        };
        let path = scratch.write("direct", 128 << 10, &mut |_| ()).expect("there is room");
        let direct = match open_to_write(&path, libc::O_DSYNC) {
            Ok(direct) => direct,
            Err(error) => return eprintln!("skipped: no O_DIRECT for {}: {error}", path.display()),
        };
        let block = Buffer::touched(64 << 10);
        direct.file.write_all_at(&block, 64 << 10).expect("aligned");
        let written = std::fs::read(&path).expect("our own file");
        assert_eq!(written[64 << 10..], block[..]);
        assert_ne!(written[..64 << 10], block[..]);
    }

    #[test]
    fn what_has_no_direct_io_is_an_error() {
        assert!(open(Path::new("/proc/self/status")).is_err());
    }
}
