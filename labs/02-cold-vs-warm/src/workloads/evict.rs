//! `evict`: take a file out of the page cache, and prove it.

use clap::Args;
use instruments::{Unavailable, evict};
use lesson::workload::{Line, Target};
use std::fs::File;

/// The arguments of `tutor run evict`.
#[derive(Args, Debug)]
pub struct Evict {
    #[command(flatten)]
    target: Target,
}

/// Run it. The line is printed only when no page is left, so `after_pages` is always 0.
pub fn run(args: Evict) -> Result<Line, Unavailable> {
    let ready = args.target.ready()?;
    let what = || format!("evict {}", ready.path.display());
    let file = File::open(&ready.path).map_err(|error| Unavailable::failed(what(), error, ""))?;
    let evicted = evict::evict(&file).map_err(|stuck| {
        Unavailable::failed(what(), &stuck, crate::cause::what_to_do_about(&stuck).unwrap_or_default())
    })?;
    Ok(Line::new("evict")
        .with("before_pages", evicted.before_pages)
        .with("after_pages", 0)
        .with("rounds", evicted.rounds)
        .with("elapsed_ns", evicted.elapsed_ns))
}
