//! Make a file cold, and prove it. posix_fadvise(2) DONTNEED returns 0 whatever it did, so the count decides.
//!
//! SKELETON: signatures are fixed, bodies to be written.

use serde::{Deserialize, Serialize};
use std::fs::File;

/// What an eviction that worked has done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evicted {
    /// Resident pages before.
    pub before_pages: u64,
    /// Rounds of fdatasync + DONTNEED that it took.
    pub rounds: u32,
    /// Wall time, nanoseconds.
    pub elapsed_ns: u64,
}

/// Why pages stayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Stuck {
    /// tmpfs or ramfs: memory is where the file lives.
    #[error("the file lives in memory ({0}): there is nothing to evict it to")]
    InMemory(String),
    /// Pages still dirty or in writeback after all rounds.
    #[error("{pages} pages are still dirty or being written")]
    Dirty {
        /// How many.
        pages: u64,
    },
    /// Mapped by some process (found in /proc/PID/maps where readable).
    #[error("{pages} pages stay because they are mapped{}", .pids.first().map(|p| format!(" by process {p}")).unwrap_or_default())]
    Mapped {
        /// How many pages stay.
        pages: u64,
        /// Processes seen to map the file; may be empty where /proc does not tell.
        pids: Vec<u32>,
    },
    /// They stay and nothing visible explains it.
    #[error("{pages} pages stay and nothing visible explains it")]
    Unexplained {
        /// How many.
        pages: u64,
    },
    /// Residency cannot be known, so the eviction cannot be proven.
    #[error("nobody can prove it: {0}")]
    Unprovable(crate::Unknown),
    /// A system call failed.
    #[error("{0}")]
    Failed(String),
}

/// fdatasync, DONTNEED for the whole file, count, retry a few times; 0 resident pages or a named failure.
pub fn evict(_file: &File) -> Result<Evicted, Stuck> {
    todo!()
}
