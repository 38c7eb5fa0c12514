//! Whether this is a virtual machine, and whose, by what the kernel and the firmware tell everybody.

use super::tree::Tree;

/// Vendors and products that only virtual machines have, by their start; the more telling ones first.
const BY_FIRMWARE: [(&str, &str); 17] = [
    ("VMware", "VMware"),
    ("VirtualBox", "VirtualBox"),
    ("innotek GmbH", "VirtualBox"),
    ("Virtual Machine", "Hyper-V"),
    ("Parallels", "Parallels"),
    ("BHYVE", "bhyve"),
    ("Apple Virtualization", "Apple Virtualization"),
    ("HVM domU", "Xen"),
    ("Xen", "Xen"),
    ("Google Compute Engine", "Google Compute Engine"),
    ("Amazon EC2", "Amazon EC2"),
    ("Alibaba Cloud", "Alibaba Cloud"),
    ("DigitalOcean", "DigitalOcean"),
    ("OpenStack", "OpenStack"),
    ("KVM", "KVM"),
    ("QEMU", "QEMU"),
    ("Bochs", "Bochs"),
];

/// Clocks that a hypervisor offers, by a part of their name: they tell its name where there is no firmware.
const BY_CLOCK: [(&str, &str); 3] = [("kvm-clock", "KVM"), ("hyperv", "Hyper-V"), ("xen", "Xen")];

/// The hypervisor's name; None on bare metal, and where nothing tells. `release` is the kernel's.
pub(super) fn of(tree: &Tree, release: &str) -> Option<String> {
    if release.to_lowercase().contains("microsoft") {
        return Some("WSL".into());
    }
    by_device_tree(tree)
        .or_else(|| by_xen(tree))
        .or_else(|| by_firmware(tree))
        .or_else(|| by_processor(tree))
        .map(str::to_owned)
}

/// Machines without ACPI, most of them aarch64.
fn by_device_tree(tree: &Tree) -> Option<&'static str> {
    match tree.text("proc/device-tree/hypervisor/compatible") {
        Some(compatible) if compatible.contains("xen") => Some("Xen"),
        Some(compatible) if compatible.contains("vmware") => Some("VMware"),
        Some(_) => Some("KVM"),
        None => tree
            .text("proc/device-tree/compatible")
            .filter(|board| board.contains("dummy-virt"))
            .map(|_| "QEMU"),
    }
}

fn by_xen(tree: &Tree) -> Option<&'static str> {
    let is_xen = tree.text("sys/hypervisor/type")? == "xen";
    // Xen's first domain drives the real disks itself.
    let is_first = tree.text("proc/xen/capabilities").is_some_and(|domain| domain.contains("control_d"));
    (is_xen && !is_first).then_some("Xen")
}

fn by_firmware(tree: &Tree) -> Option<&'static str> {
    let read = |file: &str| tree.text(format!("sys/class/dmi/id/{file}")).unwrap_or_default();
    let (vendor, product) = (read("sys_vendor"), read("product_name"));
    // Amazon rents whole machines too, and names them like this: m5.metal, c7g.metal-48xl.
    if product.contains(".metal") {
        return None;
    }
    BY_FIRMWARE
        .iter()
        .find(|(start, _)| product.starts_with(start) || vendor.starts_with(start))
        .map(|(_, name)| *name)
}

/// x86: a bit that every hypervisor sets. Which one it is, its clock tells.
fn by_processor(tree: &Tree) -> Option<&'static str> {
    let cpuinfo = tree.text("proc/cpuinfo")?;
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    if !flags.split_whitespace().any(|flag| flag == "hypervisor") {
        return None;
    }
    let clocks =
        tree.text("sys/devices/system/clocksource/clocksource0/available_clocksource").unwrap_or_default();
    let named = BY_CLOCK.iter().find(|(part, _)| clocks.contains(part)).map(|(_, name)| *name);
    named.or(Some("an unnamed hypervisor"))
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake::Fake;
    use super::*;

    fn told(files: &[(&str, &str)]) -> Option<String> {
        of(&Fake::new(files).tree, "6.18.44")
    }

    fn firmware(vendor: &str, product: &str) -> Option<String> {
        told(&[("sys/class/dmi/id/sys_vendor", vendor), ("sys/class/dmi/id/product_name", product)])
    }

    const CPUINFO: (&str, &str) = ("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\n");

    #[test]
    fn firmware_tells() {
        for (vendor, product, name) in [
            ("QEMU\n", "Standard PC (Q35 + ICH9, 2009)\n", "QEMU"),
            ("Red Hat\n", "KVM\n", "KVM"),
            ("Microsoft Corporation\n", "Virtual Machine\n", "Hyper-V"),
            ("VMware, Inc.\n", "VMware Virtual Platform\n", "VMware"),
            ("innotek GmbH\n", "VirtualBox\n", "VirtualBox"),
            ("Amazon EC2\n", "t3.micro\n", "Amazon EC2"),
            ("Google\n", "Google Compute Engine\n", "Google Compute Engine"),
            ("Apple Inc.\n", "Apple Virtualization Generic Platform\n", "Apple Virtualization"),
        ] {
            assert_eq!(firmware(vendor, product).as_deref(), Some(name));
        }
    }

    #[test]
    fn bare_metal_is_none() {
        assert_eq!(firmware("Dell Inc.\n", "XPS 13 9310\n"), None);
        assert_eq!(firmware("Microsoft Corporation\n", "Surface Laptop\n"), None);
        assert_eq!(firmware("Apple Inc.\n", "MacBookPro16,1\n"), None);
        assert_eq!(firmware("Google\n", "Eve\n"), None);
        assert_eq!(firmware("Amazon EC2\n", "m5.metal\n"), None);
        assert_eq!(told(&[("proc/cpuinfo", "flags\t\t: fpu vme lahf_lm\n")]), None);
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn without_firmware_the_processor_tells() {
        assert_eq!(told(&[CPUINFO]).as_deref(), Some("an unnamed hypervisor"));
        let clock = ("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc kvm-clock \n");
        assert_eq!(told(&[CPUINFO, clock]).as_deref(), Some("KVM"));
    }

    #[test]
    fn a_device_tree_tells() {
        assert_eq!(
            told(&[("proc/device-tree/hypervisor/compatible", "linux,kvm\0")]).as_deref(),
            Some("KVM")
        );
        assert_eq!(
            told(&[("proc/device-tree/hypervisor/compatible", "xen,xen-4.17\0xen,xen\0")]).as_deref(),
            Some("Xen")
        );
        assert_eq!(told(&[("proc/device-tree/compatible", "linux,dummy-virt\0")]).as_deref(), Some("QEMU"));
        assert_eq!(told(&[("proc/device-tree/compatible", "raspberrypi,4-model-b\0brcm,bcm2711\0")]), None);
    }

    #[test]
    fn the_first_domain_of_xen_is_no_guest() {
        let xen = ("sys/hypervisor/type", "xen\n");
        assert_eq!(told(&[xen]).as_deref(), Some("Xen"));
        assert_eq!(told(&[xen, ("proc/xen/capabilities", "control_d\n")]), None);
    }

    #[test]
    fn wsl_tells_by_its_kernel() {
        let fake = Fake::new(&[]);
        assert_eq!(of(&fake.tree, "5.15.153.1-microsoft-standard-WSL2").as_deref(), Some("WSL"));
    }
}
