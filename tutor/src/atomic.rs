//! Replace a file as a whole, or not at all: temporary file, fsync, rename.

use crate::signals;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Prefix of the temporary files: `tutor clean` collects what a killed run left.
pub const PREFIX: &str = ".page-cache-tutor-";

/// `path` holds `bytes` afterwards, or what it held before. `mode` is cut by the umask.
pub fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    // A signal waits until the temporary file is gone.
    let _undisturbed = signals::undisturbed();
    let directory = directory_of(path);
    let mut temporary = tempfile::Builder::new()
        .prefix(PREFIX)
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(&directory)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    // The rename itself is durable once the directory is; some filesystems cannot sync one, and then nothing is lost
    // but that certainty.
    let _ = File::open(&directory).and_then(|directory| directory.sync_all());
    Ok(())
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
