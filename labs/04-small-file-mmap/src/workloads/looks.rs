//! `looks`: one byte here, one byte there, by pread() or through one mapping.

use super::batches::{self, Timed};
use super::{costs, in_batches};
use crate::places::Places;
use clap::{Args, ValueEnum};
use instruments::mapping::Mapping;
use instruments::{Unavailable, open};
use lesson::Workload;
use lesson::workload::{Line, Target};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// What `tutor run looks` takes.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// How to get at a byte
    #[arg(long, value_name = "HOW", value_enum, default_value_t = By::Touch)]
    by: By,
    /// How many looks
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    times: u64,
    /// Other places, for another number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// How to get at a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// One pread() for each byte
    Pread,
    /// Through a mapping of which every page was touched before
    Touch,
    /// Through a mapping that nobody has touched yet
    FirstTouch,
}

/// The workload.
pub fn workload() -> Workload {
    Workload::new("looks", "Look at single bytes all over a file, one after the other", run)
}

fn run(arguments: Arguments) -> Result<Line, Unavailable> {
    let ready = arguments.target.ready()?;
    let failed = |error| Unavailable::failed(format!("look at {}", open::shown(&ready.path)), error, "");
    if ready.size_bytes == 0 {
        return Err(failed(io::Error::other("it is empty")));
    }
    let file = File::open(&ready.path).map_err(failed)?;
    let places = Places::new(arguments.seed, ready.size_bytes);
    let mut sum = 0;
    let timed = match arguments.by {
        By::Pread => by_pread(&file, places, arguments.times, &mut sum),
        By::Touch | By::FirstTouch => by_touch(&file, places, &arguments, ready.size_bytes, &mut sum),
    };
    let timed = timed.map_err(failed)?;
    let line =
        Line::new("looks").with("times", arguments.times).with("bytes", ready.size_bytes).with("sum", sum);
    Ok(match arguments.by {
        By::Pread | By::Touch => in_batches(line, &timed),
        // The first batches take most of the faults, so no batch speaks for the others.
        By::FirstTouch => costs(line, timed.cost.elapsed_ns / arguments.times, &timed.cost),
    })
}

// ANCHOR: by_pread
fn by_pread(file: &File, mut places: Places, times: u64, sum: &mut u64) -> io::Result<Timed<0>> {
    let mut byte = [0];
    batches::run(times, false, |_| {
        let place = places.after(byte[0]);
        file.read_exact_at(&mut byte, place)?;
        *sum += u64::from(byte[0]);
        Ok(())
    })
}
// ANCHOR_END: by_pread

// ANCHOR: by_touch
fn by_touch(
    file: &File,
    mut places: Places,
    how: &Arguments,
    bytes: u64,
    sum: &mut u64,
) -> io::Result<Timed<0>> {
    let mapping = Mapping::new(file, bytes)?;
    if how.by == By::Touch {
        mapping.touch();
    }
    let mut byte = 0;
    batches::run(how.times, false, |_| {
        byte = mapping.look(places.after(byte));
        *sum += u64::from(byte);
        Ok(())
    })
}
// ANCHOR_END: by_touch
