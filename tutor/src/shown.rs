//! A recorded session for those who show it elsewhere than on a terminal, such as the book.

use crate::record;
use crate::render::{self, Canvas, Head};
use crate::session::{Replay, Source};
use lesson::figure::Scale;
use lesson::{AnyAct, Figure, Lab, Question, Recording, Reveal, Verdict};

/// As wide as a page of the book; endless, so that a screen is never cut into pages.
const PAPER: Canvas = Canvas { width: 80, height: 10_000, colour: false, plain: false };

/// A recorded session.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Machine and date, on one line.
    pub label: String,
    /// UTC date, such as 2026-11-30.
    pub recorded_on: String,
    /// In the lab's order.
    pub acts: Vec<ShownAct>,
}

/// One act of it.
#[derive(Clone, Debug)]
pub struct ShownAct {
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
    /// Question and reveal as the terminal shows them, without colour.
    pub screen: String,
}

impl Shown {
    /// What `json`, a recording of `lab`, says today: the words are those of the present program.
    pub fn of(lab: &Lab, json: &str) -> Result<Shown, String> {
        let recording = Recording::parse(json, lab.card.slug).map_err(|error| error.to_string())?;
        let label = record::label(&recording);
        let recorded_on = recording.recorded_on.clone();
        let mut replay = Replay::new(recording);
        let count = lab.acts.len();
        let mut acts = Vec::with_capacity(count);
        for (at, act) in lab.acts.iter().map(AsRef::as_ref).enumerate() {
            let head = Head {
                card: &lab.card,
                act_index: at,
                act_count: count,
                act_id: act.id(),
                act_title: act.title(),
                recorded: Some(&label),
            };
            acts.push(shown(act, &head, &mut replay));
        }
        Ok(Shown { recorded_on, acts, label })
    }
}

fn shown(act: &dyn AnyAct, head: &Head<'_>, replay: &mut Replay) -> ShownAct {
    let question = act.question(replay.setting());
    let reveal = replay
        .evidence(act)
        .map_err(|error| error.to_string())
        .and_then(|evidence| act.reveal(&evidence, replay.setting()).map_err(|error| error.to_string()));
    let pages = match &reveal {
        Ok(reveal) => render::reveal(head, &question, None, Verdict::None, reveal, &PAPER),
        Err(reason) => render::unavailable(head, &question, reason, false, &PAPER),
    };
    let outcome =
        reveal.as_ref().map_or_else(Clone::clone, |reveal| render::outcome_text(&reveal.outcome, &question));
    let screen = pages.concat().iter().map(|line| format!("{line}\n")).collect();
    ShownAct { id: act.id(), title: act.title(), question, reveal, outcome, screen }
}

/// A figure as sentences or a simple table: for those who cannot see it drawn.
pub fn in_words(figure: &Figure) -> String {
    render::figure(figure, &Canvas { plain: true, ..PAPER }).join("\n")
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
            let shown = Shown::of(&lab, json).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(shown.acts.len(), lab.acts.len());
            for act in &shown.acts {
                let reveal = act.reveal.as_ref().unwrap_or_else(|why| panic!("{name}, {}: {why}", act.id));
                assert!(act.screen.contains("RECORDED 20"), "{}", act.screen);
                assert!(!act.screen.contains('\x1b') && !act.outcome.is_empty());
                assert!(reveal.figures.iter().all(|figure| !in_words(figure).is_empty()), "{}", act.id);
            }
        }
    }

    #[test]
    fn what_is_no_recording_of_the_lab_is_refused() {
        let labs = labs();
        let refused = Shown::of(&labs[0], labs[1].recordings[0].1).unwrap_err();
        assert!(refused.contains("not of"), "{refused}");
    }
}
