//! What another machine said to an act that this one cannot measure: from the lab's own recordings.

use super::source::Replay;
use lesson::{AnyAct, Lab, Prediction, Question, Recording, Reveal, Verdict};
use serde_json::Value;

/// A recorded answer, always shown with its label.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Machine and date.
    pub label: String,
    /// As it was asked there: figures in it may differ.
    pub question: Question,
    /// What was measured there.
    pub evidence: Value,
    /// What that says.
    pub reveal: Reveal,
    /// How near the prediction would have been there; none where there was asked something else.
    pub verdict: Verdict,
}

/// The first of the lab's recordings that has evidence of this act.
pub fn find(lab: &Lab, act: &dyn AnyAct, asked: &Question, prediction: &Prediction) -> Option<Recorded> {
    lab.recordings.iter().find_map(|(_, json)| {
        let replay = Replay::new(Recording::parse(json, lab.card.slug).ok()?);
        let (label, setting) = (replay.label.clone(), super::Source::setting(&replay));
        let evidence = replay.evidence_of(act.id())?.clone();
        let question = act.question(setting);
        let reveal = act.reveal(&evidence, setting).ok()?;
        let verdict = if question.ask == asked.ask {
            lesson::verdict(Some(prediction), &reveal.outcome, &question)
        } else {
            Verdict::None
        };
        Some(Recorded { label, question, evidence, reveal, verdict })
    })
}
