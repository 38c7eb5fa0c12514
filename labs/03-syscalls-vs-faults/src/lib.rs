//! Lab 3: what read() and mmap() each pay.
//!
//! read() pays with system calls and copies every byte. mmap() pays with page faults and copies nothing. Which is
//! cheaper depends on how much one call brings and how much one fault maps, and the acts find out what this machine
//! says to each:
//!
//! - [`reads`]: how many read() calls a file costs.
//! - [`mmap_calls`]: how many system calls a mapping costs.
//! - [`faults`]: how many page faults a warm mapping takes.
//! - [`folios`]: the same, with the file cached in single pages.
//! - [`blocks`]: what a call costs beside the bytes that it brings.
//! - [`copies`]: who adds up all bytes sooner, warm and cold.
//!
//! Each act's file reads in the order in which the learner meets it: question, measurement, reveal, causes.

pub mod blocks;
pub mod cause;
pub mod copies;
pub mod faults;
pub mod filled;
pub mod folios;
pub mod mmap_calls;
pub use lesson::nearest;
mod notes;
pub mod pass;
pub mod reads;
mod words;
pub mod workloads;

use lesson::card::{Card, Knob};
use lesson::{AnyAct, Lab};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// The lab.
pub fn lab() -> Lab {
    Lab { card: CARD, acts: acts(), workloads: workloads::all(), recordings: RECORDINGS }
}

fn acts() -> Vec<Box<dyn AnyAct>> {
    vec![
        Box::new(reads::Reads),
        Box::new(mmap_calls::MmapCalls),
        Box::new(faults::Faults),
        Box::new(folios::Folios),
        Box::new(blocks::Blocks),
        Box::new(copies::Copies),
    ]
}

const CARD: Card = Card {
    number: 3,
    slug: "syscalls-vs-faults",
    title: "Syscalls vs faults",
    promise: "Two ways to the same bytes. One asks the kernel for every block and has it copied; the other maps the file \
              and takes page faults instead. You will know what both cost here, what makes a fault cheap or dear, and \
              when mapping a file is worth it.",
    minutes: 20,
    needs: &["a real disk", "ptrace (to count system calls)"],
    knobs: &[
        // Below this, the options of some questions would come too close to one another.
        Knob { name: "size", min: 64 * MIB, max: 64 << 30, multiple_of: 1 },
        Knob { name: "block", min: 4 * KIB, max: MIB, multiple_of: 512 },
        Knob { name: "trials", min: 5, max: 25, multiple_of: 1 },
    ],
    default_size_bytes: 512 * MIB,
    default_block_bytes: 128 * KIB,
    default_trials: 5,
};

/// Real ones only; the folder's README tells them from those that are test input.
const RECORDINGS: &[(&str, &str)] = &[
    ("ext4", include_str!("../recordings/ext4.json")),
    ("xfs", include_str!("../recordings/xfs.json")),
    ("btrfs", include_str!("../recordings/btrfs.json")),
];
