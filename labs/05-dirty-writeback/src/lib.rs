//! Lab 5: what a write has done when it returns.
//!
//! Its acts, in the order in which the learner meets them:
//!
//! - [`dirty`]: every byte of a mapped file stored into. How much is on the disk?
//! - [`msync`]: what MS_SYNC waits for.
//! - [`msync_async`]: what MS_ASYNC starts.
//! - [`one_byte`]: one byte changes. How many pages are dirty?
//! - [`durable`]: six ways to write, and what each promises when it returns.
//! - [`dsync_cache`]: whether O_DSYNC leaves the cache out.
//! - [`round_trip`]: stored, never synced, evicted, read back: every byte compared.
//! - [`kernel_clock`]: when the kernel would have written by itself.
//!
//! What they share: [`stored`] is what was found after a store, a [`cause`] is what evidence can explain.

pub mod cause;
pub mod dirty;
pub mod dsync_cache;
pub mod durable;
pub mod kernel_clock;
pub mod msync;
pub mod msync_async;
mod notes;
pub mod one_byte;
pub mod round_trip;
pub mod stored;
pub mod words;
pub mod workloads;

use lesson::{Card, Knob, Lab};

/// The lab, as the course registers it.
pub fn lab() -> Lab {
    Lab {
        card: CARD,
        acts: vec![
            Box::new(dirty::Dirty),
            Box::new(msync::Msync),
            Box::new(msync_async::MsyncAsync),
            Box::new(one_byte::OneByte),
            Box::new(durable::Durable),
            Box::new(dsync_cache::DsyncCache),
            Box::new(round_trip::RoundTrip),
            Box::new(kernel_clock::KernelClock),
        ],
        workloads: workloads::all(),
        recordings: RECORDINGS,
    }
}

const CARD: Card = Card {
    number: 5,
    slug: "dirty-writeback",
    title: "Dirty pages and writeback",
    promise: "A write returns. Is it on the disk? You will count what is not, page by page, see which calls wait for the disk \
              and which only sound like it, what one changed byte costs, which of six ways to write is durable when it \
              returns, and when the kernel would have written by itself.",
    minutes: 25,
    needs: &["a real disk", "cachestat(2) of Linux 6.5 or newer, to count a file's dirty pages"],
    knobs: &[
        // Parts of it down to a sixteenth are used, and have to hold several folios.
        Knob { name: "size", min: 32 << 20, max: 16 << 30, multiple_of: 1 << 20 },
        // O_DIRECT asks for whole sectors, of up to 4 KiB.
        Knob { name: "block", min: 4 << 10, max: 1 << 20, multiple_of: 4 << 10 },
        // Below five, a spread means little.
        Knob { name: "trials", min: 5, max: 25, multiple_of: 1 },
        // Watch what takes the kernel half a minute.
        Knob { name: "patient", min: 1, max: 1, multiple_of: 1 },
    ],
    default_size_bytes: 256 << 20,
    default_block_bytes: workloads::dwrite::DEFAULT_BLOCK_BYTES,
    default_trials: 5,
};

const RECORDINGS: &[(&str, &str)] = &[("ext4-virtio", include_str!("../recordings/ext4-virtio.json"))];
