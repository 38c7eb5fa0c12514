//! Every reason for which a number may mislead: one shared list, so that all labs say the same thing the same way.

use crate::taken::Taken;
use instruments::size::format_bytes;
use instruments::{Host, Samples};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A reason for which a number may mislead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caveat {
    /// A second cache may lie below the device; the word says which device.
    CacheBelow(String),
    /// The spreads of two arms overlap: no verdict between these two.
    SpreadsOverlap(String, String),
    /// The trials of this arm, or of these, lie far apart: see [`instruments::Samples::is_wide`].
    WideSpread(String),
    /// Trials thrown away because the state was wrong: how many, and why.
    Discarded(u32, String),
    /// Fewer trials were kept than wanted: kept, wanted.
    FewTrials(u32, u32),
    /// The lab was run at a smaller size than its default, because of this. It stands beside every act, also beside
    /// one whose file is not the data file: so it speaks of the lab.
    Smaller(String),
    /// Residency is unknown, for this reason.
    ResidencyUnknown(String),
    /// The kernel does not account for device bytes here.
    NoDeviceCounter,
    /// The filesystem is not one whose cache this course knows well.
    Filesystem(String),
    /// Other programs used the machine meanwhile; the sentence says how that showed.
    OtherWriters(String),
    /// A cgroup bounds the cache: limit in bytes as text.
    CgroupLimit(String),
    /// Something could not be read without a privilege: what, and which.
    NotPermitted(String, String),
    /// A tool is not installed, so a part was left out.
    ToolMissing(String),
    /// Others took pages of the cache while this was measured.
    PagesTaken(Taken),
    /// Something particular to one lab.
    Other(String),
}

impl fmt::Display for Caveat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caveat::CacheBelow(what) => write!(
                f,
                "This disk is {what}: a cache below it may have served part of a cold run. A bare disk may be slower."
            ),
            Caveat::SpreadsOverlap(a, b) => {
                write!(
                    f,
                    "The spreads of {a} and {b} overlap: no verdict between the two on this machine, now."
                )
            }
            Caveat::WideSpread(arms) => write!(
                f,
                "The trials of {arms} lie far apart: take such a figure as a rough one. A quieter machine tells more."
            ),
            Caveat::Discarded(count, why) => {
                let (trials, were) = if *count == 1 { ("trial", "was") } else { ("trials", "were") };
                write!(f, "{count} {trials} {were} thrown away, not averaged in: {why}.")
            }
            Caveat::FewTrials(kept, wanted) => {
                write!(
                    f,
                    "One arm kept {kept} of the {wanted} trials that it should have: take its figures with care."
                )
            }
            Caveat::Smaller(why) => write!(f, "This lab was run at a smaller size than its default: {why}."),
            Caveat::ResidencyUnknown(why) => write!(f, "Residency is unknown here: {why}."),
            Caveat::NoDeviceCounter => {
                f.write_str("This kernel does not count the bytes that a device delivers to a process.")
            }
            Caveat::Filesystem(kind) => {
                write!(f, "The scratch files lie on {kind}, whose cache this course does not know well.")
            }
            Caveat::OtherWriters(how) => write!(f, "Other programs used the machine meanwhile: {how}."),
            Caveat::CgroupLimit(limit) => {
                write!(f, "A memory limit of {limit} bounds what can stay cached for this process.")
            }
            Caveat::NotPermitted(what, privilege) => {
                write!(f, "{what} could not be read: it needs {privilege}.")
            }
            Caveat::ToolMissing(tool) => {
                write!(f, "{tool} is not installed here, so that part was left out.")
            }
            Caveat::PagesTaken(taken) => taken.fmt(f),
            Caveat::Other(sentence) => f.write_str(sentence),
        }
    }
}

/// Filesystems whose cache the course speaks about: tmpfs too, which is nothing but cache.
const KNOWN_FILESYSTEMS: [&str; 8] = ["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "overlay", "tmpfs"];

/// Of these arms, those that spread so widely that their figures are rough.
pub fn of_spreads(arms: &[(&str, &Samples)]) -> Option<Caveat> {
    let wide: Vec<_> = arms.iter().filter(|(_, samples)| samples.is_wide()).map(|(name, _)| *name).collect();
    let (last, others) = wide.split_last()?;
    let arms = if others.is_empty() {
        (*last).to_owned()
    } else {
        format!("{} and of {last}", others.join(", of "))
    };
    Some(Caveat::WideSpread(arms))
}

/// The caveats that the machine calls for in an act that reads from memory only: what lies below the device has no part
/// in it.
pub fn of_memory(host: &Host) -> Vec<Caveat> {
    of_host(host).into_iter().filter(|caveat| !matches!(caveat, Caveat::CacheBelow(_))).collect()
}

/// The caveats that the machine calls for in an act in which the time of the device matters.
pub fn of_device(host: &Host) -> Vec<Caveat> {
    of_host(host)
}

/// The caveats that follow from the machine alone, whatever was measured on it.
pub fn of_host(host: &Host) -> Vec<Caveat> {
    let below = host.device.as_ref().and_then(|device| device.below.clone());
    let kind = match host.filesystem.kind.as_str() {
        "" => Some("a filesystem of an unknown kind"),
        kind => Some(kind).filter(|kind| !KNOWN_FILESYSTEMS.contains(kind)),
    };
    let limit = host.cgroup.as_ref().and_then(|cgroup| cgroup.limit_bytes);
    [
        below.map(Caveat::CacheBelow),
        kind.map(|kind| Caveat::Filesystem(kind.into())),
        // A limit that nobody can reach bounds nothing.
        limit
            .filter(|bytes| *bytes < host.mem_total_bytes)
            .map(|bytes| Caveat::CgroupLimit(format_bytes(bytes))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use instruments::host::{Cgroup, Device, Filesystem};

    fn host(kind: &str, below: Option<&str>, limit_bytes: Option<u64>) -> Host {
        Host {
            mem_total_bytes: 8 << 30,
            cgroup: Some(Cgroup { version: 2, limit_bytes }),
            filesystem: Filesystem { kind: kind.into(), magic: 0 },
            device: Some(Device { below: below.map(str::to_owned), ..Device::default() }),
            ..Host::default()
        }
    }

    fn told(host: &Host) -> Vec<String> {
        of_host(host).iter().map(Caveat::to_string).collect()
    }

    #[test]
    fn a_plain_machine_has_none() {
        assert_eq!(told(&host("ext4", None, None)), [""; 0]);
        assert_eq!(told(&host("overlay", None, Some(8 << 30))), [""; 0], "the limit is all there is");
        let nothing_known =
            Host { filesystem: Filesystem { kind: "xfs".into(), magic: 0 }, ..Host::default() };
        assert_eq!(told(&nothing_known), [""; 0]);
    }

    #[test]
    fn each_fact_has_its_caveat() {
        let all = told(&host("fuse.sshfs", Some("a virtual disk (virtio)"), Some(512 << 20)));
        assert_eq!(
            all,
            [
                "This disk is a virtual disk (virtio): a cache below it may have served part of a cold run. A bare disk \
                 may be slower.",
                "The scratch files lie on fuse.sshfs, whose cache this course does not know well.",
                "A memory limit of 512 MiB bounds what can stay cached for this process.",
            ]
        );
    }

    #[test]
    fn what_lies_below_the_device_matters_only_where_the_device_does() {
        let host = host("fuse.sshfs", Some("a virtual disk (virtio)"), Some(512 << 20));
        let below = |caveats: Vec<Caveat>| {
            caveats.iter().filter(|caveat| matches!(caveat, Caveat::CacheBelow(_))).count()
        };
        assert_eq!((of_memory(&host).len(), of_device(&host).len()), (2, 3));
        assert_eq!((below(of_memory(&host)), below(of_device(&host))), (0, 1));
    }

    #[test]
    fn wide_spreads_are_told_together() {
        let of = |values: &[f64]| Samples { values: values.to_vec(), ..Samples::default() };
        let (wide, narrow) = (of(&[1.0, 10.0, 20.0]), of(&[9.0, 10.0, 11.0]));
        assert_eq!(of_spreads(&[("read", &narrow)]), None);
        let told = |arms: &[(&str, &Samples)]| of_spreads(arms).map(|caveat| caveat.to_string());
        assert!(told(&[("read", &narrow), ("mmap", &wide)]).is_some_and(|text| text.contains("of mmap lie")));
        let three = told(&[("a", &wide), ("b", &wide), ("c", &wide)]);
        assert!(three.is_some_and(|text| text.contains("of a, of b and of c lie")));
    }

    #[test]
    fn filesystems_that_keep_their_own_cache_are_told() {
        for kind in ["9p", "virtiofs", "nfs4", "fuseblk", "zfs", "bcachefs", "ecryptfs"] {
            assert_eq!(of_host(&host(kind, None, None)), [Caveat::Filesystem(kind.into())]);
        }
        assert!(told(&host("", None, None))[0].contains("a filesystem of an unknown kind"));
    }
}
