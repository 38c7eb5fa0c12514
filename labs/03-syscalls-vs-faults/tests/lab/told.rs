//! Recordings as test input, and reveals as text.

use lesson::{Act, Outcome, Recording, Reveal, Setting};
use serde::de::DeserializeOwned;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The folder of all recordings, real and constructed.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings")
}

/// The recording in `NAME.json`.
pub fn recording(name: &str) -> Recording {
    let path = folder().join(name).with_extension("json");
    let json = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Recording::parse(&json, "syscalls-vs-faults")
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a recording holds of one act, and where it was measured: to be changed into something contradictory.
pub fn evidence<A: Act>(_act: &A, name: &str) -> (A::Evidence, Setting)
where
    A::Evidence: DeserializeOwned,
{
    let recording = recording(name);
    let act = recording.act(A::ID).unwrap_or_else(|| panic!("{name} has no act {}", A::ID));
    let evidence = act.evidence.clone().expect("evidence");
    (serde_json::from_value(evidence).expect("evidence of this act"), recording.setting)
}

/// Ids of the causes that a reveal gives.
pub fn causes(reveal: &Reveal) -> Vec<&str> {
    reveal.causes.iter().map(|cause| cause.id.as_str()).collect()
}

/// What the learner is told, without the figures.
pub fn text(reveal: &Reveal) -> String {
    let mut text = match &reveal.outcome {
        Outcome::Choice(id) => format!("outcome: {id}\n"),
        Outcome::Quantity(value) => format!("outcome: {value}\n"),
        Outcome::Undecided(why) => format!("undecided: {why}\n"),
    };
    writeln!(text, "{}", reveal.sentence).expect("a string");
    for cause in &reveal.causes {
        writeln!(text, "why {}: {}", cause.id, cause.text).expect("a string");
    }
    for caveat in &reveal.caveats {
        writeln!(text, "note: {caveat}").expect("a string");
    }
    text
}
