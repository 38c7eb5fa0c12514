//! Two ways to fill the cache with the same file. They leave the same bytes in memory, in pieces of different size.

use crate::pages::pages_for;
use crate::size::format_count;
use crate::state::{make_cold, read_through};
use crate::{Reading, Unavailable, interrupt, open, residency};
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::fs::File;
use std::io;
use std::path::Path;
use std::str::FromStr;

/// Reading through once is enough unless the kernel takes pages away at the same time.
const ROUNDS: u32 = 3;

/// How the bytes come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// An ordinary read from start to end: readahead works, and may use large folios.
    Read,
    /// With readahead switched off: every page gets a folio of its own.
    Pages,
}

impl Fill {
    /// What [`Fill::from_str`] understands.
    pub const NAMES: [&str; 2] = ["read", "pages"];

    /// Evict the file, fill the cache with it, and prove both: 0 pages resident between, all after. `path` is for the
    /// error, which tells how many pages are missing, or why nobody can know.
    pub fn prepare(self, file: &File, path: &Path) -> Result<(), Unavailable> {
        let what = || format!("fill the cache with {}", open::shown(path));
        make_cold(file, path)?;
        let mut left = String::new();
        for _ in 0..ROUNDS {
            self.fill(file).map_err(|error| Unavailable::failed(what(), error, ""))?;
            interrupt::check()?;
            match residency::of_file(file).map_err(|error| Unavailable::failed(what(), error, ""))? {
                Reading::Known(found) if found.resident_pages == found.pages => return Ok(()),
                Reading::Known(found) => {
                    left = format!("{} of {}", format_count(found.resident_pages), format_count(found.pages));
                }
                Reading::Unknown(why) => {
                    return Err(Unavailable::failed(what(), why, "use a file of your own"));
                }
            }
        }
        Err(Unavailable::lacking(
            what(),
            format!(
                "a moment in which nobody takes its pages: {left} are resident after {ROUNDS} rounds of reading"
            ),
            "try again later, or with a smaller file where memory is short",
        ))
    }

    /// Read the file through; returns its pages. Stops early, without an error, when an interruption arrives: the
    /// caller asks.
    pub fn fill(self, file: &File) -> io::Result<u64> {
        advise(file, self.advice())?;
        let bytes = read_through(file)?;
        advise(file, PosixFadviseAdvice::POSIX_FADV_NORMAL)?;
        Ok(pages_for(bytes))
    }

    /// RANDOM switches readahead off for this open file. A read then brings in what it asks for and no more, in
    /// folios of the smallest size that the filesystem has.
    fn advice(self) -> PosixFadviseAdvice {
        match self {
            Fill::Read => PosixFadviseAdvice::POSIX_FADV_NORMAL,
            Fill::Pages => PosixFadviseAdvice::POSIX_FADV_RANDOM,
        }
    }
}

impl FromStr for Fill {
    type Err = String;

    fn from_str(name: &str) -> Result<Fill, String> {
        match name {
            "read" => Ok(Fill::Read),
            "pages" => Ok(Fill::Pages),
            _ => Err(format!("{name} is neither of {}", Fill::NAMES.join(", "))),
        }
    }
}

fn advise(file: &File, advice: PosixFadviseAdvice) -> io::Result<()> {
    posix_fadvise(file, 0, 0, advice).map_err(io::Error::from)
}
