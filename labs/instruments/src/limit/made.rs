//! The cgroups that this process has made, and how they go.

use crate::Unavailable;
use crate::proc::cgroup::MemoryCgroup;
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How the name of every cgroup of ours begins; the process id and something random follow.
pub(super) const PREFIX: &str = "page-cache-tutor-";

/// How the name ends where limits had to be switched on for the place: switched off again afterwards, also by whoever
/// finds it after a SIGKILL.
const SWITCHED_ON: &str = "-on";

/// Killed processes are gone in a moment; a cgroup with a process in it cannot be removed.
const PATIENCE: Duration = Duration::from_secs(2);

/// A cgroup that is ours as long as this lives.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) cgroup: MemoryCgroup,
    /// On the directory itself, held for life: it tells [`super::collect`] that somebody needs it.
    _lock: Option<Flock<File>>,
    /// A forked child has a copy of all this, and must not remove what is its parent's.
    owner: u32,
}

impl Made {
    /// Make it in `parent`. `switched_on`: limits were switched on there for its sake.
    pub(super) fn create_in(parent: &MemoryCgroup, switched_on: bool) -> io::Result<Made> {
        let suffix = if switched_on { SWITCHED_ON } else { "" };
        let dir = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{}-", std::process::id()))
            .suffix(suffix)
            .rand_bytes(8)
            .tempdir_in(&parent.dir)?
            .keep();
        // Where flock(2) is refused nobody can collect it either.
        let lock = File::open(&dir)
            .ok()
            .and_then(|directory| Flock::lock(directory, FlockArg::LockExclusiveNonblock).ok());
        Ok(Made {
            cgroup: MemoryCgroup { version: parent.version, dir, top: parent.top.clone() },
            _lock: lock,
            owner: std::process::id(),
        })
    }

    /// Where its processes are listed, and where one is put in.
    pub(super) fn procs(&self) -> PathBuf {
        self.cgroup.dir.join("cgroup.procs")
    }

    /// Remove it, unless this is a forked child.
    pub(super) fn remove(&self) -> io::Result<()> {
        if self.owner == std::process::id() { remove(&self.cgroup.dir) } else { Ok(()) }
    }
}

/// Remove the cgroup `dir`, once the processes in it have gone, and switch off what was switched on for it.
pub(super) fn remove(dir: &Path) -> io::Result<()> {
    let started = Instant::now();
    loop {
        match fs::remove_dir(dir) {
            Err(error) if is_busy(&error) && started.elapsed() < PATIENCE => {
                sleep(Duration::from_millis(2));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => break,
        }
    }
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if let Some(parent) = dir.parent().filter(|_| name.ends_with(SWITCHED_ON))
        && !holds_ours(parent)
    {
        // Somebody may have come to need it meanwhile; the kernel knows.
        let _ = fs::write(parent.join("cgroup.subtree_control"), "-memory");
    }
    Ok(())
}

fn is_busy(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::EBUSY as i32)
}

fn holds_ours(parent: &Path) -> bool {
    fs::read_dir(parent)
        .is_ok_and(|entries| entries.flatten().any(|entry| is_ours(entry.file_name().to_str().unwrap_or(""))))
}

/// page-cache-tutor-PID-RANDOM, with or without -on.
pub(super) fn is_ours(name: &str) -> bool {
    let parts = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    parts.is_some_and(|(pid, rest)| {
        let random = rest.strip_suffix(SWITCHED_ON).unwrap_or(rest);
        pid.parse::<u32>().is_ok()
            && !random.is_empty()
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

struct Registry {
    closed: bool,
    held: Vec<Arc<Made>>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { closed: false, held: Vec::new() });

fn lock() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remember a cgroup, so that a signal thread can remove it in the middle of anything.
pub(super) fn hold(made: Made) -> Result<Arc<Made>, Unavailable> {
    let mut registry = lock();
    if registry.closed {
        let _ = made.remove();
        return Err(Unavailable::Interrupted);
    }
    let made = Arc::new(made);
    registry.held.push(Arc::clone(&made));
    Ok(made)
}

/// Remove one, unless [`remove_all`] has done so. What stays is collected by the next run.
pub(super) fn release(made: &Arc<Made>) {
    let mut registry = lock();
    if let Some(index) = registry.held.iter().position(|held| Arc::ptr_eq(held, made)) {
        let _ = registry.held.swap_remove(index).remove();
    }
}

/// Remove every memory cgroup that this process has made: for the signal thread, just before it exits, and after
/// [`crate::interrupt::request`] has killed what runs in them. None can be made afterwards.
pub fn remove_all() {
    let mut registry = lock();
    registry.closed = true;
    for made in registry.held.drain(..) {
        let _ = made.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_names_and_no_others() {
        for ours in ["page-cache-tutor-4711-aB3x", "page-cache-tutor-4711-aB3x-on"] {
            assert!(is_ours(ours), "{ours}");
        }
        for other in [
            "page-cache-tutor-",
            "page-cache-tutor-1-",
            "page-cache-tutor-1-on-on-on",
            "page-cache-tutor-x-y",
            "page-cache-tutor-1-y.scope",
            "tutor-1-y",
        ] {
            assert!(!is_ours(other), "{other}");
        }
    }

    #[test]
    fn limits_stay_switched_on_while_another_of_ours_is_there() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        let control = parent.path().join("cgroup.subtree_control");
        fs::write(&control, "memory")?;
        let ours = ["page-cache-tutor-1-a-on", "page-cache-tutor-2-b"].map(|name| parent.path().join(name));
        ours.iter().try_for_each(fs::create_dir)?;
        remove(&ours[0])?;
        assert_eq!(fs::read_to_string(&control)?, "memory");
        fs::remove_dir(&ours[1])?;
        fs::create_dir(&ours[0])?;
        remove(&ours[0])?;
        assert_eq!(fs::read_to_string(&control)?, "-memory");
        Ok(())
    }
}
