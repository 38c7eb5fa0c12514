//! `openmap`: open a file, map it, look at it, unmap and close it; again and again.

use super::{Again, batches};
use clap::Args;
use instruments::mapping::Mapping;
use instruments::{Unavailable, open};
use lesson::Workload;
use lesson::workload::Line;
use std::fs::File;
use std::io;
use std::path::Path;

/// The steps of a round.
pub const KEYS: [&str; 5] = ["open_ns", "mmap_ns", "touch_ns", "munmap_ns", "close_ns"];

/// What `tutor run openmap` takes.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    again: Again,
}

/// The workload.
pub fn workload() -> Workload {
    Workload::new("openmap", "Open, map, look at, unmap and close a file, again and again", run)
}

fn run(arguments: Arguments) -> Result<Line, Unavailable> {
    let Again { target, times, sum, steps } = &arguments.again;
    let ready = target.ready()?;
    let round = |after: &mut dyn FnMut(usize)| round(&ready.path, ready.size_bytes, *sum, after);
    let failed = |error| Unavailable::failed(format!("map {}", open::shown(&ready.path)), error, "");
    if !target.cold {
        round(&mut |_| ()).map_err(failed)?;
    }
    let timed = batches::run(*times, *steps, round).map_err(failed)?;
    arguments.again.line("openmap", ready.size_bytes, &timed, KEYS).map_err(failed)
}

// ANCHOR: round
/// The size is known beforehand, so no call is made to ask for it.
fn round(path: &Path, bytes: u64, sum: bool, after: &mut dyn FnMut(usize)) -> io::Result<()> {
    let file = File::open(path)?;
    after(0);
    let mapping = Mapping::new(&file, bytes)?;
    after(1);
    std::hint::black_box(if sum { mapping.sum() } else { mapping.touch() });
    after(2);
    drop(mapping);
    after(3);
    drop(file);
    after(4);
    Ok(())
}
// ANCHOR_END: round
