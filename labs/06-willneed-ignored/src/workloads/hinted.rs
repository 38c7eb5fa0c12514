//! `hinted`: look at a file from its start, in order, after telling the kernel in which order it will be done.

use super::read::{self, Until, failed};
use clap::{Args, ValueEnum};
use instruments::buffer::Buffer;
use instruments::mapping::Mapping;
use instruments::resource_usage::Meter;
use instruments::size::parse_bytes;
use instruments::{Unavailable, open};
use lesson::workload::{Line, Target, block_bytes};
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::time::Duration;

/// What the kernel is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// Nothing in particular
    #[default]
    Normal,
    /// Looks will come in order
    Sequential,
    /// Looks will come in no order
    Random,
}

impl Advice {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Advice::Normal => "normal",
            Advice::Sequential => "sequential",
            Advice::Random => "random",
        }
    }
}

/// The arguments of `tutor run hinted`.
#[derive(Args, Debug)]
pub struct Hinted {
    #[command(flatten)]
    target: Target,
    /// What the kernel is told; the looks come in order all the same
    #[arg(long, value_enum, default_value_t)]
    advice: Advice,
    /// Look through a mapping, at one byte of every page (madvise), instead of read() (posix_fadvise)
    #[arg(long, conflicts_with_all = ["block", "for_ms"])]
    mapped: bool,
    /// How many bytes each read() asks for
    #[arg(long, value_name = "SIZE", default_value = "4K", value_parser = block_bytes)]
    block: u64,
    /// Stop after this many bytes
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    bytes: Option<u64>,
    /// Stop after this many milliseconds
    #[arg(long = "for", value_name = "MS")]
    for_ms: Option<u64>,
}

/// Run it.
pub fn run(args: Hinted) -> Result<Line, Unavailable> {
    let ready = args.target.ready()?;
    let file = open::regular(&ready.path)?;
    let limit = args.bytes.unwrap_or(u64::MAX).min(ready.size_bytes);
    let (done, metered) =
        if args.mapped { walk(&file, limit, args.advice) } else { loop_over(&file, limit, &args) }
            .map_err(|error| failed("look at", &ready.path, error))?;
    let (bytes, calls) = done;
    let per_second = u128::from(bytes) * 1_000_000_000 / u128::from(metered.elapsed_ns.max(1));
    Ok(Line::new("hinted")
        .with("advice", args.advice.name())
        .with("bytes", bytes)
        .with("calls", calls)
        .with("elapsed_ns", metered.elapsed_ns)
        .with("bytes_per_second", per_second)
        .with_known("device_read_bytes", metered.device_read_bytes)
        .with("minor_faults", metered.minor_faults)
        .with("major_faults", metered.major_faults))
}

type Done = ((u64, u64), instruments::resource_usage::Metered);

fn loop_over(file: &File, limit: u64, args: &Hinted) -> io::Result<Done> {
    let advice = match args.advice {
        Advice::Normal => PosixFadviseAdvice::POSIX_FADV_NORMAL,
        Advice::Sequential => PosixFadviseAdvice::POSIX_FADV_SEQUENTIAL,
        Advice::Random => PosixFadviseAdvice::POSIX_FADV_RANDOM,
    };
    posix_fadvise(file, 0, 0, advice)?;
    let mut buffer = Buffer::touched(args.block as usize);
    let until = Until { bytes: limit, time: args.for_ms.map(Duration::from_millis) };
    let meter = Meter::start();
    let done = read::through(file, &mut buffer, until);
    let metered = meter.stop();
    Ok((done?, metered))
}

fn walk(file: &File, bytes: u64, advice: Advice) -> io::Result<Done> {
    let mapping = Mapping::new(file, bytes)?;
    match advice {
        Advice::Normal => {}
        Advice::Sequential => mapping.expect_sequential()?,
        Advice::Random => mapping.expect_random()?,
    }
    let meter = Meter::start();
    std::hint::black_box(mapping.touch());
    let metered = meter.stop();
    Ok(((bytes, 0), metered))
}
