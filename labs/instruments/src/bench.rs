//! What an act may use while it measures.
//!
//! SKELETON: signatures are fixed, bodies to be written.

use crate::calls::Calls;
use crate::scratch::Scratch;
use crate::subject::{Exit, Usage};
use crate::{Host, Unavailable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The knobs of a run, already checked against what the lab allows and the machine has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Size of the data file.
    pub size_bytes: u64,
    /// Block size of read() loops.
    pub block_bytes: u64,
    /// Kept trials an arm.
    pub trials: u32,
}

/// Where progress goes. The tutor draws a bar; tests use [`Quiet`].
pub trait Progress {
    /// A stretch of work begins: what runs, and how many units it has (0: unknown).
    fn begin(&mut self, what: &str, units: u64);
    /// So many units are done.
    fn done(&mut self, units: u64);
    /// A live frame, for labs that draw while they measure (a residency map); may be dropped.
    fn map(&mut self, _buckets: &[crate::residency::Bucket]) {}
    /// The stretch is over.
    fn end(&mut self);
}

/// Progress that nobody watches.
#[derive(Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn begin(&mut self, _what: &str, _units: u64) {}
    fn done(&mut self, _units: u64) {}
    fn end(&mut self) {}
}

/// A workload's run: its own `[name] key=value …` line, and what the parent saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The line as the learner would type it.
    pub command: String,
    /// key=value fields of the line that it printed.
    pub fields: BTreeMap<String, String>,
    /// From before fork to after wait, nanoseconds.
    pub wall_ns: u64,
    /// From wait4(2).
    pub usage: Usage,
    /// How it ended.
    pub exit: Exit,
}

impl Run {
    /// A field as a number. A missing or malformed one is a failure of ours, told as such.
    pub fn u64(&self, key: &str) -> Result<u64, Unavailable> {
        let text = self.text(key)?;
        text.parse().map_err(|_| {
            Unavailable::failed(
                format!("read {key} of `{}`", self.command),
                format!("it printed {text:?}"),
                "",
            )
        })
    }

    /// A field as a number, None where the workload printed `unknown`.
    pub fn u64_if_known(&self, key: &str) -> Result<Option<u64>, Unavailable> {
        if self.text(key)? == "unknown" { Ok(None) } else { self.u64(key).map(Some) }
    }

    /// A field as text.
    pub fn text(&self, key: &str) -> Result<&str, Unavailable> {
        self.fields.get(key).map(String::as_str).ok_or_else(|| {
            Unavailable::failed(format!("read {key} of `{}`", self.command), "it did not print one", "")
        })
    }
}

/// Everything that an act may use while it measures: scratch files, child processes, progress, the plan.
pub struct Bench<'a> {
    host: Host,
    plan: Plan,
    scratch: Scratch,
    tutor: PathBuf,
    progress: &'a mut dyn Progress,
    data: Option<PathBuf>,
}

impl std::fmt::Debug for Bench<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bench")
            .field("plan", &self.plan)
            .field("scratch", &self.scratch)
            .finish_non_exhaustive()
    }
}

impl<'a> Bench<'a> {
    /// `tutor` is the binary that has the workloads: its `run` subcommand is what the children are.
    pub fn new(
        host: Host,
        plan: Plan,
        scratch: Scratch,
        tutor: PathBuf,
        progress: &'a mut dyn Progress,
    ) -> Self {
        Bench { host, plan, scratch, tutor, progress, data: None }
    }

    /// The machine's facts.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The knobs.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Where scratch files go.
    pub fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// The lab's data file, `plan.size_bytes` long: written once (with progress) and fdatasynced, then the same file
    /// for every act. Its residency is whatever the last act left: prove it.
    pub fn data_file(&mut self) -> Result<PathBuf, Unavailable> {
        todo!()
    }

    /// A file just written and not synced: as any program leaves it.
    pub fn fresh_file(&mut self, _name: &str, _bytes: u64) -> Result<PathBuf, Unavailable> {
        todo!()
    }

    /// Open a scratch file for asking its residency or evicting it.
    pub fn open(&self, _path: &Path) -> Result<File, Unavailable> {
        todo!()
    }

    /// Make `path` cold and prove it; Err says why pages stayed.
    pub fn make_cold(&mut self, _path: &Path) -> Result<(), Unavailable> {
        todo!()
    }

    /// Make `path` warm (read it through once, in 128 KiB blocks, where it is not) and prove it: all pages resident.
    pub fn make_warm(&mut self, _path: &Path) -> Result<(), Unavailable> {
        todo!()
    }

    /// Resident pages of `path` now; Err where nobody can know.
    pub fn resident_pages(&self, _path: &Path) -> Result<u64, Unavailable> {
        todo!()
    }

    /// Run `tutor run WORKLOAD ARGS…` as a child; a non-zero exit or a death by signal is Err.
    pub fn run(&mut self, _workload: &str, _args: &[&OsStr]) -> Result<Run, Unavailable> {
        todo!()
    }

    /// The same, however it ends: look at [`Run::exit`]. Dies under watch, so that si_code and address are known.
    pub fn run_to_death(&mut self, _workload: &str, _args: &[&OsStr]) -> Result<Run, Unavailable> {
        todo!()
    }

    /// The same under the system-call counter. Never used for timing.
    pub fn count(&mut self, _workload: &str, _args: &[&OsStr]) -> Result<(Run, Calls), Unavailable> {
        todo!()
    }

    /// Progress: a stretch of work begins.
    pub fn begin(&mut self, what: &str, units: u64) {
        self.progress.begin(what, units);
    }

    /// Progress: so many units are done. Also where an interruption is noticed.
    pub fn done(&mut self, units: u64) -> Result<(), Unavailable> {
        self.progress.done(units);
        crate::interrupt::check()
    }

    /// Progress: the stretch is over.
    pub fn end(&mut self) {
        self.progress.end();
    }

    /// A live frame of a residency map.
    pub fn frame(&mut self, buckets: &[crate::residency::Bucket]) {
        self.progress.map(buckets);
    }
}
