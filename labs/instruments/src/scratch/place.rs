//! Where scratch directories go: a writable directory on a disk, not in memory.

use super::owned::Owned;
use super::registry;
use crate::{Unavailable, magic};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const ON_A_DISK: &str = "give a directory on a disk with --dir, such as /var/tmp";

/// A scratch directory in the directory that the user names.
pub(super) fn in_wanted(dir: &Path) -> Result<Arc<Owned>, Unavailable> {
    try_in(dir)?.map_err(|refusal| {
        let what = format!("use {} for scratch files", dir.display());
        Unavailable::failed(what, &refusal.why, refusal.remedy)
    })
}

/// A scratch directory in the first of the usual places that will do.
pub(super) fn in_first_suitable() -> Result<Arc<Owned>, Unavailable> {
    let mut refusals = Vec::new();
    for dir in usual() {
        match try_in(&dir)? {
            Ok(owned) => return Ok(owned),
            Err(refusal) => refusals.push(format!("{}: {}", dir.display(), refusal.why)),
        }
    }
    Err(Unavailable::failed("find a place for scratch files", refusals.join("; "), ON_A_DISK))
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
struct Refusal {
    why: String,
    remedy: &'static str,
}

/// The outer error is an interruption: no other place will do better.
fn try_in(dir: &Path) -> Result<Result<Arc<Owned>, Refusal>, Unavailable> {
    let dir = match open_disk(dir) {
        Ok(dir) => dir,
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(registry::hold(|| Owned::create_in(&dir))?.map_err(refusal))
}

/// The directory's absolute path, if it is one and does not live in memory.
fn open_disk(dir: &Path) -> Result<PathBuf, Refusal> {
    // O_DIRECTORY: a pipe of that name must not make us wait.
    let directory: File = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_DIRECTORY | libc::O_NONBLOCK)
        .open(dir)
        .map_err(refusal)?;
    let magic = magic::of(&directory).map_err(refusal)?;
    if let Some(kind) = magic::in_memory(magic) {
        let why = format!("it is {kind}: files there live in memory and cannot be evicted");
        return Err(Refusal { why, remedy: ON_A_DISK });
    }
    dir.canonicalize().map_err(refusal)
}

fn refusal(error: io::Error) -> Refusal {
    let remedy = "give a directory that you may write to with --dir";
    let (why, remedy) = match error.kind() {
        io::ErrorKind::NotFound => {
            ("it does not exist".to_owned(), "make it first, or give another with --dir")
        }
        io::ErrorKind::NotADirectory => ("it is not a directory".to_owned(), "give a directory with --dir"),
        io::ErrorKind::PermissionDenied => ("you may not write there".to_owned(), remedy),
        io::ErrorKind::ReadOnlyFilesystem => ("its filesystem is read-only".to_owned(), remedy),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ("there is no room left".to_owned(), "give a directory with more room with --dir")
        }
        _ => (error.to_string(), ON_A_DISK),
    };
    Refusal { why, remedy }
}
