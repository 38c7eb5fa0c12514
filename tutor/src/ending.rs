//! How a command ends when it does not end well, and the exit code that says so.

use instruments::Unavailable;
use instruments::unavailable::in_words;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command stops early.
#[derive(Debug, thiserror::Error)]
pub enum Ending {
    /// The command line asks for something that cannot be: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// It could not be measured, or failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Part of it failed, and that has been told already: exit code 1.
    #[error("told")]
    Told,
    /// The command line was refused, and that has been told already: exit code 2.
    #[error("refused")]
    Refused,
    /// INT, TERM or HUP: exit code 130.
    #[error("interrupted")]
    Interrupted,
    /// Nobody reads our output any more (`tutor list | head -1`): exit code 0, in silence.
    #[error("the reader has left")]
    ReaderLeft,
}

/// What a command gives back.
pub type Result<T = ()> = std::result::Result<T, Ending>;

impl Ending {
    /// Something failed for this reason, with what to do about it in the same line.
    pub fn failed(what: impl Display, why: impl Display) -> Ending {
        Ending::Failed(format!("cannot {what}: {why}"))
    }

    /// Say it on stderr where there is something to say.
    pub fn report(&self) -> ExitCode {
        match self {
            Ending::Usage(line) | Ending::Failed(line) => complain(line),
            Ending::Told | Ending::Refused | Ending::Interrupted | Ending::ReaderLeft => {}
        }
        ExitCode::from(self.code())
    }

    /// The exit code, by the contract.
    pub fn code(&self) -> u8 {
        match self {
            Ending::ReaderLeft => 0,
            Ending::Failed(_) | Ending::Told => 1,
            Ending::Usage(_) | Ending::Refused => 2,
            Ending::Interrupted => 130,
        }
    }
}

impl From<Unavailable> for Ending {
    fn from(unavailable: Unavailable) -> Ending {
        match unavailable {
            Unavailable::Interrupted => Ending::Interrupted,
            other => Ending::Failed(other.to_string()),
        }
    }
}

/// One line on stderr. Where stderr is closed or full, there is nobody left to tell.
pub fn complain(line: impl Display) {
    let line = format!("tutor: {}", in_words(line));
    if !crate::projector::complain_later(&line) {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_keep_the_contract() {
        assert_eq!(Ending::ReaderLeft.code(), 0);
        assert_eq!(Ending::from(Unavailable::failed("write x", "full", "")).code(), 1);
        assert_eq!(Ending::from(Unavailable::lacking("count", "ptrace", "")).code(), 1);
        assert_eq!(Ending::Usage(String::new()).code(), 2);
        assert_eq!(Ending::from(Unavailable::Interrupted).code(), 130);
    }
}
