//! What a memory cgroup has been charged with, and what its limit has done: by other files in each version.

use super::MemoryStat;
use crate::proc::Counters;
use serde::{Deserialize, Serialize};

/// The account of a memory cgroup and all below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// All that counts against the limit, kernel memory included, bytes.
    pub charged_bytes: u64,
    /// Cached file data, bytes.
    pub file_bytes: u64,
    /// Memory of its processes that no file backs, bytes.
    pub anon_bytes: u64,
    /// Memory of its processes that was written to swap, bytes. None where the kernel does not tell.
    pub swap_bytes: Option<u64>,
    /// How often something had to go, or to wait, since the limit was reached.
    pub limit_hits: Option<u64>,
    /// Processes that the out-of-memory killer took.
    pub oom_kills: Option<u64>,
}

impl Account {
    /// From memory.stat and, by `read`, the other files of the directory. None where the first figures are missing.
    pub(super) fn of(
        counters: &Counters,
        version: u32,
        read: &impl Fn(&str) -> Option<String>,
    ) -> Option<Account> {
        let number = |file: &str| read(file)?.trim().parse::<u64>().ok();
        let entry = |file: &str, name: &str| Counters::parse(&read(file)?).get(name);
        let MemoryStat { file_bytes, anon_bytes, .. } = MemoryStat::of(counters, version)?;
        Some(match version {
            1 => Account {
                charged_bytes: number("memory.usage_in_bytes")?,
                file_bytes,
                anon_bytes,
                swap_bytes: counters.get("total_swap"),
                limit_hits: number("memory.failcnt"),
                oom_kills: entry("memory.oom_control", "oom_kill"),
            },
            _ => Account {
                charged_bytes: number("memory.current")?,
                file_bytes,
                anon_bytes,
                swap_bytes: number("memory.swap.current"),
                limit_hits: entry("memory.events", "max"),
                oom_kills: entry("memory.events", "oom_kill"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(version: u32, stat: &str, files: &[(&str, &str)]) -> Option<Account> {
        let read =
            |name: &str| files.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned());
        Account::of(&Counters::parse(stat), version, &read)
    }

    const EXPECTED: Account = Account {
        charged_bytes: 104_857_600,
        file_bytes: 10_485_760,
        anon_bytes: 90_177_536,
        swap_bytes: Some(4096),
        limit_hits: Some(12),
        oom_kills: Some(1),
    };

    #[test]
    fn version_1() {
        let stat = "cache 0\nrss 0\nswap 0\ntotal_cache 10485760\ntotal_rss 90177536\ntotal_swap 4096\ntotal_dirty 0\n\
                    total_writeback 0\n";
        let files = [
            ("memory.usage_in_bytes", "104857600\n"),
            ("memory.failcnt", "12\n"),
            ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"),
        ];
        assert_eq!(account(1, stat, &files), Some(EXPECTED));
    }

    #[test]
    fn version_2_with_and_without_swap() {
        let stat = "anon 90177536\nfile 10485760\nfile_dirty 0\nfile_writeback 0\n";
        let files = [
            ("memory.current", "104857600\n"),
            ("memory.swap.current", "4096\n"),
            ("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n"),
        ];
        assert_eq!(account(2, stat, &files), Some(EXPECTED));
        let unswapped = [files[0], files[2]];
        assert_eq!(account(2, stat, &unswapped), Some(Account { swap_bytes: None, ..EXPECTED }));
        assert_eq!(account(2, stat, &files[1..]), None, "nothing is known to be charged");
    }
}
