//! Starts workloads as child processes.

use super::run::{self, Command, Run};
use crate::Unavailable;
use crate::calls::Calls;
use crate::limit::Limit;
use crate::subject::{self, Outcome, Watch};
use std::ffi::OsStr;
use std::path::Path;

/// Starts workloads as child processes, in a memory limit or outside of any.
#[derive(Clone, Copy, Debug)]
pub struct Starter<'s> {
    tutor: &'s Path,
    limit: Option<&'s Limit>,
}

impl<'s> Starter<'s> {
    pub(super) fn new(tutor: &'s Path) -> Starter<'s> {
        Starter { tutor, limit: None }
    }

    /// The same, inside of this limit.
    pub fn within(self, limit: &'s Limit) -> Starter<'s> {
        Starter { limit: Some(limit), ..self }
    }

    /// See [`super::Bench::run`].
    pub fn run(&self, workload: &str, args: &[&OsStr]) -> Result<Run, Unavailable> {
        let (outcome, _) = self.start(workload, args, Watch::Nothing)?;
        Run::finished(&self.command(workload, args), outcome)
    }

    /// As [`Starter::run`], however it ends: look at [`Run::exit`].
    pub fn run_to_any_end(&self, workload: &str, args: &[&OsStr]) -> Result<Run, Unavailable> {
        let (outcome, _) = self.start(workload, args, Watch::Nothing)?;
        Ok(Run::however(&self.command(workload, args), outcome))
    }

    /// See [`super::Bench::run_to_death`].
    pub fn run_to_death(&self, workload: &str, args: &[&OsStr]) -> Result<Run, Unavailable> {
        let (outcome, _) = self.start(workload, args, Watch::Death)?;
        Ok(Run::however(&self.command(workload, args), outcome))
    }

    /// See [`super::Bench::count`].
    pub fn count(&self, workload: &str, args: &[&OsStr]) -> Result<(Run, Calls), Unavailable> {
        let (outcome, calls) = self.start(workload, args, Watch::Calls)?;
        let run = Run::finished(&self.command(workload, args), outcome)?;
        let calls = calls.ok_or_else(|| {
            Unavailable::failed(
                format!("count the system calls of `{}`", run.command),
                "none were counted",
                "",
            )
        })?;
        Ok((run, calls))
    }

    fn start(
        &self,
        workload: &str,
        args: &[&OsStr],
        watch: Watch,
    ) -> Result<(Outcome, Option<Calls>), Unavailable> {
        let all: Vec<&OsStr> =
            ["run", workload].map(OsStr::new).into_iter().chain(args.iter().copied()).collect();
        subject::run_in(self.tutor, &all, watch, self.limit)
            .map_err(|error| run::about(&self.command(workload, args), error))
    }

    fn command<'c>(&self, workload: &'c str, args: &'c [&'c OsStr]) -> Command<'c> {
        Command { workload, args, limit_bytes: self.limit.map(Limit::limit_bytes) }
    }
}
