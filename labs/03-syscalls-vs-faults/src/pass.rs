//! A pass: one timed run of a workload over the data file, with the proof of the state in which it ran.
//!
//! Evidence keeps every pass. Whether one counts is decided by the same pure rules while measuring (to try again) and
//! while revealing (so that no recording can smuggle one in).

use crate::words::many;
use instruments::bench::Run;
use instruments::size::{format_bytes, format_count};
use instruments::{Bench, Samples, Unavailable};
use lesson::Caveat;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::Path;

/// The least share of the bytes that the device must have delivered for a pass to count as cold. A little less than
/// all: a hole or a tail kept in the inode comes from no block.
const COLD_SHARE: f64 = 0.9;

/// One run of a workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Pages of the whole file that were resident just before.
    pub resident_before_pages: u64,
    /// Bytes looked at.
    pub bytes: u64,
    /// From before open to after close, nanoseconds.
    pub elapsed_ns: u64,
    /// CPU time of the whole process, nanoseconds. Its split into user and system is left out: on most kernels it
    /// comes from looking once a tick, too coarse for what runs for a few ticks.
    pub cpu_ns: u64,
    /// Faults served without I/O, between open and close.
    pub minor_faults: u64,
    /// Faults that waited for I/O, between open and close.
    pub major_faults: u64,
    /// Bytes that the device delivered between open and close; None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
}

impl Pass {
    /// Run `workload` on `path` with `extra` arguments.
    pub fn measure(
        bench: &mut Bench<'_>,
        workload: &str,
        path: &Path,
        extra: &[&str],
    ) -> Result<Pass, Unavailable> {
        let resident_before_pages = bench.resident_pages(path)?;
        let run = bench.run(workload, &arguments(path, extra))?;
        Pass::from_run(&run, resident_before_pages)
    }

    fn from_run(run: &Run, resident_before_pages: u64) -> Result<Pass, Unavailable> {
        Ok(Pass {
            resident_before_pages,
            bytes: run.u64("bytes")?,
            elapsed_ns: run.u64("elapsed_ns")?,
            cpu_ns: run.usage.user_ns.saturating_add(run.usage.system_ns),
            minor_faults: run.u64("minor_faults")?,
            major_faults: run.u64("major_faults")?,
            device_read_bytes: run.u64_if_known("device_read_bytes")?,
        })
    }

    /// Warm: all `pages` of the file were resident before, and the device delivered nothing. Err says what was wrong.
    pub fn is_warm(&self, pages: u64) -> Result<(), String> {
        if self.resident_before_pages < pages {
            let resident = format_count(self.resident_before_pages);
            return Err(format!("only {resident} of {} were resident before it", many(pages, "page")));
        }
        match self.device_read_bytes {
            None | Some(0) => Ok(()),
            Some(bytes) => {
                Err(format!("the device delivered {} although all was resident", format_bytes(bytes)))
            }
        }
    }

    /// Cold: nothing was resident before, and the device delivered the bytes. Err says what was wrong.
    pub fn is_cold(&self) -> Result<(), String> {
        if self.resident_before_pages > 0 {
            return Err(format!("{} still resident before it", many(self.resident_before_pages, "page")));
        }
        match self.device_read_bytes {
            Some(delivered) if (delivered as f64) < COLD_SHARE * self.bytes as f64 => {
                let (delivered, bytes) = (format_bytes(delivered), format_bytes(self.bytes));
                Err(format!("the device delivered only {delivered} of {bytes}"))
            }
            _ => Ok(()),
        }
    }

    /// Time in which the process was not on a processor; None where it cannot be told, since the process has used more
    /// time of the processor in its whole life than the pass took.
    pub fn waited_ns(&self) -> Option<u64> {
        self.elapsed_ns.checked_sub(self.cpu_ns)
    }
}

/// Words of a command line: the path, and what comes after it.
pub fn arguments<'a>(path: &'a Path, extra: &[&'a str]) -> Vec<&'a OsStr> {
    let mut all = vec![path.as_os_str()];
    all.extend(extra.iter().map(|word| OsStr::new(*word)));
    all
}

/// The passes that keep the rule `counts`.
pub fn kept(passes: &[Pass], counts: impl Fn(&Pass) -> Result<(), String>) -> Vec<&Pass> {
    passes.iter().filter(|pass| counts(pass).is_ok()).collect()
}

/// One figure of each pass that keeps the rule; the others are counted as discarded.
pub fn samples(
    passes: &[Pass],
    counts: impl Fn(&Pass) -> Result<(), String>,
    figure: impl Fn(&Pass) -> u64,
) -> Samples {
    Samples::of(passes, counts, |pass| figure(pass) as f64)
}

/// What the passes of an act say about themselves: trials thrown away, too few kept, a counter that is not there.
/// `arms` are the samples of its arms, `wanted` the trials that each should have.
pub fn caveats(arms: &[&Samples], wanted: u32, device_counted: bool) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let discarded = arms.iter().map(|samples| samples.discarded).fold(0, u32::saturating_add);
    if let Some(why) = arms.iter().rev().find_map(|samples| samples.discarded_why.clone()) {
        caveats.push(Caveat::Discarded(discarded, why));
    }
    let fewest = arms.iter().map(|samples| samples.values.len() as u32).min().unwrap_or(0);
    if fewest < wanted {
        caveats.push(Caveat::FewTrials(fewest, wanted));
    }
    if !device_counted {
        caveats.push(Caveat::NoDeviceCounter);
    }
    caveats
}
