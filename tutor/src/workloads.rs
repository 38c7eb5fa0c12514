//! `tutor run`: one workload by hand, as the labs run them as child processes.

use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::state::State;
use crate::{course, memory_limit, signals};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use instruments::{scratch, size};
use lesson::Workload;
use std::path::PathBuf;

/// The workload and its arguments: the labs know them, not the command line.
#[derive(Debug)]
pub struct RunArgs {
    limit: Option<u64>,
    name: String,
    matches: ArgMatches,
}

impl FromArgMatches for RunArgs {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<RunArgs, Error> {
        let limit = matches.get_one("limit").copied();
        let (name, matches) = matches.subcommand().ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        Ok(RunArgs { limit, name: name.to_owned(), matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), Error> {
        *self = RunArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for RunArgs {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new("limit")
                    .long("limit")
                    .value_name("SIZE")
                    .value_parser(at_least_a_mebibyte)
                    .help("Give it a memory limit: a cgroup of its own, removed afterwards"),
            )
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand_value_name("WORKLOAD")
            .subcommand_help_heading("Workloads")
            .subcommands(workloads().iter().map(Workload::command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        RunArgs::augment_args(command)
    }
}

/// Below that not even a small program starts.
fn at_least_a_mebibyte(text: &str) -> std::result::Result<u64, String> {
    let bytes = size::parse_bytes(text)?;
    if bytes < 1 << 20 { Err("a program needs at least 1 MiB".to_owned()) } else { Ok(bytes) }
}

fn workloads() -> Vec<Workload> {
    course::labs().into_iter().flat_map(|lab| lab.workloads).collect()
}

impl RunArgs {
    /// Whether this run makes a scratch file, which has to be removed whatever happens.
    fn makes_scratch(&self) -> bool {
        matches!(self.matches.try_contains_id("size"), Ok(true))
    }

    fn dir(&self) -> Option<&PathBuf> {
        self.matches.try_get_one("dir").ok().flatten()
    }

    /// Prepare for a signal in the way that disturbs the workload least.
    pub fn watch_signals(&self) -> std::io::Result<()> {
        if self.makes_scratch() || self.limit.is_some() { signals::watch() } else { signals::exit_at_once() }
    }
}

/// `tutor run`
pub fn run(args: &RunArgs, out: &mut Out) -> Result {
    let workload = workloads()
        .into_iter()
        .find(|workload| workload.name == args.name)
        .ok_or_else(|| Ending::Usage(format!("there is no workload `{}`", args.name)))?;
    if args.makes_scratch() {
        let state = State::here();
        state.collect();
        // One in a lab's own scratch directory goes with it.
        if let Some(dir) = args.dir().filter(|dir| dir.is_dir() && !scratch::is_one(dir)) {
            state.remember_dir(dir);
        }
    }
    match args.limit {
        Some(bytes) => memory_limit::run(bytes, workload.name, out),
        None => out.line(workload.run(&args.matches)?),
    }
}
