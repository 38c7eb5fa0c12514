//! One round: store the prediction, get the evidence, let the act reveal it, store what came out.

use super::recorded::{self, Recorded};
use super::source::Source;
use crate::progress::{self, Attempt, Store, today};
use crate::render;
use instruments::Unavailable;
use lesson::{AnyAct, Lab, Prediction, Question, Reveal, Verdict};
use serde_json::Value;

/// What an act needs to be played: the lab, where evidence comes from, where progress goes.
pub struct Stage<'a> {
    /// The lab.
    pub lab: &'a Lab,
    /// Where evidence comes from.
    pub source: &'a mut dyn Source,
    /// Where progress goes.
    pub store: &'a mut Store,
}

/// One act, played.
#[derive(Clone, Debug)]
pub struct Round {
    /// What was asked.
    pub question: Question,
    /// What was predicted.
    pub prediction: Prediction,
    /// What came out.
    pub end: End,
    /// What another machine said, where this one could say nothing.
    pub recorded: Option<Box<Recorded>>,
}

/// What came out of an act.
#[derive(Clone, Debug)]
pub enum End {
    /// The machine answered.
    Revealed {
        /// What was measured.
        evidence: Value,
        /// What it says.
        reveal: Box<Reveal>,
        /// How near the prediction was.
        verdict: Verdict,
    },
    /// It cannot be measured here, for this reason.
    Unavailable(String),
}

impl Stage<'_> {
    /// The act at this place.
    pub fn act(&self, index: usize) -> &dyn AnyAct {
        self.lab.acts[index].as_ref()
    }

    /// What it asks.
    pub fn question(&self, index: usize) -> Question {
        self.act(index).question(self.source.setting())
    }

    /// Play an act. Err where it should have worked and did not, or was interrupted: the session ends.
    pub fn play(&mut self, index: usize, prediction: Prediction) -> Result<Round, Unavailable> {
        let (slug, act) = (self.lab.card.slug, self.lab.acts[index].as_ref());
        let question = self.question(index);
        let attempt = self.attempt(&prediction, &question);
        self.store.predicted(slug, act.id(), attempt.clone());
        let end = match self.source.evidence(act) {
            Ok(evidence) => self.reveal(act, evidence, &prediction, &question)?,
            Err(lacking @ Unavailable::Lacking { .. }) => End::Unavailable(lacking.to_string()),
            Err(ends_the_session) => return Err(ends_the_session),
        };
        self.store.ended(slug, act.id(), attempt, stored(&end, &question));
        match end {
            End::Unavailable(reason) => Ok(self.without_evidence(index, prediction, reason)),
            end => Ok(Round { question, prediction, end, recorded: None }),
        }
    }

    /// An act that gave no evidence, for this reason; where a recording says something instead, with that.
    pub fn without_evidence(&self, index: usize, prediction: Prediction, reason: String) -> Round {
        let question = self.question(index);
        let live = self.source.recording().is_none();
        let found = || recorded::find(self.lab, self.act(index), &question, &prediction);
        let recorded = live.then(found).flatten().map(Box::new);
        Round { question, prediction, end: End::Unavailable(reason), recorded }
    }

    fn reveal(
        &self,
        act: &dyn AnyAct,
        evidence: Value,
        prediction: &Prediction,
        question: &Question,
    ) -> Result<End, Unavailable> {
        match act.reveal(&evidence, self.source.setting()) {
            Ok(mut reveal) => {
                let missing: Vec<_> = self
                    .source
                    .caveats()
                    .into_iter()
                    .filter(|caveat| !reveal.caveats.contains(caveat))
                    .collect();
                reveal.caveats.extend(missing);
                let verdict = lesson::verdict(Some(prediction), &reveal.outcome, question);
                Ok(End::Revealed { evidence, reveal: Box::new(reveal), verdict })
            }
            // Evidence of another version says nothing about the other acts of the recording.
            Err(error) if self.source.recording().is_some() => Ok(End::Unavailable(error.to_string())),
            Err(error) => Err(Unavailable::failed(format!("reveal act {}", act.id()), error, "")),
        }
    }

    fn attempt(&self, prediction: &Prediction, question: &Question) -> Attempt {
        Attempt {
            on: today(),
            recorded: self.source.recording().is_some(),
            prediction: prediction.clone(),
            prediction_text: render::prediction_text(prediction, question),
            asked: question.ask.clone(),
            machine: self.machine(),
            plan: Some(self.source.setting().plan.clone()),
            end: None,
        }
    }

    fn machine(&self) -> String {
        let host = || render::machine(&self.source.setting().host);
        self.source.recording().map_or_else(host, |replay| replay.label.clone())
    }
}

fn stored(end: &End, question: &Question) -> progress::End {
    match end {
        End::Revealed { reveal, verdict, .. } => progress::End::Revealed {
            outcome: reveal.outcome.clone(),
            outcome_text: render::outcome_text(&reveal.outcome, question),
            verdict: *verdict,
            sentence: reveal.sentence.clone(),
            why: reveal.causes.iter().map(|cause| cause.text.clone()).collect(),
        },
        End::Unavailable(reason) => progress::End::Unavailable(reason.clone()),
    }
}
