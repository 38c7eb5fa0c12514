//! A workload: a small named program that a lab runs as a child process, and the learner by hand.

mod block;
mod target;

pub use block::{block_bytes, block_bytes_up_to};
pub use target::{Ready, Target};

use clap::{ArgMatches, Args, Command, FromArgMatches};
use instruments::Unavailable;
use std::fmt::Display;

/// What a workload prints: one `[name] key=value …` line, for people and for parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    name: &'static str,
    fields: Vec<(&'static str, String)>,
}

impl Line {
    /// An empty line of workload `name`.
    pub fn new(name: &'static str) -> Line {
        Line { name, fields: Vec::new() }
    }

    /// One more field. Keys carry their unit (`elapsed_ns`); values have no spaces.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Display) -> Line {
        self.fields.push((key, value.to_string()));
        self
    }

    /// One more field, `unknown` where there is no figure.
    #[must_use]
    pub fn with_known<T: Display>(self, key: &'static str, value: Option<T>) -> Line {
        match value {
            Some(value) => self.with(key, value),
            None => self.with(key, "unknown"),
        }
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}]", self.name)?;
        self.fields.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

type RunFn = Box<dyn Fn(&ArgMatches) -> Result<Line, Unavailable>>;

/// A workload: name, one line of help, its arguments, and what it does.
pub struct Workload {
    /// As in `tutor run NAME`.
    pub name: &'static str,
    /// One line for `tutor run --help`.
    pub about: &'static str,
    augment: fn(Command) -> Command,
    run: RunFn,
}

impl std::fmt::Debug for Workload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workload").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Workload {
    /// A workload whose arguments are `A`.
    pub fn new<A: Args + FromArgMatches + 'static>(
        name: &'static str,
        about: &'static str,
        run: fn(A) -> Result<Line, Unavailable>,
    ) -> Workload {
        let run = move |matches: &ArgMatches| {
            let args = A::from_arg_matches(matches)
                .map_err(|error| Unavailable::failed(format!("read the arguments of {name}"), error, ""))?;
            run(args)
        };
        Workload { name, about, augment: A::augment_args, run: Box::new(run) }
    }

    /// Its subcommand of `tutor run`.
    pub fn command(&self) -> Command {
        // The comment on an arguments type is for programmers; clap would show it instead.
        (self.augment)(Command::new(self.name)).about(self.about).long_about(None)
    }

    /// Do it.
    pub fn run(&self, matches: &ArgMatches) -> Result<Line, Unavailable> {
        (self.run)(matches)
    }
}
