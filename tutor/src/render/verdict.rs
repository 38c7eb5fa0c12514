//! Predictions and outcomes in words.

use super::theme::Tone;
use super::{Canvas, number};
use lesson::{Ask, Choice, Outcome, Prediction, Quantity, Question, Unit, Verdict};

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
        .map_or_else(|| id.to_owned(), |(letter, option)| format!("{letter} ({})", option.text))
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

/// Whose outcome it is.
pub(super) fn machine(recorded: bool) -> &'static str {
    if recorded { "the recorded machine" } else { "this machine" }
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
pub fn sentence(
    recorded: bool,
    question: &Question,
    prediction: Option<&Prediction>,
    verdict: Verdict,
    outcome: &Outcome,
) -> Option<String> {
    let machine = machine(recorded);
    let said = match prediction? {
        Prediction::Skipped => return None,
        prediction => format!("You said {}", prediction_text(prediction, question)),
    };
    let judged = match verdict {
        Verdict::Hit if is_exact(prediction?, outcome, question) => ": exactly right.".to_owned(),
        Verdict::Hit => format!(": a hit{}.", within(question, |quantity| quantity.hit_factor)),
        Verdict::Near => format!(": near{}.", within(question, |quantity| quantity.near_factor)),
        Verdict::Miss => miss(question, prediction?, outcome, machine),
        Verdict::None if matches!(outcome, Outcome::Undecided(_)) => format!("; {machine} did not decide."),
        Verdict::None => ".".to_owned(),
    };
    Some(said + &judged)
}

/// Whether a quantity was met as far as it can be read: what is shown of both is the same.
fn is_exact(prediction: &Prediction, outcome: &Outcome, question: &Question) -> bool {
    matches!(prediction, Prediction::Quantity(_))
        && prediction_text(prediction, question) == outcome_text(outcome, question)
}

/// `, within a factor of two`; of a narrow band `, within 25% of what was measured`; nothing for a choice.
fn within(question: &Question, band: impl Fn(&Quantity) -> f64) -> String {
    match &question.answer {
        Ask::Quantity(quantity) if band(quantity) >= 1.5 => format!(", within {}", factor(band(quantity))),
        Ask::Quantity(quantity) if band(quantity) > 1.0 => {
            format!(", within {}% of what was measured", number::three((band(quantity) - 1.0) * 100.0))
        }
        _ => String::new(),
    }
}

/// How far off, in the question's terms.
fn miss(question: &Question, prediction: &Prediction, outcome: &Outcome, machine: &str) -> String {
    match (prediction, outcome) {
        (Prediction::Quantity(said), Outcome::Quantity(value)) if *said > 0.0 && *value > 0.0 => {
            let off = number::three((said / value).max(value / said));
            let way = if said > value { "high" } else { "low" };
            format!(": a miss this time, too {way} by a factor of {off}.")
        }
        (_, Outcome::Choice(id)) => match option(id, question) {
            Some((letter, option)) => {
                format!("; {machine}'s answer is {letter} ({}): a miss this time.", option.text)
            }
            None => ": a miss this time.".to_owned(),
        },
        _ => ": a miss this time.".to_owned(),
    }
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
pub fn how_to_answer(question: &Question, canvas: &Canvas) -> String {
    let Ask::Quantity(quantity) = &question.answer else { return String::new() };
    let what = match &quantity.unit {
        Unit::Ratio => "a ratio".to_owned(),
        Unit::Percent => "a percentage".to_owned(),
        Unit::Bytes => "a size".to_owned(),
        Unit::Count(things) => format!("a number of {things}"),
    };
    let example = &quantity.example;
    canvas.one_line(&if example.is_empty() { what } else { format!("{what}, such as {example}") })
}
