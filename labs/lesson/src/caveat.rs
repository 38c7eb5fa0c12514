//! Every reason for which a number may mislead: one shared list, so that all labs say the same thing the same way.

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
    /// Trials thrown away because the state was wrong: how many, and why.
    Discarded(u32, String),
    /// Fewer trials were kept than wanted: kept, wanted.
    FewTrials(u32, u32),
    /// The data file is smaller than the lab's default, because of this.
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
            Caveat::Discarded(count, why) => {
                let (trials, were) = if *count == 1 { ("trial", "was") } else { ("trials", "were") };
                write!(f, "{count} {trials} {were} thrown away, not averaged in: {why}.")
            }
            Caveat::FewTrials(kept, wanted) => {
                write!(f, "Only {kept} of {wanted} trials could be kept: take the figures with care.")
            }
            Caveat::Smaller(why) => write!(f, "The file is smaller than this lab's default: {why}."),
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
            Caveat::Other(sentence) => f.write_str(sentence),
        }
    }
}
