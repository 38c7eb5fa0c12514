//! A pass: one timed run of a workload over a warm file, with the proof of the state in which it ran.
//!
//! Evidence keeps every pass. Whether one counts is decided by the same pure rules while measuring (to try again) and
//! while revealing (so that no recording can smuggle one in).

use crate::words::many;
use instruments::bench::Run;
use instruments::sample::Trial;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// One run of a workload that does the same thing many times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Pages of the file that were resident just before.
    pub resident_before_pages: u64,
    /// How many times it was done.
    pub times: u64,
    /// For all of these times together, nanoseconds.
    pub elapsed_ns: u64,
    /// How many times make a batch, and what the batch in the middle took, nanoseconds; where it was done in batches.
    pub batch: Option<(u64, u64)>,
    /// Bytes that the device delivered meanwhile; None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
    /// Faults served without I/O, all together.
    pub minor_faults: u64,
    /// Faults that waited for I/O, all together.
    pub major_faults: u64,
}

impl Pass {
    /// Run `workload` on `path` with `extra` arguments.
    pub fn measure(
        bench: &mut Bench<'_>,
        workload: &str,
        path: &Path,
        extra: &[&str],
    ) -> Result<(Pass, Run), Unavailable> {
        let resident_before_pages = bench.resident_pages(path)?;
        let run = bench.run(workload, &arguments(path, extra))?;
        let pass = Pass {
            resident_before_pages,
            times: run.u64("times")?,
            elapsed_ns: run.u64("elapsed_ns")?,
            batch: match run.fields.contains_key("batch_ns") {
                true => Some((run.u64("batch_times")?, run.u64("batch_ns")?)),
                false => None,
            },
            device_read_bytes: run.u64_if_known("device_read_bytes")?,
            minor_faults: run.u64("minor_faults")?,
            major_faults: run.u64("major_faults")?,
        };
        Ok((pass, run))
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

    /// What doing it once took on average, nanoseconds.
    pub fn mean_ns(&self) -> f64 {
        self.elapsed_ns as f64 / self.times.max(1) as f64
    }

    /// What doing it once took, nanoseconds: in the batch in the middle, or on average where there are no batches.
    pub fn each_ns(&self) -> f64 {
        let (times, ns) = self.batch.unwrap_or((self.times, self.elapsed_ns));
        ns as f64 / times.max(1) as f64
    }

    /// Faults in doing it once.
    pub fn faults_each(&self) -> f64 {
        self.minor_faults.saturating_add(self.major_faults) as f64 / self.times.max(1) as f64
    }
}

/// What `rule` says about a pass, as the trial's end.
pub fn judge(pass: &Pass, pages: u64) -> Trial {
    match pass.is_warm(pages) {
        Ok(()) => Trial::Kept(pass.each_ns()),
        Err(why) => Trial::Discarded(why),
    }
}

/// What doing it once took, of the passes that ran over a warm file of `pages` pages; the others are counted as
/// discarded.
pub fn times(passes: &[Pass], pages: u64) -> Samples {
    samples(passes, pages, Pass::each_ns)
}

/// The same on average over each whole pass: for what is not the same from its start to its end.
pub fn means(passes: &[Pass], pages: u64) -> Samples {
    samples(passes, pages, Pass::mean_ns)
}

fn samples(passes: &[Pass], pages: u64, figure: fn(&Pass) -> f64) -> Samples {
    Samples::of(passes, |pass| pass.is_warm(pages), figure)
}

/// Faults in doing it once, of the warm pass in the middle.
pub fn faults_each(passes: &[Pass], pages: u64) -> Option<f64> {
    let mut faults: Vec<f64> =
        passes.iter().filter(|pass| pass.is_warm(pages).is_ok()).map(Pass::faults_each).collect();
    faults.sort_by(f64::total_cmp);
    faults.get(faults.len() / 2).copied()
}

/// A scratch file of `bytes` bytes, written to the disk, and in the cache as a first read leaves it there.
pub fn warm_file(bench: &mut Bench<'_>, bytes: u64) -> Result<PathBuf, Unavailable> {
    let path = bench.fresh_file(&format!("small-{}.bin", shell_bytes(bytes)), bytes)?;
    bench.make_cold(&path)?;
    bench.warm_up(&path)?;
    Ok(path)
}

/// Words of a command line: the path, and what comes after it.
pub fn arguments<'a>(path: &'a Path, extra: &[&'a str]) -> Vec<&'a OsStr> {
    let mut all = vec![path.as_os_str()];
    all.extend(extra.iter().map(|word| OsStr::new(*word)));
    all
}
