//! `drain`: take a file out of the page cache, prove it, and say what the lines of /proc/meminfo did.

use crate::change::{Change, Window, print};
use crate::pace::{Pace, parse};
use clap::Args;
use instruments::evict::{Evicted, Stuck, evict};
use instruments::{Unavailable, open, residency};
use lesson::workload::{Line, Target};
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use nix::unistd::fdatasync;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The arguments of `tutor run drain`.
#[derive(Args, Debug)]
pub struct Drain {
    #[command(flatten)]
    target: Target,
    /// Evict it piece by piece, spread over this time
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse)]
    over: Duration,
}

/// Pages of a large folio go together or not at all: a piece holds the largest that files have on most machines.
const PIECE_BYTES: u64 = 4 << 20;

/// Run it. The line is printed only when no page is left.
pub fn run(args: Drain) -> Result<Line, Unavailable> {
    let ready = args.target.ready()?;
    let drained = drain(&ready.path, args.over)?;
    let evicted = drained.evicted.map_err(|stuck| {
        let what = format!("drain {}", open::shown(&ready.path));
        Unavailable::failed(what, stuck, "see `tutor lab 1 --step stays`")
    })?;
    let line = Line::new("drain")
        .with_known("before_pages", drained.before_pages)
        .with("after_pages", 0)
        .with("rounds", evicted.rounds);
    Ok(print(line, &drained.change))
}

/// What came of draining a file.
#[derive(Debug)]
pub struct Drained {
    /// Pages that were resident before; None where nobody can know.
    pub before_pages: Option<u64>,
    /// The proof that none are left, or why some are.
    pub evicted: Result<Evicted, Stuck>,
    /// What the counters did meanwhile.
    pub change: Change,
}

/// Evict a file, at once or piece by piece, and look at the counters before and after. The proof counts all of it.
pub fn drain(path: &Path, over: Duration) -> Result<Drained, Unavailable> {
    let failed = |what: &str, error: io::Error| {
        Unavailable::failed(format!("{what} {}", open::shown(path)), error, "")
    };
    let file = open::regular(path)?;
    let before = residency::of_file(&file).map_err(|error| failed("count the pages of", error))?;
    let window = Window::open()?;
    if !over.is_zero() {
        in_pieces(&file, over).map_err(|error| failed("evict piece by piece", error))?;
    }
    let evicted = evict(&file);
    let change = window.close()?;
    Ok(Drained { before_pages: before.known().map(|now| now.resident_pages), evicted, change })
}

fn in_pieces(file: &File, over: Duration) -> io::Result<()> {
    let size = file.metadata()?.len();
    let pace = Pace::new(over, size);
    fdatasync(file)?;
    for offset in (0..size).step_by(PIECE_BYTES as usize) {
        let (start, length) = (offset.cast_signed(), PIECE_BYTES.cast_signed());
        posix_fadvise(file, start, length, PosixFadviseAdvice::POSIX_FADV_DONTNEED)?;
        pace.wait(offset + PIECE_BYTES);
    }
    Ok(())
}
