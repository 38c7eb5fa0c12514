//! Readers of /proc and cgroup files, each beside a pure parser.
//!
//! SKELETON: signatures are fixed, bodies to be written. Add vmstat, diskstats and cgroup readers beside them.

use serde::{Deserialize, Serialize};

/// /proc/PID/io, bytes that passed a block device. See proc_pid_io(5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Io {
    /// Bytes fetched from the storage layer.
    pub read_bytes: u64,
    /// Bytes made dirty (or written directly).
    pub write_bytes: u64,
}

/// The lines of /proc/meminfo that the course speaks about, in bytes. See proc_meminfo(5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meminfo {
    /// MemTotal
    pub total_bytes: u64,
    /// MemFree
    pub free_bytes: u64,
    /// MemAvailable
    pub available_bytes: u64,
    /// Buffers
    pub buffers_bytes: u64,
    /// Cached
    pub cached_bytes: u64,
    /// Dirty
    pub dirty_bytes: u64,
    /// Writeback
    pub writeback_bytes: u64,
    /// Shmem
    pub shmem_bytes: u64,
}

/// /proc/meminfo now.
pub fn meminfo() -> std::io::Result<Meminfo> {
    todo!()
}

/// /proc/self/io now; None where the kernel does not account for it.
pub fn self_io() -> Option<Io> {
    todo!()
}
