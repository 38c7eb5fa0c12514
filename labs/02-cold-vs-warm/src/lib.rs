//! Lab 2: why is the second run fast, and was the first one ever cold?
//!
//! Its acts, in the order in which the learner meets them:
//!
//! - [`trap`]: a file that was just written is not cold.
//! - [`factor`]: evicted and proven cold, how many times slower?
//! - [`proof`]: what the device delivered in the warm run.
//! - [`lying_benchmark`]: a throughput that is not the disk's.
//!
//! What they share: a [`pass`] is one read with its proofs, a [`cause`] is what evidence can explain.

pub mod below;
pub mod cause;
pub mod dd;
pub mod factor;
pub mod lying_benchmark;
mod notes;
pub mod pass;
pub mod proof;
pub mod trap;
pub mod trend;
pub mod words;
pub mod workloads;

use lesson::{Card, Knob, Lab, Workload};
use workloads::{cread, evict, residency};

/// The lab, as the course registers it.
pub fn lab() -> Lab {
    Lab {
        card: CARD,
        acts: vec![
            Box::new(trap::Trap),
            Box::new(factor::Factor),
            Box::new(proof::Proof),
            Box::new(lying_benchmark::LyingBenchmark),
        ],
        workloads: vec![
            Workload::new("cread", "Read a file from start to end in equal blocks, and time it", cread::run),
            Workload::new("evict", "Take a file out of the page cache, and prove it", evict::run),
            Workload::new("residency", "Say how much of a file is in the page cache", residency::run),
        ],
        recordings: RECORDINGS,
    }
}

const CARD: Card = Card {
    number: 2,
    slug: "cold-vs-warm",
    title: "Cold vs warm",
    promise: "Why is the second run fast, and was the first one ever cold? You will make a file cold and prove it, \
              measure what the page cache is worth on this machine, and catch a disk test that never touched the disk.",
    minutes: 15,
    needs: &["a real disk"],
    knobs: &[
        Knob { name: "size", min: 8 << 20, max: 64 << 30, multiple_of: 1 },
        // O_DIRECT asks for whole sectors, of up to 4 KiB.
        Knob { name: "block", min: 4 << 10, max: 64 << 20, multiple_of: 4 << 10 },
        // Below five, a spread means little.
        Knob { name: "trials", min: 5, max: 25, multiple_of: 1 },
    ],
    default_size_bytes: 512 << 20,
    default_block_bytes: 128 << 10,
    default_trials: 5,
};

const RECORDINGS: &[(&str, &str)] = &[("ext4-virtio", include_str!("../recordings/ext4-virtio.json"))];
