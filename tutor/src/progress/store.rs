//! Progress on disk: saved after each step, as a whole; read again before each change, so that two sessions side by
//! side lose nothing of each other.

use super::{Attempt, End, Progress, SCHEMA};
use crate::atomic;
use crate::exit::complain;
use crate::state::State;
use crate::timing::Timing;
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
    pace: Option<Timing>,
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
        let mut store = Store { state, pace: None, progress: Progress::default(), saves: true };
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

    /// What came out of the prediction that was stored as this attempt. Another session's attempt stays as it is.
    pub fn ended(&mut self, lab: &str, act: &str, attempt: Attempt, end: End) {
        self.change(|progress| {
            let attempts = progress.attempts(lab, act);
            let ended = Attempt { end: Some(end), ..attempt.clone() };
            match attempts.iter_mut().rfind(|stored| **stored == attempt) {
                Some(stored) => *stored = ended,
                // Forgotten meanwhile, by a reset in another window.
                None => attempts.push(ended),
            }
        });
    }

    /// A person goes through this lab: from now on others can follow it, and the time of each act is kept.
    pub fn follow(&mut self, lab: &str) {
        self.pace = Some(Timing::begin(&self.state, lab));
    }

    /// The session is at this act, or at none. The time of one that it leaves is kept, if something came out of it.
    pub fn at(&mut self, lab: &str, act: Option<&str>) {
        let Some((left, seconds)) = self.pace.as_mut().and_then(|pace| pace.at(act)) else { return };
        if self.progress.is_done(lab, &left) {
            self.change(|progress| {
                progress.labs.entry(lab.to_owned()).or_default().took_s.insert(left, seconds);
            });
        }
    }

    /// Nobody goes through it any more.
    pub fn unfollow(&mut self, lab: &str) {
        self.at(lab, None);
        self.pace = None;
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
mod tests;
