//! One directory of ours: made, locked and opened once, held for life.

use super::removal;
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag, open, openat};
use nix::sys::stat::{Mode, fstat};
use std::fs::Permissions;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// How the name of every scratch directory begins; the process id and something random follow.
pub(super) const PREFIX: &str = "page-cache-tutor-";
/// The file whose flock(2) says that somebody still needs the directory.
pub(super) const LOCK: &str = "lock";

/// How such a directory is opened: never through a link.
pub(super) const DIRECTORY: OFlag = OFlag::O_DIRECTORY.union(OFlag::O_NOFOLLOW).union(OFlag::O_CLOEXEC);

/// A scratch directory that is ours as long as this lives.
#[derive(Debug)]
pub(super) struct Owned {
    path: PathBuf,
    directory: OwnedFd,
    /// Held for life. None where the filesystem has no flock(2): then [`super::collect`] cannot have it either.
    _lock: Option<Flock<OwnedFd>>,
    /// A forked child has a copy of all this, and must not remove what is its parent's.
    owner: u32,
}

impl Owned {
    /// Make a directory in `parent`, with mode 0700, and lock it.
    pub(super) fn create_in(parent: &Path) -> io::Result<Owned> {
        // Between mkdir and flock a collector may take the directory for a dead one's: then make another.
        for _ in 0..16 {
            if let Some(owned) = Owned::try_create_in(parent)? {
                return Ok(owned);
            }
        }
        Err(io::Error::other("something removes every directory as soon as it is made"))
    }

    fn try_create_in(parent: &Path) -> io::Result<Option<Owned>> {
        let path = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{}-", std::process::id()))
            .rand_bytes(8)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(parent)?
            .keep();
        let made = || -> Result<Owned, Errno> {
            let directory = open(&path, DIRECTORY, Mode::empty())?;
            let flags = OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_RDWR | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
            let lock = openat(&directory, LOCK, flags, Mode::from_bits_truncate(0o600))?;
            let lock = match Flock::lock(lock, FlockArg::LockExclusiveNonblock) {
                Ok(lock) => Some(lock),
                Err((_, Errno::ENOSYS | Errno::EOPNOTSUPP | Errno::ENOLCK | Errno::EINVAL)) => None,
                Err((_, errno)) => return Err(errno),
            };
            if let Some(lock) = &lock
                && fstat(lock.as_fd())?.st_nlink == 0
            {
                return Err(Errno::ENOENT);
            }
            Ok(Owned { path: path.clone(), directory, _lock: lock, owner: std::process::id() })
        };
        match made() {
            Ok(owned) => Ok(Some(owned)),
            Err(Errno::ENOENT | Errno::EWOULDBLOCK) => Ok(None),
            Err(errno) => {
                // Nothing of ours is in it yet but, at most, the lock.
                let _ = std::fs::remove_file(path.join(LOCK));
                let _ = std::fs::remove_dir(&path);
                Err(errno.into())
            }
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The open directory, for the *at calls.
    pub(super) fn directory(&self) -> &OwnedFd {
        &self.directory
    }

    /// Remove everything in it, and itself. Nothing happens in a forked child.
    pub(super) fn remove(&self) -> io::Result<()> {
        if self.owner != std::process::id() {
            return Ok(());
        }
        removal::remove(&self.path, &self.directory)
    }
}

/// Open the directory `path` and prove that it is `uid`'s own; None where it is a link, somebody else's, or no directory.
pub(super) fn open_own(path: &Path, uid: u32) -> Option<OwnedFd> {
    let directory = open(path, DIRECTORY, Mode::empty()).ok()?;
    (fstat(&directory).ok()?.st_uid == uid).then_some(directory)
}

/// Try to take the lock of a directory whose owner may be dead: Ok(None) where there is no lock file.
pub(super) fn try_lock(directory: &OwnedFd) -> Result<Option<Flock<OwnedFd>>, Errno> {
    // O_NONBLOCK: whatever carries that name, opening it must not wait.
    let flags = OFlag::O_RDWR | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    match openat(directory, LOCK, flags, Mode::empty()) {
        Ok(file) => Flock::lock(file, FlockArg::LockExclusiveNonblock).map(Some).map_err(|(_, errno)| errno),
        Err(Errno::ENOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forked_child_removes_nothing_of_its_parent() {
        let parent = tempfile::tempdir().expect("a directory");
        let mut owned = Owned::create_in(parent.path()).expect("made");
        owned.owner += 1;
        owned.remove().expect("nothing to do");
        assert!(owned.path().join(LOCK).exists());
        owned.owner -= 1;
        owned.remove().expect("removed");
        assert!(!owned.path().exists());
        owned.remove().expect("a second time there is nothing to do");
    }

    #[test]
    fn a_directory_put_in_its_place_is_left_alone() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        let owned = Owned::create_in(parent.path())?;
        let moved = parent.path().join("moved");
        std::fs::rename(owned.path(), &moved)?;
        std::fs::create_dir(owned.path())?;
        std::fs::write(owned.path().join("precious"), "x")?;
        owned.remove()?;
        assert!(owned.path().join("precious").exists());
        assert_eq!(std::fs::read_dir(moved)?.count(), 0);
        Ok(())
    }

    #[test]
    fn while_it_lives_nobody_else_gets_the_lock() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        let owned = Owned::create_in(parent.path())?;
        let uid = nix::unistd::geteuid().as_raw();
        let again = open_own(owned.path(), uid).expect("ours");
        assert_eq!(try_lock(&again).expect_err("held"), Errno::EWOULDBLOCK);
        assert!(open_own(owned.path(), uid + 1).is_none());
        let path = owned.path().to_owned();
        drop(owned);
        assert!(try_lock(&again)?.is_some());
        assert!(path.exists(), "only the registry removes");
        Ok(())
    }
}
