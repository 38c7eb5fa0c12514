//! A recorded session for those who show it elsewhere than on a terminal, such as the book.

use crate::record;
use crate::render::{self, Canvas};
use crate::session::{Replay, Source};
use lesson::figure::Scale;
use lesson::{AnyAct, Figure, Lab, Question, Recording, Reveal};

/// As wide as a page of the book, and endless.
const PAPER: Canvas = Canvas { width: 80, height: 10_000, colour: false, plain: true };

/// A recorded session.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// Machine and date, on one line.
    pub label: String,
    /// UTC date, such as 2026-11-30.
    pub recorded_on: String,
    /// In the lab's order.
    pub acts: Vec<TranscriptAct>,
}

/// One act of it.
#[derive(Clone, Debug)]
pub struct TranscriptAct {
    /// The act's id: the book's anchor.
    pub id: &'static str,
    /// The act's title.
    pub title: &'static str,
    /// What was asked.
    pub question: Question,
    /// What the recorded evidence says, or why there is none.
    pub reveal: Result<Reveal, String>,
    /// The outcome in words: an option with its letter, or a quantity with its unit.
    pub outcome: String,
}

impl Transcript {
    /// What `json`, a recording of `lab`, says today: the words are those of the present program.
    pub fn of(lab: &Lab, json: &str) -> Result<Transcript, String> {
        let recording = Recording::parse(json, lab.card.slug).map_err(|error| error.to_string())?;
        let label = record::label(&recording);
        let recorded_on = recording.recorded_on.clone();
        let mut replay = Replay::new(recording);
        let acts = lab.acts.iter().map(|act| shown(act.as_ref(), &mut replay)).collect();
        Ok(Transcript { recorded_on, acts, label })
    }
}

fn shown(act: &dyn AnyAct, replay: &mut Replay) -> TranscriptAct {
    let question = act.question(replay.setting());
    let reveal = replay
        .evidence(act)
        .map_err(|error| error.to_string())
        .and_then(|evidence| act.reveal(&evidence, replay.setting()).map_err(|error| error.to_string()));
    let outcome =
        reveal.as_ref().map_or_else(Clone::clone, |reveal| render::outcome_text(&reveal.outcome, &question));
    TranscriptAct { id: act.id(), title: act.title(), question, reveal, outcome }
}

/// A figure as sentences or a simple table: for those who cannot see it drawn.
pub fn in_words(figure: &Figure) -> String {
    render::figure(figure, &PAPER).join("\n")
}

/// A value of an axis, as it stands beside its tick.
pub fn tick(scale: Scale, value: f64) -> String {
    render::tick(scale, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::labs;

    #[test]
    fn every_lab_can_be_shown_from_its_first_recording() {
        for lab in labs() {
            let (name, json) = lab.recordings[0];
            let shown = Transcript::of(&lab, json).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(shown.acts.len(), lab.acts.len());
            for act in &shown.acts {
                let reveal = act.reveal.as_ref().unwrap_or_else(|why| panic!("{name}, {}: {why}", act.id));
                assert!(shown.label.contains("RECORDED 20"), "{}", shown.label);
                assert!(!shown.label.contains('\x1b') && !act.outcome.is_empty());
                assert!(reveal.figures.iter().all(|figure| !in_words(figure).is_empty()), "{}", act.id);
            }
        }
    }

    #[test]
    fn what_is_no_recording_of_the_lab_is_refused() {
        let labs = labs();
        let refused = Transcript::of(&labs[0], labs[1].recordings[0].1).unwrap_err();
        assert!(refused.contains("not of"), "{refused}");
    }
}
