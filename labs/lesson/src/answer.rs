//! What a learner answers, and how near it was.
//!
//! SKELETON: signatures are fixed, some bodies to be written.

use crate::{Outcome, Question};
use serde::{Deserialize, Serialize};

/// A stored prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prediction {
    /// An option's id.
    Choice(String),
    /// A number, in the question's unit.
    Quantity(f64),
    /// The learner chose not to say; counts as stored.
    Skipped,
}

impl Prediction {
    /// Read what was typed: a letter, a number or an id for a choice; `25x`, `25`, `4k`, `512 MiB`, `30%` for a
    /// quantity (k is 1000 for counts and 1024 for bytes); `skip` or `s` for either. Err is one friendly line
    /// that says what would be understood.
    pub fn parse(_text: &str, _question: &Question) -> Result<Prediction, String> {
        todo!()
    }
}

/// How near a prediction was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The chosen option, or within the hit factor.
    Hit,
    /// Within the near factor (quantities only).
    Near,
    /// Neither.
    Miss,
    /// Skipped, never asked, or the machine did not decide.
    None,
}

/// Compare a prediction with an outcome. Zero is met only by zero.
pub fn verdict(_prediction: Option<&Prediction>, _outcome: &Outcome, _question: &Question) -> Verdict {
    todo!()
}
