//! Disks, partitions, mapped devices and filesystems with a number of their own, as /sys shows them.

use super::super::tree::fake::Fake;
use super::*;

fn mount(kind: &str, number: &str, source: &str) -> Mount {
    Mount { kind: kind.into(), number: number.into(), source: source.into(), upper_dir: None }
}

/// A disk with one partition, a mapped device on it, and a loop device.
fn machine(more: &[(&str, &str)]) -> Fake {
    let sda = "sys/devices/pci0000:00/ata1/block/sda";
    let mut files = vec![
        ("sys/devices/pci0000:00/ata1/block/sda/dev", "8:0\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/device/model", "Samsung SSD 870\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/queue/rotational", "0\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/queue/max_sectors_kb", "1280\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/queue/read_ahead_kb", "128\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/queue/write_cache", "write back\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/queue/fua", "0\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/sda2/dev", "8:2\n"),
        ("sys/devices/pci0000:00/ata1/block/sda/sda2/partition", "2\n"),
        ("sys/devices/virtual/block/dm-0/dev", "253:0\n"),
        ("sys/devices/virtual/block/dm-0/dm/name", "vg-home\n"),
        ("sys/devices/virtual/block/dm-0/queue/rotational", "1\n"),
        ("sys/devices/virtual/block/dm-0/queue/max_sectors_kb", "1280\n"),
        ("sys/devices/virtual/block/dm-0/queue/read_ahead_kb", "256\n"),
        ("sys/class/bdi/8:0/read_ahead_kb", "128\n"),
        ("sys/class/bdi/253:0/read_ahead_kb", "512\n"),
    ];
    files.extend_from_slice(more);
    Fake::new(&files)
        .link("sys/dev/block/8:0", sda)
        .link("sys/dev/block/8:2", "sys/devices/pci0000:00/ata1/block/sda/sda2")
        .link("sys/dev/block/253:0", "sys/devices/virtual/block/dm-0")
        .link("sys/class/block/sda2", "sys/devices/pci0000:00/ata1/block/sda/sda2")
        .link("sys/class/block/dm-0", "sys/devices/virtual/block/dm-0")
        .link("sys/devices/virtual/block/dm-0/slaves/sda2", "sys/devices/pci0000:00/ata1/block/sda/sda2")
}

fn read_ahead(fake: &Fake, mount: &Mount) -> Option<u64> {
    of(&fake.tree, mount, None).map(|device| device.read_ahead_kb)
}

#[test]
fn a_partition_has_the_settings_of_its_disk() {
    let device = of(&machine(&[]).tree, &mount("ext4", "8:2", "/dev/sda2"), None);
    let expected = Device {
        name: "sda".into(),
        rotational: false,
        read_ahead_kb: 128,
        max_sectors_kb: 1280,
        own_bdi: false,
        write_cache: Some("write back".into()),
        fua: Some(false),
        below: None,
    };
    assert_eq!(device, Some(expected));
}

#[test]
fn a_mapped_device_has_settings_of_its_own() {
    let device = of(&machine(&[]).tree, &mount("xfs", "253:0", "/dev/mapper/vg-home"), None);
    let expected = Device {
        name: "dm-0".into(),
        rotational: true,
        read_ahead_kb: 512,
        max_sectors_kb: 1280,
        own_bdi: false,
        write_cache: None,
        fua: None,
        below: None,
    };
    assert_eq!(device, Some(expected), "512 is what its bdi says, and 256 only its queue");
}

#[test]
fn a_virtual_machine_is_told_below() {
    let device = of(&machine(&[]).tree, &mount("ext4", "8:2", "/dev/root"), Some("KVM"));
    let below = device.and_then(|device| device.below);
    assert_eq!(below.as_deref(), Some("the disk of a virtual machine (KVM)"));
}

#[test]
fn btrfs_is_found_by_its_source_and_has_its_own_readahead() {
    let fake = machine(&[
        ("sys/fs/btrfs/features/extended_iref", "1\n"),
        ("sys/fs/btrfs/0a-other/devices/sdb1/", ""),
        ("sys/fs/btrfs/0a-other/bdi/read_ahead_kb", "111\n"),
        ("sys/fs/btrfs/1b-ours/devices/sda2/", ""),
        ("sys/fs/btrfs/1b-ours/bdi/read_ahead_kb", "4096\n"),
    ]);
    let btrfs = mount("btrfs", "0:31", "/dev/sda2");
    let device = of(&fake.tree, &btrfs, None).expect("it is found");
    assert_eq!((device.name.as_str(), device.read_ahead_kb, device.own_bdi), ("sda", 4096, true));
    let device = of(&fake.tree, &mount("ext4", "8:2", "/dev/sda2"), None).expect("it is found");
    assert!(!device.own_bdi, "{device:?}");
}

#[test]
fn a_mapped_name_is_found_without_its_node() {
    let fake = machine(&[]);
    let device = of(&fake.tree, &mount("btrfs", "0:31", "/dev/mapper/vg-home"), None).expect("it is found");
    assert_eq!((device.name.as_str(), device.read_ahead_kb), ("dm-0", 512));
}

#[test]
fn a_made_up_number_is_no_device() {
    let fake = machine(&[]);
    for (kind, source) in [
        ("tmpfs", "tmpfs"),
        ("nfs4", "server:/dev/sda2"),
        ("zfs", "dev/sda2"),
        ("9p", "/etc/sda2"),
        ("overlay", ""),
    ] {
        assert_eq!(of(&fake.tree, &mount(kind, "0:40", source), None), None, "{kind}");
    }
    assert_eq!(of(&fake.tree, &mount("ext4", "9:9", "/dev/gone"), None), None);
}

#[test]
fn fuseblk_and_bcachefs_have_a_bdi_of_their_own() {
    let ntfs = machine(&[("sys/class/bdi/8:2-fuseblk/read_ahead_kb", "64\n")]);
    assert_eq!(read_ahead(&ntfs, &mount("fuseblk", "8:2", "/dev/sda2")), Some(64));

    let one = machine(&[("sys/class/bdi/bcachefs-1/read_ahead_kb", "1024\n")]);
    let bcachefs = mount("bcachefs", "0:50", "/dev/sda2:/dev/sdb1");
    assert_eq!(read_ahead(&one, &bcachefs), Some(1024));

    let several = machine(&[
        ("sys/class/bdi/bcachefs-1/read_ahead_kb", "1024\n"),
        ("sys/class/bdi/bcachefs-2/read_ahead_kb", "2048\n"),
    ]);
    assert_eq!(read_ahead(&several, &bcachefs), Some(128), "nobody knows which, so the disk's has to do");
}

#[test]
fn without_a_bdi_the_queue_tells() {
    let fake = Fake::new(&[
        ("sys/devices/block/nvme0n1/queue/read_ahead_kb", "128\n"),
        ("sys/devices/block/nvme0n1/queue/max_sectors_kb", "512\n"),
    ])
    .link("sys/dev/block/259:0", "sys/devices/block/nvme0n1");
    assert_eq!(read_ahead(&fake, &mount("ext4", "259:0", "/dev/nvme0n1")), Some(128));
}
