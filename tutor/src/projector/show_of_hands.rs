//! A show of hands: how many of a class said what, before anything was measured.

use crate::render;
use lesson::{Ask, Outcome, Question, Unit};

/// More hands than a hall has.
const MOST: u32 = 9999;

/// Counts, one for each answer that a class can give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowOfHands {
    /// In the order of [`answers`].
    pub counts: Vec<u32>,
}

/// An answer that hands are raised for: an option, or a band of quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Short: the option's letter, or the band.
    pub name: String,
    /// The option's text; nothing for a band.
    pub text: String,
    /// The band: from here on, and below the next one's.
    from: f64,
}

/// All answers to a question. Bands are wide, since hands are: whoever would say 10x need not know the tolerance.
pub fn answers(question: &Question) -> Vec<Answer> {
    let bands = match &question.answer {
        Ask::Choice(options) => {
            let named = ('a'..='z').zip(options);
            return named
                .map(|(letter, option)| Answer {
                    name: letter.to_string(),
                    text: option.text.clone(),
                    from: 0.0,
                })
                .collect();
        }
        Ask::Quantity(quantity) => quantity,
    };
    const KIB: f64 = 1024.0;
    let edges: &[f64] = match bands.unit {
        Unit::Ratio => &[0.0, 1.0, 2.0, 5.0, 10.0, 50.0],
        Unit::Percent => &[0.0, 20.0, 40.0, 60.0, 80.0],
        Unit::Bytes => &[0.0, 64.0 * KIB, KIB * KIB, 16.0 * KIB * KIB, 256.0 * KIB * KIB],
        Unit::Count(_) => &[0.0, 10.0, 100.0, 1e3, 1e4, 1e5],
    };
    let value = |value: f64| match bands.unit {
        // Without the name of what is counted: the question has just said it.
        Unit::Count(_) => instruments::size::format_count(value as u64),
        _ => render::outcome_text(&Outcome::Quantity(value), question),
    };
    let name = |at: usize| match (edges[at], edges.get(at + 1)) {
        (0.0, Some(to)) => format!("below {}", value(*to)),
        (from, Some(to)) => format!("{} to {}", value(from), value(*to)),
        (from, None) => format!("{} and more", value(from)),
    };
    (0..edges.len()).map(|at| Answer { name: name(at), text: String::new(), from: edges[at] }).collect()
}

/// The answer that an outcome belongs to; none where the machine did not decide.
pub fn answer_of(outcome: &Outcome, question: &Question) -> Option<usize> {
    match (outcome, &question.answer) {
        (Outcome::Choice(id), Ask::Choice(options)) => options.iter().position(|option| option.id == *id),
        (Outcome::Quantity(value), Ask::Quantity(_)) => {
            answers(question).iter().rposition(|answer| *value >= answer.from)
        }
        _ => None,
    }
}

impl ShowOfHands {
    /// No hand is up yet.
    pub fn none(question: &Question) -> ShowOfHands {
        ShowOfHands { counts: vec![0; answers(question).len()] }
    }

    /// All hands.
    pub fn all(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// How many of all hands gave answer `at`, in whole percent: 0% only where nobody did, 100% only where all did.
    pub fn share(&self, at: usize) -> String {
        let (count, all) = (self.counts[at], self.all());
        let share = f64::from(count) * 100.0 / f64::from(all.max(1));
        match share.round() {
            0.0 if count > 0 => "<1%".to_owned(),
            100.0 if count < all => ">99%".to_owned(),
            whole => format!("{whole}%"),
        }
    }

    /// One more digit of the count of answer `at`; a number that no hall holds is not taken.
    pub fn digit(&mut self, at: usize, digit: u32) {
        let more = self.counts[at].saturating_mul(10).saturating_add(digit);
        if more <= MOST {
            self.counts[at] = more;
        }
    }

    /// The last digit goes.
    pub fn erase(&mut self, at: usize) {
        self.counts[at] /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fake;

    fn question(act: usize) -> Question {
        fake::lab().acts[act].question(&fake::setting())
    }

    #[test]
    fn every_quantity_belongs_to_one_band_and_a_choice_to_its_option() {
        let ratio = question(1);
        let names: Vec<_> = answers(&ratio).into_iter().map(|answer| answer.name).collect();
        assert_eq!(names, ["below 1x", "1x to 2x", "2x to 5x", "5x to 10x", "10x to 50x", "50x and more"]);
        let band = |value| answer_of(&Outcome::Quantity(value), &ratio);
        assert_eq!([0.0, 0.99, 1.0, 4.9, 5.0, 1e9].map(band), [0, 0, 1, 2, 3, 5].map(Some));
        let choice = question(0);
        assert_eq!(answer_of(&Outcome::Choice("two".to_owned()), &choice), Some(1));
        assert_eq!(answer_of(&Outcome::Undecided("a tie".to_owned()), &choice), None);
        assert_eq!(answers(&choice)[2].name, "c");
    }

    #[test]
    fn a_few_hands_are_not_none_and_nearly_all_are_not_all() {
        for (few, many, shares) in [
            (0, 0, ["0%", "0%"]),
            (0, 7, ["0%", "100%"]),
            (1, 9999, ["<1%", ">99%"]),
            (1, 199, ["1%", ">99%"]),
            (1, 2, ["33%", "67%"]),
        ] {
            let hands = ShowOfHands { counts: vec![few, many] };
            assert_eq!([hands.share(0), hands.share(1)], shares, "{few} and {many}");
        }
    }

    #[test]
    fn counts_are_typed_digit_by_digit() {
        let mut hands = ShowOfHands::none(&question(0));
        for digit in [1, 2, 3, 4, 5] {
            hands.digit(1, digit);
        }
        hands.digit(0, 7);
        hands.erase(1);
        assert_eq!((hands.counts.clone(), hands.all()), (vec![7, 123, 0], 130));
    }
}
