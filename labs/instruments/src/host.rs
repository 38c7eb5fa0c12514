//! The facts of this machine that an explanation may need. No host name, no user name, no path: a recording is
//! shared with others.
//!
//! Each fact has a small module that reads it from a tree of files: `/` here, a made-up one in the tests.

mod backing;
mod below;
mod container;
mod damon;
mod device;
mod mount;
mod privileges;
mod probe;
mod tree;
mod virtual_machine;

pub use backing::backing_file;
pub use probe::device_below;

use serde::{Deserialize, Serialize};

/// What this machine is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Host {
    /// Kernel release, such as 6.18.44.
    pub kernel: String,
    /// x86_64, aarch64, …
    pub arch: String,
    /// Bytes in a page.
    pub page_bytes: u64,
    /// Processors that we may use.
    pub cpus: u32,
    /// MemTotal; 0 where /proc/meminfo cannot be read.
    pub mem_total_bytes: u64,
    /// MemAvailable at the start.
    pub mem_available_bytes: u64,
    /// The memory cgroup that we live in, where one is visible.
    pub cgroup: Option<Cgroup>,
    /// Where the scratch files lie.
    pub filesystem: Filesystem,
    /// The block device below, where one is visible in /sys.
    pub device: Option<Device>,
    /// When the kernel starts writing by itself.
    pub dirty: DirtySettings,
    /// The hypervisor's name, where this is a virtual machine.
    pub virtual_machine: Option<String>,
    /// docker, podman, lxc, …, where this is a container.
    pub container: Option<String>,
    /// Who we are and what we may do.
    pub privileges: Privileges,
    /// Whether cachestat(2) answers here.
    pub cachestat: bool,
    /// fault_around_bytes, where debugfs tells.
    pub fault_around_bytes: Option<u64>,
    /// The bracketed word of /sys/kernel/mm/transparent_hugepage/enabled.
    pub transparent_huge_pages: Option<String>,
    /// The bracketed word of /sys/kernel/mm/transparent_hugepage/shmem_enabled: what tmpfs does unless mounted otherwise.
    pub shmem_huge_pages: Option<String>,
    /// DAMON, where it can be seen whether it runs.
    pub damon: Option<Damon>,
    /// /sys/kernel/mm/lru_gen/enabled, where there is one.
    pub lru_gen: Option<String>,
}

/// The memory cgroup that bounds our cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cgroup {
    /// 1 or 2.
    pub version: u32,
    /// The smallest limit from here to the root, None where there is none.
    pub limit_bytes: Option<u64>,
}

/// The filesystem of the scratch directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filesystem {
    /// ext4, xfs, btrfs, overlay, tmpfs, … as /proc/self/mountinfo says; empty where it does not.
    pub kind: String,
    /// f_type of statfs(2).
    pub magic: u64,
}

/// A block device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Device {
    /// Kernel name, such as vda, nvme0n1, dm-0, loop0; of the whole disk, not of a partition.
    pub name: String,
    /// queue/rotational.
    pub rotational: bool,
    /// read_ahead_kb that the filesystem really uses: of its bdi, which is the device's own on most filesystems.
    pub read_ahead_kb: u64,
    /// Whether the filesystem has a bdi of its own, as btrfs has: what the disk says about requests does not get there.
    pub own_bdi: bool,
    /// queue/max_sectors_kb.
    pub max_sectors_kb: u64,
    /// queue/write_cache: `write back` where the device says that it has a cache which a power cut empties, `write through`
    /// where it says that it has none; None where it does not say.
    pub write_cache: Option<String>,
    /// queue/fua: whether a single write can be forced past that cache. None where it does not say.
    pub fua: Option<bool>,
    /// Where a cache may lie below: what the disk is, in words that follow "this disk is", such as "a virtual disk
    /// (virtio)".
    pub below: Option<String>,
}

/// DAMON, which watches how memory is used, and may act on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Damon {
    /// Threads of the kernel named kdamond.N.
    pub threads: u32,
    /// What they do with the pages that they find, such as pageout or stat; empty where only root may read it.
    pub actions: Vec<String>,
}

impl Damon {
    /// Whether it takes cold pages out of memory, as far as is known: what it does may be hidden.
    pub fn may_evict(&self) -> bool {
        self.threads > 0 && (self.actions.is_empty() || self.actions.iter().any(|action| action == "pageout"))
    }
}

/// vm.dirty_* sysctls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DirtySettings {
    /// vm.dirty_background_ratio, percent.
    pub background_ratio: u64,
    /// vm.dirty_background_bytes; 0 means that the ratio rules.
    pub background_bytes: u64,
    /// vm.dirty_ratio, percent.
    pub ratio: u64,
    /// vm.dirty_bytes; 0 means that the ratio rules.
    pub bytes: u64,
    /// vm.dirty_expire_centisecs.
    pub expire_centisecs: u64,
    /// vm.dirty_writeback_centisecs.
    pub writeback_centisecs: u64,
}

/// Who we are and what we may do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Privileges {
    /// Effective user id 0.
    pub root: bool,
    /// Effective capabilities by name, such as CAP_SYS_ADMIN.
    pub capabilities: Vec<String>,
    /// kernel.perf_event_paranoid, where readable.
    pub perf_event_paranoid: Option<i64>,
    /// kernel.yama.ptrace_scope, where there is one.
    pub ptrace_scope: Option<i64>,
    /// Whether a user namespace may be made (tried, in a child).
    pub user_namespaces: bool,
}
