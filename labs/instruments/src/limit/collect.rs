//! Remove what killed runs left: memory cgroups by our name, whose lock nobody holds.

use super::made;
use crate::proc::cgroup::own;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A machine with more cgroups than this has other worries than an empty one of ours.
const MOST_LOOKED_AT: usize = 10_000;

/// Remove what killed runs left, wherever they were started from. Returns what was removed.
///
/// Never touches one that is in use, or has a process in it. What cannot be removed is left for the next time: a run
/// does not depend on it.
pub fn collect() -> Vec<PathBuf> {
    own().map(|own| collect_below(&own.top)).unwrap_or_default()
}

fn collect_below(top: &Path) -> Vec<PathBuf> {
    let mut removed = Vec::new();
    let mut left = vec![top.to_owned()];
    let mut looked_at = 0;
    while let Some(dir) = left.pop().filter(|_| looked_at < MOST_LOOKED_AT) {
        looked_at += 1;
        // One that has just gone, or is closed to us, holds nothing that we could remove.
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            if !entry.file_name().to_str().is_some_and(made::is_ours) {
                left.push(entry.path());
            } else if remove_if_dead(&entry.path()) {
                removed.push(entry.path());
            }
        }
    }
    removed
}

fn remove_if_dead(dir: &Path) -> bool {
    let lock = File::open(dir).ok().and_then(|dir| Flock::lock(dir, FlockArg::LockExclusiveNonblock).ok());
    let in_use = || fs::read_to_string(dir.join("cgroup.procs")).is_ok_and(|processes| !processes.is_empty());
    lock.is_some() && !in_use() && made::remove(dir).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ours_and_only_dead_ones_go() -> std::io::Result<()> {
        let top = tempfile::tempdir()?;
        let at = |name: &str| top.path().join(name);
        let [dead, held, busy, other] =
            ["a/b/page-cache-tutor-1-x", "a/page-cache-tutor-2-y", "page-cache-tutor-3-z", "a/b/other"]
                .map(at);
        [&dead, &held, &busy, &other].into_iter().try_for_each(fs::create_dir_all)?;
        fs::write(busy.join("cgroup.procs"), "4711\n")?;
        let _lock =
            Flock::lock(File::open(&held)?, FlockArg::LockExclusiveNonblock).map_err(|(_, why)| why)?;
        assert_eq!(collect_below(top.path()), [dead]);
        assert!(held.exists() && busy.exists() && other.exists());
        Ok(())
    }
}
