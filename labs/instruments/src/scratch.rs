//! A scratch directory on a real disk, that disappears on every way out.
//!
//! - normal end, error, panic: [`Scratch`] is dropped;
//! - INT, TERM, HUP: the signal thread calls [`remove_all`];
//! - SIGKILL: the next run calls [`collect`].

mod collect;
pub mod content;
mod owned;
mod place;
mod registry;
mod removal;
mod room;
mod write;

pub use collect::collect;
pub use registry::remove_all;

use crate::Unavailable;
use owned::Owned;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether `dir` is a scratch directory, of this process or of another one, by its name: what lies in it goes with it.
pub fn is_one(dir: &Path) -> bool {
    dir.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(owned::PREFIX.as_bytes()))
}

/// A directory of ours, removed when dropped, on [`remove_all`], and, after a SIGKILL, by [`collect`].
#[derive(Debug)]
pub struct Scratch {
    owned: Arc<Owned>,
}

impl Scratch {
    /// Choose a real disk (or take `wanted`), refuse what lives in memory, and make a directory there.
    ///
    /// The choice is the first that is writable and not in memory of `$TMPDIR`, /var/tmp, `$XDG_CACHE_HOME` or ~/.cache,
    /// the current directory, /tmp.
    pub fn create(wanted: Option<&Path>) -> Result<Scratch, Unavailable> {
        Scratch::create_where(wanted, &place::on_a_disk)
    }

    /// The same where nothing has to be evicted: a place in memory will do, though a disk is preferred.
    pub fn create_anywhere(wanted: Option<&Path>) -> Result<Scratch, Unavailable> {
        match wanted {
            Some(_) => Scratch::create_where(wanted, &place::anywhere),
            None => Scratch::create(None).or_else(|error| match error {
                Unavailable::Interrupted => Err(error),
                _ => Scratch::create_where(None, &place::anywhere),
            }),
        }
    }

    fn create_where(wanted: Option<&Path>, fits: place::Fits<'_>) -> Result<Scratch, Unavailable> {
        let owned = match wanted {
            Some(dir) => place::in_wanted(dir, fits)?,
            None => place::in_first_suitable(fits)?,
        };
        Ok(Scratch { owned })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.owned.path()
    }

    /// Free bytes that this user may still use there.
    pub fn free_bytes(&self) -> Result<u64, Unavailable> {
        room::free_bytes(&self.owned)
    }

    /// Write `bytes` of incompressible data to `name` (replacing it), leave them in the cache as a write leaves
    /// them, and report progress in bytes: the sum so far. Not synced. Checks for room first.
    ///
    /// The data is [`content`]: the same for the same size, always. Where it fails, nothing of the file is left.
    pub fn write(
        &self,
        name: &str,
        bytes: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<PathBuf, Unavailable> {
        write::write(&self.owned, name, bytes, progress)
    }

    /// Remove one file of ours.
    pub fn remove(&self, name: &str) -> Result<(), Unavailable> {
        write::remove(&self.owned, name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        registry::release(&self.owned);
    }
}
