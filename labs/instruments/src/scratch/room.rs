//! How much room there is, and what to do when it is too little.

use super::owned::Owned;
use crate::Unavailable;
use crate::open::shown;
use crate::size::{format_bytes, shell_bytes};
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::statvfs::fstatvfs;
use std::path::Path;

/// Free bytes that this user may still use there. See statvfs(3): blocks kept for root are not counted.
pub(super) fn free_bytes(owned: &Owned) -> Result<u64, Unavailable> {
    let room = fstatvfs(owned.directory()).map_err(|errno| {
        Unavailable::failed(format!("ask for free room in {}", shown(owned.path())), errno.desc(), "")
    })?;
    Ok(room.blocks_available().saturating_mul(room.fragment_size()))
}

/// Refuse what cannot fit: `freed` bytes come free before the first new one is written.
pub(super) fn check(owned: &Owned, path: &Path, bytes: u64, freed: u64) -> Result<(), Unavailable> {
    let what = || format!("write {} to {}", format_bytes(bytes), shown(path));
    let limit = getrlimit(Resource::RLIMIT_FSIZE).map_or(u64::MAX, |(soft, _)| soft);
    if bytes > limit {
        let why = format!("the shell's limit for one file (ulimit -f) is {}", format_bytes(limit));
        return Err(Unavailable::failed(what(), why, fitting(limit, "raise it with `ulimit -f unlimited`")));
    }
    let free = free_bytes(owned)?.saturating_add(freed);
    if bytes > free {
        let why = format!("only {} are free there", format_bytes(free));
        return Err(Unavailable::failed(what(), why, remedy(free)));
    }
    Ok(())
}

/// What to do where only `free` bytes are free.
pub(super) fn remedy(free: u64) -> String {
    fitting(free, "give a directory with more room with --dir")
}

/// A size that fits into `room` with some air left (a power of two, as sizes usually are), or else `otherwise`.
fn fitting(room: u64, otherwise: &str) -> String {
    match (room / 8 * 7).checked_ilog2() {
        Some(power) if power >= 20 => format!("--size {} would fit, or {otherwise}", shell_bytes(1 << power)),
        _ => otherwise.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::remedy;

    #[test]
    fn a_size_that_fits_is_named_where_there_is_one() {
        let or = ", or give a directory with more room with --dir";
        assert_eq!(remedy(700 << 20), format!("--size 512M would fit{or}"));
        // A full half leaves no air.
        assert_eq!(remedy(512 << 20), format!("--size 256M would fit{or}"));
        assert_eq!(remedy(u64::MAX), format!("--size 8E would fit{or}"));
        assert_eq!(remedy(1 << 20), "give a directory with more room with --dir");
        assert_eq!(remedy(0), "give a directory with more room with --dir");
    }
}
