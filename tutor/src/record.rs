//! Recordings: keep what a session measured, and show it again, always labelled as what it is.

use crate::atomic;
use crate::exit::{Ending, Result};
use crate::progress::today;
use crate::session::{End, Round, Source};
use lesson::recording::{RecordedAct, SCHEMA};
use lesson::{Lab, Recording};
use std::fs;
use std::path::{Path, PathBuf};

/// Where a recording can be written: asked before anything is measured that would then be lost.
pub fn destination(file: &Path) -> Result<PathBuf> {
    atomic::destination(file)
        .and_then(|path| atomic::check_writable(&path).map(|()| path))
        .map_err(|error| Ending::failed(format_args!("record to {}", file.display()), error))
}

/// What `rounds` (by act, None where an act was not reached) got from `source`.
pub fn of(lab: &Lab, source: &dyn Source, rounds: &[Option<Round>]) -> Recording {
    let act = |round: &Round, id: &str| {
        let (evidence, unavailable) = match &round.end {
            End::Revealed { evidence, .. } => (Some(evidence.clone()), None),
            End::Unavailable(reason) => (None, Some(public(reason, source))),
        };
        RecordedAct { id: id.to_owned(), evidence, unavailable }
    };
    let acts =
        lab.acts.iter().zip(rounds).filter_map(|(it, round)| Some(act(round.as_ref()?, it.id()))).collect();
    Recording {
        schema: SCHEMA,
        lab: lab.card.slug.to_owned(),
        recorded_on: today(),
        setting: source.setting().clone(),
        acts,
    }
}

/// A recording is shared with others: where its scratch files lay is nobody's business.
fn public(reason: &str, source: &dyn Source) -> String {
    source.private_path().map_or_else(
        || reason.to_owned(),
        |path| reason.replace(&path.display().to_string(), "the scratch directory"),
    )
}

/// Write it as a whole.
pub fn write(file: &Path, recording: &Recording) -> Result {
    let failed =
        |error: &dyn std::fmt::Display| Ending::failed(format_args!("record to {}", file.display()), error);
    let json = recording.to_json().map_err(|error| failed(&error))?;
    atomic::write(file, json.as_bytes(), 0o666).map_err(|error| failed(&error))
}

/// Read the recording in `file`, or the lab's first own one.
pub fn read(lab: &Lab, file: Option<&Path>) -> Result<Recording> {
    let (name, json) = match file {
        Some(file) => {
            let name = file.display().to_string();
            let json = regular(file).map_err(|error| Ending::failed(format_args!("replay {name}"), error))?;
            (name, json)
        }
        None => {
            let (name, json) = lab.recordings.first().ok_or_else(|| {
                Ending::Failed(format!(
                    "lab {} has no recording of its own; give --replay a file",
                    lab.card.number
                ))
            })?;
            ((*name).to_owned(), (*json).to_owned())
        }
    };
    Recording::parse(&json, lab.card.slug)
        .map_err(|error| Ending::failed(format_args!("replay {name}"), error))
}

// A pipe or a device would be waited for, maybe for ever.
fn regular(file: &Path) -> std::io::Result<String> {
    if fs::metadata(file)?.is_file() {
        fs::read_to_string(file)
    } else {
        Err(std::io::Error::other("it is not a regular file"))
    }
}

/// The label of every screen and document that shows a recording: machine and date, short enough for one line of 80.
pub fn label(recording: &Recording) -> String {
    let host = &recording.setting.host;
    let machine = match (&host.virtual_machine, &host.container) {
        (Some(name), _) => format!("VM ({name})"),
        (None, Some(name)) => format!("container ({name})"),
        (None, None) => "no VM".to_owned(),
    };
    // What a distribution adds to the version is in the recording itself.
    let kernel = host.kernel.split('-').next().unwrap_or_default();
    format!(
        "RECORDED {} · Linux {kernel}, {}, {}, {machine}",
        recording.recorded_on, host.arch, host.filesystem.kind
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fake::{self, Canned};

    #[test]
    fn what_was_not_reached_is_not_in_the_recording() {
        let lab = fake::lab();
        let rounds = vec![Some(fake::unavailable_round()), None];
        let recording = of(&lab, &Canned::usual(), &rounds);
        assert_eq!(recording.acts.len(), 1);
        assert_eq!(recording.acts[0].unavailable.as_deref(), Some("it needs a thing"));
        let json = recording.to_json().unwrap();
        assert_eq!(Recording::parse(&json, lab.card.slug).unwrap(), recording);
    }

    #[test]
    fn the_label_names_date_kernel_filesystem_and_kind_of_machine() {
        let mut recording = of(&fake::lab(), &Canned::usual(), &[]);
        recording.recorded_on = "2026-11-30".to_owned();
        recording.setting.host.kernel = "6.18.0-12-generic".to_owned();
        assert_eq!(label(&recording), "RECORDED 2026-11-30 · Linux 6.18.0, x86_64, ext4, VM (kvm)");
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_name() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("x.json");
        fs::write(&file, "{}").unwrap();
        let refused = |file: &Path| read(&fake::lab(), Some(file)).unwrap_err().to_string();
        assert!(refused(&file).contains("x.json"), "{}", refused(&file));
        assert!(refused(place.path()).contains("not a regular file"));
    }
}
