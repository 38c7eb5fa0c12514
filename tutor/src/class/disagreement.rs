//! What a class should talk about: where few expected what their machines showed, and where machines disagree.

use super::class_question::ClassQuestion;
use super::count::{Counted, Measured, Row, Said, quantities};
use super::file::Came;
use super::machine_groups::{self, MachineGroups, median, values};
use lesson::{Ask, Outcome, Prediction, Quantity, Question, Verdict};

/// Of fewer predictions than this nothing is said: one learner who was right or wrong is no class.
pub const FEW: usize = 3;
/// One machine of so many that shows something else is worth a word.
const DISSENT: usize = 10;

/// How many predictions can be held beside what a machine showed, and how many of these said it or came near. A
/// learner's own machine counts; where it said nothing, what the machines of the class showed most.
pub fn agreement(said: &[Said<'_>], measured: &[Measured<'_>], question: &Question) -> (usize, usize) {
    let usual = usual(measured, question);
    let judge = |said: &Said<'_>| {
        let own: Vec<&Came> = said.own.filter(|came| outcome(came).is_some()).into_iter().collect();
        let shown = if own.is_empty() { usual.iter().collect() } else { own };
        let agrees = |came: &&Came| {
            let verdict =
                outcome(came).map(|outcome| lesson::verdict(Some(said.prediction), &outcome, question));
            matches!(verdict, Some(Verdict::Hit | Verdict::Near))
        };
        (!shown.is_empty()).then(|| shown.iter().any(agrees))
    };
    let judged: Vec<bool> = said.iter().filter_map(judge).collect();
    (judged.len(), judged.iter().filter(|agrees| **agrees).count())
}

/// What most machines showed, several where as many showed each; of quantities the one in the middle.
fn usual(measured: &[Measured<'_>], question: &Question) -> Vec<Came> {
    let came: Vec<Came> = measured.iter().map(|it| it.came.clone()).collect();
    if let Ask::Quantity(_) = question.answer {
        let mut values = values(&came);
        return if values.is_empty() { Vec::new() } else { vec![Came::Quantity(median(&mut values))] };
    }
    let count = |it: &Came| came.iter().filter(|other| *other == it).count();
    let most = came.iter().map(count).max().unwrap_or(0);
    let mut usual: Vec<Came> = Vec::new();
    for it in &came {
        if count(it) == most && !usual.contains(it) {
            usual.push(it.clone());
        }
    }
    usual
}

fn outcome(came: &Came) -> Option<Outcome> {
    match came {
        Came::Choice(id) => Some(Outcome::Choice(id.clone())),
        Came::Quantity(value) => Some(Outcome::Quantity(*value)),
        Came::Undecided | Came::Unavailable => None,
    }
}

/// In words, the most telling first; none where most expected what happened, and all machines agree.
pub fn of(
    counted: &Counted,
    said: &[&Prediction],
    measured: &[Measured<'_>],
    asked: &ClassQuestion,
) -> Vec<String> {
    let mut found = Vec::new();
    // As long as less than half of a class expected it, the others have something to hear.
    let surprised = counted.judged >= FEW && counted.agreed * 2 < counted.judged;
    match &asked.question.answer {
        Ask::Choice(_) => {
            found.extend(surprised.then(|| choices_apart(counted)));
            found.extend(machines_apart(counted));
        }
        Ask::Quantity(quantity) => {
            let came: Vec<Came> = measured.iter().map(|it| it.came.clone()).collect();
            let came = values(&came);
            let text = |value: f64| asked.quantity(value);
            found.extend(surprised.then(|| quantities_apart(counted, said, &came, quantity, &text)));
            found.extend(spread(&came, quantity, &text));
        }
    }
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

fn choices_apart(counted: &Counted) -> String {
    format!(
        "{} of {} predicted what their machine showed. Predicted: {}. Shown: {}.",
        counted.agreed,
        counted.judged,
        list(&counted.answers, |row| row.predicted),
        list(&counted.answers, |row| row.measured),
    )
}

fn machines_apart(counted: &Counted) -> Option<String> {
    let most = counted.answers.iter().map(|row| row.measured).max()?;
    let others = counted.measured.saturating_sub(most);
    (others > 0 && others * DISSENT >= counted.measured)
        .then(|| format!("The machines disagree: {}.", list(&counted.answers, |row| row.measured)))
}

/// `4 b (Twice as fast), 1 c (Ten times as fast)`, the most frequent first.
fn list(rows: &[Row], count: impl Fn(&Row) -> usize) -> String {
    let mut rows: Vec<(usize, &str)> = rows.iter().map(|row| (count(row), row.answer.as_str())).collect();
    rows.retain(|(count, _)| *count > 0);
    rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    rows.iter().map(|(count, answer)| format!("{count} {answer}")).collect::<Vec<_>>().join(", ")
}

fn quantities_apart(
    counted: &Counted,
    said: &[&Prediction],
    came: &[f64],
    quantity: &Quantity,
    text: &dyn Fn(f64) -> String,
) -> String {
    let (expected, seen) = (median(&mut quantities(said)), median(&mut came.to_vec()));
    format!(
        "{} of {} came within a factor of {} of what their machine showed. The prediction in the middle was {}; the \
         machine in the middle showed {}.",
        counted.agreed,
        counted.judged,
        quantity.near_factor,
        text(expected),
        text(seen)
    )
}

/// Where machines lie so far from the one in the middle that not even a prediction would be near.
fn spread(came: &[f64], quantity: &Quantity, text: &dyn Fn(f64) -> String) -> Option<String> {
    let (least, greatest) = (came.first().copied()?, came.last().copied()?);
    let middle = median(&mut came.to_vec());
    let others = came.iter().filter(|value| apart(**value, middle) > quantity.near_factor).count();
    (others > 0 && others * DISSENT >= came.len())
        .then(|| format!("The machines disagree: from {} to {}.", text(least), text(greatest)))
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
fn by_kind(by_kind: &[MachineGroups], asked: &ClassQuestion) -> Vec<String> {
    let tells = |kind: &&MachineGroups| {
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
                .map(|group| format!("{}: {}", group.name, machine_groups::summary(&group.came, asked)))
                .collect();
            format!("It goes by {}: {}.", kind.by, groups.join("; "))
        })
        .collect()
}

/// Whether two groups have nothing in common: no option, or no value between.
fn differs(a: &[Came], b: &[Came], asked: &ClassQuestion) -> bool {
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
