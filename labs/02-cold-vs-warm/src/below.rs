//! The cache below a loop device: the pages of the file behind it, around a cold pass.

use crate::cause::Why;
use crate::pass::Pass;
use instruments::residency::Residency;
use instruments::{Bench, Reading, host};
use serde::{Deserialize, Serialize};

/// The greatest share of the file's pages that may be missing below, or come there, for the cache below to have
/// delivered it. The loop device's file holds other things too, which come and go.
const OTHERS_SHARE: f64 = 0.1;

/// How much of the file behind the loop device was resident around a pass. See [`host::backing_file`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Below {
    /// After the eviction, just before the pass.
    pub before: Reading<Residency>,
    /// Just after it.
    pub after: Reading<Residency>,
}

impl Below {
    /// Run a pass between the two looks. None beside it where no file lies below.
    pub fn around<T, E>(
        bench: &mut Bench<'_>,
        pass: impl FnOnce(&mut Bench<'_>) -> Result<T, E>,
    ) -> Result<(T, Option<Below>), E> {
        let before = host::backing_file(bench.scratch().path());
        let pass = pass(bench)?;
        let after = before.is_some().then(|| host::backing_file(bench.scratch().path())).flatten();
        Ok((pass, before.zip(after).map(|(before, after)| Below { before, after })))
    }

    /// Pages resident before the pass, and the most that can have come during it. A loop device reads by way of these
    /// pages, so of what it delivered no more than that came from further below.
    fn held_and_came(&self) -> Option<(u64, u64)> {
        let (before, after) = (self.before.known()?, self.after.known()?);
        // Reclaim may have taken as many as came.
        let taken = after.evicted_pages.unwrap_or(0).saturating_sub(before.evicted_pages.unwrap_or(0));
        let more = after.resident_pages.saturating_sub(before.resident_pages);
        Some((before.resident_pages, more.saturating_add(taken)))
    }
}

/// The cache below had the file in each of the cold runs. `below` is what was seen around each pass of `cold`.
pub fn held_it(cold: &[Pass], below: &[Below], page_bytes: u64) -> Option<Why> {
    if cold.len() != below.len() {
        return None;
    }
    let mut seen = Vec::new();
    for (pass, below) in cold.iter().zip(below).filter(|(pass, _)| pass.is_cold().is_ok()) {
        let (pages, (held, came)) = (pass.before.known()?.pages as f64, below.held_and_came()?);
        if (held as f64) < pages * (1.0 - OTHERS_SHARE) || came as f64 > pages * OTHERS_SHARE {
            return None;
        }
        seen.push((held, came));
    }
    Some(Why::CacheBelowHeldIt {
        runs: seen.len(),
        held_bytes: seen.iter().map(|(held, _)| *held).min()?.saturating_mul(page_bytes),
        came_bytes: seen.iter().map(|(_, came)| *came).max()?.saturating_mul(page_bytes),
    })
}
