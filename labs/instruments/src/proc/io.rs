//! /proc/PID/io: what a device delivered to a process.

use super::Counters;
use serde::{Deserialize, Serialize};

/// /proc/PID/io, bytes that passed a block device. See proc_pid_io(5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Io {
    /// Bytes fetched from the storage layer.
    pub read_bytes: u64,
    /// Bytes made dirty (or written directly).
    pub write_bytes: u64,
}

impl Io {
    /// Parse the text of /proc/PID/io; None where the kernel leaves the device's lines out.
    pub fn parse(text: &str) -> Option<Io> {
        let lines = Counters::parse(text);
        Some(Io { read_bytes: lines.get("read_bytes")?, write_bytes: lines.get("write_bytes")? })
    }
}

/// /proc/self/io now, all threads together; None where the kernel does not account for it.
pub fn self_io() -> Option<Io> {
    Io::parse(&std::fs::read_to_string("/proc/self/io").ok()?)
}

/// /proc/PID/io now, also of a zombie; None where it may not be read, or the kernel does not account for it.
pub fn io_of(pid: u32) -> Option<Io> {
    Io::parse(&std::fs::read_to_string(format!("/proc/{pid}/io")).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_lines_count_and_no_others() {
        let text = "rchar: 6976\nwchar: 5\nsyscr: 10\nsyscw: 1\nread_bytes: 536870912\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n";
        assert_eq!(Io::parse(text), Some(Io { read_bytes: 536_870_912, write_bytes: 4096 }));
    }

    #[test]
    fn a_kernel_without_task_io_accounting_says_nothing() {
        assert_eq!(Io::parse("rchar: 6976\nwchar: 5\nsyscr: 10\nsyscw: 1\n"), None);
        assert_eq!(Io::parse(""), None);
        assert_eq!(Io::parse("read_bytes: many\nwrite_bytes: 0\n"), None);
    }

    #[test]
    fn what_nobody_is_has_no_figures() {
        assert_eq!(io_of(u32::MAX), None);
    }
}
