//! Lab 1: where does memory go when you use a file?
//!
//! Its acts, in the order in which the learner meets them:
//!
//! - [`fill`]: a file is written; which line of /proc/meminfo takes it up?
//! - [`drain`]: its pages are evicted; what does MemAvailable say to that?
//! - [`stays`]: four files, one advice; whose pages go?
//! - [`refill`]: half of it is read; how much comes?
//! - [`reclaim`]: a program needs memory that cache fills; what gives?
//! - [`drop_caches`]: the switch that the internet recommends.
//!
//! What they share: a [`change`] is how far the lines of /proc/meminfo went, always held against the idle machine's own
//! [`change::Drift`]; a [`cause`] is what evidence can explain.

pub mod cause;
pub mod change;
pub mod drain;
pub mod drop_caches;
pub mod fill;
pub mod moments;
mod notes;
pub mod pace;
pub mod reclaim;
pub mod refill;
pub mod stays;
pub mod words;
pub mod workloads;

use lesson::{Card, Knob, Lab};

const MIB: u64 = 1 << 20;

/// The lab, as the course registers it.
pub fn lab() -> Lab {
    Lab {
        card: CARD,
        acts: vec![
            Box::new(fill::Fill),
            Box::new(drain::Drain),
            Box::new(stays::Stays),
            Box::new(refill::Refill),
            Box::new(reclaim::Reclaim),
            Box::new(drop_caches::DropCaches),
        ],
        workloads: workloads::all(),
        recordings: RECORDINGS,
    }
}

const CARD: Card = Card {
    number: 1,
    slug: "fill-and-drain",
    title: "Fill and drain",
    promise: "Where does memory go when you use a file? You will watch the page cache fill, drain and fill again, see what \
              happens when a program needs that memory, and know which number to look at instead of \"free\".",
    minutes: 15,
    needs: &["a real disk", "a memory cgroup of its own, for one act"],
    knobs: &[
        // A quarter of a memory limit of 64 MiB. Where the counters are too coarse for it, an act says so.
        Knob { name: "size", min: 16 * MIB, max: 64 << 30, multiple_of: 1 },
        // Below five, a spread means little.
        Knob { name: "trials", min: 5, max: 25, multiple_of: 1 },
    ],
    default_size_bytes: 256 * MIB,
    default_block_bytes: 128 << 10,
    default_trials: 5,
};

const RECORDINGS: &[(&str, &str)] = &[("ext4-virtio", include_str!("../recordings/ext4-virtio.json"))];
