//! `drain`: take a file out of the page cache, prove it, and say what the lines of /proc/meminfo did.

use crate::change::{Change, Window, print};
use crate::pace::{Pace, parse};
use clap::Args;
use instruments::evict::{Evicted, Stuck, evict};
use instruments::{Unavailable, open};
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
    let (evicted, change) = drain(&ready.path, args.over)?;
    let evicted = evicted.map_err(|stuck| {
        Unavailable::failed(
            format!("drain {}", open::shown(&ready.path)),
            stuck,
            "see `tutor lab 1 --step stays`",
        )
    })?;
    let line = Line::new("drain")
        .with("before_pages", evicted.before_pages)
        .with("after_pages", 0)
        .with("rounds", evicted.rounds);
    Ok(print(line, &change))
}

/// Evict a file, at once or piece by piece, and look at the counters before and after. The proof counts all of it.
pub fn drain(path: &Path, over: Duration) -> Result<(Result<Evicted, Stuck>, Change), Unavailable> {
    let file = open::regular(path)?;
    let window = Window::open()?;
    if !over.is_zero() {
        in_pieces(&file, over).map_err(|error| {
            Unavailable::failed(format!("evict {} piece by piece", open::shown(path)), error, "")
        })?;
    }
    let evicted = evict(&file);
    Ok((evicted, window.close()?))
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
