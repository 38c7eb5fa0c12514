//! A started command, and what came of it.

use super::PATIENCE;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A command that runs.
pub struct Running {
    child: Child,
    said: String,
    out: Option<JoinHandle<Vec<u8>>>,
    err: Option<JoinHandle<Vec<u8>>>,
}

/// A command that has ended.
pub struct Ran {
    status: ExitStatus,
    command: String,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Running {
    pub(super) fn start(mut command: Command, input: Vec<u8>) -> Running {
        let said = format!("{command:?}");
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{said}: {error}"));
        // The command holds the other ends of pipes that a test gave it.
        drop(command);
        let mut stdin = child.stdin.take().expect("it is piped");
        // Whoever does not read what it is told may well end before all is said.
        thread::spawn(move || stdin.write_all(&input));
        let (out, err) = (child.stdout.take().map(read), child.stderr.take().map(read));
        Running { child, said, out, err }
    }

    /// Its process.
    pub fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("Linux numbers fit"))
    }

    /// Send a signal to it alone.
    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).expect("it has not been waited for");
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it is our child").is_some()
    }

    /// Wait for its end.
    #[track_caller]
    pub fn wait(mut self) -> Ran {
        let end = Instant::now() + PATIENCE;
        while !self.has_ended() {
            assert!(Instant::now() < end, "{} has not ended after {PATIENCE:?}", self.said);
            thread::sleep(Duration::from_millis(2));
        }
        let status = self.child.wait().expect("it has ended");
        let text = |reader: Option<JoinHandle<Vec<u8>>>| {
            let bytes = reader.map(|reader| reader.join().expect("reading does not panic"));
            String::from_utf8(bytes.unwrap_or_default()).expect("the tutor writes UTF-8")
        };
        let (out, err) = (text(self.out.take()), text(self.err.take()));
        for rusts in ["(os error ", "entity not found"] {
            assert!(!out.contains(rusts) && !err.contains(rusts), "not the system's words: {out}{err}");
        }
        Ran { status, command: std::mem::take(&mut self.said), out, err }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed must leave nothing behind that disturbs the next one. Already ended: no matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

impl Ran {
    /// The exit code; none where a signal killed it.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The signal that killed it.
    pub fn signal(&self) -> Option<i32> {
        self.status.signal()
    }

    /// It ended with this exit code.
    #[track_caller]
    pub fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code(), Some(code), "{self:?}");
        self
    }

    /// It ended with this exit code and one line of complaint, which is given back.
    #[track_caller]
    pub fn refuses(&self, code: i32) -> &str {
        self.exits(code);
        let lines = self.complaints();
        assert_eq!(lines.len(), 1, "one line, please: {self:?}");
        assert!(lines[0].starts_with("tutor: "), "who speaks? {self:?}");
        assert!(lines[0].len() < 500, "too long to be read: {self:?}");
        lines[0]
    }

    /// The lines on standard error that are not progress, such as "  write the data file ...".
    pub fn complaints(&self) -> Vec<&str> {
        let progress = |line: &&str| line.starts_with("  ") && line.ends_with("...");
        self.err.lines().filter(|line| !progress(line)).collect()
    }

    /// Standard output is one JSON document, and nothing is complained about.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("no JSON: {error}: {self:?}"))
    }

    /// No output has a single escape byte, or another control character but the line's end.
    #[track_caller]
    pub fn is_plain_text(&self) -> &Self {
        for text in [&self.out, &self.err] {
            let found = text.chars().find(|letter| letter.is_control() && *letter != '\n');
            assert_eq!(found, None, "{self:?}");
        }
        self
    }
}

impl std::fmt::Debug for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { status, command, out, err } = self;
        write!(f, "{command}\n{status}\n--- standard output\n{}\n--- standard error\n{}", cut(out), cut(err))
    }
}

/// Enough to see what happened.
fn cut(text: &str) -> String {
    match text.char_indices().nth(4000) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}
