//! What an exported file holds: predictions, outcomes and facts of the machine, and nothing that names anybody.

use instruments::{Host, Plan};
use lesson::{Prediction, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The schema that this program writes and reads.
pub const SCHEMA: u32 = 1;
/// By this a file is known for what it is.
pub const KIND: &str = "page-cache-tutor export";

/// One learner's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Export {
    /// [`SCHEMA`]
    pub schema: u32,
    /// [`KIND`]
    pub kind: String,
    /// The version that wrote it.
    pub tutor: String,
    /// A random number, so that nobody is counted twice. It says nothing about anybody.
    pub learner: String,
    /// UTC date.
    pub exported_on: String,
    /// The machine, as it was when this was written.
    pub machine: Machine,
    /// Answers by slug and act id, the oldest first: what [`super::attempt_selection`] keeps. Older versions
    /// wrote every round; both are read, and selected from.
    pub labs: BTreeMap<String, BTreeMap<String, Vec<Answer>>>,
}

/// What kind of machine it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// The numbers of the kernel's version: what a builder adds may be somebody's name.
    pub kernel: String,
    /// x86_64, aarch64, …
    pub arch: String,
    /// Bytes in a page.
    pub page_bytes: u64,
    /// Usable processors.
    pub cpus: u32,
    /// MemTotal.
    pub memory_bytes: u64,
    /// The cgroup's limit, where there is one.
    pub memory_limit_bytes: Option<u64>,
    /// ext4, xfs, …
    pub filesystem: String,
    /// What the disk is, in words.
    pub disk: String,
    /// Readahead.
    pub read_ahead_kb: Option<u64>,
    /// The largest request.
    pub max_sectors_kb: Option<u64>,
    /// Whether the filesystem has a bdi of its own, which knows nothing of that; no older file says so.
    pub own_bdi: bool,
    /// vm.dirty_expire_centisecs; no older file says so.
    pub dirty_expire_centisecs: Option<u64>,
    /// vm.dirty_writeback_centisecs; no older file says so.
    pub dirty_writeback_centisecs: Option<u64>,
    /// The hypervisor's name.
    pub virtual_machine: Option<String>,
    /// The container's kind.
    pub container: Option<String>,
    /// always, madvise, never.
    pub transparent_huge_pages: Option<String>,
    /// Whether DAMON may evict cold pages; missing where that is not known.
    pub damon_may_evict: Option<bool>,
    /// Whether cachestat(2) answers.
    pub cachestat: bool,
}

/// One round: what was said, what came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// UTC date.
    pub on: String,
    /// Shown from a recording rather than measured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recorded: bool,
    /// What was said.
    pub prediction: Prediction,
    /// The knobs that it was asked with. Missing in what older versions wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// What came out; missing where it was not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Came>,
    /// How near it was.
    pub verdict: Verdict,
}

/// What came out, without the reasons: those may name files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Came {
    /// An option's id.
    Choice(String),
    /// In the question's unit.
    Quantity(f64),
    /// It was measured, and did not decide.
    Undecided,
    /// It could not be measured.
    Unavailable,
}

impl Machine {
    /// Of this host.
    pub fn of(host: &Host) -> Machine {
        let device = host.device.as_ref();
        let disk = match device {
            None => "no disk visible",
            Some(device) if device.below.is_some() => device.below.as_deref().unwrap_or_default(),
            Some(device) if device.rotational => "a disk with platters that turn",
            Some(_) => "a disk without moving parts",
        };
        let version =
            host.kernel.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(host.kernel.len());
        Machine {
            kernel: host.kernel[..version].trim_end_matches('.').to_owned(),
            arch: host.arch.clone(),
            page_bytes: host.page_bytes,
            cpus: host.cpus,
            memory_bytes: host.mem_total_bytes,
            memory_limit_bytes: host.cgroup.as_ref().and_then(|cgroup| cgroup.limit_bytes),
            filesystem: host.filesystem.kind.clone(),
            disk: disk.to_owned(),
            read_ahead_kb: device.map(|device| device.read_ahead_kb),
            max_sectors_kb: device.map(|device| device.max_sectors_kb),
            own_bdi: device.is_some_and(|device| device.own_bdi),
            dirty_expire_centisecs: Some(host.dirty.expire_centisecs),
            dirty_writeback_centisecs: Some(host.dirty.writeback_centisecs),
            virtual_machine: host.virtual_machine.clone(),
            container: host.container.clone(),
            transparent_huge_pages: host.transparent_huge_pages.clone(),
            damon_may_evict: host.damon.as_ref().map(instruments::host::Damon::may_evict),
            cachestat: host.cachestat,
        }
    }
}
