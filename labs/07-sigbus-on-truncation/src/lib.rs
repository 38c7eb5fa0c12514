//! Lab 7: the error that read() would have returned.
//!
//! Its acts, in the order in which the learner meets them:
//!
//! - [`shrink_read`]: another process cuts a file, and read() goes on past the new end.
//! - [`tail`]: the same through a mapping, in the page that holds the new end.
//! - [`shrink_mmap`]: the next page, where a load has no error to return.
//! - [`full`]: a store into a hole of a full disk.
//! - [`defend`]: five defences against the same cut.
//!
//! What they share: a [`cut`] is where the file ends and which bytes are looked at, an [`ended`] is what became of the
//! child that looked, a [`cause`] is what evidence can explain.

pub mod cause;
pub mod cut;
pub mod defend;
pub mod ended;
pub mod full;
mod notes;
pub mod shrink_mmap;
pub mod shrink_read;
pub mod tail;
pub mod words;
pub mod workloads;

use lesson::{Card, Knob, Lab};

/// The lab, as the course registers it.
pub fn lab() -> Lab {
    Lab {
        card: CARD,
        acts: vec![
            Box::new(shrink_read::ShrinkRead),
            Box::new(tail::Tail),
            Box::new(shrink_mmap::ShrinkMmap),
            Box::new(full::Full),
            Box::new(defend::Defend),
        ],
        workloads: workloads::all(),
        recordings: RECORDINGS,
    }
}

const CARD: Card = Card {
    number: 7,
    slug: "sigbus-on-truncation",
    title: "SIGBUS on truncation",
    promise: "A file that you read is cut short by somebody else. read() has a way to say so; a mapping has not. You will \
              see which byte reads as zero, which one kills, what a full disk does to a store, and which of five \
              defences hold. Whatever dies here is a child made for it.",
    minutes: 15,
    needs: &["user namespaces or root for the act `full`"],
    // Eight pages at least, on machines with pages of 64 KiB too.
    knobs: &[Knob { name: "size", min: 512 << 10, max: 64 << 20, multiple_of: 1 }],
    default_size_bytes: 1 << 20,
    default_block_bytes: 128 << 10,
    default_trials: 5,
};

const RECORDINGS: &[(&str, &str)] = &[
    ("ext4-virtio", include_str!("../recordings/ext4-virtio.json")),
    ("no-namespaces", include_str!("../recordings/no-namespaces.json")),
];
