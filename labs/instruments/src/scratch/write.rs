//! Put a file of a given size into a scratch directory, whole or not at all.

use super::owned::{LOCK, Owned};
use super::{content, registry, removal, room};
use crate::open::shown;
use crate::{Unavailable, interrupt};
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{Mode, fstatat};
use nix::unistd::{UnlinkatFlags, unlinkat};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// See [`super::Scratch::write`].
pub(super) fn write(
    owned: &Owned,
    name: &str,
    bytes: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<PathBuf, Unavailable> {
    let path = checked(owned, name)?;
    interrupt::check()?;
    room::check(owned, &path, bytes, occupied(owned, name))?;
    let file =
        registry::while_open(|| create(owned, name))?.map_err(|errno| failure(owned, &path, errno.into()))?;
    let written = fill(owned, &file, &path, bytes, progress);
    if written.is_err() {
        // It may be gone already, together with the directory; then there is nothing to remove.
        let _ = unlinkat(owned.directory(), name, UnlinkatFlags::NoRemoveDir);
    }
    written.map(|()| path)
}

/// See [`super::Scratch::remove`].
pub(super) fn remove(owned: &Owned, name: &str) -> Result<(), Unavailable> {
    let path = checked(owned, name)?;
    registry::while_open(|| unlinkat(owned.directory(), name, UnlinkatFlags::NoRemoveDir))?
        .map_err(|errno| Unavailable::failed(format!("remove {}", shown(&path)), errno.desc(), ""))
}

/// A name is one step down, and not the lock's.
fn checked(owned: &Owned, name: &str) -> Result<PathBuf, Unavailable> {
    if name.is_empty() || name.contains('/') || [".", "..", LOCK].contains(&name) {
        let what = format!("use the name {name:?} in {}", shown(owned.path()));
        return Err(Unavailable::failed(what, "it is not the name of a scratch file", ""));
    }
    Ok(owned.path().join(name))
}

/// Bytes on disk that replacing `name` gives back.
fn occupied(owned: &Owned, name: &str) -> u64 {
    fstatat(owned.directory(), name, AtFlags::AT_SYMLINK_NOFOLLOW)
        .map_or(0, |stat| u64::try_from(stat.st_blocks).unwrap_or(0) * 512)
}

/// Always a new inode: nothing of what an older file went through (folio sizes, mappings) is handed on.
fn create(owned: &Owned, name: &str) -> Result<File, Errno> {
    match unlinkat(owned.directory(), name, UnlinkatFlags::NoRemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => (),
        Err(errno) => return Err(errno),
    }
    let flags = OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_WRONLY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(owned.directory(), name, flags, Mode::from_bits_truncate(0o600)).map(File::from)
}

fn fill(
    owned: &Owned,
    mut file: &File,
    path: &Path,
    bytes: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Unavailable> {
    let mut buffer = vec![0; content::PIECE_BYTES];
    let mut sum = 0;
    for (number, length) in content::pieces(bytes) {
        interrupt::check()?;
        registry::check()?;
        let piece = &mut buffer[..length];
        content::fill(number, piece);
        file.write_all(piece).map_err(|error| failure(owned, path, error))?;
        sum += length as u64;
        progress(sum);
    }
    registry::check()?;
    let still_there = |metadata: io::Result<std::fs::Metadata>| {
        metadata.is_ok_and(|named| {
            file.metadata().is_ok_and(|ours| (named.dev(), named.ino()) == (ours.dev(), ours.ino()))
        })
    };
    if still_there(path.symlink_metadata()) {
        Ok(())
    } else {
        Err(failure(owned, path, io::ErrorKind::NotFound.into()))
    }
}

/// One line for what goes wrong on the way.
fn failure(owned: &Owned, path: &Path, error: io::Error) -> Unavailable {
    let what = format!("write {}", shown(path));
    match error.kind() {
        io::ErrorKind::NotFound if !removal::is_same(owned.path(), owned.directory()) => {
            Unavailable::failed(what, "somebody removed the scratch directory meanwhile", "run it again")
        }
        io::ErrorKind::NotFound => {
            Unavailable::failed(what, "somebody removed the file meanwhile", "run it again")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            let free = room::free_bytes(owned).unwrap_or(0);
            Unavailable::failed(what, error, room::remedy(free))
        }
        _ => Unavailable::failed(what, error, ""),
    }
}
