//! `readcut`: read on in a file that another process cuts short meanwhile.

use super::place::Place;
use super::{cut, error_name, failed, fill, parse_size};
use clap::Args;
use instruments::Unavailable;
use instruments::size::parse_bytes;
use lesson::workload::Line;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;

/// Bytes asked for by the read that straddles the new end; half of them lie before it.
pub const ACROSS: usize = 200;

/// The arguments of `tutor run readcut`.
#[derive(Args, Debug)]
pub struct ReadCut {
    #[command(flatten)]
    place: Place,
    /// Size of the file
    #[arg(long = "size", value_name = "SIZE", default_value = "1M", value_parser = parse_size)]
    length: u64,
    /// What the other process leaves of it
    #[arg(long, value_name = "SIZE", default_value = "500000", value_parser = parse_bytes)]
    keep: u64,
}

/// Read three quarters, let another process cut the file before that place, and read on.
pub fn run(args: ReadCut) -> Result<Line, Unavailable> {
    let place = args.length - args.length / 4;
    let half = ACROSS as u64 / 2;
    if args.keep < half || place < args.keep + half {
        return Err(Unavailable::failed(
            format!("cut {} bytes to {}", args.length, args.keep),
            "the new end must lie before the place of the reader, three quarters into the file",
            format!("give --keep between {half} and {}", place.saturating_sub(half)),
        ));
    }
    let mut file = args.place.file()?;
    fill(&mut file, args.length)?;
    file.rewind().map_err(|why| failed("go back to the start", why))?;
    let mut start = vec![0; place as usize];
    file.read_exact(&mut start).map_err(|why| failed("read the first three quarters", why))?;

    let other = cut(&file, args.keep)?;
    let size_after = file.metadata().map_err(|why| failed("ask for the new size", why))?.len();
    let across = file.read_at(&mut [0; ACROSS], args.keep - half);
    let mut byte = [0];
    let read = file.read(&mut byte);
    let value = matches!(read, Ok(1)).then_some(byte[0]);

    // Longer again: does the old data come back?
    file.set_len(args.length).map_err(|why| failed("make the file long again", why))?;
    file.seek(SeekFrom::Start(place)).map_err(|why| failed("go to the same place", why))?;
    file.read_exact(&mut byte).map_err(|why| failed("read at the same place", why))?;

    Ok(Line::new("readcut")
        .with("size_bytes", args.length)
        .with("place_bytes", place)
        .with("kept_bytes", args.keep)
        .with("pid", std::process::id())
        .with("cut_by_pid", other.pid)
        .with("cut_error", other.error_name())
        .with("size_after_bytes", size_after)
        .with("across_asked", ACROSS)
        .with_known("across_returned", across.ok())
        .with_known("read_returned", read.as_ref().ok())
        .with("read_error", error_name(&read))
        .with_known("read_value", value)
        .with("regrown_value", byte[0]))
}
