//! What the learner has predicted and seen so far, by lab slug and act id.

mod show;
mod store;

pub use show::run;
pub use store::Store;

use instruments::Plan;
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
    /// Seconds that acts took in the last session of a person, with reading and talking, by act id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub took_s: BTreeMap<String, u64>,
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
    /// What was asked, as the learner read it. Missing in what older versions kept, as all that is said below.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub asked: String,
    /// The machine that was asked; of a recording, its label.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// The knobs that it was asked with: figures of a question depend on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
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
        /// The outcome in a sentence.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        sentence: String,
        /// Why, each reason as the learner read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        why: Vec<String>,
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
    /// The last attempt at an act, whatever became of it.
    pub fn last(&self, lab: &str, act: &str) -> Option<&Attempt> {
        self.all(lab, act).last()
    }

    /// The attempt that counts, of those that were seen to their end: the last one with an answer rather than a skip,
    /// with an outcome rather than none, measured here rather than recorded, in this order.
    pub fn counted(&self, lab: &str, act: &str) -> Option<&Attempt> {
        self.all(lab, act).iter().filter(|attempt| attempt.end.is_some()).max_by_key(|attempt| {
            let revealed = matches!(attempt.end, Some(End::Revealed { .. }));
            (attempt.is_answered(), revealed, !attempt.recorded)
        })
    }

    /// An answer whose outcome has not been seen, given after the last one whose outcome was.
    pub fn pending(&self, lab: &str, act: &str) -> Option<&Attempt> {
        let mut answered = self.all(lab, act).iter().rev().filter(|attempt| attempt.is_answered());
        answered.next().filter(|attempt| attempt.end.is_none())
    }

    /// Whether an act has been seen to its end.
    pub fn is_done(&self, lab: &str, act: &str) -> bool {
        self.counted(lab, act).is_some()
    }

    /// How many of these acts are done.
    pub fn done<'a>(&self, lab: &str, acts: impl IntoIterator<Item = &'a str>) -> usize {
        acts.into_iter().filter(|act| self.is_done(lab, act)).count()
    }

    /// Every attempt at an act, the oldest first.
    pub fn all(&self, lab: &str, act: &str) -> &[Attempt] {
        self.labs.get(lab).and_then(|lab| lab.acts.get(act)).map_or(&[], Vec::as_slice)
    }

    /// Seconds that an act took the last time.
    pub fn took_s(&self, lab: &str, act: &str) -> Option<u64> {
        self.labs.get(lab)?.took_s.get(act).copied()
    }

    fn attempts(&mut self, lab: &str, act: &str) -> &mut Vec<Attempt> {
        self.labs.entry(lab.to_owned()).or_default().acts.entry(act.to_owned()).or_default()
    }
}

impl Attempt {
    /// Whether something was predicted.
    fn is_answered(&self) -> bool {
        self.prediction != Prediction::Skipped
    }
}

/// Today in UTC, such as 2026-11-30.
pub fn today() -> String {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    now.chars().take_while(|&letter| letter != 'T').collect()
}
