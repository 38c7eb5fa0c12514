//! What each place of a session shows.

use super::Session;
use super::place::Place;
use super::recorded::Recorded;
use super::stage::{End, Round};
use crate::render::{self, Head, Page, SummaryRow};
use lesson::Verdict;

impl Session<'_> {
    pub(super) fn pages(&self, place: Place) -> Vec<Page> {
        let canvas = self.screen.canvas();
        let lab = self.stage.lab;
        let label = self.stage.source.recording().map(|replay| replay.label.as_str());
        match (place, round_at(place, &self.rounds)) {
            (Place::Intro, _) => {
                let acts: Vec<_> =
                    lab.acts.iter().map(|act| (act.id(), act.title(), act.seconds())).collect();
                render::intro(&lab.card, &acts, self.stage.source.setting(), label, &canvas)
            }
            (Place::Summary, _) => render::summary(&lab.card, &self.rows(), label, &canvas),
            (Place::Reveal(act), Some(round)) => {
                let head = self.head(act, label);
                match &round.end {
                    End::Revealed { reveal, verdict, .. } => {
                        let said = Some(&round.prediction);
                        render::reveal(&head, &round.question, said, *verdict, reveal, &canvas)
                    }
                    End::Unavailable(reason) => self.unavailable(act, &head, round, reason),
                }
            }
            (Place::Question(act) | Place::Reveal(act), _) => {
                render::question(&self.head(act, label), &self.stage.question(act), &canvas)
            }
        }
    }

    /// Why there is no answer, and what a recording says instead, under its own label.
    fn unavailable(&self, act: usize, head: &Head<'_>, round: &Round, reason: &str) -> Vec<Page> {
        let canvas = self.screen.canvas();
        let recorded = round.recorded.as_deref();
        let mut pages = render::unavailable(head, &round.question, reason, recorded.is_some(), &canvas);
        if let Some(Recorded { label, question, reveal, verdict, .. }) = recorded {
            let head = self.head(act, Some(label));
            let said = Some(&round.prediction);
            pages.extend(render::reveal(&head, question, said, *verdict, reveal, &canvas));
        }
        pages
    }

    fn head<'h>(&'h self, index: usize, recorded: Option<&'h str>) -> Head<'h> {
        let act = self.stage.act(index);
        Head {
            card: &self.stage.lab.card,
            act_index: index,
            act_count: self.way.acts,
            act_id: act.id(),
            act_title: act.title(),
            recorded,
        }
    }

    fn rows(&self) -> Vec<SummaryRow<'_>> {
        let played = self.stage.lab.acts.iter().zip(&self.rounds);
        played
            .filter_map(|(act, round)| {
                let round = round.as_ref()?;
                let (outcome, verdict) = match &round.end {
                    End::Revealed { reveal, verdict, .. } => (Ok(&reveal.outcome), *verdict),
                    End::Unavailable(reason) => (Err(reason.as_str()), Verdict::None),
                };
                Some(SummaryRow {
                    act_id: act.id(),
                    act_title: act.title(),
                    question: &round.question,
                    prediction: Some(&round.prediction),
                    outcome,
                    verdict,
                })
            })
            .collect()
    }
}

fn round_at(place: Place, rounds: &[Option<Round>]) -> Option<&Round> {
    match place {
        Place::Question(act) | Place::Reveal(act) => rounds[act].as_ref(),
        Place::Intro | Place::Summary => None,
    }
}
