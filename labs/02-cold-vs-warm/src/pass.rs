//! A pass: one read of a file from start to end by `cread`, with the file's state before and after it.
//!
//! Evidence keeps every pass, also those whose state was wrong. Whether a pass counts is decided by the same pure
//! rules while measuring (to try again) and while revealing (so that no recording can smuggle one in).

use instruments::residency::Residency;
use instruments::sample::Trial;
use instruments::size::{format_bytes, format_count};
use instruments::{Bench, Reading, Samples, Unavailable};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::Path;

/// The least share of a file that the device must have delivered for a pass to count as cold. A little less than all:
/// a hole or a tail kept in the inode comes from no block.
const COLD_SHARE: f64 = 0.9;

/// The greatest share. A counter that shows more counts something else too.
const COLD_SHARE_MOST: f64 = 1.1;

/// One read of a file, with its proofs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// The file's pages just before.
    pub before: Reading<Residency>,
    /// And just after.
    pub after: Reading<Residency>,
    /// Bytes read.
    pub bytes: u64,
    /// read() calls made.
    pub calls: u64,
    /// From before the first call to after the last, nanoseconds.
    pub elapsed_ns: u64,
    /// Bytes that the device delivered meanwhile (/proc/self/io read_bytes); None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
    /// The same for the whole life of the process, start-up included, as its parent saw it (ru_inblock).
    pub process_in_bytes: u64,
}

impl Pass {
    /// Run `cread` on `path` in blocks of the plan, with `extra` arguments, and prove the state around it.
    pub fn measure(bench: &mut Bench<'_>, path: &Path, extra: &[&str]) -> Result<Pass, Unavailable> {
        let block = instruments::size::shell_bytes(bench.plan().block_bytes);
        Pass::measure_in(bench, path, &block, extra)
    }

    /// The same in blocks of this size.
    pub fn measure_in(
        bench: &mut Bench<'_>,
        path: &Path,
        block: &str,
        extra: &[&str],
    ) -> Result<Pass, Unavailable> {
        let before = bench.residency(path)?;
        let mut args = vec![path.as_os_str(), OsStr::new("--block"), OsStr::new(block)];
        args.extend(extra.iter().map(OsStr::new));
        let run = bench.run("cread", &args)?;
        let after = bench.residency(path)?;
        Ok(Pass {
            before,
            after,
            bytes: run.u64("bytes")?,
            calls: run.u64("calls")?,
            elapsed_ns: run.u64("elapsed_ns")?,
            device_read_bytes: run.u64_if_known("device_read_bytes")?,
            process_in_bytes: run.usage.in_blocks * 512,
        })
    }

    /// Cold: nothing was resident before, and the device delivered the file. Err says what was wrong.
    pub fn is_cold(&self) -> Result<(), String> {
        let before = self.known_before()?;
        if before.resident_pages > 0 {
            let left = count_of_pages(before.resident_pages);
            return Err(format!("{left} of {} still resident before it", format_count(before.pages)));
        }
        self.came_from_device()
    }

    /// Warm: all was resident before, and the device delivered nothing. Err says what was wrong.
    pub fn is_warm(&self) -> Result<(), String> {
        self.found_all_resident()?;
        match self.device_read_bytes {
            None => Err("nobody counted what the device delivered".to_owned()),
            Some(0) => Ok(()),
            Some(bytes) => {
                Err(format!("the device delivered {} although all was resident", format_bytes(bytes)))
            }
        }
    }

    /// All pages were resident before. Err says how many were.
    pub fn found_all_resident(&self) -> Result<(), String> {
        let before = self.known_before()?;
        if before.resident_pages < before.pages {
            let resident = format_count(before.resident_pages);
            return Err(format!(
                "only {resident} of {} were resident before it",
                count_of_pages(before.pages)
            ));
        }
        Ok(())
    }

    /// The device delivered about as many bytes as were read. Err says how many it delivered.
    pub fn came_from_device(&self) -> Result<(), String> {
        let delivered = self.device_read_bytes.ok_or("nobody counted what the device delivered")?;
        let share = delivered as f64 / self.bytes as f64;
        if (COLD_SHARE..=COLD_SHARE_MOST).contains(&share) {
            return Ok(());
        }
        Err(format!("the device delivered {} of {}", format_bytes(delivered), format_bytes(self.bytes)))
    }

    fn known_before(&self) -> Result<&Residency, String> {
        match &self.before {
            Reading::Known(before) => Ok(before),
            Reading::Unknown(_) => Err("nobody can know what was resident before it".to_owned()),
        }
    }
}

/// The passes that keep the rule `counts`, in the order in which they were measured.
pub fn kept(passes: &[Pass], counts: impl Fn(&Pass) -> Result<(), String>) -> Vec<&Pass> {
    passes.iter().filter(|pass| counts(pass).is_ok()).collect()
}

/// The times of those passes in nanoseconds; the others are counted as discarded.
pub fn times(passes: &[Pass], counts: impl Fn(&Pass) -> Result<(), String>) -> Samples {
    Samples::of(passes, counts, |pass| pass.elapsed_ns as f64)
}

/// Read the file through where something is missing. Whether that made it warm is for the next pass to prove: in a
/// memory limit it never does, and then that is what the act has to say.
pub fn warm_up(bench: &mut Bench<'_>, path: &Path) -> Result<(), Unavailable> {
    match bench.warm_up(path) {
        Err(Unavailable::Lacking { .. }) => Ok(()),
        done => done,
    }
}

/// Whether the file can be made warm at all. In a memory limit below its size further trials would only take time: one
/// shows the reason as well as ten.
pub fn gets_warm(bench: &mut Bench<'_>, path: &Path) -> Result<bool, Unavailable> {
    match bench.warm_up(path) {
        Err(Unavailable::Lacking { .. }) => Ok(false),
        done => done.map(|()| true),
    }
}

/// What `rule` says about a pass, as the trial's end.
pub fn judge(pass: &Pass, rule: fn(&Pass) -> Result<(), String>) -> Trial {
    match rule(pass) {
        Ok(()) => Trial::Kept(pass.elapsed_ns as f64),
        Err(why) => Trial::Discarded(why),
    }
}

/// `1 page`, `131,072 pages`.
pub fn count_of_pages(pages: u64) -> String {
    let s = if pages == 1 { "" } else { "s" };
    format!("{} page{s}", format_count(pages))
}
