//! /proc/diskstats: what passed a whole block device, whoever asked for it.

use procfs::DiskStat;
use serde::{Deserialize, Serialize};

/// The unit of /proc/diskstats, whatever the device's own sectors are.
const SECTOR_BYTES: u64 = 512;

/// What passed a device since boot. See Documentation/admin-guide/iostats.rst of the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceTotals {
    /// Requests that were read.
    pub reads: u64,
    /// Bytes that were read.
    pub read_bytes: u64,
    /// Requests that were written.
    pub writes: u64,
    /// Bytes that were written.
    pub write_bytes: u64,
    /// Flushes of its volatile cache that it completed. None before Linux 5.5; device mapper and others that hand their
    /// work on never count any.
    #[serde(default)]
    pub flushes: Option<u64>,
}

impl DeviceTotals {
    /// The line of device `name` in the text of /proc/diskstats.
    pub fn parse(text: &str, name: &str) -> Option<DeviceTotals> {
        let stat =
            text.lines().filter_map(|line| DiskStat::from_line(line).ok()).find(|stat| stat.name == name)?;
        Some(DeviceTotals {
            reads: stat.reads,
            read_bytes: stat.sectors_read.saturating_mul(SECTOR_BYTES),
            writes: stat.writes,
            write_bytes: stat.sectors_written.saturating_mul(SECTOR_BYTES),
            flushes: stat.flushes,
        })
    }
}

/// /proc/diskstats now, for the device of this kernel name (such as vda); None where it is not listed.
pub fn device_totals(name: &str) -> Option<DeviceTotals> {
    DeviceTotals::parse(&std::fs::read_to_string("/proc/diskstats").ok()?, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fourteen fields are enough (Linux before 4.18), twenty are today's.
    const TEXT: &str = "\
   8       0 sda 100 1 2048 50 20 2 400 60 0 70 110
 254       0 vda 189296 8575 9589900 54817 12805 59891 24115288 129950 0 23504 186272 7139 32 2755120 1492 259 11
 254       1 vda1 7 0 8 1 0 0 0 0 0 1 1 0 0 0 0 0 0
a line of another kind
";

    #[test]
    fn sectors_become_bytes() {
        let vda = DeviceTotals {
            reads: 189_296,
            read_bytes: 9_589_900 * 512,
            writes: 12_805,
            write_bytes: 24_115_288 * 512,
            flushes: Some(259),
        };
        assert_eq!(DeviceTotals::parse(TEXT, "vda"), Some(vda));
        assert_eq!(DeviceTotals::parse(TEXT, "sda").map(|sda| sda.read_bytes), Some(2048 * 512));
        assert_eq!(DeviceTotals::parse(TEXT, "sda").and_then(|sda| sda.flushes), None, "Linux 5.4 and older");
        assert_eq!(DeviceTotals::parse(TEXT, "vda1").map(|vda1| vda1.reads), Some(7));
    }

    #[test]
    fn a_device_that_is_not_listed_has_no_totals() {
        assert_eq!(DeviceTotals::parse(TEXT, "vd"), None);
        assert_eq!(DeviceTotals::parse(TEXT, "of"), None);
        assert_eq!(DeviceTotals::parse("", "vda"), None);
    }
}
