//! An act: one round of predict, measure, reveal.

use crate::taken::taken;
use crate::{Caveat, Notes, Question, Reveal};
use instruments::{Bench, Host, Meanwhile, Plan, Unavailable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where and with what an act was measured: the machine and the knobs. Part of every recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Facts about the machine.
    pub host: Host,
    /// Size, block, trials.
    pub plan: Plan,
}

/// One predict–measure–reveal round with its own typed evidence.
pub trait Act {
    /// What was measured; field names carry their unit.
    type Evidence: Serialize + DeserializeOwned;
    /// Stable id, such as `reads`: the key of progress, `--step` and the book's anchor.
    const ID: &'static str;
    /// A few words for the header and lists.
    const TITLE: &'static str;
    /// Machine time at the default size on an SSD, in seconds: what the screen promises.
    const SECONDS: u32;
    /// What an instructor says around it.
    const NOTES: Notes;

    /// What is asked before anything is measured.
    fn question(&self, setting: &Setting) -> Question;
    /// How long a learner who is patient (`--patient`) may have to wait, seconds; None where patience changes nothing.
    fn patient_seconds(&self, _setting: &Setting) -> Option<u64> {
        None
    }
    /// The only impure part.
    fn measure(&self, bench: &mut Bench<'_>) -> Result<Self::Evidence, Unavailable>;
    /// What the evidence says. Pure: the same evidence gives the same words.
    fn reveal(&self, evidence: &Self::Evidence, setting: &Setting) -> Reveal;
}

/// Evidence that does not have the shape which this act expects: a recording from another version, or damaged.
#[derive(Debug, thiserror::Error)]
#[error("the evidence of act `{act}` cannot be read: {source}")]
pub struct EvidenceError {
    act: &'static str,
    source: serde_json::Error,
}

/// An act for which something was missing, with who disturbed it, where that is known.
fn with_who(error: Unavailable, meanwhile: &Meanwhile, host: &Host) -> Unavailable {
    match (error, taken(meanwhile, host)) {
        (Unavailable::Lacking { what, needs, remedy }, Some(taken)) => {
            Unavailable::Lacking { what, needs, remedy: format!("{remedy}. {taken}") }
        }
        (error, _) => error,
    }
}

/// The field of an act's evidence that tells what others did meanwhile; there only where they did anything.
const MEANWHILE: &str = "meanwhile";

/// An act whose evidence is JSON, so that a course can hold acts of all kinds.
pub trait AnyAct {
    /// [`Act::ID`]
    fn id(&self) -> &'static str;
    /// [`Act::TITLE`]
    fn title(&self) -> &'static str;
    /// [`Act::SECONDS`]
    fn seconds(&self) -> u32;
    /// [`Act::NOTES`]
    fn notes(&self) -> Notes;
    /// [`Act::question`]
    fn question(&self, setting: &Setting) -> Question;
    /// [`Act::patient_seconds`]
    fn patient_seconds(&self, setting: &Setting) -> Option<u64>;
    /// [`Act::measure`], the evidence as JSON.
    fn measure(&self, bench: &mut Bench<'_>) -> Result<Value, Unavailable>;
    /// [`Act::reveal`] of evidence that came as JSON.
    fn reveal(&self, evidence: &Value, setting: &Setting) -> Result<Reveal, EvidenceError>;
}

impl<A: Act> AnyAct for A {
    fn id(&self) -> &'static str {
        A::ID
    }

    fn title(&self) -> &'static str {
        A::TITLE
    }

    fn seconds(&self) -> u32 {
        A::SECONDS
    }

    fn notes(&self) -> Notes {
        A::NOTES
    }

    fn question(&self, setting: &Setting) -> Question {
        Act::question(self, setting)
    }

    fn patient_seconds(&self, setting: &Setting) -> Option<u64> {
        Act::patient_seconds(self, setting)
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Value, Unavailable> {
        bench.begin_act();
        let measured = Act::measure(self, bench);
        let meanwhile = bench.meanwhile();
        let evidence = measured.map_err(|error| with_who(bench.explain(error), &meanwhile, bench.host()))?;
        let keep = || {
            let mut evidence = serde_json::to_value(evidence)?;
            if let Some(fields) = evidence.as_object_mut().filter(|_| !meanwhile.is_quiet()) {
                fields.insert(MEANWHILE.to_owned(), serde_json::to_value(meanwhile)?);
            }
            Ok(evidence)
        };
        keep().map_err(|error: serde_json::Error| {
            Unavailable::failed(format!("keep the evidence of act {}", A::ID), error, "")
        })
    }

    fn reveal(&self, evidence: &Value, setting: &Setting) -> Result<Reveal, EvidenceError> {
        let unreadable = |source| EvidenceError { act: A::ID, source };
        let meanwhile =
            evidence.get(MEANWHILE).map(Meanwhile::deserialize).transpose().map_err(unreadable)?;
        let evidence = A::Evidence::deserialize(evidence).map_err(unreadable)?;
        let mut reveal = Act::reveal(self, &evidence, setting);
        let taken = meanwhile.and_then(|meanwhile| taken(&meanwhile, &setting.host));
        reveal.caveats.extend(taken.map(Caveat::PagesTaken));
        Ok(reveal)
    }
}
