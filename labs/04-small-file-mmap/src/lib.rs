//! Lab 4: when mapping costs more than it saves.
//!
//! Its acts, in the order in which the learner meets them:
//!
//! - [`tiny`]: a file of one page, opened and read, or opened and mapped.
//! - [`why`]: which step of a mapping costs most.
//! - [`crossover`]: at which file size a mapping catches up.
//! - [`random`]: single bytes all over a file that is mapped once.
//! - [`amplify`]: what a few touches of a cold mapping bring in from the device.
//!
//! What they share: a [`pass`] is one timed run of a workload with the proof of the state in which it ran, a [`cause`]
//! is what evidence can explain.

pub mod amplify;
pub mod cause;
pub mod crossover;
mod notes;
pub mod pass;
pub mod places;
pub mod random;
pub mod tiny;
pub mod why;
mod words;
pub mod workloads;

use lesson::{Card, Knob, Lab};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// The lab, as the course registers it.
pub fn lab() -> Lab {
    Lab {
        card: CARD,
        acts: vec![
            Box::new(tiny::Tiny),
            Box::new(why::WhyDear),
            Box::new(crossover::Crossover),
            Box::new(random::Random),
            Box::new(amplify::Amplify),
        ],
        workloads: workloads::all(),
        recordings: RECORDINGS,
    }
}

const CARD: Card = Card {
    number: 4,
    slug: "small-file-mmap",
    title: "Small files and mmap",
    promise: "A mapping copies nothing, so it has to be faster? You will find out what it costs to set one up, from which \
              file size on it pays here, where it wins by far, and how much a disk may have to deliver for twenty \
              bytes.",
    minutes: 20,
    needs: &["a real disk"],
    knobs: &[
        // Below this, the touches of the last act would lie too close to one another.
        Knob { name: "size", min: 64 * MIB, max: 64 << 30, multiple_of: 1 },
        Knob { name: "block", min: 4 * KIB, max: 16 * MIB, multiple_of: 512 },
        // Below five, a spread means little.
        Knob { name: "trials", min: 5, max: 25, multiple_of: 1 },
    ],
    default_size_bytes: 512 * MIB,
    default_block_bytes: 128 * KIB,
    default_trials: 5,
};

const RECORDINGS: &[(&str, &str)] = &[("ext4-virtio", include_str!("../recordings/ext4-virtio.json"))];
