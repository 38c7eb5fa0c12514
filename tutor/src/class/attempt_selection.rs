//! Of many rounds of one act, what tells a class something: the first prediction, and the last outcome.
//!
//! A class compares what a learner thought before anything was revealed with what the machine does. So two rounds are
//! kept at most: the one with the first prediction, unless an outcome had been seen before it, and the last one that
//! was measured here. A recorded outcome tells nothing about this machine: it is kept only as the round of that
//! prediction, or, where there is nothing else, once, so that it can be said that this learner saw a recording.

use super::file::{Answer, Came};
use lesson::{Prediction, Verdict};

/// The rounds that count, the oldest first. Selected again they stay the same.
pub fn selected(rounds: Vec<Answer>) -> Vec<Answer> {
    let first = first_prediction(&rounds);
    let last = rounds.iter().rposition(|round| !round.recorded && round.outcome.is_some());
    let kept: Vec<usize> = match (first, last) {
        (Some(first), Some(last)) if first != last => vec![first.min(last), first.max(last)],
        (Some(only), _) | (None, Some(only)) => vec![only],
        (None, None) => rounds.iter().rposition(|round| round.outcome.is_some()).into_iter().collect(),
    };
    let skipped = |at: usize| {
        let mut round = rounds[at].clone();
        // Whoever answers once the outcome is known predicts nothing.
        if first.is_none_or(|first| at < first) {
            (round.prediction, round.verdict) = (Prediction::Skipped, Verdict::None);
        }
        round
    };
    match kept.as_slice() {
        [] => rounds.last().cloned().into_iter().collect(),
        kept => kept.iter().copied().map(skipped).collect(),
    }
}

/// The first round in which something was predicted, if nothing had been revealed before.
fn first_prediction(rounds: &[Answer]) -> Option<usize> {
    let said = rounds.iter().position(|round| round.prediction != Prediction::Skipped)?;
    let revealed = |round: &Answer| matches!(round.outcome, Some(Came::Choice(_) | Came::Quantity(_)));
    (!rounds[..said].iter().any(revealed)).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(said: &str, was: Option<&str>, recorded: bool) -> Answer {
        let prediction = match said {
            "" => Prediction::Skipped,
            id => Prediction::Choice(id.to_owned()),
        };
        let outcome = was.map(|id| Came::Choice(id.to_owned()));
        let on = "2026-11-30".to_owned();
        Answer { on, recorded, prediction, plan: None, outcome, verdict: Verdict::None }
    }

    #[test]
    fn the_first_prediction_and_the_last_outcome_of_this_machine_are_kept() {
        let (here, seen) = (|said, was| round(said, Some(was), false), |said| round(said, Some("z"), true));
        let cases = [
            (vec![here("a", "x"), here("b", "y"), here("c", "z")], vec![here("a", "x"), here("c", "z")]),
            (vec![seen(""), seen(""), seen("")], vec![seen("")]),
            (vec![seen("a"), seen(""), here("", "y")], vec![seen("a"), here("", "y")]),
            (vec![here("a", "x"), seen("b")], vec![here("a", "x")]),
            (vec![round("a", None, false), here("b", "x")], vec![round("a", None, false), here("b", "x")]),
            (vec![round("", None, false)], vec![round("", None, false)]),
            (vec![], vec![]),
        ];
        for (rounds, kept) in cases {
            assert_eq!(selected(rounds), kept);
            assert_eq!(selected(kept.clone()), kept, "it stays the same");
        }
    }

    #[test]
    fn what_is_said_after_the_reveal_is_no_prediction() {
        let rounds = vec![round("", Some("z"), true), round("z", Some("z"), false)];
        assert_eq!(selected(rounds), [round("", Some("z"), false)]);
    }
}
