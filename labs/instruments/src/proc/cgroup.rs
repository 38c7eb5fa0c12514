//! The memory cgroup that bounds our cache: where its files are, what they say. Versions 1 and 2, hybrid too.
//!
//! See cgroups(7), and Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel.

mod account;

pub use account::Account;

use super::Counters;
use procfs::process::MountInfo;
use std::path::{Component, Path, PathBuf};

/// Above this a limit of version 1 means that there is none: the kernel prints the greatest count of pages that fits
/// into a signed 64-bit number of bytes, which depends on the page size.
const NO_LIMIT_BYTES: u64 = 1 << 62;

/// The directory of a memory cgroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryCgroup {
    /// 1 or 2.
    pub version: u32,
    /// Where its files are.
    pub dir: PathBuf,
    /// The mount in which it lies: the topmost directory that is still a memory cgroup and visible from here.
    pub top: PathBuf,
}

/// What a memory cgroup and all below it hold, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStat {
    /// Cached file data, tmpfs included.
    pub file_bytes: u64,
    /// Memory of its processes that no file backs.
    pub anon_bytes: u64,
    /// Cached data that was changed and is not yet on its way to the disk.
    pub dirty_bytes: u64,
    /// Cached data on its way to the disk.
    pub writeback_bytes: u64,
}

/// The memory cgroup that we live in, where one is visible.
pub fn own() -> Option<MemoryCgroup> {
    let read = |path| std::fs::read_to_string(path).ok();
    MemoryCgroup::locate(&read("/proc/self/cgroup")?, &read("/proc/self/mountinfo")?)
}

impl MemoryCgroup {
    /// Find the directory from the texts of /proc/self/cgroup and /proc/self/mountinfo.
    pub fn locate(cgroup: &str, mountinfo: &str) -> Option<MemoryCgroup> {
        let memberships: Vec<(&str, &str)> = cgroup.lines().filter_map(membership).collect();
        let of_version_1 =
            memberships.iter().find(|(controllers, _)| controllers.split(',').any(|c| c == "memory"));
        // In hybrid mode both hierarchies are mounted, and the memory controller lives in the one that names it.
        let (version, path) = match of_version_1 {
            Some((_, path)) => (1, path),
            None => (
                2,
                memberships.iter().find(|(controllers, _)| controllers.is_empty()).map(|(_, path)| path)?,
            ),
        };
        let mount =
            mountinfo.lines().filter_map(|line| MountInfo::from_line(line).ok()).find(
                |mount| match version {
                    1 => mount.fs_type == "cgroup" && mount.super_options.contains_key("memory"),
                    _ => mount.fs_type == "cgroup2",
                },
            )?;
        let top = mount.mount_point;
        let inside = below(path, &mount.root).unwrap_or(Path::new(""));
        Some(MemoryCgroup { version, dir: top.components().chain(inside.components()).collect(), top })
    }

    /// The smallest limit from here to the topmost visible cgroup, in bytes; None where there is none. A container sees
    /// no cgroup above its own; version 1 tells of those all the same.
    pub fn limit_bytes(&self) -> Option<u64> {
        let of_one = |dir: &Path| {
            let files: &[&str] = match self.version {
                1 => &["memory.limit_in_bytes"],
                // Above memory.high the kernel reclaims before it lets the process go on, so it bounds the cache too.
                _ => &["memory.max", "memory.high"],
            };
            files.iter().filter_map(|file| limit(&std::fs::read_to_string(dir.join(file)).ok()?)).min()
        };
        let levels = self.dir.ancestors().take_while(|dir| dir.starts_with(&self.top));
        let hierarchical = self.counters().ok().and_then(|stat| stat.get("hierarchical_memory_limit"));
        levels.filter_map(of_one).chain(hierarchical.filter(|bytes| *bytes < NO_LIMIT_BYTES)).min()
    }

    /// All of memory.stat, by the names of this version.
    pub fn counters(&self) -> std::io::Result<Counters> {
        std::fs::read_to_string(self.dir.join("memory.stat")).map(|text| Counters::parse(&text))
    }

    /// What is charged to it now, and how often its limit was met. What this kernel does not tell is None there.
    pub fn account(&self) -> std::io::Result<Account> {
        let read = |file: &str| std::fs::read_to_string(self.dir.join(file)).ok();
        Account::of(&self.counters()?, self.version, &read)
            .ok_or_else(|| super::malformed("memory.stat", "lacks what it should hold"))
    }

    /// What it holds now; None where this version's memory.stat lacks a line.
    pub fn stat(&self) -> std::io::Result<Option<MemoryStat>> {
        self.counters().map(|counters| MemoryStat::of(&counters, self.version))
    }
}

impl MemoryStat {
    /// Read the counters of memory.stat, which are named differently in the two versions.
    pub fn of(counters: &Counters, version: u32) -> Option<MemoryStat> {
        let [file, anon, dirty, writeback] = match version {
            // Without `total_` it would be this cgroup alone, where version 2 always counts those below too.
            1 => ["total_cache", "total_rss", "total_dirty", "total_writeback"],
            _ => ["file", "anon", "file_dirty", "file_writeback"],
        };
        Some(MemoryStat {
            file_bytes: counters.get(file)?,
            anon_bytes: counters.get(anon)?,
            dirty_bytes: counters.get(dirty)?,
            writeback_bytes: counters.get(writeback)?,
        })
    }
}

/// A line of /proc/PID/cgroup, `id:controllers:path`, as controllers and path.
fn membership(line: &str) -> Option<(&str, &str)> {
    line.split_once(':')?.1.split_once(':')
}

/// `path` as seen from a mount whose root is `root`; None where it lies outside, as it may in a cgroup namespace.
fn below<'a>(path: &'a str, root: &str) -> Option<&'a Path> {
    let path = Path::new(path).strip_prefix(root).ok()?;
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// The text of a limit file: a number of bytes, or `max`.
fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|bytes| *bytes < NO_LIMIT_BYTES)
}

#[cfg(test)]
mod tests;
