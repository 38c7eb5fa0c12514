//! Where a workload's file lies: on a disk, or on a tmpfs that only this run sees.

use instruments::own_tmpfs::OwnTmpfs;
use instruments::scratch::Scratch;
use instruments::size::parse_bytes;
use instruments::{Unavailable, open};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Where the file goes. It has no name in any directory, so that nothing is left of it however the run ends.
#[derive(clap::Args, Clone, Debug)]
pub struct Place {
    /// Where the file goes [default: a real disk, if there is one]
    #[arg(long, value_name = "DIR", conflicts_with = "own_tmpfs")]
    dir: Option<PathBuf>,
    /// Mount a tmpfs of this size, which only this run sees, and work there
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    own_tmpfs: Option<u64>,
    /// The tmpfs takes huge pages wherever one fits
    #[arg(long, requires = "own_tmpfs")]
    huge: bool,
}

impl Place {
    /// Whether one was asked for.
    pub fn is_given(&self) -> bool {
        self.dir.is_some() || self.own_tmpfs.is_some()
    }

    /// An empty file there, open for reading and writing.
    pub fn file(&self) -> Result<File, Unavailable> {
        match (&self.dir, self.own_tmpfs) {
            (_, Some(bytes)) => {
                mount(bytes, self.huge)?;
                on_tmpfs()
            }
            (Some(dir), None) => nameless(dir),
            (None, None) => nameless(Scratch::create_anywhere(None)?.path()),
        }
    }
}

/// Mount a tmpfs over the directory of temporary files, for this process and its children alone.
pub fn mount(bytes: u64, huge: bool) -> Result<(), Unavailable> {
    let what = "mount a tmpfs for this run alone";
    own_tmpfs(bytes, huge, what)?.enter(what)
}

/// Whether a child can have a tmpfs of its own, which is needed for `what`.
pub fn try_tmpfs(bytes: u64, huge: bool, what: &str) -> Result<(), Unavailable> {
    own_tmpfs(bytes, huge, what)?.try_out(what)
}

fn own_tmpfs(bytes: u64, huge: bool, what: &str) -> Result<OwnTmpfs, Unavailable> {
    OwnTmpfs::new(&mount_point(), bytes, huge)
        .map_err(|why| Unavailable::failed(what, why, "set TMPDIR to an ordinary directory"))
}

/// An empty file on the tmpfs that [`mount`] made.
pub fn on_tmpfs() -> Result<File, Unavailable> {
    nameless(&mount_point())
}

/// Any directory will do, since nobody else sees what is mounted over it; this one nobody misses meanwhile.
fn mount_point() -> PathBuf {
    let wanted = std::env::temp_dir();
    if wanted.is_dir() { wanted } else { PathBuf::from("/tmp") }
}

fn nameless(dir: &Path) -> Result<File, Unavailable> {
    let what = || format!("make a file in {}", open::shown(dir));
    tempfile::tempfile_in(dir)
        .map_err(|why| Unavailable::failed(what(), why, "name another directory with --dir"))
}
