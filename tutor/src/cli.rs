//! The command line: what can be asked for, and who does it.

use crate::capabilities::Capabilities;
use crate::class::{self, ExportArgs, TallyArgs};
use crate::doctor::DoctorArgs;
use crate::exit::{Ending, Result};
use crate::lab::LabArgs;
use crate::out::Out;
use crate::read::ReadArgs;
use crate::reset::ResetArgs;
use crate::schedule::ScheduleArgs;
use crate::workloads::RunArgs;
use crate::{
    clean, doctor, lab, list, notes, progress, read, reset, review, schedule, signals, welcome, workloads,
};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

/// A guided course on the Linux page cache: predict, measure on your own machine, and see why
#[derive(Debug, Parser)]
#[command(name = "tutor", version, subcommand_value_name = "COMMAND")]
struct Cli {
    /// Append-only text: no colour, no redraw, figures in words, for a screen reader or a log. ACCESSIBLE=1 does the same
    #[arg(long, global = true)]
    plain: bool,
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
    /// A chapter of the book, in the terminal, offline
    Read(ReadArgs),
    /// What you predicted and what came out
    Progress {
        /// One JSON document on standard output
        #[arg(long)]
        json: bool,
    },
    /// What you predicted and what happened in a lab, in Markdown for your notes
    #[command(override_usage = "tutor review <N|NAME>")]
    Review {
        /// Number or name of the lab
        #[arg(value_name = "N|NAME")]
        lab: Option<String>,
    },
    /// Write what you predicted and what came out to a file for the class, without your name
    Export(ExportArgs),
    /// Count what a class exported
    Tally(TallyArgs),
    /// What to say at each step of a lab, beside a session that runs in another terminal
    #[command(override_usage = "tutor notes [OPTIONS] <N|NAME>")]
    Notes {
        /// Number or name of the lab
        #[arg(value_name = "N|NAME")]
        lab: Option<String>,
        /// Print them and end
        #[arg(long)]
        once: bool,
    },
    /// The day of a workshop, with breaks
    Schedule(ScheduleArgs),
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

/// What the command line understands: to check a line against, or to show its help.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Read the command line and do what it says.
pub fn run(out: &mut Out) -> Result {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return help_or_refuse(&error, out),
    };
    if cli.plain {
        Capabilities::want_plain();
    }
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
        Some(Command::Read(args)) => read::run(args, out),
        Some(Command::Doctor(args)) => doctor::run(args, out),
        Some(Command::Progress { json }) => progress::run(*json, out),
        Some(Command::Review { lab }) => review::run(lab.as_deref(), out),
        Some(Command::Export(args)) => class::export(args, out),
        Some(Command::Tally(args)) => class::tally(args, out),
        Some(Command::Notes { lab, once }) => notes::run(lab.as_deref(), *once, out),
        Some(Command::Schedule(args)) => schedule::run(args, out),
        Some(Command::Reset(args)) => reset::run(args, out),
        Some(Command::Clean { all }) => clean::run(*all, out),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command(), "tutor", &mut script);
            out.text(String::from_utf8_lossy(&script))
        }
    }
}

fn help_or_refuse(error: &clap::Error, out: &mut Out) -> Result {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            if Capabilities::here().colour { out.text(text.ansi()) } else { out.text(text) }
        }
        // Asked for nothing: what there is to ask for is the best answer. Where stderr is closed, nobody is there.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Err(Ending::Refused)
        }
        _ => Err(Ending::Usage(one_line(&error.render().to_string()))),
    }
}

/// clap's paragraphs in one line, as every other refusal: what is wrong, what may have been meant, where to look.
fn one_line(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut said = Vec::new();
    for paragraph in paragraphs {
        if let Some(what) = paragraph.strip_prefix("error: ") {
            said.push(what.to_owned());
        } else if let Some(tip) = paragraph.strip_prefix("tip: ").filter(|tip| tip.contains("similar")) {
            said.push(tip.to_owned());
        } else if let Some(usage) = paragraph.strip_prefix("Usage: ") {
            let command = usage.split(' ').take_while(|word| !word.starts_with(['<', '[', '-']));
            said.push(format!("`{} --help` shows what there is", command.collect::<Vec<_>>().join(" ")));
        }
    }
    said.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    fn refused(words: &str) -> String {
        let error = Cli::try_parse_from(words.split(' ')).expect_err("it cannot be understood");
        one_line(&error.render().to_string())
    }

    #[test]
    fn what_cannot_be_understood_is_refused_in_one_line() {
        assert_eq!(
            refused("tutor lab 3 --frob"),
            "unexpected argument '--frob' found; `tutor lab --help` shows what there is"
        );
        assert_eq!(
            refused("tutor lsit"),
            "unrecognized subcommand 'lsit'; a similar subcommand exists: 'list'; `tutor --help` shows what there is"
        );
        assert_eq!(
            refused("tutor reset"),
            "the following required arguments were not provided: <N|NAME>; `tutor reset --help` shows what there is"
        );
        let size = refused("tutor run cread --size 0");
        assert!(size.starts_with("invalid value '0' for '--size <SIZE>': a file of 0 bytes"), "{size}");
    }
}
