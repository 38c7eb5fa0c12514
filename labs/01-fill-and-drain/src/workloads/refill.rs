//! `refill`: read the beginning of an evicted file, and say how much of it came.

use crate::pace::{Pace, parse};
use clap::Args;
use instruments::buffer::Buffer;
use instruments::residency::{self, Residency};
use instruments::resource_usage::Meter;
use instruments::size::parse_bytes;
use instruments::{Reading, Unavailable, interrupt, open, state};
use lesson::workload::{Line, Target};
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

/// The arguments of `tutor run refill`.
#[derive(Args, Debug)]
pub struct Refill {
    #[command(flatten)]
    target: Target,
    /// How much of it is read [default: half]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    bytes: Option<u64>,
    /// Tell the kernel to expect random reads first (POSIX_FADV_RANDOM): no readahead
    #[arg(long)]
    random_advice: bool,
    /// Spread the reads over this time
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse)]
    over: Duration,
}

const BLOCK_BYTES: usize = 128 << 10;

/// Run it. The file is evicted first, and that is proven: otherwise nothing could be said about what came.
pub fn run(args: Refill) -> Result<Line, Unavailable> {
    let ready = args.target.ready()?;
    let failed = |what: &str, error: io::Error| {
        Unavailable::failed(format!("{what} {}", open::shown(&ready.path)), error, "")
    };
    let mut file = open::regular(&ready.path)?;
    state::make_cold(&file, &ready.path)?;
    if args.random_advice {
        posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_RANDOM)
            .map_err(|errno| failed("give advice about", errno.into()))?;
    }
    let want = args.bytes.unwrap_or(ready.size_bytes / 2).min(ready.size_bytes);
    let mut buffer = Buffer::touched(BLOCK_BYTES);

    let meter = Meter::start();
    let read = read_beginning(&mut file, &mut buffer, want, args.over);
    let metered = meter.stop();

    let bytes = read.map_err(|error| failed("read", error))?;
    let now = count(&file, &ready.path)?;
    Ok(Line::new("refill")
        .with("bytes", bytes)
        .with("pages", now.pages)
        .with("before_pages", 0)
        .with("resident_pages", now.resident_pages)
        .with("elapsed_ns", metered.elapsed_ns)
        .with_known("device_read_bytes", metered.device_read_bytes))
}

fn read_beginning(file: &mut File, buffer: &mut [u8], want: u64, over: Duration) -> io::Result<u64> {
    let pace = Pace::new(over, want);
    let mut done = 0;
    while done < want && !interrupt::requested() {
        let block = usize::try_from(want - done).map_or(buffer.len(), |left| left.min(buffer.len()));
        match file.read(&mut buffer[..block]) {
            Ok(0) => break,
            Ok(count) => done += count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        pace.wait(done);
    }
    Ok(done)
}

fn count(file: &File, path: &Path) -> Result<Residency, Unavailable> {
    let what = || format!("count the pages of {}", open::shown(path));
    match residency::of_file(file).map_err(|error| Unavailable::failed(what(), error, ""))? {
        Reading::Known(state) => Ok(state),
        Reading::Unknown(why) => Err(Unavailable::failed(what(), why, "use a file of your own")),
    }
}
