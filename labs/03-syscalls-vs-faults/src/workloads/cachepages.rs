//! `cachepages`: bring a file into the cache with readahead switched off, so that each page gets a folio of its own.

use clap::Args;
use instruments::fill::Fill;
use instruments::resource_usage::Meter;
use instruments::{Unavailable, interrupt, open};
use lesson::Workload;
use lesson::workload::{Line, Target};

/// What `tutor run cachepages` takes.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
}

/// The workload.
pub fn workload() -> Workload {
    Workload::new("cachepages", "Bring a file into the cache a page at a time, without readahead", run)
}

fn run(arguments: Arguments) -> Result<Line, Unavailable> {
    let ready = arguments.target.ready()?;
    let file = open::regular(&ready.path)?;
    let meter = Meter::start();
    let filled = Fill::Pages.fill(&file);
    let cost = meter.stop();
    interrupt::check()?;
    let pages = filled
        .map_err(|error| Unavailable::failed(format!("read {}", open::shown(&ready.path)), error, ""))?;
    Ok(Line::new("cachepages")
        .with("bytes", ready.size_bytes)
        .with("pages", pages)
        .with("elapsed_ns", cost.elapsed_ns)
        .with_known("device_read_bytes", cost.device_read_bytes)
        .with("minor_faults", cost.minor_faults)
        .with("major_faults", cost.major_faults))
}
