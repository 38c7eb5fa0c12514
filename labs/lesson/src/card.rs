//! A lab's card: what it is called, how long it takes, what it needs, which knobs it has.

use crate::{AnyAct, Workload};

/// What `tutor list` and the first screen say about a lab.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// Stable: lab 3 is always syscalls vs faults.
    pub number: u32,
    /// Stable: the key of progress and of the book's chapter.
    pub slug: &'static str,
    /// The question that the lab answers, in a few words.
    pub title: &'static str,
    /// One paragraph for the first screen: what you will know afterwards.
    pub promise: &'static str,
    /// Minutes with reading and predicting.
    pub minutes: u32,
    /// What it needs; shown by `tutor list`. Without "a real disk", a place in memory will do.
    pub needs: &'static [&'static str],
    /// Knobs that it honours; any other is refused.
    pub knobs: &'static [Knob],
    /// Data file size unless --size says otherwise; shrinks to fit.
    pub default_size_bytes: u64,
    /// Block size unless --block says otherwise.
    pub default_block_bytes: u64,
    /// Kept trials an arm unless --trials says otherwise.
    pub default_trials: u32,
}

/// The need of labs that evict: how what they need on a disk begins.
const A_DISK: &str = "a real disk";

impl Card {
    /// Whether it makes nothing of files that live in memory.
    pub fn needs_a_disk(&self) -> bool {
        self.needs.iter().any(|need| need.starts_with(A_DISK))
    }

    /// What it needs, on one line. A need may have a comma of its own.
    pub fn needs_in_words(&self) -> String {
        self.needs.join("; ")
    }

    /// Its knob of this name, where it has one.
    pub fn knob(&self, name: &str) -> Option<&'static Knob> {
        self.knobs.iter().find(|knob| knob.name == name)
    }
}

/// A knob: its name (`size`, `block`, `trials`) and what it may be. Bytes for size and block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    /// Without the dashes.
    pub name: &'static str,
    /// Smallest value that still shows what the lab is about.
    pub min: u64,
    /// Largest value that makes sense; free disk and memory may bound it further.
    pub max: u64,
    /// Value must be a multiple of this (1: any).
    pub multiple_of: u64,
}

/// A whole lab.
pub struct Lab {
    /// Its card.
    pub card: Card,
    /// Its acts, in the order in which the learner meets them.
    pub acts: Vec<Box<dyn AnyAct>>,
    /// The programs it runs, each also there as `tutor run NAME`.
    pub workloads: Vec<Workload>,
    /// Recordings: (name, JSON). The first is the one that `--replay` without a file shows.
    pub recordings: &'static [(&'static str, &'static str)],
}

impl std::fmt::Debug for Lab {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lab").field("card", &self.card).finish_non_exhaustive()
    }
}
