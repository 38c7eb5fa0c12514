//! Progress on disk: saved after each step, as a whole; read again before each change, so that two sessions side by
//! side lose nothing of each other.

use super::{Attempt, End, Progress, SCHEMA};
use crate::atomic;
use crate::ending::complain;
use crate::state::State;
use nix::fcntl::{Flock, FlockArg};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

const FILE: &str = "progress.json";
const LOCK: &str = "progress.lock";
// A learner's whole life fits into a fraction of this.
const MAX_BYTES: u64 = 16 << 20;

/// Progress and where it is kept.
#[derive(Debug)]
pub struct Store {
    state: State,
    progress: Progress,
    // Once the file may not be touched, nothing is saved any more.
    saves: bool,
}

/// What was found in place of progress.
#[derive(Debug)]
enum Found {
    Progress(Progress),
    Nothing,
    Newer(u64),
    Corrupt(String),
    Unreadable(String),
}

impl Store {
    /// Read what is there. Trouble is told in one line and stops nobody.
    pub fn open(state: State) -> Store {
        let mut store = Store { state, progress: Progress::default(), saves: true };
        store.reload();
        store
    }

    /// The directory that it is kept in.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What is known.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Whether what is stored will still be there tomorrow, as far as is known.
    pub fn keeps(&self) -> bool {
        self.saves && !self.state.has_told()
    }

    /// A prediction, stored before anything is measured.
    pub fn predicted(&mut self, lab: &str, act: &str, attempt: Attempt) {
        self.change(|progress| progress.attempts(lab, act).push(attempt));
    }

    /// What came out of the prediction stored last.
    pub fn ended(&mut self, lab: &str, act: &str, end: End) {
        self.change(|progress| {
            if let Some(attempt) = progress.attempts(lab, act).last_mut() {
                attempt.end = Some(end);
            }
        });
    }

    /// Forget one lab, or all. How many acts were forgotten.
    pub fn forget(&mut self, lab: Option<&str>) -> usize {
        let mut forgotten = 0;
        self.change(|progress| {
            let labs = std::mem::take(&mut progress.labs);
            let (out, kept) = labs.into_iter().partition(|(slug, _)| lab.is_none_or(|lab| lab == slug));
            progress.labs = kept;
            let out: Vec<_> = std::collections::BTreeMap::into_values(out).collect();
            forgotten = out.iter().map(|lab: &super::LabProgress| lab.acts.len()).sum();
        });
        forgotten
    }

    fn change(&mut self, change: impl FnOnce(&mut Progress)) {
        let _alone = self.lock();
        self.reload();
        change(&mut self.progress);
        if self.saves
            && let Err(why) = self.save()
        {
            self.state.tell(&why);
        }
    }

    // A filesystem without locks, or a directory that cannot be written to, leaves a gap of a millisecond in which a
    // second session could be overlooked; the latter is told when saving fails.
    fn lock(&self) -> Option<Flock<File>> {
        let path = self.state.make().ok()?.join(LOCK);
        let file = File::options().create(true).append(true).mode(0o600).open(path).ok()?;
        Flock::lock(file, FlockArg::LockExclusive).ok()
    }

    fn save(&self) -> Result<(), String> {
        let file = self.state.make()?.join(FILE);
        let mut json = serde_json::to_vec_pretty(&self.progress).map_err(|error| error.to_string())?;
        json.push(b'\n');
        atomic::write(&file, &json, 0o600)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))
    }

    fn reload(&mut self) {
        let Some(file) = self.state.file(FILE).filter(|_| self.saves) else { return };
        match read(&file) {
            Found::Progress(progress) => self.progress = progress,
            Found::Nothing => {}
            Found::Newer(schema) => {
                self.saves = false;
                self.state.tell(&format!(
                    "{} has schema {schema}, from a newer tutor, and is left alone",
                    file.display()
                ));
            }
            Found::Unreadable(why) => {
                self.saves = false;
                self.state.tell(&format!("cannot read {}: {why}", file.display()));
            }
            Found::Corrupt(why) => match set_aside(&file) {
                Ok(aside) => complain(format_args!(
                    "{} could not be understood ({why}); it is now {} and progress begins anew",
                    file.display(),
                    aside.display()
                )),
                Err(error) => {
                    self.saves = false;
                    self.state.tell(&format!("cannot set the damaged {} aside: {error}", file.display()));
                }
            },
        }
    }
}

fn read(file: &Path) -> Found {
    match fs::metadata(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Found::Nothing,
        Err(error) => return Found::Unreadable(error.to_string()),
        Ok(found) if !found.is_file() => return Found::Unreadable("it is no regular file".to_owned()),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    match read {
        Ok(_) => understand(&bytes),
        Err(error) => Found::Unreadable(error.to_string()),
    }
}

// The schema is looked at before the shape: a newer file is not a damaged one.
fn understand(bytes: &[u8]) -> Found {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return Found::Corrupt(error.to_string()),
    };
    match value.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema > u64::from(SCHEMA) => Found::Newer(schema),
        Some(_) => serde_json::from_value(value)
            .map_or_else(|error| Found::Corrupt(error.to_string()), Found::Progress),
        None => Found::Corrupt("it has no schema number".to_owned()),
    }
}

fn set_aside(file: &Path) -> std::io::Result<std::path::PathBuf> {
    let aside = (1..)
        .map(|number| file.with_file_name(format!("{FILE}.corrupt-{number}")))
        .find(|path| fs::symlink_metadata(path).is_err())
        .expect("numbers do not end");
    fs::rename(file, &aside).map(|()| aside)
}

#[cfg(test)]
mod tests {
    use super::super::today;
    use super::*;
    use lesson::{Outcome, Prediction, Verdict};

    fn attempt() -> Attempt {
        Attempt {
            on: today(),
            recorded: false,
            prediction: Prediction::Quantity(25.0),
            prediction_text: "25x".to_owned(),
            end: None,
        }
    }

    fn revealed() -> End {
        End::Revealed {
            outcome: Outcome::Quantity(5.8),
            outcome_text: "5.8x".to_owned(),
            verdict: Verdict::Miss,
        }
    }

    #[test]
    fn a_prediction_is_on_disk_before_its_end_and_nothing_is_overwritten() {
        let place = tempfile::tempdir().unwrap();
        let open = || Store::open(State::at(place.path()));
        open().predicted("lab", "act", attempt());
        assert_eq!(open().progress().last("lab", "act"), Some(&attempt()));
        assert!(!open().progress().is_done("lab", "act"));
        open().ended("lab", "act", revealed());
        open().predicted("lab", "act", attempt());
        let store = open();
        assert_eq!(store.progress().labs["lab"].acts["act"].len(), 2);
        assert!(
            store.progress().is_done("lab", "act"),
            "an attempt that was broken off undoes no earlier one"
        );
    }

    #[test]
    fn two_sessions_side_by_side_lose_nothing() {
        let place = tempfile::tempdir().unwrap();
        let mut one = Store::open(State::at(place.path()));
        let mut two = Store::open(State::at(place.path()));
        one.predicted("lab", "a", attempt());
        two.predicted("lab", "b", attempt());
        let kept = Store::open(State::at(place.path()));
        assert_eq!(kept.progress().labs["lab"].acts.len(), 2);
    }

    #[test]
    fn damaged_files_are_set_aside_one_beside_the_other() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join(FILE);
        for damage in ["{\"schema\": 1, \"la", "[]", "{\"schema\": 1, \"labs\": 7}"] {
            fs::write(&file, damage).unwrap();
            Store::open(State::at(place.path()));
            assert!(!file.exists());
        }
        let third = place.path().join("progress.json.corrupt-3");
        assert_eq!(fs::read_to_string(third).unwrap(), "{\"schema\": 1, \"labs\": 7}");
    }

    #[test]
    fn a_newer_file_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let newer = r#"{"schema": 2, "pupils": []}"#;
        fs::write(place.path().join(FILE), newer).unwrap();
        let mut store = Store::open(State::at(place.path()));
        store.predicted("lab", "act", attempt());
        assert!(store.progress().last("lab", "act").is_some(), "the session itself goes on");
        assert_eq!(fs::read_to_string(place.path().join(FILE)).unwrap(), newer);
    }

    #[test]
    fn without_a_place_the_session_goes_on() {
        let place = tempfile::tempdir().unwrap();
        let in_the_way = place.path().join("file");
        fs::write(&in_the_way, "").unwrap();
        let mut store = Store::open(State::at(&in_the_way));
        store.predicted("lab", "act", attempt());
        store.ended("lab", "act", revealed());
        assert!(store.progress().is_done("lab", "act"));
    }

    #[test]
    fn forgetting_one_lab_keeps_the_others() {
        let place = tempfile::tempdir().unwrap();
        let mut store = Store::open(State::at(place.path()));
        for (lab, act) in [("a", "1"), ("a", "2"), ("b", "1")] {
            store.predicted(lab, act, attempt());
        }
        assert_eq!(store.forget(Some("a")), 2);
        assert_eq!(store.progress().labs.keys().collect::<Vec<_>>(), ["b"]);
        assert_eq!(store.forget(None), 1);
        assert_eq!(store.forget(None), 0);
    }
}
