//! `mmapwrite`: store into every byte of a mapped file, and count what is on the disk then; with `--msync`, before and
//! after the call.

use super::count::{System, Unwritten, background_threshold_bytes, drift_bytes};
use super::made::{Made, Place};
use clap::{Args, ValueEnum};
use instruments::Unavailable;
use instruments::pages::pages_for;
use instruments::raw_map::RawMap;
use instruments::resource_usage::Meter;
use instruments::scratch::content;
use lesson::workload::Line;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The arguments of `tutor run mmapwrite`.
#[derive(Args, Debug)]
pub struct MmapWrite {
    #[command(flatten)]
    place: Place,
    /// Then call msync(2) with MS_SYNC or MS_ASYNC
    #[arg(long, value_name = "HOW")]
    msync: Option<Msync>,
}

/// Which flag of msync(2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Msync {
    /// MS_SYNC
    Sync,
    /// MS_ASYNC
    Async,
}

/// How long nothing is done around an MS_ASYNC, and before the stores.
const REST: Duration = Duration::from_millis(200);
const LOOKS: u32 = 8;

/// Map a clean file, store, count.
pub fn run(args: MmapWrite) -> Result<Line, Unavailable> {
    let made = args.place.clean()?;
    let failed = |what: &str| {
        let made = &made;
        let what = what.to_owned();
        move |error| made.failed(&what, error)
    };
    let map = RawMap::shared(&made.file, made.bytes).map_err(failed("map"))?;
    let drift = drift_bytes(LOOKS, REST / LOOKS).map_err(failed("look at Dirty beside"))?;
    let count = || Unwritten::of(&made.file).map_err(failed("count the dirty pages of"));
    let system = || System::now(made.device.as_deref()).map_err(failed("look at Dirty beside"));

    let (before, system_before) = (count()?, system()?);
    let metered = store(&map, made.bytes);
    let (after, system_after) = (count()?, system()?);

    let line = Line::new("mmapwrite")
        .with("bytes", made.bytes)
        .with("pages", pages_for(made.bytes))
        .with("store_ns", metered.elapsed_ns)
        .with("minor_faults", metered.minor_faults)
        .with_known("write_bytes", metered.device_write_bytes)
        .with_known("dirty_before_pages", before.dirty_pages)
        .with_known("dirty_pages", after.dirty_pages)
        .with_known("writeback_pages", after.writeback_pages)
        .with_known("device_write_bytes", system_after.written_since(&system_before))
        .with("system_drift_bytes", drift)
        .with("system_dirty_before_bytes", system_before.dirty_bytes)
        .with("system_dirty_bytes", system_after.dirty_bytes)
        .with_known("background_threshold_bytes", background_threshold_bytes());
    match args.msync {
        None => Ok(line),
        Some(Msync::Sync) => sync(line, &made, &map),
        Some(Msync::Async) => sync_async(line, &made, &map),
    }
}

// ANCHOR: store
/// Every byte, with bytes that no filesystem can compress.
fn store(map: &RawMap, bytes: u64) -> instruments::resource_usage::Metered {
    let mut piece = vec![0; content::PIECE_BYTES];
    // A number that no piece of the file had: every byte is likely to change.
    content::fill(u64::from(u32::MAX), &mut piece);
    let meter = Meter::start();
    for offset in (0..bytes).step_by(piece.len()) {
        let length = (bytes - offset).min(piece.len() as u64) as usize;
        map.store_all(offset, &piece[..length]);
    }
    meter.stop()
}
// ANCHOR_END: store

fn sync(line: Line, made: &Made, map: &RawMap) -> Result<Line, Unavailable> {
    let look = |made: &Made| System::now(made.device.as_deref());
    let failed = |error| made.failed("msync(MS_SYNC)", error);
    let before = look(made).map_err(failed)?;
    let clock = Instant::now();
    map.sync().map_err(failed)?;
    let elapsed = clock.elapsed();
    let after = Unwritten::of(&made.file).map_err(failed)?;
    let written = look(made).map_err(failed)?.written_since(&before);
    Ok(line
        .with("msync", "sync")
        .with("msync_ns", elapsed.as_nanos())
        .with_known("dirty_after_pages", after.dirty_pages)
        .with_known("writeback_after_pages", after.writeback_pages)
        .with_known("device_after_bytes", written))
}

/// The same rest before the call and after it: what the kernel does by itself shows in the first already.
fn sync_async(line: Line, made: &Made, map: &RawMap) -> Result<Line, Unavailable> {
    let failed = |error| made.failed("msync(MS_ASYNC)", error);
    let look = || System::now(made.device.as_deref()).map_err(failed);
    let count = || Unwritten::of(&made.file).map_err(failed);
    let start = look()?;
    sleep(REST);
    let (rested, before) = (count()?, look()?);
    let clock = Instant::now();
    map.sync_async().map_err(failed)?;
    let elapsed = clock.elapsed();
    let after = count()?;
    sleep(REST);
    let (settled, end) = (count()?, look()?);
    Ok(line
        .with("msync", "async")
        .with("msync_ns", elapsed.as_nanos())
        .with("rest_ns", REST.as_nanos())
        .with_known("dirty_rested_pages", rested.dirty_pages)
        .with_known("writeback_rested_pages", rested.writeback_pages)
        .with_known("device_rested_bytes", before.written_since(&start))
        .with_known("dirty_after_pages", after.dirty_pages)
        .with_known("writeback_after_pages", after.writeback_pages)
        .with_known("dirty_settled_pages", settled.dirty_pages)
        .with_known("writeback_settled_pages", settled.writeback_pages)
        .with_known("device_settled_bytes", end.written_since(&before)))
}
