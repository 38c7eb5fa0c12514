//! Whether another cache may lie below a disk: a virtual machine's host, a loop device's file, a server in the network.

use super::device::{name_of, whole_disk};
use super::tree::Tree;
use std::path::Path;

/// Devices on devices on devices: nobody stacks more.
const DEEPEST: u32 = 8;

/// Kernel names by their start. See Documentation/admin-guide/devices.txt of the kernel.
const BY_NAME: [(&str, &str); 11] = [
    ("vd", "a virtual disk (virtio)"),
    ("xvd", "a virtual disk (Xen)"),
    ("ubd", "a file of the host (User-mode Linux)"),
    ("loop", "a file behind a loop device"),
    ("nbd", "a disk reached over the network (nbd)"),
    ("rbd", "a disk reached over the network (Ceph)"),
    ("drbd", "a disk mirrored over the network (DRBD)"),
    ("bcache", "a disk with a faster one before it (bcache)"),
    ("zram", "a piece of compressed memory (zram)"),
    ("ram", "a piece of memory (a RAM disk)"),
    ("ublkb", "a disk that a program makes up (ublk)"),
];

/// Vendors and models that only virtual disks have, by their start.
const BY_MODEL: [(&str, &str); 12] = [
    ("QEMU", "a virtual disk (QEMU)"),
    ("VBOX", "a virtual disk (VirtualBox)"),
    ("ORCL-VBOX", "a virtual disk (VirtualBox)"),
    ("VMware", "a virtual disk (VMware)"),
    ("Msft", "a virtual disk (Hyper-V)"),
    ("MSFT NVMe Accelerator", "a virtual disk (Azure)"),
    ("Amazon Elastic Block Store", "a disk reached over the network (Amazon EBS)"),
    ("Google", "a virtual disk (Google Compute Engine)"),
    ("nvme_card", "a virtual disk (Google Compute Engine)"),
    ("PersistentDisk", "a disk reached over the network (Google Persistent Disk)"),
    ("BHYVE", "a virtual disk (bhyve)"),
    ("Apple Virtual", "a virtual disk (Apple)"),
];

/// Parts of the directory in /sys of disks that hang on a storage network.
const BY_PATH: [(&str, &str); 2] = [
    ("/session", "a disk reached over the network (iSCSI)"),
    ("/rport-", "a disk reached over a storage network (Fibre Channel)"),
];

/// What the disk is, where a cache may lie below it, in words that follow "this disk is". `disk` is its directory in
/// /sys; `virtual_machine` the hypervisor's name.
pub(super) fn of(tree: &Tree, disk: &Path, virtual_machine: Option<&str>) -> Option<String> {
    seen(tree, disk, DEEPEST)
        .or_else(|| virtual_machine.map(|hypervisor| format!("the disk of a virtual machine ({hypervisor})")))
}

/// What the disk itself, or one that it lies on, tells.
fn seen(tree: &Tree, disk: &Path, depth: u32) -> Option<String> {
    let by = |table: &[(&str, &str)], matches: &dyn Fn(&str) -> bool| {
        table.iter().find(|(key, _)| matches(key)).map(|(_, words)| (*words).to_owned())
    };
    let name = name_of(disk);
    let mark = |file: &str| tree.text(disk.join("device").join(file)).unwrap_or_default();
    let (vendor, model, transport) = (mark("vendor"), mark("model"), mark("transport"));

    by(&BY_NAME, &|start| name.starts_with(start))
        .or_else(|| by(&BY_MODEL, &|start| vendor.starts_with(start) || model.starts_with(start)))
        .or_else(|| by(&BY_PATH, &|part| disk.to_string_lossy().contains(part)))
        .or_else(|| match transport.as_str() {
            "tcp" | "rdma" | "fc" => Some(format!("a disk reached over the network (NVMe over {transport})")),
            _ => None,
        })
        .or_else(|| {
            let lower = tree.entries(disk.join("slaves"));
            let mut lower = lower.iter().filter_map(|device| device.canonicalize().ok());
            lower.find_map(|device| seen(tree, &whole_disk(&device), depth.checked_sub(1)?))
        })
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake::Fake;
    use super::*;

    fn told(files: &[(&str, &str)], disk: &str, virtual_machine: Option<&str>) -> Option<String> {
        let fake = Fake::new(files);
        of(&fake.tree, &fake.tree.path(disk), virtual_machine)
    }

    #[test]
    fn the_name_tells() {
        for (name, words) in [
            ("vda", "a virtual disk (virtio)"),
            ("xvda", "a virtual disk (Xen)"),
            ("loop7", "a file behind a loop device"),
            ("nbd0", "a disk reached over the network (nbd)"),
            ("zram0", "a piece of compressed memory (zram)"),
        ] {
            assert_eq!(told(&[], &format!("sys/block/{name}"), None).as_deref(), Some(words));
        }
    }

    #[test]
    fn the_model_tells() {
        let ata = [
            ("sys/block/sda/device/vendor", "ATA     \n"),
            ("sys/block/sda/device/model", "QEMU HARDDISK   \n"),
        ];
        assert_eq!(told(&ata, "sys/block/sda", None).as_deref(), Some("a virtual disk (QEMU)"));
        let ebs = [("sys/block/nvme0n1/device/model", "Amazon Elastic Block Store              \n")];
        let words = told(&ebs, "sys/block/nvme0n1", Some("Amazon EC2"));
        assert_eq!(words.as_deref(), Some("a disk reached over the network (Amazon EBS)"));
    }

    #[test]
    fn a_storage_network_tells() {
        let disk = "sys/devices/platform/host3/session1/target3:0:0/3:0:0:1/block/sdb";
        assert_eq!(told(&[], disk, None).as_deref(), Some("a disk reached over the network (iSCSI)"));
        let tcp = [("sys/block/nvme1n1/device/transport", "tcp\n")];
        let words = told(&tcp, "sys/block/nvme1n1", None);
        assert_eq!(words.as_deref(), Some("a disk reached over the network (NVMe over tcp)"));
    }

    #[test]
    fn a_bare_disk_has_nothing_below_unless_the_machine_is_virtual() {
        let nvme = [
            ("sys/block/nvme0n1/device/model", "Samsung SSD 990 PRO 2TB\n"),
            ("sys/block/nvme0n1/device/transport", "pcie\n"),
        ];
        assert_eq!(told(&nvme, "sys/block/nvme0n1", None), None);
        let words = told(&nvme, "sys/block/nvme0n1", Some("KVM"));
        assert_eq!(words.as_deref(), Some("the disk of a virtual machine (KVM)"));
    }

    #[test]
    fn what_lies_under_a_mapped_device_tells() {
        let fake = Fake::new(&[
            ("sys/devices/virtual/block/dm-1/dm/name", "home\n"),
            ("sys/devices/virtual/block/dm-0/dm/name", "crypt\n"),
            ("sys/devices/pci/block/vdb/vdb2/partition", "2\n"),
        ])
        .link("sys/devices/virtual/block/dm-1/slaves/dm-0", "sys/devices/virtual/block/dm-0")
        .link("sys/devices/virtual/block/dm-0/slaves/vdb2", "sys/devices/pci/block/vdb/vdb2");
        let dm_1 = fake.tree.path("sys/devices/virtual/block/dm-1");
        assert_eq!(of(&fake.tree, &dm_1, None).as_deref(), Some("a virtual disk (virtio)"));
    }

    #[test]
    fn a_device_on_itself_ends() {
        let fake = Fake::new(&[("sys/block/dm-0/dm/name", "ring\n")])
            .link("sys/block/dm-0/slaves/dm-0", "sys/block/dm-0");
        assert_eq!(of(&fake.tree, &fake.tree.path("sys/block/dm-0"), None), None);
    }
}
