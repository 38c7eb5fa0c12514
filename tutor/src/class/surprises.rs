//! What a class should talk about: where most were wrong together, and where machines disagree.

use super::asked::Asked;
use super::count::{Counted, Measured, quantities};
use super::file::Came;
use super::kinds::{self, Kind, median, values};
use lesson::{Ask, Prediction};

/// Fewer answers than this are no "most of you".
const FEW: usize = 3;

/// In words, the most telling first; none where everybody expected what happened.
pub fn of(counted: &Counted, said: &[&Prediction], measured: &[Measured<'_>], asked: &Asked) -> Vec<String> {
    let mut found = match &asked.question.answer {
        Ask::Choice(_) => choices(counted),
        Ask::Quantity(quantity) => quantities_apart(said, measured, asked, quantity.near_factor),
    };
    found.extend(by_kind(&counted.by_kind, asked));
    let silent = counted.undecided + counted.unavailable;
    let asked_machines = silent + counted.measured;
    if asked_machines >= FEW && silent * 4 >= asked_machines {
        found.push(format!(
            "{} could not decide, or not measure: why those?",
            of_machines(silent, asked_machines)
        ));
    }
    found
}

fn choices(counted: &Counted) -> Vec<String> {
    let mut found = Vec::new();
    let most_said = counted.answers.iter().max_by_key(|row| row.predicted);
    let most_shown = counted.answers.iter().max_by_key(|row| row.measured);
    let (Some(said), Some(shown)) = (most_said, most_shown) else { return found };
    let believed = counted.predicted >= FEW && said.predicted * 2 >= counted.predicted;
    if believed && counted.measured > 0 && said.measured * 4 <= counted.measured {
        found.push(format!(
            "{} of {} predicted {}; {} showed it, {} showed {}.",
            said.predicted,
            counted.predicted,
            said.answer,
            of_machines(said.measured, counted.measured),
            shown.measured,
            shown.answer
        ));
    }
    if counted.measured >= 2 && shown.measured * 5 < counted.measured * 4 {
        let all: Vec<String> = counted
            .answers
            .iter()
            .filter(|row| row.measured > 0)
            .map(|row| format!("{} {}", row.measured, row.answer))
            .collect();
        found.push(format!("The machines disagree: {}.", all.join(", ")));
    }
    found
}

fn quantities_apart(
    said: &[&Prediction],
    measured: &[Measured<'_>],
    asked: &Asked,
    near_factor: f64,
) -> Vec<String> {
    let mut found = Vec::new();
    let text = |value: f64| asked.quantity(value);
    let mut said = quantities(said);
    let came: Vec<Came> = measured.iter().map(|it| it.came.clone()).collect();
    let mut came = values(&came);
    let (Some(least), Some(greatest)) = (came.first().copied(), came.last().copied()) else { return found };
    let (expected, seen) = (median(&mut said), median(&mut came));
    if said.len() >= FEW && apart(expected, seen) > near_factor {
        let way = if expected > seen { "or more" } else { "or less" };
        found.push(format!(
            "Half of {} predicted {} {way}; the machine in the middle showed {}.",
            said.len(),
            text(expected),
            text(seen)
        ));
    }
    if came.len() >= 2 && apart(least, greatest) > near_factor * near_factor {
        found.push(format!("The machines disagree: from {} to {}.", text(least), text(greatest)));
    }
    found
}

/// How many times one is the other; endlessly many times where one alone is zero.
fn apart(a: f64, b: f64) -> f64 {
    if a == b {
        1.0
    } else if a <= 0.0 || b <= 0.0 {
        f64::INFINITY
    } else {
        (a / b).max(b / a)
    }
}

/// A way to tell machines apart that also tells their outcomes apart.
fn by_kind(by_kind: &[Kind], asked: &Asked) -> Vec<String> {
    let tells = |kind: &&Kind| {
        let [first, others @ ..] = kind.groups.as_slice() else { return false };
        let machines: usize = kind.groups.iter().map(|group| group.machines).sum();
        // As many groups as machines tell nothing.
        machines > kind.groups.len() && others.iter().any(|other| differs(&first.came, &other.came, asked))
    };
    by_kind
        .iter()
        .filter(tells)
        .map(|kind| {
            let groups: Vec<String> = kind
                .groups
                .iter()
                .map(|group| format!("{}: {}", group.name, kinds::summary(&group.came, asked)))
                .collect();
            format!("It goes by {}: {}.", kind.by, groups.join("; "))
        })
        .collect()
}

/// Whether two groups have nothing in common: no option, or no value between.
fn differs(a: &[Came], b: &[Came], asked: &Asked) -> bool {
    match &asked.question.answer {
        Ask::Choice(_) => !a.iter().any(|it| b.contains(it)),
        Ask::Quantity(quantity) => {
            let (a, b) = (values(a), values(b));
            let gap = |low: &[f64], high: &[f64]| match (low.last(), high.first()) {
                (Some(low), Some(high)) => low < high && apart(*low, *high) > quantity.hit_factor,
                _ => false,
            };
            gap(&a, &b) || gap(&b, &a)
        }
    }
}

fn of_machines(count: usize, all: usize) -> String {
    format!("{count} of {all} {}", if all == 1 { "machine" } else { "machines" })
}
