//! Empty a scratch directory and remove it, through its open handle only: no link leads out of it.

use super::owned::{DIRECTORY, LOCK};
use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, openat};
use nix::sys::stat::{FileStat, Mode, SFlag, fstat, fstatat, lstat};
use nix::unistd::{UnlinkatFlags, unlinkat};
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Empty `directory` and remove `path`, if that still is the same directory.
pub(super) fn remove(path: &Path, directory: &OwnedFd) -> io::Result<()> {
    let device = fstat(directory)?.st_dev;
    let path = &aside(path, directory);
    // A workload that is about to be killed may still create a file between the emptying and the removal.
    for _ in 0..100 {
        empty(directory, device)?;
        // Last, so that a removal that is cut short leaves a directory that still counts as one to collect.
        match unlinkat(directory, LOCK, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => (),
            Err(errno) => return Err(errno.into()),
        }
        if !is_same(path, directory) {
            return Ok(());
        }
        match std::fs::remove_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => (),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => return other,
        }
    }
    Err(io::Error::from(io::ErrorKind::DirectoryNotEmpty))
}

/// Take the directory out of the way of those who still create files in it by its path: they could do so faster than
/// the files can be removed. The new name counts as one to collect, too. Where it cannot be renamed, it stays.
fn aside(path: &Path, directory: &OwnedFd) -> PathBuf {
    let mut aside = path.as_os_str().to_owned();
    aside.push("x");
    let aside = PathBuf::from(aside);
    let renamed = is_same(path, directory) && std::fs::rename(path, &aside).is_ok();
    if renamed { aside } else { path.to_owned() }
}

/// Whether `path` still leads to this very directory, without following a link.
pub(super) fn is_same(path: &Path, directory: &OwnedFd) -> bool {
    let same = |a: FileStat, b: FileStat| (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino);
    matches!((lstat(path), fstat(directory)), (Ok(named), Ok(opened)) if same(named, opened))
}

/// Remove all entries but the lock, links themselves and never what they point to, and nothing on another filesystem.
fn empty(directory: &OwnedFd, device: u64) -> io::Result<()> {
    for name in names(directory)? {
        if name.to_bytes() == LOCK.as_bytes() {
            continue;
        }
        match remove_entry(directory, &name, device) {
            Ok(()) => (),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn remove_entry(directory: &OwnedFd, name: &CStr, device: u64) -> io::Result<()> {
    let stat = fstatat(directory, name, AtFlags::AT_SYMLINK_NOFOLLOW)?;
    if SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT != SFlag::S_IFDIR {
        return Ok(unlinkat(directory, name, UnlinkatFlags::NoRemoveDir)?);
    }
    let below = openat(directory, name, DIRECTORY, Mode::empty())?;
    if fstat(&below)?.st_dev != device {
        return Err(io::Error::other("another filesystem is mounted in it"));
    }
    for name in names(&below)? {
        remove_entry(&below, &name, device)?;
    }
    Ok(unlinkat(directory, name, UnlinkatFlags::RemoveDir)?)
}

/// The names in it, collected before the first is removed: a directory that changes while it is read may skip some.
fn names(directory: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut dir = Dir::openat(directory, ".", DIRECTORY, Mode::empty())?;
    let mut names = Vec::new();
    for entry in dir.iter() {
        let name = entry?.file_name().to_owned();
        if !matches!(name.to_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}
