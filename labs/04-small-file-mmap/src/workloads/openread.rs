//! `openread`: open a file, read it into a buffer that was used before, close it; again and again.

use super::{Again, batches};
use clap::Args;
use instruments::buffer::Buffer;
use instruments::pages::page_bytes;
use instruments::{Unavailable, adding, open};
use lesson::Workload;
use lesson::workload::{Line, block_bytes};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The steps of a round.
pub const KEYS: [&str; 3] = ["open_ns", "read_ns", "close_ns"];

/// What `tutor run openread` takes.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    again: Again,
    /// How many bytes each read() asks for
    #[arg(long, value_name = "SIZE", default_value = "128K", value_parser = block_bytes)]
    block: u64,
}

/// The workload.
pub fn workload() -> Workload {
    Workload::new("openread", "Open, read and close a file, again and again", run)
}

fn run(arguments: Arguments) -> Result<Line, Unavailable> {
    let Again { target, times, sum, steps } = &arguments.again;
    let ready = target.ready()?;
    let mut reader = Reader {
        path: &ready.path,
        bytes: ready.size_bytes,
        // Touched before the clock starts: its own faults are none of read()'s.
        buffer: Buffer::touched(arguments.block.min(ready.size_bytes.max(1)) as usize),
        sum: *sum,
    };
    let failed = |error| Unavailable::failed(format!("read {}", open::shown(&ready.path)), error, "");
    if !target.cold {
        reader.round(&mut |_| ()).map_err(failed)?;
    }
    let timed = batches::run(*times, *steps, |after| reader.round(after)).map_err(failed)?;
    arguments.again.line("openread", ready.size_bytes, &timed, KEYS).map_err(failed)
}

struct Reader<'p> {
    path: &'p Path,
    bytes: u64,
    buffer: Buffer,
    sum: bool,
}

impl Reader<'_> {
    // ANCHOR: round
    /// Open, read, look, close. The size is known beforehand, so no call is made to find the end.
    fn round(&mut self, after: &mut dyn FnMut(usize)) -> io::Result<()> {
        let mut file = File::open(self.path)?;
        after(0);
        let mut left = self.bytes;
        while left > 0 {
            let want = self.buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            match file.read(&mut self.buffer[..want])? {
                0 => return Err(io::Error::other("it got shorter meanwhile")),
                count => {
                    std::hint::black_box(self.look(count));
                    left -= count as u64;
                }
            }
        }
        after(1);
        drop(file);
        after(2);
        Ok(())
    }
    // ANCHOR_END: round

    fn look(&self, count: usize) -> u64 {
        let bytes = &self.buffer[..count];
        if self.sum {
            adding::sum(bytes)
        } else {
            bytes.iter().step_by(page_bytes() as usize).map(|byte| u64::from(*byte)).sum()
        }
    }
}
