//! A memory cgroup of our own, with a limit: memory gets short for whoever runs in it, and for nobody else.
//!
//! It disappears on every way out, like a scratch directory:
//!
//! - normal end, error, panic: [`Limit`] is dropped;
//! - INT, TERM, HUP: the signal thread calls [`remove_all`];
//! - SIGKILL: the next run calls [`collect`].
//!
//! See cgroups(7), and Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel.

mod collect;
mod made;
mod place;
mod refusal;
mod scope;

pub use collect::collect;
pub use made::remove_all;

use crate::Unavailable;
use crate::proc::cgroup::{Account, MemoryCgroup, own};
use made::Made;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A memory cgroup with a limit, for children of ours: see [`crate::subject::run_in`]. We stay outside of it.
#[derive(Debug)]
pub struct Limit {
    made: Arc<Made>,
    limit_bytes: u64,
    through_scope: bool,
}

impl Limit {
    /// Make one that may hold `limit_bytes` of memory, the cache of its files among them.
    ///
    /// Version 1: below our own memory cgroup. Version 2: beside it or further up, wherever a child may be put, since a
    /// cgroup with processes in it may have no limited children. Without root that takes a place which was handed to
    /// this user; every systemd user session has one.
    pub fn create(limit_bytes: u64) -> Result<Limit, Unavailable> {
        let own = own().ok_or_else(|| refusal::invisible(limit_bytes))?;
        let (made, through_scope) = place::make(&own, limit_bytes)?;
        Ok(Limit { made: made::hold(made)?, limit_bytes, through_scope })
    }

    /// What it may hold.
    pub fn limit_bytes(&self) -> u64 {
        self.limit_bytes
    }

    /// Where its files are, for whatever else one wants to know.
    pub fn cgroup(&self) -> &MemoryCgroup {
        &self.made.cgroup
    }

    /// What is charged to it now, and how often the limit was met. Also after its processes have ended: the cache
    /// that they filled stays charged to it.
    pub fn account(&self) -> Result<Account, Unavailable> {
        self.cgroup().account().map_err(|error| {
            Unavailable::failed("read what a memory cgroup of ours holds", error, "run the lab again")
        })
    }

    /// The file to which a process writes 0 to move in. Not for a child that has to start as [`Limit::wrapped`] says.
    pub(crate) fn door(&self) -> io::Result<OwnedFd> {
        File::options().write(true).open(self.made.procs()).map(OwnedFd::from)
    }

    /// The command that starts `program` in here, where it cannot simply move in.
    pub(crate) fn wrapped(&self, program: &Path, args: &[&OsStr]) -> Option<(PathBuf, Vec<OsString>)> {
        self.through_scope.then(|| scope::command(&self.made.procs(), program, args))
    }
}

/// Whether this is a cgroup that some run of this program has made: a process finds out so whether it runs in one.
pub fn is_ours(cgroup: &MemoryCgroup) -> bool {
    cgroup.dir.file_name().and_then(|name| name.to_str()).is_some_and(made::is_ours)
}

impl Drop for Limit {
    fn drop(&mut self) {
        made::release(&self.made);
    }
}
