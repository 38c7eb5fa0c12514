//! A scratch directory on a real disk, that disappears on every way out.
//!
//! SKELETON: signatures are fixed, bodies to be written.

use crate::Unavailable;
use std::path::{Path, PathBuf};

/// A directory of ours, removed when dropped, on [`remove_all`], and, after a SIGKILL, by [`collect`].
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Choose a real disk (or take `wanted`), refuse what lives in memory, and make a directory there.
    pub fn create(_wanted: Option<&Path>) -> Result<Scratch, Unavailable> {
        todo!()
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Free bytes that this user may still use there.
    pub fn free_bytes(&self) -> Result<u64, Unavailable> {
        todo!()
    }

    /// Write `bytes` of incompressible data to `name` (replacing it), leave them in the cache as a write leaves
    /// them, and report progress in bytes. Not synced. Checks for room first.
    pub fn write(
        &self,
        _name: &str,
        _bytes: u64,
        _progress: &mut dyn FnMut(u64),
    ) -> Result<PathBuf, Unavailable> {
        todo!()
    }

    /// Remove one file of ours.
    pub fn remove(&self, _name: &str) -> Result<(), Unavailable> {
        todo!()
    }
}

/// Remove every scratch directory that this process holds: for the signal thread, just before it exits.
/// After this call [`Scratch::create`] and [`Scratch::write`] refuse with `Interrupted`.
pub fn remove_all() {
    todo!()
}

/// Remove what killed runs of this user left in the usual places and in `also`. Returns what was removed.
pub fn collect(_also: &[PathBuf]) -> Vec<PathBuf> {
    todo!()
}
