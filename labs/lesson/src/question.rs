//! What is asked before anything is measured.

use serde::{Deserialize, Serialize};

/// A question, with all that the learner needs to answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What will be done, in a few short sentences.
    pub setup: String,
    /// Lines shown after `$`: each can be typed by the learner and gives the same kind of output.
    pub commands: Vec<String>,
    /// The question itself, one sentence.
    pub ask: String,
    /// How it is answered.
    pub answer: Ask,
    /// For the `?` key: a way to think about it, not the answer.
    pub hint: String,
}

/// How a question is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// One of three to five options, lettered a, b, c, … in order.
    Choice(Vec<Choice>),
    /// A number on a log scale.
    Quantity(Quantity),
}

/// An option: a named misconception, or what happens on this machine; only the evidence knows which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Stable id, such as `one-a-page`.
    pub id: String,
    /// What the learner reads.
    pub text: String,
    /// What one has to believe to choose it, and when it would be so. True on every machine, whatever was measured:
    /// it is shown after the reveal beside the outcome.
    pub explanation: String,
}

/// A question for a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// What the number counts.
    pub unit: Unit,
    /// An example of an answer, such as `10x`; says nothing about the right one.
    pub example: String,
    /// A prediction within this factor is a hit (such as 1.25).
    pub hit_factor: f64,
    /// A prediction within this factor is near (such as 2.0).
    pub near_factor: f64,
}

/// What a number counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A ratio, printed as `25x`.
    Ratio,
    /// A share in percent, 0 to 100.
    Percent,
    /// Bytes, printed in binary units.
    Bytes,
    /// A count of things, with their plural name.
    Count(String),
}

impl Unit {
    /// The word that goes into JSON beside a value.
    pub fn name(&self) -> &str {
        match self {
            Unit::Ratio => "x",
            Unit::Percent => "%",
            Unit::Bytes => "bytes",
            Unit::Count(things) => things,
        }
    }
}
