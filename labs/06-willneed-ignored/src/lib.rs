//! Lab 6: a hint is a hint.
//!
//! Its acts, in the order in which the learner meets them:
//!
//! - [`ask`]: WILLNEED for a whole file. How much comes?
//! - [`cap`]: the same in pieces. What bounds it: memory, or each call?
//! - [`non_blocking`]: how long the calls take that "initiate a non-blocking read".
//! - [`pressure`]: the same where memory really is short.
//! - [`hints`]: what a wrong hint costs, and what the other calls load.
//! - [`no_waste`]: what the hint does for the read that follows.
//!
//! What they share: [`asked`] is one run with its proofs, [`settings`] are what bounds a call, a [`cause`] is what
//! evidence can explain.

pub mod ask;
pub mod asked;
pub mod cap;
pub mod cause;
pub mod hints;
pub mod no_waste;
pub mod non_blocking;
mod notes;
pub mod pressure;
pub mod settings;
pub mod words;
pub mod workloads;

use lesson::{Card, Knob, Lab, Workload};
use workloads::{hinted, willneed};

/// The lab, as the course registers it.
pub fn lab() -> Lab {
    Lab {
        card: CARD,
        acts: vec![
            Box::new(ask::AskAll),
            Box::new(cap::Cap),
            Box::new(non_blocking::NonBlocking),
            Box::new(pressure::Pressure),
            Box::new(hints::Hints),
            Box::new(no_waste::NoWaste),
        ],
        workloads: vec![
            Workload::new(
                "willneed",
                "Ask for a whole file before it is read, and count what came",
                willneed::run,
            ),
            Workload::new("hinted", "Look at a file in order, after a hint about the order", hinted::run),
        ],
        recordings: RECORDINGS,
    }
}

const CARD: Card = Card {
    number: 6,
    slug: "willneed-ignored",
    title: "WILLNEED ignored",
    promise: "A program tells the kernel which file it will need, and most of it never comes. You will find out what \
              bounds a hint on this machine, what it takes to get all of a file, and what a hint costs and saves.",
    minutes: 15,
    needs: &["a real disk", "for one act, the right to make a memory cgroup"],
    knobs: &[
        // Much smaller, and what one call may bring is a large part of the file or all of it.
        Knob { name: "size", min: 16 << 20, max: 16 << 30, multiple_of: 1 },
        Knob { name: "block", min: 4 << 10, max: 64 << 20, multiple_of: 1 },
        // Below five, a spread means little.
        Knob { name: "trials", min: 5, max: 25, multiple_of: 1 },
    ],
    default_size_bytes: 256 << 20,
    default_block_bytes: 128 << 10,
    default_trials: 5,
};

const RECORDINGS: &[(&str, &str)] = &[("ext4-virtio", include_str!("../recordings/ext4-virtio.json"))];
