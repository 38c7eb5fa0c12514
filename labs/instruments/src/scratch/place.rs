//! Where scratch directories go: a writable directory on a disk, not in memory.

use super::owned::Owned;
use super::{registry, write};
use crate::Unavailable;
use crate::evict::{Stuck, evict};
use crate::magic::{self, Magic};
use crate::open::shown;
use crate::unavailable::in_words;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const WRITABLE: &str = "give a directory that you may write to with --dir";

/// A scratch directory in the directory that the user names.
pub(super) fn in_wanted(dir: &Path, fits: Fits<'_>) -> Result<Arc<Owned>, Unavailable> {
    try_in(dir, fits)?.map_err(|refusal| {
        let what = format!("use {} for scratch files", shown(dir));
        Unavailable::failed(what, &refusal.why, refusal.remedy)
    })
}

/// A scratch directory in the first of the usual places that will do.
pub(super) fn in_first_suitable(fits: Fits<'_>) -> Result<Arc<Owned>, Unavailable> {
    let mut refusals = Vec::new();
    for dir in usual() {
        match try_in(&dir, fits)? {
            Ok(owned) => return Ok(owned),
            Err(refusal) => refusals.push(format!("{}: {}", shown(&dir), refusal.why)),
        }
    }
    Err(Unavailable::failed(
        "find a place for scratch files",
        refusals.join("; "),
        "give one on a disk with --dir",
    ))
}

/// The usual places, in the order in which they are tried.
pub(super) fn usual() -> Vec<PathBuf> {
    let current = std::env::current_dir().ok();
    usual_in(&|name| std::env::var_os(name), current)
}

fn usual_in(variable: &dyn Fn(&str) -> Option<OsString>, current: Option<PathBuf>) -> Vec<PathBuf> {
    // A relative path in a variable means nothing that its owner can have meant.
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    let places = [absolute("TMPDIR"), Some("/var/tmp".into()), cache, current, Some("/tmp".into())];
    let mut usual: Vec<PathBuf> = Vec::new();
    for place in places.into_iter().flatten() {
        if !usual.contains(&place) {
            usual.push(place);
        }
    }
    usual
}

/// Why a directory will not do.
pub(super) struct Refusal {
    why: String,
    remedy: String,
}

impl Refusal {
    fn new(why: impl Into<String>, remedy: impl Into<String>) -> Refusal {
        Refusal { why: why.into(), remedy: remedy.into() }
    }
}

/// Whether a scratch directory on a filesystem of this kind will do; it has been made, and is empty.
pub(super) type Fits<'f> = &'f dyn Fn(Magic, &Owned) -> Result<(), Refusal>;

/// A place in memory, too.
pub(super) fn anywhere(_: Magic, _: &Owned) -> Result<(), Refusal> {
    Ok(())
}

/// Only where a file can be evicted.
pub(super) fn on_a_disk(magic: Magic, owned: &Owned) -> Result<(), Refusal> {
    let why = match magic::in_memory(magic) {
        Some(kind) => format!("it is {kind}: files there live in memory and cannot be evicted"),
        None if magic::stacked(magic) && stays_in_memory(owned) => {
            "it is an overlay, and a file written there stays in memory, as if its layers lived there"
                .to_owned()
        }
        None => return Ok(()),
    };
    Err(Refusal::new(why, on_another_disk()))
}

/// The outer error is an interruption: no other place will do better.
fn try_in(dir: &Path, fits: Fits<'_>) -> Result<Result<Arc<Owned>, Refusal>, Unavailable> {
    let found = magic_of(dir).and_then(|magic| Ok((dir.canonicalize()?, magic)));
    let (dir, magic) = match found {
        Ok(found) => found,
        Err(error) => return Ok(Err(not_opened(error))),
    };
    let owned = match registry::hold(|| Owned::create_in(&dir))? {
        Ok(owned) => owned,
        Err(error) => return Ok(Err(not_made(error))),
    };
    Ok(match fits(magic, &owned) {
        Ok(()) => Ok(owned),
        Err(refusal) => {
            registry::release(&owned);
            Err(refusal)
        }
    })
}

fn magic_of(dir: &Path) -> io::Result<Magic> {
    // O_DIRECTORY: a pipe of that name must not make us wait.
    let flags = libc::O_DIRECTORY | libc::O_NONBLOCK;
    magic::of(&OpenOptions::new().read(true).custom_flags(flags).open(dir)?)
}

/// Advice that holds on this machine: a directory that does not live in memory itself.
fn on_another_disk() -> String {
    let advice = "give a directory on a disk with --dir";
    let on_a_disk = |dir: &PathBuf| magic_of(dir).is_ok_and(|magic| magic::in_memory(magic).is_none());
    match usual().iter().find(|dir| on_a_disk(dir)) {
        Some(dir) => format!("{advice}, such as {}", shown(dir)),
        None => advice.to_owned(),
    }
}

/// An overlay does not tell where its upper layer lives (a live system's is tmpfs), so a small file is tried.
fn stays_in_memory(owned: &Owned) -> bool {
    const NAME: &str = "probe";
    let Ok(path) = write::write(owned, NAME, 1 << 16, &mut |_| ()) else { return false };
    let evicted = File::open(path).map(|file| evict(&file));
    // Nothing depends on it: the whole directory goes in the end.
    let _ = write::remove(owned, NAME);
    matches!(evicted, Ok(Err(Stuck::Unexplained { .. })))
}

fn not_opened(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => {
            Refusal::new("it does not exist", "make it first, or give another with --dir")
        }
        io::ErrorKind::NotADirectory => Refusal::new("it is not a directory", "give a directory with --dir"),
        io::ErrorKind::PermissionDenied => Refusal::new("you may not read it", WRITABLE),
        _ => Refusal::new(in_words(error), on_another_disk()),
    }
}

fn not_made(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::PermissionDenied => Refusal::new("you may not write there", WRITABLE),
        io::ErrorKind::ReadOnlyFilesystem => Refusal::new("its filesystem is read-only", WRITABLE),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Refusal::new("there is no room left", "give a directory with more room with --dir")
        }
        _ => Refusal::new(format!("no directory can be made there ({})", in_words(error)), on_another_disk()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual_with(variables: &[(&str, &str)], current: Option<&str>) -> Vec<String> {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        };
        let places = usual_in(&variable, current.map(PathBuf::from));
        places.into_iter().map(|place| place.display().to_string()).collect()
    }

    #[test]
    fn the_usual_places_in_order() {
        let home = ("HOME", "/users/ada");
        assert_eq!(usual_with(&[], None), ["/var/tmp", "/tmp"]);
        assert_eq!(usual_with(&[home], Some("/src")), ["/var/tmp", "/users/ada/.cache", "/src", "/tmp"]);
        assert_eq!(
            usual_with(&[home, ("TMPDIR", "/big"), ("XDG_CACHE_HOME", "/cache")], Some("/src")),
            ["/big", "/var/tmp", "/cache", "/src", "/tmp"]
        );
    }

    #[test]
    fn a_place_is_tried_once_and_only_by_its_full_path() {
        assert_eq!(usual_with(&[("TMPDIR", "/tmp"), ("HOME", "")], Some("/var/tmp")), ["/tmp", "/var/tmp"]);
        assert_eq!(usual_with(&[("TMPDIR", "tmp"), ("XDG_CACHE_HOME", ".")], None), ["/var/tmp", "/tmp"]);
    }
}
