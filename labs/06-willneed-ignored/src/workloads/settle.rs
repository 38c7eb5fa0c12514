//! Wait until a hint has done what it will do: until the file's residency no longer changes.

use instruments::residency::{self, Residency};
use instruments::{Reading, interrupt};
use std::fs::File;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// From one look to the next.
const EVERY: Duration = Duration::from_millis(10);

/// So many looks in a row have to find the same.
const UNCHANGED: u32 = 10;

/// A file that never settles is somebody else's doing, and the count after this time has to do.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file's residency that has stopped changing.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// As the last look found it.
    pub state: Reading<Residency>,
    /// From the first look to the last one that found another figure, nanoseconds.
    pub changing_ns: u64,
    /// Looks in all.
    pub looks: u32,
}

/// Look until the count of resident pages stays. Looking changes nothing.
pub fn wait(file: &File) -> io::Result<Settled> {
    let start = Instant::now();
    let mut settled = Settled { state: residency::of_file(file)?, changing_ns: 0, looks: 1 };
    let mut unchanged = 1;
    let resident = |state: &Reading<Residency>| state.known().map(|state| state.resident_pages);
    while unchanged < UNCHANGED
        && start.elapsed() < PATIENCE
        && resident(&settled.state).is_some()
        && !interrupt::requested()
    {
        sleep(EVERY);
        let now = residency::of_file(file)?;
        settled.looks += 1;
        if resident(&now) == resident(&settled.state) {
            unchanged += 1;
        } else {
            unchanged = 1;
            settled.changing_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        }
        settled.state = now;
    }
    Ok(settled)
}
