//! A tool on the learner's PATH, and which version of it.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// A tool that takes longer to say its version is left alone.
const PATIENCE: Duration = Duration::from_millis(500);
/// All that is read of what it says.
const MOST_BYTES: u64 = 4096;

/// An installed tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Where.
    pub path: PathBuf,
    /// Which version, where it says so.
    pub version: Option<String>,
}

impl Tool {
    /// The first of this name on PATH.
    pub fn find(name: &str) -> Option<Tool> {
        let path = env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| {
            fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        })?;
        // vmtouch has no such option, and its usage names the version.
        let version = said(&path, if name == "vmtouch" { "-h" } else { "--version" });
        Some(Tool { version: version.and_then(|text| version_in(&text)), path })
    }

    /// `6.1, /usr/bin/strace`
    pub fn words(&self) -> String {
        let version = self.version.as_deref().unwrap_or("version unknown");
        format!("{version}, {}", self.path.display())
    }
}

/// What it says to this option, on either stream; None where it does not start, or does not end soon.
fn said(path: &Path, option: &str) -> Option<String> {
    let mut child = Command::new(path)
        .arg(option)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let end = Instant::now() + PATIENCE;
    while child.try_wait().ok()?.is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
    let mut text = Vec::new();
    child.stdout.take()?.take(MOST_BYTES).read_to_end(&mut text).ok()?;
    child.stderr.take()?.take(MOST_BYTES).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The first word with a point between digits: `6.1` of `strace -- version 6.1`.
fn version_in(text: &str) -> Option<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','));
    let bare = words.map(|word| word.trim_start_matches('v').trim_end_matches('.'));
    let is_version = |word: &&str| {
        let mut parts = word.split('.');
        let starts =
            parts.next().is_some_and(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        starts
            && parts.next().is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()))
            && word.len() < 20
    };
    let clean = |word: &str| word.chars().filter(char::is_ascii_graphic).collect();
    bare.clone().find(is_version).map(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_in_what_each_tool_says() {
        for (said, version) in [
            ("strace -- version 6.1\nCopyright (c) 1991-2022 The strace developers", Some("6.1")),
            ("fincore from util-linux 2.38.1\n", Some("2.38.1")),
            ("dd (coreutils) 9.1\nCopyright (C) 2022 Free Software Foundation, Inc.", Some("9.1")),
            ("\nvmtouch v1.3.1 - the Virtual Memory Toucher by Doug Hoyte", Some("1.3.1")),
            ("BusyBox v1.36.1 (Debian 1:1.36.1-9) multi-call binary.", Some("1.36.1")),
            ("unknown option -- version", None),
            ("", None),
        ] {
            assert_eq!(version_in(said).as_deref(), version, "{said}");
        }
    }

    #[test]
    fn one_that_hangs_is_left_alone() {
        let begin = Instant::now();
        assert_eq!(said(Path::new("/bin/sleep"), "1000"), None);
        assert!(begin.elapsed() < Duration::from_secs(100));
        assert_eq!(said(Path::new("/nowhere/at/all"), "--version"), None);
    }
}
