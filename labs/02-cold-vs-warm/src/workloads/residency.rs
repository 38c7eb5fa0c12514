//! `residency`: say how much of a file is in the page cache.

use clap::Args;
use instruments::residency::{self, Method};
use instruments::{Reading, Unavailable};
use lesson::workload::{Line, Target};
use std::fs::File;

/// The arguments of `tutor run residency`.
#[derive(Args, Debug)]
pub struct Residency {
    #[command(flatten)]
    target: Target,
}

/// Run it. Where nobody can know, that is an error with its reason and no line.
pub fn run(args: Residency) -> Result<Line, Unavailable> {
    let ready = args.target.ready()?;
    let what = || format!("tell how much of {} is resident", ready.path.display());
    let file = File::open(&ready.path).map_err(|error| Unavailable::failed(what(), error, ""))?;
    let reading = residency::of_file(&file).map_err(|error| Unavailable::failed(what(), error, ""))?;
    match reading {
        Reading::Unknown(why) => Err(Unavailable::failed(what(), why, "")),
        Reading::Known(now) => Ok(Line::new("residency")
            .with("pages", now.pages)
            .with("resident_pages", now.resident_pages)
            .with_known("dirty_pages", now.dirty_pages)
            .with_known("writeback_pages", now.writeback_pages)
            .with(
                "asked",
                match now.method {
                    Method::Cachestat => "cachestat",
                    Method::Mincore => "mincore",
                },
            )),
    }
}
