//! How a command ends when it does not end well, and the exit code that says so.

use console::Term;
use instruments::Unavailable;
use instruments::unavailable::in_words;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use textwrap::{Options, WordSeparator, WordSplitter};
use unicode_width::UnicodeWidthStr;

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
        write_complaint(&line);
    }
}

/// One line for a pipe and a log; on a terminal as many as its width asks for.
pub fn write_complaint(line: &str) {
    let lines = match Term::stderr().size_checked() {
        Some((_, columns)) if io::stderr().is_terminal() => wrapped(line, columns.into()),
        _ => line.to_owned(),
    };
    let _ = writeln!(io::stderr(), "{lines}");
}

/// Broken between words. A command in backquotes stays whole where it fits on one line: it is there to be typed. A word
/// that does not fit, such as a path, is left to the terminal, which does not change it.
fn wrapped(line: &str, columns: usize) -> String {
    const INDENT: &str = "  ";
    // Not to be broken at, and not in use otherwise: see https://docs.rs/textwrap, `WordSeparator::AsciiSpace`.
    const HELD: &str = "\u{a0}";
    let width = columns.max(20);
    let held = |(at, part): (usize, &str)| {
        let fits = part.width() + 2 + INDENT.len() < width;
        if at % 2 == 1 && fits { part.replace(' ', HELD) } else { part.to_owned() }
    };
    let text = line.split('`').enumerate().map(held).collect::<Vec<_>>().join("`");
    let options = Options::new(width)
        .subsequent_indent(INDENT)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::wrap(&text, options).join("\n").replace(HELD, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_whole_words_and_whole_commands() {
        let line = "tutor: there is nothing to export yet: `tutor lab 1` asks the first question; see `tutor lab --help`";
        for columns in [40, 41, 42, 43, 44, 60, 80] {
            let lines = wrapped(line, columns);
            assert!(lines.lines().all(|line| line.width() <= columns), "{columns}: {lines}");
            for command in ["`tutor lab 1`", "`tutor lab --help`"] {
                assert!(lines.contains(command), "{columns}: {lines}");
            }
            assert_eq!(lines.replace("\n  ", " "), line, "nothing is lost");
        }
        let path = format!("tutor: cannot write {}: full", "/a/long/path".repeat(5));
        assert_eq!(wrapped(&path, 40).replace("\n  ", " "), path, "a path stays whole");
    }

    #[test]
    fn exit_codes_keep_the_contract() {
        assert_eq!(Ending::ReaderLeft.code(), 0);
        assert_eq!(Ending::from(Unavailable::failed("write x", "full", "")).code(), 1);
        assert_eq!(Ending::from(Unavailable::lacking("count", "ptrace", "")).code(), 1);
        assert_eq!(Ending::Usage(String::new()).code(), 2);
        assert_eq!(Ending::from(Unavailable::Interrupted).code(), 130);
    }
}
