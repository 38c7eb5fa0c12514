//! /proc/meminfo: where the memory is.

use super::{Counters, malformed};
use serde::{Deserialize, Serialize};

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

impl Meminfo {
    /// Parse the text of /proc/meminfo. Err names the line that is missing.
    pub fn parse(text: &str) -> std::io::Result<Meminfo> {
        let lines = Counters::parse(text);
        let bytes = |name: &str| {
            let kib = lines.get(name).ok_or_else(|| malformed("/proc/meminfo", format!("has no {name}")))?;
            kib.checked_mul(1024)
                .ok_or_else(|| malformed("/proc/meminfo", format!("has an impossible {name}")))
        };
        Ok(Meminfo {
            total_bytes: bytes("MemTotal")?,
            free_bytes: bytes("MemFree")?,
            available_bytes: bytes("MemAvailable")?,
            buffers_bytes: bytes("Buffers")?,
            cached_bytes: bytes("Cached")?,
            dirty_bytes: bytes("Dirty")?,
            writeback_bytes: bytes("Writeback")?,
            shmem_bytes: bytes("Shmem")?,
        })
    }
}

/// /proc/meminfo now.
pub fn meminfo() -> std::io::Result<Meminfo> {
    Meminfo::parse(&std::fs::read_to_string("/proc/meminfo")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linux 5.10, and what gVisor makes of it: many lines are missing there, none that matters here.
    const LINUX_5_10: &str = "\
MemTotal:        8142036 kB
MemFree:         6032560 kB
MemAvailable:    7410764 kB
Buffers:           52620 kB
Cached:          1507252 kB
SwapCached:            0 kB
Active:           438948 kB
Dirty:               136 kB
Writeback:            16 kB
AnonPages:        354988 kB
Mapped:           190204 kB
Shmem:              1192 kB
HugePages_Total:       0
Hugepagesize:       2048 kB
";

    #[test]
    fn lines_become_bytes() {
        let expected = Meminfo {
            total_bytes: 8_142_036 * 1024,
            free_bytes: 6_032_560 * 1024,
            available_bytes: 7_410_764 * 1024,
            buffers_bytes: 52_620 * 1024,
            cached_bytes: 1_507_252 * 1024,
            dirty_bytes: 136 * 1024,
            writeback_bytes: 16 * 1024,
            shmem_bytes: 1192 * 1024,
        };
        assert_eq!(Meminfo::parse(LINUX_5_10).expect("all lines are there"), expected);
    }

    #[test]
    fn a_line_that_is_missing_or_impossible_is_named() {
        let refusal = |text: &str| Meminfo::parse(text).expect_err("a line is wrong").to_string();
        assert_eq!(refusal(""), "/proc/meminfo has no MemTotal");
        assert_eq!(refusal(&LINUX_5_10.replace("Dirty", "Clean")), "/proc/meminfo has no Dirty");
        let impossible = LINUX_5_10.replace("8142036", &u64::MAX.to_string());
        assert_eq!(refusal(&impossible), "/proc/meminfo has an impossible MemTotal");
    }

    #[test]
    fn this_machine_has_memory() {
        let now = meminfo().expect("it can be read");
        assert!(
            now.total_bytes > 0 && now.free_bytes <= now.total_bytes && now.cached_bytes <= now.total_bytes
        );
    }
}
