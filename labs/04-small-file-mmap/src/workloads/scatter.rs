//! `scatter`: touch a few pages of a mapping, at random.

use super::costs;
use crate::places;
use clap::Args;
use instruments::mapping::Mapping;
use instruments::pages::page_bytes;
use instruments::resource_usage::{Meter, Metered};
use instruments::{Unavailable, open};
use lesson::Workload;
use lesson::workload::{Line, Target};
use std::fs::File;
use std::io;
use std::path::Path;

/// What `tutor run scatter` takes.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// How many touches
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1000))]
    touches: u64,
    /// Other places, for another number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Announce looks in no order first: MADV_RANDOM
    #[arg(long)]
    random: bool,
}

/// The workload.
pub fn workload() -> Workload {
    Workload::new("scatter", "Touch a few pages of a mapping, at random", run)
}

fn run(arguments: Arguments) -> Result<Line, Unavailable> {
    let ready = arguments.target.ready()?;
    let failed = |error| Unavailable::failed(format!("map {}", open::shown(&ready.path)), error, "");
    if ready.size_bytes == 0 {
        return Err(failed(io::Error::other("it is empty")));
    }
    let pages = places::pages(arguments.seed, arguments.touches, ready.size_bytes, page_bytes());
    let cost = touch(&ready.path, ready.size_bytes, &pages, arguments.random).map_err(failed)?;
    let at_pages: Vec<String> = pages.iter().map(u64::to_string).collect();
    let line = Line::new("scatter").with("touches", arguments.touches).with("bytes", ready.size_bytes);
    Ok(costs(line, cost.elapsed_ns / arguments.touches, &cost).with("at_pages", at_pages.join(",")))
}

// ANCHOR: touch
fn touch(path: &Path, bytes: u64, pages: &[u64], random: bool) -> io::Result<Metered> {
    let file = File::open(path)?;
    let mapping = Mapping::new(&file, bytes)?;
    if random {
        mapping.expect_random()?;
    }
    let meter = Meter::start();
    for page in pages {
        std::hint::black_box(mapping.look(page * page_bytes()));
    }
    Ok(meter.stop())
}
// ANCHOR_END: touch
