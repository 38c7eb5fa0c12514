//! A workload's run, read from what it printed and how it ended.

use crate::size::shell_bytes;
use crate::subject::{Exit, Outcome, Usage};
use crate::{Unavailable, fields};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;

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

    /// Of a run that has to end well and print its line.
    pub(super) fn finished(command: &Command<'_>, outcome: Outcome) -> Result<Run, Unavailable> {
        let failed = |why: &str| Err(Unavailable::of_child(format!("run `{command}`"), why));
        match &outcome.exit {
            Exit::Code(0) if fields::parse(command.workload, &outcome.stdout).is_some() => {}
            Exit::Code(0) => return failed(&format!("it did not print its [{}] line", command.workload)),
            Exit::Code(code) => {
                return failed(
                    last_words(&outcome.stderr).unwrap_or(&format!("it ended with exit code {code}")),
                );
            }
            Exit::Signal { name, .. } => return failed(&format!("{name} killed it")),
        }
        Ok(Run::however(command, outcome))
    }

    /// Of a run that may end in any way; without its line there are no fields.
    pub(super) fn however(command: &Command<'_>, outcome: Outcome) -> Run {
        let Outcome { stdout, wall_ns, usage, exit, .. } = outcome;
        let fields = fields::parse(command.workload, &stdout).unwrap_or_default();
        Run { command: command.to_string(), fields, wall_ns, usage, exit }
    }
}

/// What is run; printed as a learner types it into a shell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command<'c> {
    pub(super) workload: &'c str,
    pub(super) args: &'c [&'c OsStr],
    pub(super) limit_bytes: Option<u64>,
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tutor run")?;
        if let Some(bytes) = self.limit_bytes {
            write!(f, " --limit {}", shell_bytes(bytes))?;
        }
        write!(f, " {}", self.workload)?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(&arg.to_string_lossy())))
    }
}

/// An error of the runner, told of the command that the learner knows instead of the binary behind it.
pub(super) fn about(command: &Command<'_>, error: Unavailable) -> Unavailable {
    match error {
        Unavailable::Interrupted => error,
        Unavailable::Lacking { needs, remedy, .. } => {
            Unavailable::Lacking { what: format!("trace `{command}`"), needs, remedy }
        }
        Unavailable::Failed { why, remedy, .. } => {
            Unavailable::Failed { what: format!("run `{command}`"), why, remedy }
        }
    }
}

/// The line that says what went wrong: the last, or the one before its usage where the arguments were refused.
fn last_words(stderr: &str) -> Option<&str> {
    let mut lines = stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let refused = lines.clone().find_map(|line| line.strip_prefix("error: "));
    refused.or_else(|| lines.next_back().map(|line| line.strip_prefix("tutor: ").unwrap_or(line)))
}

/// In single quotes where a shell would read it as something else.
fn quoted(arg: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,:=+@%".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(exit: Exit, stdout: &str, stderr: &str) -> Outcome {
        Outcome {
            stdout: stdout.into(),
            stderr: stderr.into(),
            wall_ns: 1,
            usage: Usage::default(),
            io: None,
            exit,
        }
    }

    fn finished(exit: Exit, stdout: &str, stderr: &str) -> Result<Run, String> {
        let command = Command { workload: "cread", args: &[OsStr::new("my file")], limit_bytes: None };
        Run::finished(&command, outcome(exit, stdout, stderr)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_good_run_has_its_fields() {
        let run = finished(Exit::Code(0), "[cread] bytes=12 elapsed_ns=x faults=unknown\n", "").unwrap();
        assert_eq!(run.command, "tutor run cread 'my file'");
        assert_eq!(run.u64("bytes"), Ok(12));
        assert_eq!(run.u64_if_known("faults"), Ok(None));
        assert_eq!(
            run.u64("elapsed_ns").unwrap_err().to_string(),
            "cannot read elapsed_ns of `tutor run cread 'my file'`: it printed \"x\""
        );
        assert!(run.u64("missing").is_err());
    }

    #[test]
    fn a_bad_run_says_why_in_its_own_last_words() {
        let line = |why: &str| Err(format!("cannot run `tutor run cread 'my file'`: {why}"));
        let killed = Exit::Signal { number: 7, name: "SIGBUS".into(), code: None, address: None };
        assert_eq!(
            finished(Exit::Code(1), "", "a\nthe disk is full\n\n").map(drop),
            line("the disk is full")
        );
        assert_eq!(
            finished(Exit::Code(1), "", "tutor: cannot open x: it is a pipe").map(drop),
            line("cannot open x: it is a pipe")
        );
        let lacking = "tutor: cannot make x cold: needs its pages to go";
        assert_eq!(finished(Exit::Code(1), "", lacking).map(drop), line("needs its pages to go"));
        let refused = "error: unexpected argument '--x'\n\nUsage: tutor run\n\nFor more, try '--help'.\n";
        assert_eq!(finished(Exit::Code(2), "", refused).map(drop), line("unexpected argument '--x'"));
        assert_eq!(finished(Exit::Code(3), "", "").map(drop), line("it ended with exit code 3"));
        assert_eq!(finished(killed, "", "noise").map(drop), line("SIGBUS killed it"));
        assert_eq!(finished(Exit::Code(0), "hello", "").map(drop), line("it did not print its [cread] line"));
    }

    #[test]
    fn arguments_can_be_typed() {
        let line = |arg: &str, limit_bytes| {
            Command { workload: "w", args: &[OsStr::new(arg)], limit_bytes }.to_string()
        };
        assert_eq!(line("/var/tmp/512M.bin", None), "tutor run w /var/tmp/512M.bin");
        assert_eq!(line("", None), "tutor run w ''");
        assert_eq!(line("it's $x", Some(128 << 20)), r"tutor run --limit 128M w 'it'\''s $x'");
    }
}
