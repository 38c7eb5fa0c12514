//! `holestore`: store into a hole of a file, after another process has filled the disk. The disk is a small tmpfs of
//! this run's own.

use super::place::{mount, on_tmpfs};
use super::{NEW, announce, error_name, failed};
use clap::Args;
use instruments::pages::page_bytes;
use instruments::raw_map::RawMap;
use instruments::size::parse_bytes;
use instruments::{Unavailable, other_process};
use lesson::workload::Line;
use std::os::unix::fs::FileExt;

/// The arguments of `tutor run holestore`.
#[derive(Args, Debug)]
pub struct HoleStore {
    /// Size of the disk
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = parse_bytes)]
    disk: u64,
}

/// A file of two pages, the first with room on the disk behind it, the second a hole. Another process fills the disk.
/// A store into the first page, a write() into the hole, and then a store into the hole.
pub fn run(args: HoleStore) -> Result<Line, Unavailable> {
    let page = page_bytes();
    if !(4 * page..=other_process::MAX_FILL_BYTES).contains(&args.disk) {
        return Err(Unavailable::failed(
            format!("work on a disk of {} bytes", args.disk),
            format!("it must have between {} and {}", 4 * page, other_process::MAX_FILL_BYTES),
            "",
        ));
    }
    mount(args.disk, false)?;
    let (file, filler) = (on_tmpfs()?, on_tmpfs()?);
    file.set_len(2 * page).map_err(|why| failed("make a file with a hole", why))?;
    let map = RawMap::shared(&file, 2 * page).map_err(|why| failed("map the file", why))?;
    map.store(0, NEW);
    let other =
        other_process::fill(&filler).map_err(|why| failed("let another process fill the disk", why))?;
    let filled = filler.metadata().map_err(|why| failed("ask for a size", why))?.len();
    let free = other_process::free_bytes(&file).map_err(|why| failed("ask for free room", why))?;
    map.store(1, NEW);
    let write = file.write_at(&[NEW], page);
    let line = Line::new("holestore")
        .with("pid", std::process::id())
        .with("disk_bytes", args.disk)
        .with("size_bytes", 2 * page)
        .with("page_bytes", page)
        .with("base", format!("{:#x}", map.base()))
        .with("filled_by_pid", other.pid)
        .with("fill_error", other.error_name())
        .with("filled_bytes", filled)
        .with("free_bytes", free)
        .with("old_page_value", map.load(1))
        .with("write_error", error_name(&write))
        .with("at_bytes", page);

    announce(&line)?;
    map.store(page, NEW);
    Ok(line.with("value", map.load(page)))
}
