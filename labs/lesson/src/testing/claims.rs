//! Whether what a lab claims is borne out by the evidence beside it.
//!
//! [`contradictions`] looks at the document of `tutor lab N --json` alone, and derives from the raw figures what may be
//! said: it shares no rule with the labs, so that a wrong rule of theirs cannot hide here.

mod arm;
mod compared;
mod counted;
mod said;
#[cfg(test)]
mod tests;

use serde_json::Value;

/// Fewer kept trials than this in one of two arms compare nothing.
pub const MIN_KEPT: usize = 5;

/// Acts of which nothing is checked, and why.
const LEFT_OUT: [(&str, &str, &str); 20] = [
    (
        "fill-and-drain",
        "fill",
        "judges against the drift of an idle machine, which the lab's own tests cover",
    ),
    (
        "fill-and-drain",
        "drain",
        "judges against the drift of an idle machine, which the lab's own tests cover",
    ),
    ("fill-and-drain", "reclaim", "judges a limit of its own, in which no neighbour is"),
    ("fill-and-drain", "drop-caches", "tries to open a file, and counts nothing"),
    ("syscalls-vs-faults", "mmap-calls", "counts system calls, which no neighbour changes"),
    ("syscalls-vs-faults", "faults", "counts faults, against options that depend on the plan"),
    ("syscalls-vs-faults", "folios", "compares two counts of faults"),
    ("small-file-mmap", "crossover", "compares thirteen pairs, and says where they change: not yet"),
    ("small-file-mmap", "why", "compares steps with each other: not yet"),
    ("small-file-mmap", "amplify", "counts bytes, against options that depend on the plan"),
    ("dirty-writeback", "msync-async", "asks which moment saw pages leave: not yet"),
    ("dirty-writeback", "one-byte", "its options depend on the size of a folio"),
    ("dirty-writeback", "dsync-cache", "counts pages in one file of a few: not yet"),
    ("dirty-writeback", "kernel-clock", "reads settings"),
    ("willneed-ignored", "pressure", "is within a memory limit of its own: not yet"),
    ("sigbus-on-truncation", "shrink-read", "is about one signal or value, not about a measure"),
    ("sigbus-on-truncation", "tail", "is about one signal or value, not about a measure"),
    ("sigbus-on-truncation", "shrink-mmap", "is about one signal or value, not about a measure"),
    ("sigbus-on-truncation", "full", "is about one signal or value, not about a measure"),
    ("sigbus-on-truncation", "defend", "is about signals, not about a measure"),
];

/// Every claim of a document that its own evidence contradicts, a line each.
pub fn contradictions(document: &Value) -> Vec<String> {
    let lab = text(&document["lab"]["slug"]);
    let acts = document["acts"].as_array().into_iter().flatten();
    acts.filter(|act| !act["evidence"].is_null())
        .flat_map(|act| {
            let id = text(&act["id"]);
            let found = [compared::contradictions(lab, act), counted::contradictions(lab, act)].concat();
            found
                .into_iter()
                .map(move |why| format!("{id}: {why}: \"{}\" {}", text(&act["sentence"]), act["outcome"]))
        })
        .collect()
}

/// Whether an act is checked, or it is said why not.
pub fn is_accounted_for(lab: &str, act: &str) -> bool {
    let left_out = LEFT_OUT.iter().any(|(of, id, why)| (*of, *id) == (lab, act) && !why.is_empty());
    left_out || compared::has(lab, act) || counted::has(lab, act)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}
