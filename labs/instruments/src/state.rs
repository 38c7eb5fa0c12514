//! Bring a file into a state and prove it: cold (no page resident) or warm (every page). The error is the one line that
//! a learner reads.

use crate::evict::{Evicted, Stuck, evict};
use crate::residency::Residency;
use crate::size::format_count;
use crate::{Reading, Unavailable, interrupt, open, residency};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Read this much at a time: large enough to be quick, small enough to stay in the processor's cache.
const BLOCK_BYTES: usize = 128 * 1024;

/// Reading through once is enough unless somebody evicts at the same time.
const ROUNDS: u32 = 3;

/// Evict `file` and prove that no page is left. `path` is for the error, which tells why pages stayed: that is nobody's
/// failure, so other acts can go on.
pub fn make_cold(file: &File, path: &Path) -> Result<Evicted, Unavailable> {
    evict(file).map_err(|stuck| {
        if interrupt::requested() {
            return Unavailable::Interrupted;
        }
        let what = format!("make {} cold", open::shown(path));
        let remedy = match &stuck {
            Stuck::InMemory(_) => "use a file on a disk",
            Stuck::Dirty { .. } => "try again when the disk is less busy",
            Stuck::Mapped { .. } => "try again once that program has ended",
            Stuck::Unprovable(_) => "use a file of your own, on a local disk",
            Stuck::Unexplained { .. } => "",
            Stuck::Failed(_) => return Unavailable::failed(what, stuck, ""),
        };
        Unavailable::lacking(what, format!("the file's pages to go, and {stuck}"), remedy)
    })
}

/// Read `file` through, where it is not resident yet, and prove that all pages are. `path` is for the error, which
/// tells how many pages are missing, or why nobody can know.
pub fn make_warm(file: &File, path: &Path) -> Result<(), Unavailable> {
    let found = warm_up(file, path)?;
    if found.resident_pages == found.pages {
        return Ok(());
    }
    Err(Unavailable::lacking(
        what(path),
        format!(
            "a moment in which nobody takes its pages: {} of {} are resident after {ROUNDS} rounds of reading",
            format_count(found.resident_pages),
            format_count(found.pages)
        ),
        "try again later, or with a smaller file where memory is short",
    ))
}

/// Read `file` through, where it is not resident yet, a few times where somebody takes pages meanwhile, and say what is
/// there in the end. Err where nobody can know.
pub fn warm_up(file: &File, path: &Path) -> Result<Residency, Unavailable> {
    let failed = |error: std::io::Error| Unavailable::failed(what(path), error, "");
    let mut rounds = 0;
    loop {
        let found = match residency::of_file(file).map_err(failed)? {
            Reading::Known(found) => found,
            Reading::Unknown(why) => {
                return Err(Unavailable::failed(what(path), why, "use a file of your own, on a local disk"));
            }
        };
        if found.resident_pages == found.pages || rounds == ROUNDS {
            return Ok(found);
        }
        read_through(file).map_err(failed)?;
        interrupt::check()?;
        rounds += 1;
    }
}

fn what(path: &Path) -> String {
    format!("make {} warm", open::shown(path))
}

/// Read all of the file and return how many bytes that were. Stops early, without an error, when an interruption
/// arrives: the caller asks.
pub(crate) fn read_through(file: &File) -> std::io::Result<u64> {
    let mut block = vec![0; BLOCK_BYTES];
    let mut offset = 0;
    while !interrupt::requested() {
        match file.read_at(&mut block, offset) {
            Ok(0) => break,
            Ok(length) => offset += length as u64,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(offset)
}
