//! Remove what killed runs left: directories of this user, by our name, whose lock nobody holds.

use super::owned::{self, PREFIX};
use super::{place, removal};
use nix::unistd::geteuid;
use std::fs;
use std::path::{Path, PathBuf};

/// Remove what killed runs of this user left in the usual places and in `also`. Returns what was removed.
///
/// Never follows a link, never touches what is another user's or in use. What cannot be removed is left for the next
/// time: a run does not depend on it.
pub fn collect(also: &[PathBuf]) -> Vec<PathBuf> {
    let mut removed = Vec::new();
    for parent in place::usual().iter().chain(also) {
        // A place that is missing or closed to us holds nothing of ours.
        let Ok(entries) = fs::read_dir(parent) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_name().to_str().is_some_and(is_ours) && remove_if_dead(&path) {
                removed.push(path);
            }
        }
    }
    removed
}

/// page-cache-tutor-PID-RANDOM.
fn is_ours(name: &str) -> bool {
    name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-')).is_some_and(|(pid, random)| {
        pid.parse::<u32>().is_ok()
            && !random.is_empty()
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn remove_if_dead(path: &Path) -> bool {
    let Some(directory) = owned::open_own(path, geteuid().as_raw()) else { return false };
    match owned::try_lock(&directory) {
        Ok(Some(_lock)) => removal::remove(path, &directory).is_ok(),
        // Killed between making the directory and its lock, or just about to lock: only an empty one goes, and
        // whoever has just made it makes another.
        Ok(None) => fs::remove_dir(path).is_ok(),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn our_names_and_no_others() {
        assert!(is_ours("page-cache-tutor-4711-aB3x"));
        for other in [
            "page-cache-tutor-",
            "page-cache-tutor-1",
            "page-cache-tutor-1-",
            "page-cache-tutor-x-y",
            "page-cache-tutor--y",
            "page-cache-tutor-1-y.old",
            "page-cache-tutor-1-y-z",
            "page-cache-tutor-99999999999-y",
            "tutor-1-y",
        ] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
