//! `tutor lab N --json`: a session as one JSON document. Nothing is asked, nothing else goes to standard output.

use crate::exit::{Ending, Result};
use crate::session::{Ahead, End, Recorded, Replay, Round, Source, Stage};
use instruments::{Host, Plan};
use lesson::{Ask, Card, Cause, Caveat, Lab, Outcome, Prediction, Question, Verdict};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The schema of every JSON document that the tutor prints.
pub const SCHEMA: u32 = 1;

/// The document. Fields are only ever added.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    schema: u32,
    source: &'static str,
    /// For a recording: the label with machine and date, and the date alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_on: Option<&'a str>,
    lab: Named,
    /// None where not even the machine could be looked at.
    host: Option<&'a Host>,
    plan: Option<&'a Plan>,
    acts: Vec<ActDocument<'a>>,
}

/// A lab, as every document names it.
#[derive(Debug, Serialize)]
pub struct Named {
    number: u32,
    slug: &'static str,
    title: &'static str,
}

impl Named {
    /// By its card.
    pub fn of(card: &Card) -> Named {
        Named { number: card.number, slug: card.slug, title: card.title }
    }
}

#[derive(Debug, Serialize)]
struct ActDocument<'a> {
    id: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<Said<'a>>,
    outcome: Said<'a>,
    verdict: Verdict,
    sentence: &'a str,
    causes: &'a [Cause],
    caveats: Vec<CaveatDocument>,
    evidence: Option<&'a Value>,
    /// Of an act that is unavailable: what another machine said, from a recording of the lab's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<RecordedDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct RecordedDocument<'a> {
    label: &'a str,
    outcome: Said<'a>,
    sentence: &'a str,
    causes: &'a [Cause],
    caveats: Vec<CaveatDocument>,
    evidence: &'a Value,
}

/// A prediction or an outcome: a choice, or a value with its unit, or why there is neither.
#[derive(Debug, Default, Serialize)]
struct Said<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct CaveatDocument {
    id: String,
    text: String,
}

/// What was played, and how it ended early, where it did.
pub struct Played {
    rounds: Vec<Option<Round>>,
    ended: Result,
    first: usize,
}

impl Played {
    /// Play all acts from `first` on; questions without an answer are skipped.
    pub fn play(stage: &mut Stage<'_>, ahead: &Ahead, first: usize) -> Played {
        let acts = stage.lab.acts.len();
        let mut played = Played { rounds: vec![None; acts], ended: Ok(()), first };
        for act in first..acts {
            let prediction = ahead.answer(act).cloned().unwrap_or(Prediction::Skipped);
            match stage.play(act, prediction) {
                Ok(round) => played.rounds[act] = Some(round),
                Err(why) => {
                    played.ended = Err(why.into());
                    break;
                }
            }
        }
        played
    }

    /// The document of what was played.
    pub fn document<'a>(&'a self, lab: &Lab, source: &'a dyn Source) -> Document<'a> {
        let replay = source.recording();
        let reason = match &self.ended {
            Err(Ending::Failed(reason)) => reason,
            _ => "",
        };
        let ids = lab.acts.iter().map(|act| act.id());
        let mut failed = None;
        let acts = ids.zip(&self.rounds).skip(self.first).map(|(id, round)| match (round, failed) {
            (Some(round), _) => of_round(id, round, replay),
            (None, None) => {
                failed = Some(id);
                unavailable(id, None, reason)
            }
            // The reason is that of another act.
            (None, Some(failed)) => {
                unavailable(id, None, format!("not reached: `{failed}` failed before it"))
            }
        });
        Document {
            schema: SCHEMA,
            source: if replay.is_some() { "recorded" } else { "measured" },
            label: replay.map(|replay| replay.label.as_str()),
            recorded_on: replay.map(|replay| replay.recorded_on.as_str()),
            lab: Named::of(&lab.card),
            host: Some(&source.setting().host),
            plan: Some(&source.setting().plan),
            acts: acts.collect(),
        }
    }

    /// Whether a signal ended it: then there is nothing to say.
    pub fn is_interrupted(&self) -> bool {
        matches!(self.ended, Err(Ending::Interrupted))
    }

    /// What was played, by act, and how it ended.
    pub fn into_parts(self) -> (Vec<Option<Round>>, Result) {
        (self.rounds, self.ended)
    }
}

/// The document of a session that could not even begin.
pub fn of_nothing<'a>(lab: &Lab, first: usize, reason: &'a str) -> Document<'a> {
    Document {
        schema: SCHEMA,
        source: "measured",
        label: None,
        recorded_on: None,
        lab: Named::of(&lab.card),
        host: None,
        plan: None,
        acts: lab.acts.iter().skip(first).map(|act| unavailable(act.id(), None, reason)).collect(),
    }
}

fn of_round<'a>(id: &'static str, round: &'a Round, replay: Option<&Replay>) -> ActDocument<'a> {
    let prediction = Some(said(&round.prediction, &round.question));
    match &round.end {
        End::Unavailable(reason) => ActDocument {
            recorded: round.recorded.as_deref().map(of_recorded),
            ..unavailable(id, prediction, reason)
        },
        End::Revealed { evidence, reveal, verdict } => ActDocument {
            id,
            status: if replay.is_some() { "recorded" } else { "measured" },
            reason: None,
            prediction,
            outcome: came_out(&reveal.outcome, &round.question),
            verdict: *verdict,
            sentence: &reveal.sentence,
            causes: &reveal.causes,
            caveats: reveal.caveats.iter().map(caveat).collect(),
            evidence: Some(evidence),
            recorded: None,
        },
    }
}

fn of_recorded(recorded: &Recorded) -> RecordedDocument<'_> {
    RecordedDocument {
        label: &recorded.label,
        outcome: came_out(&recorded.reveal.outcome, &recorded.question),
        sentence: &recorded.reveal.sentence,
        causes: &recorded.reveal.causes,
        caveats: recorded.reveal.caveats.iter().map(caveat).collect(),
        evidence: &recorded.evidence,
    }
}

fn unavailable<'a>(
    id: &'static str,
    prediction: Option<Said<'a>>,
    reason: impl Into<Cow<'a, str>>,
) -> ActDocument<'a> {
    ActDocument {
        id,
        status: "unavailable",
        reason: Some(reason.into()),
        prediction,
        outcome: Said::default(),
        verdict: Verdict::None,
        sentence: "",
        causes: &[],
        caveats: Vec::new(),
        evidence: None,
        recorded: None,
    }
}

fn said<'a>(prediction: &'a Prediction, question: &'a Question) -> Said<'a> {
    match prediction {
        Prediction::Choice(id) => Said { choice: Some(id), ..Said::default() },
        Prediction::Quantity(value) => quantity(*value, question),
        Prediction::Skipped => Said { skipped: Some(true), ..Said::default() },
    }
}

fn came_out<'a>(outcome: &'a Outcome, question: &'a Question) -> Said<'a> {
    match outcome {
        Outcome::Choice(id) => Said { choice: Some(id), ..Said::default() },
        Outcome::Quantity(value) => quantity(*value, question),
        Outcome::Undecided(reason) => Said { undecided: Some(reason), ..Said::default() },
    }
}

fn quantity(value: f64, question: &Question) -> Said<'_> {
    let unit = match &question.answer {
        Ask::Quantity(quantity) => Some(quantity.unit.name()),
        Ask::Choice(_) => None,
    };
    Said { value: Some(value), unit, ..Said::default() }
}

/// The caveat's own name, as recordings write it, and its sentence.
fn caveat(caveat: &Caveat) -> CaveatDocument {
    let id = match serde_json::to_value(caveat) {
        Ok(Value::String(name)) => name,
        Ok(Value::Object(tagged)) => first_key(tagged),
        _ => String::new(),
    };
    CaveatDocument { id, text: caveat.to_string() }
}

fn first_key(tagged: Map<String, Value>) -> String {
    tagged.into_iter().next().map(|(name, _)| name).unwrap_or_default()
}

#[cfg(test)]
mod tests;
