//! `mmapsum`: map a file and look at its bytes. If somebody cuts the file short meanwhile, SIGBUS ends it: see
//! [`instruments::mapping`].

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use instruments::fill::Fill;
use instruments::mapping::Mapping;
use instruments::resource_usage::{Meter, Metered};
use instruments::size::parse_bytes;
use instruments::{Unavailable, open, pages, residency};
use lesson::Workload;
use lesson::workload::{Line, Target};
use std::fs::File;
use std::io;
use std::path::Path;

/// What `tutor run mmapsum` takes.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    how: How,
    /// Evict the file first, then bring it in by an ordinary read or in single pages, and prove it
    #[arg(
        long,
        value_name = "HOW",
        conflicts_with_all = ["cold", "warm"],
        value_parser = PossibleValuesParser::new(Fill::NAMES).try_map(|name| name.parse::<Fill>())
    )]
    fill: Option<Fill>,
}

/// How to map and what to look at.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct How {
    /// Look at one byte of every page, instead of adding up all bytes
    #[arg(long)]
    pub touch: bool,
    /// Let mmap() itself read and map every page: MAP_POPULATE
    #[arg(long)]
    pub populate: bool,
    /// Map the file and visit every page before the clock starts: what is left is the looking alone
    #[arg(long)]
    pub mapped: bool,
    /// Announce looks in no order: MADV_RANDOM
    #[arg(long)]
    pub random: bool,
    /// Map only the first bytes of the file
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub bytes: Option<u64>,
}

/// What was looked at, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Bytes mapped.
    pub bytes: u64,
    /// The sum of the bytes that were looked at.
    pub sum: u64,
    /// From before open to after close; with `mapped`, of the look alone.
    pub cost: Metered,
}

/// The workload.
pub fn workload() -> Workload {
    Workload::new("mmapsum", "Map a file and add up its bytes, or one byte a page", run)
}

fn run(arguments: Arguments) -> Result<Line, Unavailable> {
    let ready = arguments.target.ready()?;
    let resident = match arguments.fill {
        // Of no page, none is resident, whoever asks.
        None => (ready.size_bytes == 0).then_some(0),
        Some(fill) => {
            let file = open::regular(&ready.path)?;
            fill.prepare(&file, &ready.path)?;
            residency::of_file(&file).ok().and_then(|found| found.known().map(|found| found.resident_pages))
        }
    };
    let looked = look(&ready.path, arguments.how)
        .map_err(|error| Unavailable::failed(format!("map {}", open::shown(&ready.path)), error, ""))?;
    Ok(Line::new("mmapsum")
        .with("bytes", looked.bytes)
        .with("pages", pages::pages_for(looked.bytes))
        .with_known("resident_before_pages", resident)
        .with("sum", looked.sum)
        .with("elapsed_ns", looked.cost.elapsed_ns)
        .with_known("device_read_bytes", looked.cost.device_read_bytes)
        .with("minor_faults", looked.cost.minor_faults)
        .with("major_faults", looked.cost.major_faults))
}

/// Do it.
pub fn look(path: &Path, how: How) -> io::Result<Looked> {
    if how.mapped { look_only(path, how) } else { map_and_look(path, how) }
}

// ANCHOR: look
/// Open, map, look, unmap, close: all of it between the marks, so that each of these calls counts.
fn map_and_look(path: &Path, how: How) -> io::Result<Looked> {
    let meter = Meter::start();
    let file = open::at_once(path)?;
    let bytes = how.bytes_of(&file)?;
    let mapping = how.map(&file, bytes)?;
    let sum = how.sum(&mapping);
    drop(mapping);
    drop(file);
    Ok(Looked { bytes, sum, cost: meter.stop() })
}
// ANCHOR_END: look

/// Only the look lies between the marks, and it takes no fault: every page has been visited before.
fn look_only(path: &Path, how: How) -> io::Result<Looked> {
    let file = open::at_once(path)?;
    let bytes = how.bytes_of(&file)?;
    let mapping = how.map(&file, bytes)?;
    mapping.touch();
    let meter = Meter::start();
    let sum = how.sum(&mapping);
    Ok(Looked { bytes, sum, cost: meter.stop() })
}

impl How {
    fn bytes_of(self, file: &File) -> io::Result<u64> {
        let size = file.metadata()?.len();
        Ok(self.bytes.unwrap_or(size).min(size))
    }

    fn map(self, file: &File, bytes: u64) -> io::Result<Mapping> {
        let mapping =
            if self.populate { Mapping::populated(file, bytes)? } else { Mapping::new(file, bytes)? };
        if self.random {
            mapping.expect_random()?;
        }
        Ok(mapping)
    }

    fn sum(self, mapping: &Mapping) -> u64 {
        if self.touch { mapping.touch() } else { mapping.sum() }
    }
}
