//! One run of `willneed` over an evicted file, and one read of it, with the file's state around each.
//!
//! Evidence keeps every run. Whether one counts is decided by the same pure rules while measuring (to try again) and
//! while revealing (so that no recording can smuggle one in).

use crate::settings::{OWN_BDI_KB, Settings};
use crate::words::many;
use instruments::bench::Run;
use instruments::limit::Limit;
use instruments::pages::page_bytes;
use instruments::residency::{self, Residency};
use instruments::sample::Trial;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Reading, Samples, Unavailable};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::Path;

/// The least and the greatest share of a file's bytes that the device delivers where each is read once. A hole or a tail
/// kept in the inode comes from no block; a counter that shows more counts something else too.
const ONCE: std::ops::RangeInclusive<f64> = 0.9..=1.1;

/// A file was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Bytes that each call asked for; the file's size where one call asked for all.
    pub piece_bytes: u64,
    /// Calls made.
    pub calls: u64,
    /// From before the first call to after the last, nanoseconds.
    pub elapsed_ns: u64,
    /// Processor time of it, nanoseconds.
    pub cpu_ns: u64,
    /// Bytes that the device was asked for meanwhile; None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
    /// The file's pages just before.
    pub before: Reading<Residency>,
    /// And once their count no longer changed.
    pub after: Reading<Residency>,
}

/// A file was read from start to end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Read {
    /// The file's pages just before.
    pub before: Reading<Residency>,
    /// Bytes read.
    pub bytes: u64,
    /// From before the first call to after the last, nanoseconds.
    pub elapsed_ns: u64,
    /// Bytes that the device delivered for it; None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
}

/// Bytes that a filesystem may read of its own for any file, to know where its blocks are; checksums come on top.
const FOR_THE_FILESYSTEM: u64 = 256 << 10;

impl Asked {
    /// Evict the file, ask for it with these further arguments, wait until it settles.
    pub fn cold(bench: &mut Bench<'_>, path: &Path, extra: &[&str]) -> Result<Asked, Unavailable> {
        Asked::cold_run(bench, path, extra, None).map(|(asked, _)| asked)
    }

    /// The same in pieces of this size.
    pub fn in_pieces(bench: &mut Bench<'_>, path: &Path, piece_bytes: u64) -> Result<Asked, Unavailable> {
        Asked::cold(bench, path, &["--pieces", &shell_bytes(piece_bytes)])
    }

    /// The same, inside of a memory limit where one is given; also the run itself, with whatever else it printed.
    pub fn cold_run(
        bench: &mut Bench<'_>,
        path: &Path,
        extra: &[&str],
        limit: Option<&Limit>,
    ) -> Result<(Asked, Run), Unavailable> {
        bench.make_cold(path)?;
        let before = residency_of(bench, path)?;
        let args: Vec<&OsStr> =
            std::iter::once(path.as_os_str()).chain(extra.iter().map(OsStr::new)).collect();
        let run = match limit {
            Some(limit) => bench.within(limit).run("willneed", &args)?,
            None => bench.run("willneed", &args)?,
        };
        let asked = Asked {
            piece_bytes: run.u64("piece_bytes")?,
            calls: run.u64("calls")?,
            elapsed_ns: run.u64("elapsed_ns")?,
            cpu_ns: run.u64("cpu_ns")?,
            device_read_bytes: run.u64_if_known("device_read_bytes")?,
            before,
            after: residency_of(bench, path)?,
        };
        if let Some(bytes) = asked.taken_bytes(page_bytes()) {
            bench.note_missing(path, bytes / page_bytes())?;
        }
        Ok((asked, run))
    }

    /// Nothing was resident before, so what is there now came by the calls. Err says what was wrong.
    pub fn began_cold(&self) -> Result<(), String> {
        began_cold(&self.before)
    }

    /// The calls brought in all of it. Err says how much.
    pub fn brought_all(&self) -> Result<(), String> {
        self.began_cold()?;
        match self.after.known() {
            Some(after) if after.resident_pages == after.pages => Ok(()),
            Some(after) => Err(format!(
                "only {} of {} were resident after it",
                format_count(after.resident_pages),
                many(after.pages, "page")
            )),
            None => Err("nobody can know what was resident after it".to_owned()),
        }
    }

    /// That pages came and went again, though the kernel has no note of evicting any: somebody took them.
    pub fn taken(&self, page_bytes: u64) -> Option<String> {
        let lost = self.taken_bytes(page_bytes)?;
        let delivered = self.device_read_bytes?;
        Some(format!(
            "of {} from the device only {} were left, and the kernel evicted none: somebody took pages",
            format_bytes(delivered),
            format_bytes(delivered - lost)
        ))
    }

    fn taken_bytes(&self, page_bytes: u64) -> Option<u64> {
        let after = self.proven().filter(|after| after.evicted_pages == Some(0))?;
        let stayed = after.resident_pages.saturating_mul(page_bytes);
        let lost = self.device_read_bytes?.saturating_sub(stayed);
        (lost > FOR_THE_FILESYSTEM.saturating_add(stayed / 64)).then_some(lost)
    }

    /// The state after it, where that is known, nothing was resident before, and nobody took pages.
    pub fn undisturbed(&self, page_bytes: u64) -> Option<&Residency> {
        self.proven().filter(|_| self.taken(page_bytes).is_none())
    }

    /// The state after it, where it is known and nothing was resident before.
    pub fn proven(&self) -> Option<&Residency> {
        self.began_cold().ok().and(self.after.known())
    }
}

impl Read {
    /// Read `path` with the workload of lab 2, as it is now.
    pub fn measure(bench: &mut Bench<'_>, path: &Path, limit: Option<&Limit>) -> Result<Read, Unavailable> {
        let before = residency_of(bench, path)?;
        let block = shell_bytes(bench.plan().block_bytes);
        let args = [path.as_os_str(), OsStr::new("--block"), OsStr::new(&block)];
        let run = match limit {
            Some(limit) => bench.within(limit).run("cread", &args)?,
            None => bench.run("cread", &args)?,
        };
        Ok(Read {
            before,
            bytes: run.u64("bytes")?,
            elapsed_ns: run.u64("elapsed_ns")?,
            device_read_bytes: run.u64_if_known("device_read_bytes")?,
        })
    }

    /// Evict the file, then read it.
    pub fn cold(bench: &mut Bench<'_>, path: &Path) -> Result<Read, Unavailable> {
        bench.make_cold(path)?;
        Read::measure(bench, path, None)
    }

    /// Nothing was resident before, and the device delivered the file. Err says what was wrong.
    pub fn was_cold(&self) -> Result<(), String> {
        began_cold(&self.before)?;
        delivered_once(self.device_read_bytes, self.bytes)
    }
}

impl Read {
    /// All was resident before, and the device delivered nothing. Err says what was wrong.
    pub fn was_warm(&self) -> Result<(), String> {
        match (self.before.known(), self.device_read_bytes) {
            (Some(before), Some(0)) if before.resident_pages == before.pages => Ok(()),
            _ => Err("it was not proven to be warm".to_owned()),
        }
    }
}

/// The device delivered about as many bytes as there are. Err says how many.
pub fn delivered_once(delivered: Option<u64>, bytes: u64) -> Result<(), String> {
    let delivered = delivered.ok_or("nobody counted what the device delivered")?;
    if ONCE.contains(&(delivered as f64 / bytes as f64)) {
        return Ok(());
    }
    Err(format!("the device delivered {} of {}", format_bytes(delivered), format_bytes(bytes)))
}

/// Nothing was resident. Err says what was.
pub fn began_cold(before: &Reading<Residency>) -> Result<(), String> {
    match before {
        Reading::Known(before) if before.resident_pages == 0 => Ok(()),
        Reading::Known(before) => Err(format!(
            "{} of {} still resident before it",
            many(before.resident_pages, "page"),
            format_count(before.pages)
        )),
        Reading::Unknown(_) => Err("nobody can know what was resident before it".to_owned()),
    }
}

/// Figures of the runs that keep a rule; the others are counted as discarded.
pub fn figures<T>(runs: &[T], figure: fn(&T) -> u64, rule: impl Fn(&T) -> Result<(), String>) -> Samples {
    Samples::of(runs, rule, |run| figure(run) as f64)
}

/// What a rule says about a run, as the trial's end.
pub fn judge(said: Result<(), String>, value: u64) -> Trial {
    match said {
        Ok(()) => Trial::Kept(value as f64),
        Err(why) => Trial::Discarded(why),
    }
}

/// The state of a scratch file now.
pub fn residency_of(bench: &Bench<'_>, path: &Path) -> Result<Reading<Residency>, Unavailable> {
    residency::of_file(&bench.open(path)?).map_err(|error| {
        Unavailable::failed(format!("ask how much of {} is resident", path.display()), error, "")
    })
}

/// The state of a scratch file now, in equal parts, for a map.
pub fn map_of(bench: &Bench<'_>, path: &Path) -> Result<Vec<Residency>, Unavailable> {
    let map = residency::map(&bench.open(path)?, MAP_PARTS).map_err(|error| {
        Unavailable::failed(format!("ask which parts of {} are resident", path.display()), error, "")
    })?;
    Ok(map.known().cloned().unwrap_or_default())
}

/// So many parts show a piece of a few MiB in a file of a few hundred.
const MAP_PARTS: usize = 128;

/// What filesystems use where nobody sets anything else.
const COMMON_READAHEAD_BYTES: u64 = OWN_BDI_KB << 10;

/// The largest of the known sizes in which a file can be asked for so that all of it comes.
pub fn whole_piece(bench: &mut Bench<'_>, path: &Path) -> Result<u64, Unavailable> {
    let settings = Settings::now(bench);
    let known = settings.map(|settings| [settings.larger_bytes(), settings.read_ahead_kb << 10]);
    for piece in known.into_iter().flatten().filter(|piece| *piece > COMMON_READAHEAD_BYTES) {
        // Once more where something is missing: others may have taken pages meanwhile.
        for _ in 0..2 {
            if Asked::in_pieces(bench, path, piece)?.brought_all().is_ok() {
                return Ok(piece);
            }
        }
    }
    Ok(COMMON_READAHEAD_BYTES)
}
