//! `mapcut`: touch a mapping whose file another process cuts short meanwhile.

use super::place::Place;
use super::{NEW, announce, cut, error_name, failed, fill, parse_size};
use clap::Args;
use instruments::Unavailable;
use instruments::pages::page_bytes;
use instruments::raw_map::RawMap;
use instruments::size::parse_bytes;
use lesson::workload::Line;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

/// The arguments of `tutor run mapcut`.
#[derive(Args, Debug)]
pub struct MapCut {
    #[command(flatten)]
    place: Place,
    /// Size of the file and of its mapping
    #[arg(long = "size", value_name = "SIZE", default_value = "1M", value_parser = parse_size)]
    length: u64,
    /// What the other process leaves of the file
    #[arg(long, value_name = "SIZE", default_value = "500000", value_parser = parse_bytes)]
    keep: u64,
    /// The byte to touch [default: the first of the page after the new end]
    #[arg(long, value_name = "OFFSET", value_parser = parse_bytes)]
    at: Option<u64>,
    /// Store there as well, and look for what was stored
    #[arg(long)]
    store: bool,
    /// The file never was longer than --keep: only its mapping is
    #[arg(long, conflicts_with = "by_hand")]
    never_longer: bool,
    /// Cut the file yourself, from another terminal
    #[arg(long)]
    by_hand: bool,
}

/// Map the file, touch all of it, let another process cut it, say what comes next, and touch the byte.
pub fn run(args: MapCut) -> Result<Line, Unavailable> {
    let page = page_bytes();
    let at = args.at.unwrap_or(args.keep.next_multiple_of(page));
    if args.keep == 0 || args.keep > args.length || at >= args.length {
        return Err(Unavailable::failed(
            format!("touch byte {at} of a file of {} bytes cut to {}", args.length, args.keep),
            "the file must keep a byte, and both must lie within its first size",
            "give --keep and --at below --size",
        ));
    }
    let mut file = args.place.file()?;
    fill(&mut file, if args.never_longer { args.keep } else { args.length })?;
    let map = RawMap::shared(&file, args.length).map_err(|why| failed("map the file", why))?;
    let mut line = Line::new("mapcut")
        .with("pid", std::process::id())
        .with("size_bytes", args.length)
        .with("kept_bytes", args.keep)
        .with("page_bytes", page)
        .with("base", format!("{:#x}", map.base()))
        .with("at_bytes", at);
    if !args.never_longer {
        for offset in (0..args.length).step_by(page as usize) {
            map.load(offset);
        }
        line = line.with("value_before", map.load(at)).with("last_kept_before", map.load(args.keep - 1));
        line =
            if args.by_hand { by_hand(line, &file, args.keep)? } else { by_another(line, &file, args.keep)? };
    }
    line = line.with("last_kept_value", map.load(args.keep - 1));
    line = line.with("system_call_error", error_name(&map.load_by_system_call(at)));

    announce(&line)?;
    line = line.with("value", map.load(at));
    let held = map.held();
    line = line
        .with_known("mapped_bytes", held.map(|held| held.mapped_bytes))
        .with_known("huge_bytes", held.map(|held| held.huge_bytes));
    if args.store { store(line, &file, &map, at) } else { Ok(line) }
}

fn by_another(line: Line, file: &File, keep: u64) -> Result<Line, Unavailable> {
    let other = cut(file, keep)?;
    Ok(line.with("cut_by_pid", other.pid).with("cut_error", other.error_name()))
}

fn by_hand(line: Line, file: &File, keep: u64) -> Result<Line, Unavailable> {
    eprintln!("The file is mapped. Cut it from another terminal, then press Enter here:");
    eprintln!("  truncate -s {keep} /proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    std::io::stdin().read_line(&mut String::new()).map_err(|why| failed("wait for Enter", why))?;
    let size = file.metadata().map_err(|why| failed("ask for the new size", why))?.len();
    Ok(line.with("size_after_bytes", size))
}

/// A byte stored past the end: does the mapping have it, does read() see it, is it there when the file grows again?
fn store(line: Line, file: &File, map: &RawMap, at: u64) -> Result<Line, Unavailable> {
    map.store(at, NEW);
    let loaded_back = map.load(at);
    let mut byte = [0];
    let returned = file.read_at(&mut byte, at).map_err(|why| failed("read past the end", why))?;
    file.set_len(at + 1).map_err(|why| failed("make the file longer again", why))?;
    file.read_exact_at(&mut byte, at).map_err(|why| failed("read the byte again", why))?;
    Ok(line
        .with("stored_value", NEW)
        .with("loaded_back_value", loaded_back)
        .with("read_returned", returned)
        .with("regrown_value", byte[0]))
}
