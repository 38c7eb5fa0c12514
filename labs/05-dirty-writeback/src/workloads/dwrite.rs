//! `dwrite`: write over a file from its start in equal blocks, in one of six ways, and say what it left where.

use super::count::{System, Unwritten};
use super::made::{Made, Place};
use clap::{Args, ValueEnum};
use instruments::buffer::Buffer;
use instruments::pages::pages_for;
use instruments::resource_usage::Meter;
use instruments::scratch::content;
use instruments::size::format_bytes;
use instruments::{Reading, Unavailable, direct, open, residency};
use lesson::workload::{Line, block_bytes_up_to};
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::time::{Duration, Instant};

/// The arguments of `tutor run dwrite`.
#[derive(Args, Debug)]
pub struct Dwrite {
    #[command(flatten)]
    place: Place,
    /// In which way
    #[arg(long, value_name = "WAY", default_value = "buffered")]
    way: Way,
    /// How many bytes each write() hands over
    #[arg(long, value_name = "SIZE", default_value_t = DEFAULT_BLOCK_BYTES, value_parser = block_bytes_up_to(LARGEST_BLOCK_BYTES))]
    block: u64,
    /// Stop after so many milliseconds, wherever it is then
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    at_most_ms: u64,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// write() and nothing else
    Buffered,
    /// write(), and one fdatasync() after the last
    Fdatasync,
    /// O_DSYNC
    Dsync,
    /// O_SYNC
    Sync,
    /// O_DIRECT
    Direct,
    /// O_DIRECT and O_DSYNC
    DirectDsync,
}

impl Way {
    /// As `--way` takes it.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Open the file of a learner's program that writes so; the second value is what blocks must be multiples of.
    fn open(self, made: &Made) -> io::Result<(File, u64)> {
        let through_the_cache =
            |flags| Ok((File::options().write(true).custom_flags(flags).open(&made.path)?, 1));
        let past_it = |flags| {
            let direct = direct::open_to_write(&made.path, flags)?;
            Ok((direct.file, direct.offset_align_bytes))
        };
        match self {
            // ANCHOR: ways
            Way::Buffered | Way::Fdatasync => through_the_cache(0),
            Way::Dsync => through_the_cache(libc::O_DSYNC),
            Way::Sync => through_the_cache(libc::O_SYNC),
            Way::Direct => past_it(0),
            Way::DirectDsync => past_it(libc::O_DSYNC),
            // ANCHOR_END: ways
        }
    }
}

/// Unless --block says otherwise.
pub const DEFAULT_BLOCK_BYTES: u64 = 32 << 10;

/// What is written is made in pieces, each block the beginning of one.
const LARGEST_BLOCK_BYTES: u64 = content::PIECE_BYTES as u64;

/// Write, and look what is left where.
pub fn run(args: Dwrite) -> Result<Line, Unavailable> {
    let made = args.place.cold()?;
    let (file, align) = args.way.open(&made).map_err(|error| {
        let what = format!("write {} with {}", open::shown(&made.path), args.way.name());
        Unavailable::failed(what, error, "choose another --way, or a --dir on another filesystem")
    })?;
    if !args.block.is_multiple_of(align) {
        return Err(Unavailable::failed(
            format!("write in blocks of {}", format_bytes(args.block)),
            format!("O_DIRECT writes whole blocks of {align} bytes here"),
            format!("make --block a multiple of {align}"),
        ));
    }
    // Pages that a look at the file's start has brought in would be counted as left by the writes.
    instruments::state::make_cold(&made.file, &made.path)?;
    let mut block = Buffer::touched(args.block as usize);
    content::fill(u64::from(u32::MAX), &mut block);

    let failed = |error| made.failed("write", error);
    let before = System::now(made.device.as_deref()).map_err(failed)?;
    let meter = Meter::start();
    let written =
        write(&file, &block, made.bytes, Duration::from_millis(args.at_most_ms)).and_then(|writes| {
            if args.way == Way::Fdatasync { file.sync_data().map(|()| writes) } else { Ok(writes) }
        });
    let metered = meter.stop();
    let after = System::now(made.device.as_deref()).map_err(failed)?;
    let writes = written.map_err(failed)?;

    let left = Unwritten::of(&made.file).map_err(failed)?;
    let resident = match residency::of_file(&made.file).map_err(failed)? {
        Reading::Known(found) => Some(found.resident_pages),
        Reading::Unknown(_) => None,
    };
    let bytes = writes * args.block;
    Ok(Line::new("dwrite")
        .with("way", args.way.name())
        .with("block_bytes", args.block)
        .with("bytes", bytes)
        .with("writes", writes)
        .with("elapsed_ns", metered.elapsed_ns)
        .with("bytes_per_second", u128::from(bytes) * 1_000_000_000 / u128::from(metered.elapsed_ns.max(1)))
        .with("pages", pages_for(bytes))
        .with_known("resident_pages", resident)
        .with_known("dirty_pages", left.dirty_pages)
        .with_known("writeback_pages", left.writeback_pages)
        .with_known("device_write_bytes", after.written_since(&before))
        .with_known("device_flushes", after.flushed_since(&before)))
}

/// Whole blocks from the start, at least one, until the file's end or the time is reached; returns how many.
fn write(file: &File, block: &[u8], bytes: u64, at_most: Duration) -> io::Result<u64> {
    let clock = Instant::now();
    let mut writes = 0;
    let length = block.len() as u64;
    while writes == 0 || (writes + 1) * length <= bytes && clock.elapsed() < at_most {
        file.write_all_at(block, writes * length)?;
        writes += 1;
    }
    Ok(writes)
}
