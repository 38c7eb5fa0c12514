//! `flushwatch`: write a small file, close it, and wait until the kernel has written it by itself.

use super::count::Unwritten;
use super::made::Place;
use clap::Args;
use instruments::{Unavailable, interrupt, open};
use lesson::workload::Line;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The arguments of `tutor run flushwatch`.
#[derive(Args, Debug)]
pub struct FlushWatch {
    #[command(flatten)]
    place: Place,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    at_most: u64,
}

/// Looks at the file come this often.
pub const LOOK: Duration = Duration::from_millis(100);

/// What was seen of a file that nobody synced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// How often it was looked at, nanoseconds.
    pub look_ns: u64,
    /// How long at most.
    pub at_most_ns: u64,
    /// The looks at which the count had changed, the first and the last one.
    pub looks: Vec<Look>,
    /// When no page of it was dirty or in writeback for the first time; None where that did not come.
    pub clean_after_ns: Option<u64>,
}

/// One look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Nanoseconds since the write returned.
    pub at_ns: u64,
    /// What was not on the disk then.
    pub unwritten: Unwritten,
}

/// Look at `path` until it is clean or the time is over. `tick` is called after each look. The file is closed between
/// the looks: nothing of ours keeps it busy.
pub fn watch(
    path: &Path,
    at_most: Duration,
    mut tick: impl FnMut() -> Result<(), Unavailable>,
) -> Result<Watched, Unavailable> {
    let clock = Instant::now();
    let since = |clock: Instant| u64::try_from(clock.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut watched = Watched {
        look_ns: LOOK.as_nanos() as u64,
        at_most_ns: at_most.as_nanos() as u64,
        ..Watched::default()
    };
    let mut last = None;
    loop {
        let file = open::regular(path)?;
        let unwritten = Unwritten::of(&file).map_err(|error| {
            Unavailable::failed(format!("count the dirty pages of {}", open::shown(path)), error, "")
        })?;
        drop(file);
        let look = Look { at_ns: since(clock), unwritten };
        let clean = unwritten.of_pages(u64::MAX) == Some(0);
        // Where nobody tells, waiting brings nothing.
        let over = clean || unwritten.dirty_pages.is_none() || clock.elapsed() >= at_most;
        if over || last != Some(unwritten) {
            watched.looks.push(look);
            last = Some(unwritten);
        }
        if clean {
            watched.clean_after_ns = Some(look.at_ns);
        }
        if over {
            return Ok(watched);
        }
        tick()?;
        sleep(LOOK);
    }
}

/// Write, close, watch.
pub fn run(args: FlushWatch) -> Result<Line, Unavailable> {
    let made = args.place.dirty()?;
    let before = Unwritten::of(&made.file).map_err(|error| made.failed("count the dirty pages of", error))?;
    if before.dirty_pages.is_none() {
        return Err(Unavailable::lacking(
            format!("watch {}", open::shown(&made.path)),
            "a kernel that tells which pages of a file are dirty (cachestat(2), Linux 6.5)",
            "watch the line Dirty of /proc/meminfo instead",
        ));
    }
    let (path, bytes) = (made.path.clone(), made.bytes);
    let watched = watch(&path, Duration::from_secs(args.at_most), interrupt::check)?;
    Ok(Line::new("flushwatch")
        .with("bytes", bytes)
        .with_known("dirty_pages", before.dirty_pages)
        .with("looks_every_ns", watched.look_ns)
        .with_known("clean_after_ns", watched.clean_after_ns))
}
