//! What the learner has predicted and seen so far, by lab slug and act id.

mod show;
mod store;

pub use show::run;
pub use store::Store;

use lesson::{Outcome, Prediction, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The schema that this program writes. A file of a newer one is left alone.
pub const SCHEMA: u32 = 1;

/// All that is kept about the learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// [`SCHEMA`]
    pub schema: u32,
    /// By slug.
    pub labs: BTreeMap<String, LabProgress>,
}

/// What is kept about one lab: attempts by act id, the oldest first. None is ever overwritten.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabProgress {
    /// By act id.
    pub acts: BTreeMap<String, Vec<Attempt>>,
}

/// One round of predict, measure, reveal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// UTC date, such as 2026-11-30.
    pub on: String,
    /// Shown from a recording rather than measured here.
    #[serde(default)]
    pub recorded: bool,
    /// Stored before anything is measured.
    pub prediction: Prediction,
    /// The prediction as the learner reads it.
    pub prediction_text: String,
    /// Missing as long as nothing was revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The machine answered.
    Revealed {
        /// Which option, which quantity.
        outcome: Outcome,
        /// The same as the learner reads it.
        outcome_text: String,
        /// How near the prediction was.
        verdict: Verdict,
    },
    /// It could not be measured, for this reason.
    Unavailable(String),
}

impl Default for Progress {
    fn default() -> Progress {
        Progress { schema: SCHEMA, labs: BTreeMap::new() }
    }
}

impl Progress {
    /// The last attempt at an act, the one whose end counts.
    pub fn last(&self, lab: &str, act: &str) -> Option<&Attempt> {
        self.labs.get(lab)?.acts.get(act)?.last()
    }

    /// Whether an act has been seen to its end.
    pub fn is_done(&self, lab: &str, act: &str) -> bool {
        let attempts = self.labs.get(lab).and_then(|lab| lab.acts.get(act));
        attempts.is_some_and(|attempts| attempts.iter().any(|attempt| attempt.end.is_some()))
    }

    /// How many of these acts are done.
    pub fn done<'a>(&self, lab: &str, acts: impl IntoIterator<Item = &'a str>) -> usize {
        acts.into_iter().filter(|act| self.is_done(lab, act)).count()
    }

    fn attempts(&mut self, lab: &str, act: &str) -> &mut Vec<Attempt> {
        self.labs.entry(lab.to_owned()).or_default().acts.entry(act.to_owned()).or_default()
    }
}

/// Today in UTC, such as 2026-11-30.
pub fn today() -> String {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    now.chars().take_while(|&letter| letter != 'T').collect()
}
