//! The block device below a filesystem, from /sys. See Documentation/ABI/stable/sysfs-block of the kernel.

use super::mount::Mount;
use super::tree::Tree;
use super::{Device, below};
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The device that holds the files of `mount`; None where none is visible (network filesystems, tmpfs, some
/// containers). `virtual_machine` is its hypervisor's name.
pub(super) fn of(tree: &Tree, mount: &Mount, virtual_machine: Option<&str>) -> Option<Device> {
    let part = numbered(tree, &mount.number).or_else(|| sourced(tree, &mount.source))?;
    let disk = whole_disk(&part);
    let own = own_bdi(tree, mount, &part).and_then(|bdi| tree.number(bdi.join("read_ahead_kb")));
    Some(Device {
        name: name_of(&disk),
        rotational: tree.number::<u64>(disk.join("queue/rotational")) == Some(1),
        read_ahead_kb: own.or_else(|| read_ahead_kb(tree, &disk))?,
        own_bdi: own.is_some(),
        max_sectors_kb: tree.number(disk.join("queue/max_sectors_kb"))?,
        write_cache: tree.text(disk.join("queue/write_cache")),
        fua: tree.number::<u64>(disk.join("queue/fua")).map(|fua| fua == 1),
        below: below::of(tree, &disk, virtual_machine),
    })
}

/// The directory in /sys of the disk of which `part` is a partition; `part` itself where it is none.
pub(super) fn whole_disk(part: &Path) -> PathBuf {
    match part.parent() {
        Some(disk) if part.join("partition").exists() => disk.to_owned(),
        _ => part.to_owned(),
    }
}

pub(super) fn name_of(device: &Path) -> String {
    device.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The directory of the device `major:minor`.
fn numbered(tree: &Tree, number: &str) -> Option<PathBuf> {
    // A made-up number may by chance have an entry of another kind.
    if number.starts_with("0:") {
        return None;
    }
    tree.path(format!("sys/dev/block/{number}")).canonicalize().ok()
}

/// The directory of the device that was mounted from a path such as /dev/sda2 or /dev/mapper/home: btrfs and bcachefs
/// make up the number of the filesystem, since they may lie on several devices. The first one has to do.
fn sourced(tree: &Tree, source: &str) -> Option<PathBuf> {
    let first = source.split(":/dev/").next()?;
    let node = tree.path(first.strip_prefix('/').filter(|path| path.starts_with("dev/"))?);
    if let Some(metadata) = fs::metadata(&node).ok().filter(|node| node.file_type().is_block_device()) {
        return numbered(tree, &format!("{}:{}", libc::major(metadata.rdev()), libc::minor(metadata.rdev())));
    }
    // A container has no such node, but often the whole /sys.
    let name = node.file_name()?;
    let by_name = || tree.path("sys/class/block").join(name).canonicalize().ok();
    let by_mapper_name = || {
        let named =
            |device: &PathBuf| tree.text(device.join("dm/name")).is_some_and(|mapped| *mapped == *name);
        tree.entries("sys/class/block").into_iter().find(named)?.canonicalize().ok()
    };
    by_name().or_else(by_mapper_name)
}

/// The readahead of the disk's bdi, which most filesystems use.
fn read_ahead_kb(tree: &Tree, disk: &Path) -> Option<u64> {
    tree.text(disk.join("dev"))
        .and_then(|number| tree.number(tree.path("sys/class/bdi").join(number).join("read_ahead_kb")))
        .or_else(|| tree.number(disk.join("queue/read_ahead_kb")))
}

/// The bdi of a filesystem that has one of its own, with another value: btrfs and others.
fn own_bdi(tree: &Tree, mount: &Mount, part: &Path) -> Option<PathBuf> {
    match mount.kind.as_str() {
        // Linux 5.9 on.
        "btrfs" => {
            let holds = |fs: &PathBuf| fs.join("devices").join(name_of(part)).exists();
            tree.entries("sys/fs/btrfs").into_iter().find(holds).map(|fs| fs.join("bdi"))
        }
        "fuseblk" => Some(tree.path(format!("sys/class/bdi/{}-fuseblk", mount.number))),
        // Named after the kind and a running number that nothing else tells, so only a single one is certain.
        kind if mount.number.starts_with("0:") => {
            let ours =
                |bdi: &PathBuf| name_of(bdi).strip_prefix(kind).is_some_and(|rest| rest.starts_with('-'));
            let mut bdis = tree.entries("sys/class/bdi").into_iter().filter(ours);
            bdis.next().filter(|_| bdis.next().is_none())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
