//! The processor's own caches, as the kernel describes them.

use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// One cache that holds data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cache {
    /// 1 is nearest to the processor.
    pub level: u32,
    /// Its size.
    pub bytes: u64,
}

/// The caches of the first processor that hold data, nearest first. Empty where the kernel does not tell, as in many
/// virtual machines on aarch64. See /sys/devices/system/cpu/cpu0/cache, Documentation/ABI/testing/sysfs-devices-system-cpu.
pub fn data_caches() -> Vec<Cache> {
    caches_in(Path::new("/sys/devices/system/cpu/cpu0/cache"))
}

fn caches_in(directory: &Path) -> Vec<Cache> {
    let mut caches: Vec<Cache> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let read = |name| fs::read_to_string(entry.path().join(name)).ok();
            parse(&read("level")?, &read("type")?, &read("size")?)
        })
        .collect();
    caches.sort_by_key(|cache| cache.level);
    caches
}

/// One cache from the texts of its `level`, `type` and `size`; None for a cache of instructions only.
fn parse(level: &str, kind: &str, size: &str) -> Option<Cache> {
    if kind.trim() == "Instruction" {
        return None;
    }
    let kib: u64 = size.trim().strip_suffix('K')?.parse().ok()?;
    Some(Cache { level: level.trim().parse().ok()?, bytes: kib.checked_mul(1024)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_and_unified_count() {
        assert_eq!(parse("1\n", "Data\n", "32K\n"), Some(Cache { level: 1, bytes: 32 << 10 }));
        assert_eq!(parse("3\n", "Unified\n", "32768K\n"), Some(Cache { level: 3, bytes: 32 << 20 }));
        assert_eq!(parse("1\n", "Instruction\n", "32K\n"), None);
        assert_eq!(parse("2\n", "Unified\n", "\n"), None);
    }

    #[test]
    fn nearest_first_and_nothing_where_nothing_is() {
        let levels: Vec<u32> = data_caches().iter().map(|cache| cache.level).collect();
        assert!(levels.is_sorted());
        assert_eq!(caches_in(Path::new("/nowhere")), []);
    }
}
