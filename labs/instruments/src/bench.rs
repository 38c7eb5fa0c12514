//! What an act may use while it measures.

mod flush;
mod run;
mod starter;
mod watch;

pub use run::Run;
pub use starter::Starter;

use crate::calls::Calls;
use crate::evict::{self, Evicted, Stuck};
use crate::evictors::{Meanwhile, Watch};
use crate::limit::Limit;
use crate::pages::page_bytes;
use crate::residency::Residency;
use crate::residency_timeline::ResidencyTimeline;
use crate::scratch::Scratch;
use crate::{Host, Reading, Unavailable, interrupt, open, residency, size, state};
use serde::{Deserialize, Serialize};
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
    /// So many more units are done.
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

/// Everything that an act may use while it measures: scratch files, child processes, progress, the plan.
pub struct Bench<'a> {
    host: Host,
    plan: Plan,
    scratch: Scratch,
    tutor: PathBuf,
    progress: &'a mut dyn Progress,
    data: Option<PathBuf>,
    others: Watch,
    /// What was read through last, until it is looked at or evicted.
    warmed: Option<PathBuf>,
    patient: bool,
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
    /// `tutor` is the binary that has the workloads: its `run` subcommand is what the children are. /proc/self/exe is
    /// this very program even where its file was replaced or removed meanwhile.
    pub fn new(
        host: Host,
        plan: Plan,
        scratch: Scratch,
        tutor: PathBuf,
        progress: &'a mut dyn Progress,
    ) -> Self {
        let others = Watch::start();
        Bench { host, plan, scratch, tutor, progress, data: None, others, warmed: None, patient: false }
    }

    /// Whether the learner has time to watch what takes the kernel half a minute.
    #[must_use]
    pub fn patient(self, patient: bool) -> Self {
        Bench { patient, ..self }
    }

    /// See [`Bench::patient`]. An act that watches takes longer than it promises.
    pub fn is_patient(&self) -> bool {
        self.patient
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
        interrupt::check()?;
        if let Some(path) = &self.data {
            return still_there(path).map(|()| path.clone());
        }
        let bytes = self.plan.size_bytes;
        let name = format!("{}.bin", size::shell_bytes(bytes));
        self.progress.begin("write the data file", bytes);
        let mut sum = 0;
        let written = self.scratch.write(&name, bytes, &mut |now| {
            self.progress.done(now - sum);
            sum = now;
        });
        self.progress.end();
        let path = written?;
        self.progress.begin("wait for the disk to have it", bytes);
        let flushed = flush::flush(&path, bytes, &mut |piece| self.progress.done(piece));
        self.progress.end();
        flushed?;
        self.data = Some(path.clone());
        Ok(path)
    }

    /// A file just written and not synced: as any program leaves it. Without progress of its own, so that it may
    /// stand inside a stretch of work.
    pub fn fresh_file(&mut self, name: &str, bytes: u64) -> Result<PathBuf, Unavailable> {
        self.scratch.write(name, bytes, &mut |_| ())
    }

    /// Open a scratch file for asking its residency or evicting it.
    pub fn open(&self, path: &Path) -> Result<File, Unavailable> {
        // The learner gave it no name that could be wrong.
        still_there(path)?;
        open::regular(path)
    }

    /// Make `path` cold and prove it; Err says why pages stayed.
    pub fn make_cold(&mut self, path: &Path) -> Result<(), Unavailable> {
        interrupt::check()?;
        self.warmed = None;
        state::make_cold(&self.open(path)?, path).map(drop)
    }

    /// Read `path` through (in 128 KiB blocks) where it is not resident. Pages that somebody takes again at once are noted
    /// and no error: whether a trial began warm is for its own proof to say. Err where a memory limit has no room for it.
    pub fn warm_up(&mut self, path: &Path) -> Result<(), Unavailable> {
        interrupt::check()?;
        let found = state::warm_up(&self.open(path)?, path)?;
        self.others.found(&found);
        self.warmed = Some(path.to_owned());
        if found.resident_pages == found.pages { Ok(()) } else { self.fits_the_limit(path, &found) }
    }

    /// Note that so many pages of `path` are missing that had just come: somebody took them.
    pub fn note_missing(&mut self, path: &Path, pages: u64) -> Result<(), Unavailable> {
        if pages == 0 {
            return Ok(());
        }
        let found = self.residency(path)?;
        self.others.missing(pages, found.known().and_then(|found| found.evicted_pages));
        Ok(())
    }

    /// From now on, [`Bench::meanwhile`] tells of this act.
    pub fn begin_act(&mut self) {
        self.others = Watch::start();
    }

    /// What others did to the cache since [`Bench::begin_act`].
    pub fn meanwhile(&self) -> Meanwhile {
        self.others.until_now()
    }

    /// Err where a memory limit is below the size of a file of which so much stayed.
    fn fits_the_limit(&self, path: &Path, found: &Residency) -> Result<(), Unavailable> {
        let limit = self.host.cgroup.as_ref().and_then(|cgroup| cgroup.limit_bytes);
        let bytes = found.pages.saturating_mul(page_bytes());
        let Some(limit) = limit.filter(|limit| *limit < bytes) else { return Ok(()) };
        Err(Unavailable::lacking(
            format!("make {} warm", open::shown(path)),
            format!(
                "room for {} in the cache, and a memory limit of {} bounds it: {} of {} pages stayed",
                size::format_bytes(bytes),
                size::format_bytes(limit),
                size::format_count(found.resident_pages),
                size::format_count(found.pages),
            ),
            "choose a smaller --size",
        ))
    }

    /// Evict `path`, where it matters why pages stay.
    pub fn evict(&mut self, path: &Path) -> Result<Result<Evicted, Stuck>, Unavailable> {
        self.warmed = None;
        self.open(path).map(|file| evict::evict(&file))
    }

    /// The pages of `path` now. Where it has just been warmed up, pages that are missing all the same are noted.
    pub fn residency(&mut self, path: &Path) -> Result<Reading<Residency>, Unavailable> {
        let found = residency::of_file(&self.open(path)?).map_err(|error| {
            Unavailable::failed(format!("ask how much of {} is resident", open::shown(path)), error, "")
        })?;
        if let (Some(state), Some(_)) = (found.known(), self.warmed.take_if(|warmed| warmed == path)) {
            self.others.found(state);
        }
        Ok(found)
    }

    /// Resident pages of `path` now; Err where nobody can know.
    pub fn resident_pages(&mut self, path: &Path) -> Result<u64, Unavailable> {
        match self.residency(path)? {
            Reading::Known(found) => Ok(found.resident_pages),
            Reading::Unknown(why) => Err(Unavailable::lacking(
                format!("count the resident pages of {}", open::shown(path)),
                format!("a kernel that tells ({why})"),
                "use a directory of your own on a local disk: --dir",
            )),
        }
    }

    /// Run `tutor run WORKLOAD ARGS…` as a child; a non-zero exit or a death by signal is Err.
    pub fn run(&mut self, workload: &str, args: &[&OsStr]) -> Result<Run, Unavailable> {
        self.starter().run(workload, args)
    }

    /// The same, however it ends: look at [`Run::exit`]. Dies under watch, so that si_code and address are known.
    pub fn run_to_death(&mut self, workload: &str, args: &[&OsStr]) -> Result<Run, Unavailable> {
        self.starter().run_to_death(workload, args)
    }

    /// The same under the system-call counter. Never used for timing.
    pub fn count(&mut self, workload: &str, args: &[&OsStr]) -> Result<(Run, Calls), Unavailable> {
        self.starter().count(workload, args)
    }

    /// Starts workloads inside of a memory limit: `bench.within(&limit).run(…)`.
    pub fn within<'s>(&'s self, limit: &'s Limit) -> Starter<'s> {
        self.starter().within(limit)
    }

    /// Do `work` on another thread, and meanwhile show the residency of `path` at least ten times a second: as a map of
    /// `size_bytes`, so that a file can be seen growing. The work gets what it may need of the bench. Looking neither brings
    /// pages nor takes any; but it takes time of a processor: for watching, never for timing.
    pub fn watch<T: Send>(
        &mut self,
        path: &Path,
        size_bytes: u64,
        work: impl FnOnce(Starter<'_>, &Scratch) -> Result<T, Unavailable> + Send,
    ) -> Result<(T, ResidencyTimeline), Unavailable> {
        interrupt::check()?;
        let (starter, scratch) = (Starter::new(&self.tutor), &self.scratch);
        let progress = &mut self.progress;
        watch::watch(path, size_bytes, || work(starter, scratch), |buckets| progress.map(buckets))
    }

    /// Run a workload and watch `path` meanwhile: [`Bench::run`] and [`Bench::watch`] in one.
    pub fn run_watching(
        &mut self,
        workload: &str,
        args: &[&OsStr],
        path: &Path,
        size_bytes: u64,
    ) -> Result<(Run, ResidencyTimeline), Unavailable> {
        self.watch(path, size_bytes, |starter, _| starter.run(workload, args))
    }

    /// A live frame of a residency map, for work that the act itself does step by step.
    pub fn frame(&mut self, buckets: &[crate::residency::Bucket]) {
        self.progress.map(buckets);
    }

    /// What an error of an act comes from, where the scratch directory is gone: whatever failed then, that is why.
    pub fn explain(&self, error: Unavailable) -> Unavailable {
        match error {
            Unavailable::Interrupted => error,
            _ => still_there(self.scratch.path())
                .and_then(|()| self.data.as_deref().map_or(Ok(()), still_there))
                .err()
                .unwrap_or(error),
        }
    }

    fn starter(&self) -> Starter<'_> {
        Starter::new(&self.tutor)
    }

    /// Progress: a stretch of work begins.
    pub fn begin(&mut self, what: &str, units: u64) {
        self.progress.begin(what, units);
    }

    /// Progress: so many more units are done. Also where an interruption is noticed.
    pub fn done(&mut self, units: u64) -> Result<(), Unavailable> {
        self.progress.done(units);
        crate::interrupt::check()
    }

    /// Progress: the stretch is over.
    pub fn end(&mut self) {
        self.progress.end();
    }
}

fn still_there(path: &Path) -> Result<(), Unavailable> {
    path.symlink_metadata().map(drop).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "somebody removed it meanwhile".to_owned(),
            _ => crate::unavailable::in_words(error),
        };
        Unavailable::failed(format!("go on with {}", open::shown(path)), why, "run the lab again")
    })
}
