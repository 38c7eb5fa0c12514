//! The command line: what can be asked for, and who does it.

use crate::doctor::DoctorArgs;
use crate::ending::{Ending, Result};
use crate::lab::LabArgs;
use crate::out::Out;
use crate::reset::ResetArgs;
use crate::workloads::RunArgs;
use crate::{clean, doctor, lab, list, progress, reset, signals, welcome, workloads};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

/// A guided course on the Linux page cache: predict, measure on your own machine, and see why
#[derive(Debug, Parser)]
#[command(name = "tutor", version, subcommand_value_name = "COMMAND")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The labs: minutes, what each needs, your progress
    List {
        /// One JSON document on standard output
        #[arg(long)]
        json: bool,
    },
    /// Go through a lab: predict, measure, see why
    Lab(LabArgs),
    /// Run one workload by hand
    Run(RunArgs),
    /// What this machine can and cannot show, and what to do about it
    Doctor(DoctorArgs),
    /// What you predicted and what came out
    Progress {
        /// One JSON document on standard output
        #[arg(long)]
        json: bool,
    },
    /// Forget the progress of a lab, or all of it
    Reset(ResetArgs),
    /// Remove everything that was ever left on disk
    Clean {
        /// Your progress, too
        #[arg(long)]
        all: bool,
    },
    /// Completions for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
}

/// Read the command line and do what it says.
pub fn run(out: &mut Out) -> Result {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return help_or_refuse(&error, out),
    };
    let watched = match &cli.command {
        Some(Command::Run(args)) => args.watch_signals(),
        _ => signals::watch(),
    };
    watched.map_err(|error| Ending::failed("watch for signals", error))?;
    match &cli.command {
        None => welcome::run(out),
        Some(Command::List { json }) => list::run(*json, out),
        Some(Command::Lab(args)) => lab::run(args, out),
        Some(Command::Run(args)) => workloads::run(args, out),
        Some(Command::Doctor(args)) => doctor::run(args, out),
        Some(Command::Progress { json }) => progress::run(*json, out),
        Some(Command::Reset(args)) => reset::run(args, out),
        Some(Command::Clean { all }) => clean::run(*all, out),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "tutor", &mut script);
            out.text(String::from_utf8_lossy(&script))
        }
    }
}

fn help_or_refuse(error: &clap::Error, out: &mut Out) -> Result {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            if crate::look::Look::here(false).colour { out.text(text.ansi()) } else { out.text(text) }
        }
        _ => {
            // Where stderr is closed, there is nobody to tell.
            let _ = error.print();
            Err(Ending::Refused)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
