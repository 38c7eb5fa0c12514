//! The course as the program tells it, and the least that each lab can be run with.

use super::fixture::Fixture;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A lab, as `tutor list --json` and its refusals describe it.
#[derive(Clone, Debug)]
pub struct LabCard {
    /// Its number.
    pub number: u64,
    /// Its name.
    pub slug: String,
    /// Its acts, in order.
    pub acts: Vec<String>,
    /// Knobs at their smallest, such as `--size 8M --trials 5`; empty where it has none.
    pub smallest: String,
}

impl LabCard {
    /// Files of recordings in the lab's crate: real ones, and those that prove a cause.
    pub fn recordings(&self) -> Vec<PathBuf> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../labs");
        let place = crates.join(format!("{:02}-{}", self.number, self.slug)).join("recordings");
        let entries =
            std::fs::read_dir(&place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
        let mut files: Vec<_> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        assert!(!files.is_empty(), "{} has none", place.display());
        files
    }
}

/// All labs of the course.
pub fn labs() -> Vec<LabCard> {
    let fixture = Fixture::anywhere();
    let list = fixture.tutor("list --json").run().exits(0).json();
    let labs = list["labs"].as_array().expect("labs");
    labs.iter().map(|lab| card(&fixture, lab)).collect()
}

fn card(fixture: &Fixture, lab: &Value) -> LabCard {
    let number = lab["number"].as_u64().expect("a number");
    let acts = lab["acts"].as_array().expect("acts");
    let knobs = ["size", "trials"].into_iter().filter_map(|knob| smallest(fixture, number, knob));
    LabCard {
        number,
        slug: lab["slug"].as_str().expect("a name").to_owned(),
        acts: acts.iter().map(|act| act["id"].as_str().expect("an id").to_owned()).collect(),
        smallest: knobs.collect::<Vec<_>>().join(" "),
    }
}

/// The refusal of what is too little names the least: `--size 0 is out of range; lab 2 takes 8M to 64G`.
fn smallest(fixture: &Fixture, lab: u64, knob: &str) -> Option<String> {
    let ran = fixture.tutor(&format!("lab {lab} --{knob} 0")).run();
    let line = ran.refuses(2);
    let (_, range) = line.split_once(" takes ")?;
    Some(format!("--{knob} {}", range.split_whitespace().next()?))
}
