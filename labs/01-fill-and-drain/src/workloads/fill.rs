//! `fill`: write a new file, close it, and say what the lines of /proc/meminfo did.

use crate::change::{Change, Window, print};
use crate::pace::{Pace, parse};
use clap::Args;
use instruments::residency::{self, Residency};
use instruments::scratch::Scratch;
use instruments::size::parse_bytes;
use instruments::{Reading, Unavailable, open};
use lesson::workload::Line;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of `tutor run fill`.
#[derive(Args, Debug)]
pub struct Fill {
    /// Size of the file, which is removed afterwards
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_bytes)]
    size: u64,
    /// Where it goes [default: a real disk]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Spread the writes over this time
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse)]
    over: Duration,
}

/// What a write left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// What the counters did meanwhile.
    pub change: Change,
    /// The file's pages just after; None where nobody can know.
    pub after: Option<Residency>,
}

/// Run it.
pub fn run(args: Fill) -> Result<Line, Unavailable> {
    let scratch = Scratch::create(args.dir.as_deref())?;
    let Filled { change, after } = write(&scratch, "filled", args.size, args.over)?;
    let line = Line::new("fill")
        .with("bytes", args.size)
        .with_known("pages", after.map(|now| now.pages))
        .with_known("resident_pages", after.map(|now| now.resident_pages))
        .with_known("dirty_pages", after.and_then(|now| now.dirty_pages))
        .with_known("writeback_pages", after.and_then(|now| now.writeback_pages));
    Ok(print(line, &change))
}

/// Write `bytes` bytes to a new file `name`, spread over a time, and look at the counters before and after.
pub fn write(scratch: &Scratch, name: &str, bytes: u64, over: Duration) -> Result<Filled, Unavailable> {
    let window = Window::open()?;
    let pace = Pace::new(over, bytes);
    let path = scratch.write(name, bytes, &mut |done| pace.wait(done))?;
    let change = window.close()?;
    let after = residency::of_file(&open::regular(&path)?).map_err(|error| {
        Unavailable::failed(format!("ask how much of {} is resident", open::shown(&path)), error, "")
    })?;
    let after = match after {
        Reading::Known(state) => Some(state),
        Reading::Unknown(_) => None,
    };
    Ok(Filled { change, after })
}
