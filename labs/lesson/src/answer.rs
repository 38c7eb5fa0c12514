//! What a learner answers, and how near it was.

use crate::question::{Ask, Choice, Quantity, Unit};
use crate::{Outcome, Question};
use instruments::size::parse_bytes;
use serde::{Deserialize, Serialize};

/// A stored prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prediction {
    /// An option's id.
    Choice(String),
    /// A number, in the question's unit.
    Quantity(f64),
    /// The learner chose not to say; counts as stored.
    Skipped,
}

impl Prediction {
    /// Read what was typed: a letter, a number or an id for a choice; `25x`, `25`, `4k`, `512 MiB`, `30%` for a
    /// quantity (k is 1000 for counts and 1024 for bytes); `skip` or `s` for either. Err is one friendly line
    /// that says what would be understood.
    pub fn parse(text: &str, question: &Question) -> Result<Prediction, String> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("skip") || text.eq_ignore_ascii_case("s") {
            return Ok(Prediction::Skipped);
        }
        match &question.answer {
            Ask::Choice(options) => choose(text, options).map(Prediction::Choice),
            Ask::Quantity(quantity) => measure(text, quantity).map(Prediction::Quantity),
        }
    }
}

/// How near a prediction was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The chosen option, or within the hit factor.
    Hit,
    /// Within the near factor (quantities only).
    Near,
    /// Neither.
    Miss,
    /// Skipped, never asked, or the machine did not decide.
    None,
}

/// Compare a prediction with an outcome. Zero is met only by zero.
pub fn verdict(prediction: Option<&Prediction>, outcome: &Outcome, question: &Question) -> Verdict {
    match (prediction, outcome, &question.answer) {
        (Some(Prediction::Choice(said)), Outcome::Choice(was), Ask::Choice(_)) => {
            if said == was {
                Verdict::Hit
            } else {
                Verdict::Miss
            }
        }
        (Some(Prediction::Quantity(said)), Outcome::Quantity(was), Ask::Quantity(quantity)) => {
            nearness(*said, *was, quantity)
        }
        _ => Verdict::None,
    }
}

fn nearness(said: f64, was: f64, quantity: &Quantity) -> Verdict {
    /// A prediction exactly on the edge of a band is inside, whatever the last bit of the division says.
    const EDGE: f64 = 1.0 + 1e-9;
    if !said.is_finite() || !was.is_finite() {
        return Verdict::None;
    }
    if said == was {
        return Verdict::Hit;
    }
    if said <= 0.0 || was <= 0.0 {
        return Verdict::Miss;
    }
    let factor = if said > was { said / was } else { was / said };
    if factor <= quantity.hit_factor * EDGE {
        Verdict::Hit
    } else if factor <= quantity.near_factor * EDGE {
        Verdict::Near
    } else {
        Verdict::Miss
    }
}

/// The id of the option that was meant: `b`, `b)`, `2`, or the id itself.
fn choose(text: &str, options: &[Choice]) -> Result<String, String> {
    let bare = text.trim_end_matches([')', '.']);
    let index = match bare.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(usize::from(letter.to_ascii_lowercase() - b'a')),
        _ => bare.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
    };
    index
        .and_then(|index| options.get(index))
        .or_else(|| options.iter().find(|option| option.id.eq_ignore_ascii_case(bare)))
        .map(|option| option.id.clone())
        .ok_or_else(|| {
            let last = (b'a'..=b'z').nth(options.len().saturating_sub(1)).map_or('z', char::from);
            format!("{}: type a letter from a to {last}, or skip", quoted(text, "is not one of the answers"))
        })
}

/// The number that was meant, in the question's unit.
fn measure(text: &str, quantity: &Quantity) -> Result<f64, String> {
    let example = &quantity.example;
    let understood = match &quantity.unit {
        Unit::Ratio => format!("type a ratio such as {example}, or skip"),
        Unit::Percent => format!("type a share from 0% to 100%, such as {example}, or skip"),
        Unit::Bytes => format!("type a size such as {example}, or skip"),
        Unit::Count(things) => format!("type a number of {things} such as {example}, or skip"),
    };
    let refused = |why: &str| Err(format!("{}: {understood}", quoted(text, why)));
    if text.starts_with('-') {
        return refused("is below zero");
    }
    let Some(plain) = without_thousands(text) else {
        return refused("has a comma that does not mark thousands (a fraction takes a point)");
    };
    let number = match &quantity.unit {
        Unit::Bytes => {
            return parse_bytes(&plain)
                .map(|bytes| bytes as f64)
                .or_else(|_| refused("is not a size that a file can have"));
        }
        Unit::Ratio => number_before(&plain, |word| matches!(word, "x" | "×" | "times")),
        Unit::Percent => number_before(&plain, |word| matches!(word, "%" | "percent")),
        Unit::Count(things) => number_before(&plain, |word| is_name_of(word, things)),
    };
    match number {
        None => refused("is not a number that fits here"),
        Some(number) if !number.is_finite() => refused("is too large"),
        // A ratio of two things that were measured is never 0, and no factor leads from there to any other.
        Some(number) if quantity.unit == Unit::Ratio && number <= 0.0 => refused("is not more than 0"),
        Some(number) if quantity.unit == Unit::Percent && number > 100.0 => refused("is more than all of it"),
        Some(number) => Ok(number),
    }
}

/// `131,072` as `131072`; None where a comma stands anywhere else than before three digits.
fn without_thousands(text: &str) -> Option<String> {
    let ends = text.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(text.len());
    let (number, rest) = text.split_at(ends);
    let mut groups = number.split(',');
    let first = groups.next().unwrap_or_default();
    let mut alone = true;
    for group in groups {
        alone = false;
        if group.len() != 3 {
            return None;
        }
    }
    let well_grouped = alone || (1..=3).contains(&first.len());
    (well_grouped && !rest.contains(',')).then(|| text.replace(',', ""))
}

/// `25`, `2.5k` and the like, followed by nothing or by a word that `is_unit`. The multipliers are decimal.
fn number_before(text: &str, is_unit: impl Fn(&str) -> bool) -> Option<f64> {
    let ends = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, rest) = text.split_at(ends);
    let number: f64 = digits.parse().ok()?;
    let rest = rest.trim().to_lowercase();
    if rest.is_empty() || is_unit(&rest) {
        return Some(number);
    }
    let mut rest = rest.chars();
    let thousands = match rest.next()? {
        'k' => 1,
        'm' => 2,
        'g' => 3,
        _ => return None,
    };
    let rest = rest.as_str().trim();
    (rest.is_empty() || is_unit(rest)).then(|| number * 1000_f64.powi(thousands))
}

/// Whether a counted thing is called so: for "minor faults" that is the whole name, or "faults".
fn is_name_of(word: &str, things: &str) -> bool {
    let things = things.to_lowercase();
    word == things || things.split_whitespace().next_back() == Some(word)
}

/// The start of a message: what was typed, on one line and not a screenful, and what is wrong with it.
fn quoted(text: &str, why: &str) -> String {
    const MOST: usize = 30;
    if text.is_empty() {
        return "nothing was typed".into();
    }
    let start: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(MOST).is_some() { "…" } else { "" };
    format!("`{start}{more}` {why}")
}

#[cfg(test)]
mod tests;
