//! Gather the facts. What this user may not read stays unknown; only a scratch directory that is not there is an error.

use super::mount::Mount;
use super::tree::Tree;
use super::{
    Cgroup, Device, DirtySettings, Filesystem, Host, container, damon, device, privileges, virtual_machine,
};
use crate::{Unavailable, magic, open, pages, proc, residency};
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use std::fs::File;
use std::path::Path;

impl Host {
    /// Everything that can be read without privilege; what cannot is left at None. `scratch` is the directory
    /// whose filesystem and device are meant.
    pub fn probe(scratch: &Path) -> Result<Host, Unavailable> {
        let failed = |error| {
            let what = format!("look at {}", open::shown(scratch));
            Unavailable::failed(what, error, "name a directory that you may read")
        };
        let dir = File::open(scratch).map_err(failed)?;
        let tree = Tree::real();
        let kernel = tree.text("proc/sys/kernel/osrelease").unwrap_or_default();
        let memory = proc::meminfo().unwrap_or_default();
        let virtual_machine = virtual_machine::of(&tree, &kernel);
        let mount = Mount::holding(&dir).unwrap_or_default();
        Ok(Host {
            arch: std::env::consts::ARCH.into(),
            page_bytes: pages::page_bytes(),
            cpus: cpus(),
            mem_total_bytes: memory.total_bytes,
            mem_available_bytes: memory.available_bytes,
            cgroup: proc::cgroup::own()
                .map(|cgroup| Cgroup { version: cgroup.version, limit_bytes: cgroup.limit_bytes() }),
            device: device::of(&tree, &written_through(&mount), virtual_machine.as_deref()),
            filesystem: Filesystem { kind: mount.kind, magic: magic::of(&dir).map_err(failed)? },
            dirty: dirty_settings(&tree),
            container: container::of(&tree, std::env::var("container").ok().as_deref()),
            privileges: privileges::of(&tree),
            cachestat: residency::has_cachestat(),
            fault_around_bytes: tree.number("sys/kernel/debug/fault_around_bytes"),
            transparent_huge_pages: tree
                .text("sys/kernel/mm/transparent_hugepage/enabled")
                .and_then(|words| bracketed(&words)),
            shmem_huge_pages: tree
                .text("sys/kernel/mm/transparent_hugepage/shmem_enabled")
                .and_then(|words| bracketed(&words)),
            damon: damon::of(&tree),
            lru_gen: tree.text("sys/kernel/mm/lru_gen/enabled"),
            virtual_machine,
            kernel,
        })
    }
}

/// The block device that holds what is written into the directory `dir`, where one is visible in /sys: as
/// [`Host::device`], without all the other facts, for a workload that only wants its name.
pub fn device_below(dir: &Path) -> Option<Device> {
    let mount = Mount::holding(&File::open(dir).ok()?)?;
    device::of(&Tree::real(), &written_through(&mount), None)
}

/// Where the files of a mount really go: for an overlay that is its upper layer, where that is visible from here.
fn written_through(mount: &Mount) -> Mount {
    let upper = || Mount::holding(&File::open(mount.upper_dir.as_ref()?).ok()?);
    upper().unwrap_or_else(|| mount.clone())
}

/// Processors that this process may run on. See sched_getaffinity(2).
fn cpus() -> u32 {
    let count = |set: CpuSet| (0..CpuSet::count()).filter(|cpu| set.is_set(*cpu) == Ok(true)).count();
    // The call refuses where the machine has more processors than the set has room for.
    let by_affinity = sched_getaffinity(Pid::from_raw(0)).map(count).ok();
    let cpus = by_affinity.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    cpus.and_then(|cpus| u32::try_from(cpus).ok()).unwrap_or(1)
}

/// See Documentation/admin-guide/sysctl/vm.rst of the kernel.
fn dirty_settings(tree: &Tree) -> DirtySettings {
    let setting = |name: &str| tree.number(format!("proc/sys/vm/{name}")).unwrap_or_default();
    DirtySettings {
        background_ratio: setting("dirty_background_ratio"),
        background_bytes: setting("dirty_background_bytes"),
        ratio: setting("dirty_ratio"),
        bytes: setting("dirty_bytes"),
        expire_centisecs: setting("dirty_expire_centisecs"),
        writeback_centisecs: setting("dirty_writeback_centisecs"),
    }
}

/// `madvise` of `always [madvise] never`.
fn bracketed(words: &str) -> Option<String> {
    let (_, rest) = words.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake::Fake;
    use super::*;

    #[test]
    fn the_chosen_word_stands_in_brackets() {
        assert_eq!(bracketed("always [madvise] never").as_deref(), Some("madvise"));
        assert_eq!(bracketed("[always] madvise never").as_deref(), Some("always"));
        assert_eq!(bracketed("always madvise"), None);
        assert_eq!(bracketed(""), None);
    }

    #[test]
    fn dirty_settings_are_read_by_name() {
        let fake = Fake::new(&[
            ("proc/sys/vm/dirty_background_ratio", "10\n"),
            ("proc/sys/vm/dirty_ratio", "20\n"),
            ("proc/sys/vm/dirty_expire_centisecs", "3000\n"),
            ("proc/sys/vm/dirty_writeback_centisecs", "500\n"),
        ]);
        let expected = DirtySettings {
            background_ratio: 10,
            ratio: 20,
            expire_centisecs: 3000,
            writeback_centisecs: 500,
            ..DirtySettings::default()
        };
        assert_eq!(dirty_settings(&fake.tree), expected);
    }

    #[test]
    fn this_machine_is_known_and_stays_anonymous() {
        let dir = tempfile::Builder::new().prefix("a-private-name").tempdir().expect("a directory");
        let host = Host::probe(dir.path()).expect("the directory is there");
        assert!(host.kernel.starts_with(|c: char| c.is_ascii_digit()), "{}", host.kernel);
        assert_eq!((host.page_bytes, host.arch.as_str()), (pages::page_bytes(), std::env::consts::ARCH));
        assert!(
            host.cpus > 0 && host.mem_total_bytes >= host.mem_available_bytes && host.mem_total_bytes > 0
        );
        assert!(!host.filesystem.kind.is_empty() && host.filesystem.magic > 0);

        let shown = serde_json::to_string(&host).expect("it can be written");
        let name = nix::unistd::gethostname().expect("every machine has one");
        assert!(!shown.contains('/') && !shown.contains("a-private-name"), "a path: {shown}");
        assert!(!shown.contains(&format!("\"{}\"", name.to_string_lossy())), "the machine's name: {shown}");
        assert_eq!(serde_json::from_str::<Host>(&shown).expect("it can be read"), host);
    }

    #[test]
    fn what_lives_in_memory_has_no_device() {
        let proc = Host::probe(Path::new("/proc")).expect("it is there");
        assert_eq!((proc.filesystem.kind.as_str(), proc.device), ("proc", None));
    }

    #[test]
    fn the_device_below_a_directory_is_that_of_the_host() {
        let dir = tempfile::tempdir().expect("a directory");
        let host = Host::probe(dir.path()).expect("the directory is there");
        assert_eq!(device_below(dir.path()).map(|device| device.name), host.device.map(|device| device.name));
        assert_eq!(device_below(Path::new("/nowhere/at/all")), None);
    }

    #[test]
    fn a_directory_that_is_not_there_is_told() {
        let refusal = Host::probe(Path::new("/nowhere/at/all")).expect_err("it is not there").to_string();
        assert!(refusal.starts_with("cannot look at /nowhere/at/all: "), "{refusal}");
    }
}
