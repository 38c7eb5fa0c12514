//! How to measure the page cache: the only crate that talks to the kernel, and the only one with `unsafe`.
//!
//! Reading order for a newcomer:
//!
//! - [`residency`]: how much of a file is in memory. cachestat(2), or mincore(2) where there is no cachestat.
//! - [`evict`]: make a file cold, and prove it.
//! - [`state`]: make a file cold or warm, and prove it.
//! - [`evictors`]: who else took pages meanwhile.
//! - [`open`]: open a file that the user named, without waiting and without surprises.
//! - [`readahead_hints`]: ask for a file before it is read.
//! - [`fill`], [`folio`]: two ways to fill the cache, and how large the pieces are in which it holds a file.
//! - [`scratch`]: a place on a real disk that disappears on every way out.
//! - [`residency_timeline`]: a residency map over time.
//! - [`resource_usage`]: clock, faults and device bytes around a piece of work, from inside the process that does it.
//! - [`mapping`], [`adding`]: look at a file's bytes in ways that can be compared.
//! - [`subject`]: run a workload as a child process and learn all that the kernel knows about its life and death.
//! - [`calls`]: count the child's system calls, as `strace -f -c` does, at half the stops.
//! - [`limit`]: a memory cgroup of our own, in which memory gets short for children of ours only.
//! - [`sample`]: interleaved trials, median, spread, and whether two spreads overlap.
//! - [`host`]: the facts of this machine that an explanation may need.
//! - [`proc`]: readers of /proc and cgroup files, each beside a pure parser.
//! - [`buffer`], [`direct`]: what to read into, and how to read past the cache.
//! - [`processor`]: the sizes of the processor's own caches.
//! - [`mapped_by_other`]: a file that another process has mapped, and that nobody can evict therefore.
//! - [`raw_map`], [`other_process`], [`sigbus`], [`memfd`], [`own_tmpfs`]: a mapping whose file another process cuts
//!   short, what a program can do about it, and a small disk to fill.
//! - [`mod@bench`]: all of the above in one hand, as an act of a lab gets it.

pub mod adding;
pub mod bench;
pub mod buffer;
pub mod calls;
pub mod direct;
pub mod evict;
pub mod evictors;
mod fields;
pub mod fill;
pub mod folio;
pub mod host;
pub mod interrupt;
pub mod limit;
mod magic;
pub mod mapped_by_other;
pub mod mapping;
pub mod memfd;
pub mod open;
pub mod other_process;
pub mod own_tmpfs;
pub mod pages;
pub mod proc;
pub mod processor;
pub mod raw_map;
pub mod readahead_hints;
pub mod reading;
pub mod residency;
pub mod residency_timeline;
pub mod resource_usage;
pub mod sample;
pub mod scratch;
pub mod sigbus;
pub mod size;
pub mod state;
pub mod subject;
#[cfg(feature = "testing")]
pub mod testing;
pub mod unavailable;

pub use bench::{Bench, Plan};
pub use evictors::Meanwhile;
pub use host::Host;
pub use reading::{Reading, Unknown};
pub use sample::Samples;
pub use unavailable::Unavailable;
