//! Ways to ask the kernel for a range of a file before it is read.
//!
//! Three of them are hints, and the kernel decides what it makes of them. One is an order.

use crate::pages::page_bytes;
use memmap2::{Advice, MmapOptions, MmapRaw};
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::str::FromStr;

/// A system call that asks for a range of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// posix_fadvise(2), POSIX_FADV_WILLNEED.
    Fadvise,
    /// madvise(2), MADV_WILLNEED, on a mapping.
    Madvise,
    /// readahead(2).
    Readahead,
    /// madvise(2), MADV_POPULATE_READ, on a mapping: reads and maps every page before it returns. Linux 5.14 on;
    /// EINVAL before.
    Populate,
}

impl Call {
    /// All of them, in the order of [`Call::NAMES`].
    pub const ALL: [Call; 4] = [Call::Fadvise, Call::Madvise, Call::Readahead, Call::Populate];

    /// What [`Call::from_str`] understands.
    pub const NAMES: [&str; 4] = ["fadvise", "madvise", "readahead", "populate"];

    /// The word for it.
    pub fn name(self) -> &'static str {
        Call::NAMES[self as usize]
    }

    /// Whether this kernel has it.
    pub fn is_supported(self) -> bool {
        self != Call::Populate || Advice::PopulateRead.is_supported()
    }
}

impl FromStr for Call {
    type Err = String;

    fn from_str(name: &str) -> Result<Call, String> {
        let known = Call::ALL.into_iter().find(|call| call.name() == name);
        known.ok_or_else(|| format!("{name} is none of {}", Call::NAMES.join(", ")))
    }
}

/// A file made ready to be asked for: where the call wants a mapping, it is there.
#[derive(Debug)]
pub struct Asker<'f> {
    file: &'f File,
    size_bytes: u64,
    call: Call,
    map: Option<MmapRaw>,
}

impl<'f> Asker<'f> {
    /// Ask for ranges of `file`, which has `size_bytes`, by `call`. Brings no page in.
    pub fn new(file: &'f File, size_bytes: u64, call: Call) -> io::Result<Asker<'f>> {
        let map = match call {
            Call::Fadvise | Call::Readahead => None,
            Call::Madvise | Call::Populate => {
                let len = usize::try_from(size_bytes).map_err(io::Error::other)?;
                Some(MmapOptions::new().len(len).map_raw_read_only(file)?)
            }
        };
        Ok(Asker { file, size_bytes, call, map })
    }

    /// Ask once for `len_bytes` from `offset`, which lies on a page boundary; the range is cut at the end of the file.
    /// Ok says that the kernel understood, and nothing about what it did.
    pub fn ask(&self, offset: u64, len_bytes: u64) -> io::Result<()> {
        let len = len_bytes.min(self.size_bytes.saturating_sub(offset));
        if len == 0 {
            // To posix_fadvise(2) a length of 0 would mean the rest of the file.
            return Ok(());
        }
        match (self.call, &self.map) {
            (Call::Readahead, _) => readahead(self.file, offset, len),
            (Call::Madvise, Some(map)) => map.advise_range(Advice::WillNeed, offset as usize, len as usize),
            (Call::Populate, Some(map)) => {
                map.advise_range(Advice::PopulateRead, offset as usize, len as usize)
            }
            _ => {
                let (offset, len) = (signed(offset)?, signed(len)?);
                Ok(posix_fadvise(self.file, offset, len, PosixFadviseAdvice::POSIX_FADV_WILLNEED)?)
            }
        }
    }

    // ANCHOR: pieces
    /// Ask for the whole file in pieces of `piece_bytes` (rounded up to whole pages), first to last. Returns how many
    /// calls that took.
    pub fn ask_all(&self, piece_bytes: u64) -> io::Result<u64> {
        let piece = piece_bytes.max(1).checked_next_multiple_of(page_bytes()).unwrap_or(u64::MAX);
        let calls = self.size_bytes.div_ceil(piece);
        (0..calls).try_for_each(|at| self.ask(at * piece, piece))?;
        Ok(calls)
    }
    // ANCHOR_END: pieces
}

fn signed(bytes: u64) -> io::Result<i64> {
    i64::try_from(bytes).map_err(io::Error::other)
}

/// `ssize_t readahead(int fd, off_t offset, size_t count)`: ask for a range. See readahead(2).
fn readahead(file: &File, offset: u64, len: u64) -> io::Result<()> {
    let (offset, len) = (signed(offset)?, usize::try_from(len).map_err(io::Error::other)?);
    // SAFETY: the call takes three numbers and touches no memory of ours; the file is open as long as it is borrowed.
    let result = unsafe { libc::readahead(file.as_raw_fd(), offset, len) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for call in Call::ALL {
            assert_eq!(call.name().parse(), Ok(call));
        }
        assert!("dontneed".parse::<Call>().is_err_and(|said| said.contains("fadvise")));
    }

    #[test]
    fn every_call_is_understood_and_counted() -> io::Result<()> {
        let file = tempfile::tempfile()?;
        let page = page_bytes();
        let size = 10 * page + 1;
        file.set_len(size)?;
        for call in Call::ALL.into_iter().filter(|call| call.is_supported()) {
            let asker = Asker::new(&file, size, call)?;
            assert_eq!(asker.ask_all(u64::MAX)?, 1, "{call:?}");
            assert_eq!(asker.ask_all(4 * page)?, 3, "{call:?}");
            assert_eq!(asker.ask_all(page - 1)?, 11, "{call:?}: a piece is at least a page");
            asker.ask(size + page, page)?;
        }
        Ok(())
    }
}
