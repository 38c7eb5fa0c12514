//! A command line, put together step by step, and started with pipes or on a terminal.

use super::fixture::Fixture;
use super::running::{Ran, Running};
use super::terminal::Terminal;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Variables that decide how the tutor looks: a test sets those that it is about, whoever runs it.
const LOOKS: [&str; 8] =
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "ACCESSIBLE", "LC_ALL", "LC_CTYPE"];

/// A command that has not been started.
pub struct Tutor<'f> {
    fixture: &'f Fixture,
    program: PathBuf,
    args: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
    user: Option<u32>,
    input: Vec<u8>,
    output: Option<Stdio>,
}

impl<'f> Tutor<'f> {
    pub(super) fn new(fixture: &'f Fixture, program: PathBuf, user: Option<u32>) -> Tutor<'f> {
        let variables = vec![
            ("XDG_STATE_HOME", fixture.state_home().into_os_string()),
            ("TMPDIR", fixture.scratch().into_os_string()),
            ("HOME", fixture.path().into()),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ];
        Tutor { fixture, program, args: Vec::new(), variables, user, input: Vec::new(), output: None }
    }

    /// One more word.
    pub fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.args.push(word.as_ref().to_owned());
        self
    }

    /// More words.
    pub fn args<S: AsRef<OsStr>>(mut self, words: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        self
    }

    /// An environment variable.
    pub fn env(mut self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name, value.as_ref().to_owned()));
        self
    }

    /// What stands on standard input, before its end.
    pub fn input(mut self, text: &str) -> Self {
        self.input = text.into();
        self
    }

    /// Where standard output goes, instead of to the test.
    pub fn output_to(mut self, output: impl Into<Stdio>) -> Self {
        self.output = Some(output.into());
        self
    }

    /// Start it with pipes.
    pub fn start(self) -> Running {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(self.fixture.path()).envs(self.variables.iter().cloned());
        for variable in LOOKS.iter().filter(|look| self.variables.iter().all(|(name, _)| name != *look)) {
            command.env_remove(variable);
        }
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        command.stdout(self.output.unwrap_or_else(Stdio::piped));
        Running::start(command, self.input)
    }

    /// Run it to its end.
    pub fn run(self) -> Ran {
        self.start().wait()
    }

    /// Start it on a terminal of so many columns and rows.
    pub fn on_terminal(self, columns: u16, rows: u16) -> Terminal {
        assert!(self.user.is_none(), "the terminal helper knows no other user");
        let mut command = portable_pty::CommandBuilder::new(&self.program);
        command.args(&self.args);
        command.cwd(self.fixture.path());
        LOOKS.iter().for_each(|look| command.env_remove(look));
        self.variables.iter().for_each(|(name, value)| command.env(name, value));
        Terminal::start(command, columns, rows)
    }
}
