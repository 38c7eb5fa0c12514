//! How a session goes: where it is, since when, how long each step took. A small file of it in the state directory is
//! what `tutor notes` follows in another terminal; it goes when the session ends.

use crate::atomic;
use crate::state::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The schema of the file.
pub const SCHEMA: u32 = 1;
/// What its name begins with; the lab's slug follows.
pub const PREFIX: &str = "session-";

// The signal thread has to remove it, too.
static FILE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Where a session is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Now {
    /// [`SCHEMA`]
    pub schema: u32,
    /// The process, and when it began, by the kernel's clock: a number alone may be another process by now.
    pub pid: u32,
    /// See proc_pid_stat(5), starttime.
    pub process_start_ticks: u64,
    /// When the session began, seconds since 1970.
    pub begun_s: u64,
    /// The act where it is; none on the lab's own screens.
    pub act: Option<String>,
    /// Since when, seconds since 1970.
    pub act_since_s: u64,
    /// Seconds that acts have taken before that, by id.
    pub took_s: BTreeMap<String, u64>,
}

/// The pace of this process's session.
#[derive(Debug)]
pub struct Timing {
    now: Now,
    path: Option<PathBuf>,
}

impl Timing {
    /// A session of the lab of this slug begins.
    pub fn begin(state: &State, slug: &str) -> Timing {
        let pid = std::process::id();
        let now = Now {
            schema: SCHEMA,
            pid,
            process_start_ticks: started(pid).unwrap_or(0),
            begun_s: seconds(),
            act: None,
            act_since_s: seconds(),
            took_s: BTreeMap::new(),
        };
        // Whoever cannot keep progress hears of that; that there are no notes beside it is told by `tutor notes`.
        let path = state.make().ok().map(|_| path(state, slug)).unwrap_or_default();
        file().clone_from(&path);
        let pace = Timing { now, path };
        pace.write();
        pace
    }

    /// The session is at this act now. The act that it leaves, with all seconds that it took.
    pub fn at(&mut self, act: Option<&str>) -> Option<(String, u64)> {
        if self.now.act.as_deref() == act {
            self.take_back();
            return None;
        }
        let left = self.now.act.take();
        let took = left.map(|left| {
            let seconds = seconds().saturating_sub(self.now.act_since_s);
            let all = self.now.took_s.entry(left.clone()).or_default();
            *all += seconds;
            (left, *all)
        });
        (self.now.act, self.now.act_since_s) = (act.map(str::to_owned), seconds());
        self.write();
        took
    }

    /// Another session of the same lab shares the file, and takes it along when it ends; so does `tutor clean`. Then this
    /// one, which lives, is the one to follow.
    fn take_back(&self) {
        if self.path.as_deref().is_some_and(|path| living(path).is_none()) {
            self.write();
        }
    }

    // A file that cannot be written is missed in the other terminal only, which says that nothing runs.
    fn write(&self) {
        if let (Some(path), Ok(json)) = (&self.path, serde_json::to_vec(&self.now)) {
            let _ = atomic::write(path, &json, 0o600);
        }
    }
}

impl Drop for Timing {
    fn drop(&mut self) {
        // What a signal would remove is this session's only as long as no other has begun here.
        let mut held = file();
        if *held == self.path {
            *held = None;
        }
        self.path.as_deref().into_iter().for_each(remove_own);
    }
}

/// A signal ends the session: nothing is left to follow.
pub fn end() {
    let path = file().take();
    path.as_deref().into_iter().for_each(remove_own);
}

/// Another session of the same lab may have begun since; its file stays.
fn remove_own(path: &Path) {
    if living(path).is_some_and(|now| now.pid == std::process::id()) {
        let _ = fs::remove_file(path);
    }
}

/// The session of this lab that runs now.
pub fn read(state: &State, slug: &str) -> Option<Now> {
    living(&path(state, slug)?)
}

/// The session that this file is of, if it runs.
pub fn living(path: &Path) -> Option<Now> {
    let now: Now = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    (now.schema == SCHEMA && started(now.pid) == Some(now.process_start_ticks)).then_some(now)
}

/// Seconds since 1970.
pub fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn path(state: &State, slug: &str) -> Option<PathBuf> {
    state.file(&format!("{PREFIX}{slug}.json"))
}

fn file() -> MutexGuard<'static, Option<PathBuf>> {
    FILE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When a process began, in clock ticks since boot; none where there is no such process. The name, which may hold
/// anything, ends with the last parenthesis.
fn started(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_can_be_followed_from_its_beginning_to_its_end() {
        let place = tempfile::tempdir().unwrap();
        let state = State::at(place.path());
        assert_eq!(read(&state, "fake"), None);
        let mut pace = Timing::begin(&state, "fake");
        assert_eq!(read(&state, "fake").unwrap().act, None);
        assert_eq!(pace.at(Some("pick")), None);
        pace.now.act_since_s -= 90;
        assert_eq!(pace.at(Some("pick")), None, "it stays where it is");
        let (left, took) = pace.at(Some("guess")).unwrap();
        assert!(left == "pick" && (90..100).contains(&took), "{left} {took}");
        let now = read(&state, "fake").unwrap();
        assert_eq!((now.act.as_deref(), now.took_s["pick"]), (Some("guess"), took));
        drop(pace);
        assert_eq!(read(&state, "fake"), None);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_session_that_lives_gets_the_file_back_at_its_next_step() {
        let place = tempfile::tempdir().unwrap();
        let state = State::at(place.path());
        let mut pace = Timing::begin(&state, "third");
        pace.at(Some("pick"));
        let file = path(&state, "third").unwrap();
        // What another session leaves when it ends, and when it is killed.
        fs::remove_file(&file).unwrap();
        pace.at(Some("pick"));
        assert_eq!(read(&state, "third"), Some(pace.now.clone()));
        let dead = Now { process_start_ticks: pace.now.process_start_ticks + 1, ..pace.now.clone() };
        fs::write(&file, serde_json::to_vec(&dead).unwrap()).unwrap();
        pace.at(Some("pick"));
        assert_eq!(read(&state, "third"), Some(pace.now.clone()));
        // A process of the same number that began at another time is another session: its file stays.
        fs::write(&file, serde_json::to_vec(&dead).unwrap()).unwrap();
        remove_own(&file);
        assert!(file.exists());
    }

    #[test]
    fn a_session_that_was_killed_does_not_run() {
        let place = tempfile::tempdir().unwrap();
        let state = State::at(place.path());
        let pace = Timing::begin(&state, "other");
        let dead = Now { process_start_ticks: pace.now.process_start_ticks + 1, ..pace.now.clone() };
        fs::write(path(&state, "fake").unwrap(), serde_json::to_vec(&dead).unwrap()).unwrap();
        assert_eq!(read(&state, "fake"), None);
        fs::write(path(&state, "fake").unwrap(), "{").unwrap();
        assert_eq!(read(&state, "fake"), None);
    }
}
