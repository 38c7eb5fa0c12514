//! Replace a file as a whole, or not at all: temporary file, fsync, rename.

use crate::signals;
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Prefix of the temporary files: [`collect`] finds by it what a killed run left.
pub const PREFIX: &str = ".page-cache-tutor-";

/// `path` holds `bytes` afterwards, or what it held before. `mode` is cut by the umask.
pub fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    // A signal waits until the temporary file is gone.
    let _undisturbed = signals::undisturbed();
    let directory = directory_of(path);
    let (mut temporary, _lock) = make(&directory, mode)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    // The rename itself is durable once the directory is; some filesystems cannot sync one, and then nothing is lost
    // but that certainty.
    let _ = File::open(&directory).and_then(|directory| directory.sync_all());
    Ok(())
}

/// Remove those of these temporary files that nobody writes any more. Returns what was removed.
pub fn collect(files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.into_iter().filter(|file| remove_if_dead(file)).collect()
}

/// A temporary file, locked by flock(2) for as long as somebody needs it.
fn make(directory: &Path, mode: u32) -> io::Result<(NamedTempFile, Option<Flock<File>>)> {
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix(PREFIX).permissions(Permissions::from_mode(mode));
    // Between creation and lock a collector may take it for a dead one's: then make another.
    for _ in 0..16 {
        let temporary = builder.tempfile_in(directory)?;
        let lock = match Flock::lock(temporary.as_file().try_clone()?, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => Some(lock),
            Err((_, Errno::EWOULDBLOCK)) => continue,
            // Where there are no locks, a collector cannot have one either.
            Err(_) => None,
        };
        if temporary.as_file().metadata()?.nlink() > 0 {
            return Ok((temporary, lock));
        }
    }
    Err(io::Error::other("something removes every file as soon as it is made"))
}

fn remove_if_dead(path: &Path) -> bool {
    let no_link = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
    let found = File::options().read(true).custom_flags(no_link).open(path);
    let lock = found.ok().and_then(|file| Flock::lock(file, FlockArg::LockExclusiveNonblock).ok());
    // What was renamed meanwhile is no longer there by this name.
    lock.is_some() && fs::remove_file(path).is_ok()
}

/// Where `path` would really be written: links followed, so that a rename does not replace the link. Refuses what is
/// there and no regular file: a rename over a device or a pipe would destroy it.
pub fn destination(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path),
        Ok(_) => Err(io::Error::other("it is there already and not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_path_buf()),
        Err(error) => Err(error),
    }
}

/// Whether a file could be written at `path`, found out before work is done whose result would be lost.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let _undisturbed = signals::undisturbed();
    let directory = directory_of(path);
    fs::metadata(&directory)?;
    tempfile::Builder::new().prefix(PREFIX).tempfile_in(directory).map(drop)
}

fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_goes_and_no_temporary_file_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        write(&path, b"one", 0o600).unwrap();
        write(&path, b"two", 0o600).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn only_what_nobody_writes_any_more_is_collected() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(format!("{PREFIX}{name}"));
        let (written, _lock) = make(directory.path(), 0o600).unwrap();
        fs::write(place("dead"), "x").unwrap();
        std::os::unix::fs::symlink(place("dead"), place("link")).unwrap();
        let files = vec![written.path().to_path_buf(), place("dead"), place("link"), place("gone")];
        assert_eq!(collect(files), [place("dead")]);
        assert!(written.path().exists() && place("link").is_symlink());
    }

    #[test]
    fn writers_and_collectors_do_not_disturb_each_other() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    let entries = fs::read_dir(directory.path()).unwrap().flatten().map(|entry| entry.path());
                    collect(entries.filter(|entry| *entry != path).collect());
                }
            });
            for round in 0..200 {
                write(&path, format!("{round}").as_bytes(), 0o600).unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), format!("{round}"));
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    }

    #[test]
    fn a_link_is_followed_and_a_device_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "x").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(destination(&link).unwrap(), fs::canonicalize(&file).unwrap());
        assert!(destination(Path::new("/dev/null")).is_err());
        assert!(destination(directory.path()).is_err());
    }
}
