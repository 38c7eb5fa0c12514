//! What kind of filesystem a file lives on, by the magic number of statfs(2): only those kinds that change an answer.

use nix::sys::statfs::fstatfs;
use std::fs::File;
use std::io;

/// `f_type` of statfs(2), see linux/magic.h.
pub type Magic = u64;

/// tmpfs, and memfd_create(2).
pub const TMPFS: Magic = 0x0102_1994;
/// ramfs.
pub const RAMFS: Magic = 0x8584_58f6;
/// hugetlbfs.
pub const HUGETLBFS: Magic = 0x9584_58f6;
/// overlayfs.
pub const OVERLAY: Magic = 0x794c_7630;
/// aufs, the older way of stacking layers.
pub const AUFS: Magic = 0x6175_6673;
/// FUSE, and virtiofs, which speaks its protocol.
pub const FUSE: Magic = 0x6573_5546;
/// OpenZFS.
pub const ZFS: Magic = 0x2fc1_2fc1;
/// IBM Storage Scale (GPFS).
pub const GPFS: Magic = 0x4750_4653;

/// The magic number of the filesystem that holds `file`. See fstatfs(2).
pub fn of(file: &File) -> io::Result<Magic> {
    let kind = fstatfs(file)?.filesystem_type().0;
    // The kernel's numbers have 32 bits; a signed long would carry the sign of those above 0x7fffffff upwards.
    Ok(kind as u64 & 0xffff_ffff)
}

/// The filesystem's name, where memory is the only place in which its files live.
pub fn in_memory(magic: Magic) -> Option<&'static str> {
    match magic {
        TMPFS => Some("tmpfs"),
        RAMFS => Some("ramfs"),
        HUGETLBFS => Some("hugetlbfs"),
        _ => None,
    }
}

/// The filesystem's name, where it caches file data outside the page cache, so that a count of pages says nothing.
pub fn own_cache(magic: Magic) -> Option<&'static str> {
    match magic {
        ZFS => Some("zfs"),
        GPFS => Some("gpfs"),
        _ => None,
    }
}

/// Whether the pages hang on a file of a layer below, where cachestat(2) does not look and a mapping does.
pub fn stacked(magic: Magic) -> bool {
    matches!(magic, OVERLAY | AUFS)
}
