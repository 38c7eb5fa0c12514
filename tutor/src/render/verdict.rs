//! Predictions and outcomes in words.

use super::Canvas;
use super::number;
use super::theme::Tone;
use lesson::{Ask, Choice, Outcome, Prediction, Question, Unit, Verdict};

/// The letter of an option, from its place.
pub(super) fn letter(index: usize) -> char {
    u8::try_from(index).ok().filter(|index| *index < 26).map_or('?', |index| char::from(b'a' + index))
}

/// The option of this id, with its letter.
fn option<'a>(id: &str, question: &'a Question) -> Option<(char, &'a Choice)> {
    let Ask::Choice(options) = &question.answer else { return None };
    let index = options.iter().position(|option| option.id == id)?;
    Some((letter(index), &options[index]))
}

fn quantity(value: f64, question: &Question) -> String {
    match &question.answer {
        Ask::Quantity(quantity) => match &quantity.unit {
            Unit::Ratio => number::ratio(value),
            Unit::Percent => number::percent(value),
            Unit::Bytes => number::bytes(value),
            Unit::Count(things) => format!("{} {things}", number::count(value)),
        },
        Ask::Choice(_) => number::count(value),
    }
}

fn chosen(id: &str, question: &Question) -> String {
    option(id, question)
        .map_or_else(|| id.to_owned(), |(letter, option)| format!("{letter}, {}", option.text))
}

/// A prediction as the learner would say it: `10x`, or letter and text of an option.
pub fn prediction_text(prediction: &Prediction, question: &Question) -> String {
    match prediction {
        Prediction::Choice(id) => chosen(id, question),
        Prediction::Quantity(value) => quantity(*value, question),
        Prediction::Skipped => "skipped".to_owned(),
    }
}

/// An outcome in the same words.
pub fn outcome_text(outcome: &Outcome, question: &Question) -> String {
    match outcome {
        Outcome::Choice(id) => chosen(id, question),
        Outcome::Quantity(value) => quantity(*value, question),
        Outcome::Undecided(reason) => format!("undecided: {reason}"),
    }
}

/// `a factor of two`, `a factor of 1.25`.
fn factor(factor: f64) -> String {
    if factor == 2.0 {
        "a factor of two".to_owned()
    } else {
        format!("a factor of {}", number::three(factor))
    }
}

/// What was said, and how near it was: one short sentence, never a reproach. Nothing for a skipped question.
pub(super) fn sentence(
    prediction: Option<&Prediction>,
    verdict: Verdict,
    outcome: &Outcome,
    question: &Question,
) -> Option<String> {
    let prediction = prediction.filter(|prediction| **prediction != Prediction::Skipped)?;
    let said = format!("You said {}", prediction_text(prediction, question));
    let said = said.trim_end_matches('.');
    let (hit, near) = match &question.answer {
        Ask::Quantity(quantity) => (quantity.hit_factor, quantity.near_factor),
        Ask::Choice(_) => (1.0, 1.0),
    };
    Some(match (verdict, prediction, outcome) {
        (Verdict::Hit, Prediction::Quantity(_), _) if hit > 1.0 => {
            format!("{said}: a hit, within {}.", factor(hit))
        }
        (Verdict::Hit, ..) => format!("{said}: a hit."),
        (Verdict::Near, ..) => format!("{said}: near, within {}.", factor(near)),
        (Verdict::Miss, Prediction::Quantity(said_value), Outcome::Quantity(value)) => {
            let off = (said_value / value).max(value / said_value);
            if off.is_finite() && *said_value > 0.0 && *value > 0.0 {
                let way = if said_value > value { "high" } else { "low" };
                format!("{said}: a miss, {} too {way}.", number::ratio(off))
            } else {
                format!("{said}: a miss this time.")
            }
        }
        (Verdict::Miss, _, Outcome::Choice(id)) => match option(id, question) {
            Some((letter, _)) => format!("{said}: a miss; this machine chose {letter}."),
            None => format!("{said}: a miss this time."),
        },
        (Verdict::Miss, ..) => format!("{said}: a miss this time."),
        (Verdict::None, ..) => format!("{said}: neither hit nor miss, since this machine did not decide."),
    })
}

/// The tone of a verdict.
pub(super) fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Hit => Tone::Good,
        Verdict::Near => Tone::Near,
        Verdict::Miss => Tone::Alert,
        Verdict::None => Tone::Quiet,
    }
}

/// The verdict in a word.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Hit => "hit",
        Verdict::Near => "near",
        Verdict::Miss => "miss",
        Verdict::None => "",
    }
}

/// How an answer is written, for the question's screen.
pub(super) fn how_to_answer(question: &Question, canvas: &Canvas) -> String {
    let Ask::Quantity(quantity) = &question.answer else { return String::new() };
    let what = match &quantity.unit {
        Unit::Ratio => "a ratio".to_owned(),
        Unit::Percent => "a percentage".to_owned(),
        Unit::Bytes => "a size".to_owned(),
        Unit::Count(things) => format!("a number of {things}"),
    };
    let example = &quantity.example;
    canvas.clean(&if example.is_empty() { what } else { format!("{what}, such as {example}") })
}
