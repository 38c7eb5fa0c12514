//! One way to write, tried several times.

use crate::stored::{self, unwritten};
use crate::words::middle;
use crate::workloads::count::Unwritten;
use crate::workloads::dwrite::Way;
use instruments::size::shell_bytes;
use instruments::{Bench, Unavailable};
use serde::{Deserialize, Serialize};

/// The trials of one way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arm {
    /// As `dwrite --way` takes it.
    pub way: String,
    /// In the order in which they were measured.
    pub trials: Vec<Trial>,
}

/// One run of `dwrite` on a file that was on the disk and not in the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// Bytes written.
    pub bytes: u64,
    /// write() calls.
    pub writes: u64,
    /// From before the first to after the last, and after fdatasync(2) where there is one; nanoseconds.
    pub elapsed_ns: u64,
    /// Pages that hold what was written.
    pub pages: u64,
    /// Pages of the file in the cache afterwards; None where nobody can know.
    pub resident_pages: Option<u64>,
    /// What was not on the disk afterwards.
    pub unwritten: Unwritten,
    /// What the disk took meanwhile, from everybody.
    pub device_write_bytes: Option<u64>,
    /// Flushes of its volatile cache that the disk completed meanwhile, for everybody.
    pub device_flushes: Option<u64>,
}

impl Trial {
    /// What the program saw.
    pub fn bytes_per_second(&self) -> f64 {
        self.bytes as f64 * 1e9 / self.elapsed_ns.max(1) as f64
    }
}

impl Arm {
    /// Without trials yet.
    pub fn of(way: Way) -> Arm {
        Arm { way: way.name(), trials: Vec::new() }
    }

    /// The most pages that were not on the disk after a trial; None where nobody can know.
    pub fn most_dirty(&self) -> Option<u64> {
        self.trials
            .iter()
            .map(|trial| trial.unwritten.of_pages(trial.pages))
            .try_fold(0, |most, left| Some(left?.max(most)))
    }

    /// In each trial the disk took as much as was written, and no page of it was left, as far as the kernel tells.
    pub fn reached_the_disk(&self) -> bool {
        let took =
            |trial: &Trial| trial.device_write_bytes.is_some_and(|bytes| bytes >= trial.bytes / 10 * 9);
        let left = self.most_dirty().unwrap_or(0);
        !self.trials.is_empty() && left == 0 && self.trials.iter().all(took)
    }

    /// Time a write(), of the middle trial.
    pub fn middle_write_ns(&self) -> u64 {
        let each: Vec<u64> = self.trials.iter().map(|trial| trial.elapsed_ns / trial.writes.max(1)).collect();
        middle(&each).unwrap_or(0)
    }

    /// Flushes for each write(), the least of the trials: others' flushes can only add. None where the disk does not count.
    pub fn flushes_a_write(&self) -> Option<f64> {
        let each =
            self.trials.iter().map(|trial| Some(trial.device_flushes? as f64 / trial.writes.max(1) as f64));
        each.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
    }
}

impl Way {
    /// Whether it uses O_DIRECT.
    pub fn goes_past_the_cache(self) -> bool {
        matches!(self, Way::Direct | Way::DirectDsync)
    }
}

/// Run `dwrite` in this way on a file of `bytes` bytes, in blocks of the plan, for a bounded time.
pub fn trial(bench: &mut Bench<'_>, bytes: u64, way: Way, at_most_ms: &str) -> Result<Trial, Unavailable> {
    let (block, name) = (shell_bytes(bench.plan().block_bytes), way.name());
    let extra = ["--block", &block, "--way", &name, "--at-most-ms", at_most_ms];
    let run = stored::run(bench, "dwrite", bytes, &extra)?;
    Ok(Trial {
        bytes: run.u64("bytes")?,
        writes: run.u64("writes")?,
        elapsed_ns: run.u64("elapsed_ns")?,
        pages: run.u64("pages")?,
        resident_pages: run.u64_if_known("resident_pages")?,
        unwritten: unwritten(&run, "dirty_pages", "writeback_pages")?,
        device_write_bytes: run.u64_if_known("device_write_bytes")?,
        device_flushes: run.u64_if_known("device_flushes")?,
    })
}
