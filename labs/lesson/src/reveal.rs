//! What the evidence says.

use crate::{Caveat, Figure};
use serde::{Deserialize, Serialize};

/// The answer of this machine, a moment ago.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reveal {
    /// Which option, which quantity.
    pub outcome: Outcome,
    /// The outcome in one sentence, since people misread bars.
    pub sentence: String,
    /// The figures that show it; the key one first.
    pub figures: Vec<Figure>,
    /// Why, each chosen by evidence. Empty where the evidence proves nothing: then say so in the sentence.
    pub causes: Vec<Cause>,
    /// Every reason for which a number may mislead.
    pub caveats: Vec<Caveat>,
    /// Lines that the learner may type next, to see more; each is a real command.
    pub try_next: Vec<String>,
    /// Where the explanation can be checked, such as "man 2 posix_fadvise" or "mm/readahead.c (Linux 6.18)".
    pub sources: Vec<String>,
}

/// Which option or quantity the machine chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// An option's id.
    Choice(String),
    /// A quantity, in the question's unit.
    Quantity(f64),
    /// The machine did not decide, for this reason (such as a tie where none is offered, or an untrusted counter).
    Undecided(String),
}

/// A cause that evidence selected. Each lab has an enum of its own and turns it into this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Stable id, such as `large-folios`.
    pub id: String,
    /// One to three short sentences, with the figures that prove it.
    pub text: String,
}
