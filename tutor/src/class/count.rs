//! Count a class: for each question what was predicted, what the machines did, and what this tutor does not know.

use super::asked::{Asked, short};
use super::file::{Answer, Came, Export, Machine};
use super::kinds::{self, Kind};
use super::{buckets, surprises};
use lesson::{AnyAct, Ask, Lab, Prediction};
use serde::Serialize;
use std::collections::BTreeSet;

/// One question, counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counted {
    /// The lab's number.
    pub lab: u32,
    /// The lab's title.
    pub lab_title: &'static str,
    /// The act's id.
    pub act: &'static str,
    /// What was asked.
    pub ask: String,
    /// Every answer that can be given, or class of answers, in order.
    pub answers: Vec<Row>,
    /// Learners who predicted something, by their first answer.
    pub predicted: usize,
    /// Learners who skipped.
    pub skipped: usize,
    /// Machines that decided, by their last measurement.
    pub measured: usize,
    /// Machines that measured and did not decide.
    pub undecided: usize,
    /// Machines that could not measure.
    pub unavailable: usize,
    /// Learners who saw a recording only: that is no machine of this class.
    pub recorded: usize,
    /// The outcomes by kind of machine.
    pub by_kind: Vec<Kind>,
    /// What is worth discussing.
    pub surprises: Vec<String>,
}

/// An answer, or a class of answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// `a (It doubles)`, or `3x to 10x`.
    pub answer: String,
    /// Learners who predicted it.
    pub predicted: usize,
    /// Machines that showed it.
    pub measured: usize,
}

/// A machine that decided.
#[derive(Clone, Debug)]
pub struct Measured<'a> {
    /// Which.
    pub machine: &'a Machine,
    /// What.
    pub came: &'a Came,
}

/// All questions of the course that somebody answered or measured, in the course's order.
pub fn questions(labs: &[Lab], exports: &[Export]) -> Vec<Counted> {
    let acts = labs.iter().flat_map(|lab| lab.acts.iter().map(move |act| (lab, act.as_ref())));
    acts.filter_map(|(lab, act)| question(lab, act, exports)).collect()
}

fn question(lab: &Lab, act: &dyn AnyAct, exports: &[Export]) -> Option<Counted> {
    let theirs = |export: &&Export| answers(lab, act, export).is_some();
    let asked = Asked::of(&lab.card, act, &exports.iter().filter(theirs).collect::<Vec<_>>());
    let given: Vec<(&Machine, Vec<&Answer>)> = exports
        .iter()
        .filter_map(|export| {
            let answers = answers(lab, act, export)?.iter();
            Some((&export.machine, answers.filter(|answer| is_known(answer, asked.is_choice())).collect()))
        })
        .filter(|(_, answers): &(_, Vec<_>)| !answers.is_empty())
        .collect();
    if given.is_empty() {
        return None;
    }
    let mut counted = Counted {
        lab: lab.card.number,
        lab_title: lab.card.title,
        act: act.id(),
        ask: asked.question.ask.clone(),
        answers: Vec::new(),
        predicted: 0,
        skipped: 0,
        measured: 0,
        undecided: 0,
        unavailable: 0,
        recorded: 0,
        by_kind: Vec::new(),
        surprises: Vec::new(),
    };
    let mut said: Vec<&Prediction> = Vec::new();
    let mut measured: Vec<Measured<'_>> = Vec::new();
    for (machine, answers) in &given {
        let first = answers.iter().find(|answer| answer.prediction != Prediction::Skipped);
        match first {
            Some(answer) => said.push(&answer.prediction),
            None => counted.skipped += 1,
        }
        let last = answers.iter().rev().filter(|answer| !answer.recorded).find_map(|it| it.outcome.as_ref());
        match last {
            Some(Came::Undecided) => counted.undecided += 1,
            Some(Came::Unavailable) => counted.unavailable += 1,
            Some(came) => measured.push(Measured { machine, came }),
            None => {
                counted.recorded += usize::from(answers.iter().any(|it| it.recorded && it.outcome.is_some()))
            }
        }
    }
    let chosen =
        said.iter().filter_map(|said| if let Prediction::Choice(id) = said { Some(id) } else { None });
    let shown = measured.iter().filter_map(|it| if let Came::Choice(id) = it.came { Some(id) } else { None });
    let asked = asked.with(chosen.chain(shown).map(String::as_str));
    (counted.predicted, counted.measured) = (said.len(), measured.len());
    counted.answers = rows(&said, &measured, &asked);
    counted.by_kind = kinds::of(&measured, &asked);
    counted.surprises = surprises::of(&counted, &said, &measured, &asked);
    Some(counted)
}

fn answers<'a>(lab: &Lab, act: &dyn AnyAct, export: &'a Export) -> Option<&'a [Answer]> {
    export.labs.get(lab.card.slug)?.get(act.id()).map(Vec::as_slice)
}

fn rows(said: &[&Prediction], measured: &[Measured<'_>], asked: &Asked) -> Vec<Row> {
    match &asked.question.answer {
        Ask::Choice(_) => {
            let row = |(id, label): (&str, &str)| Row {
                answer: label.to_owned(),
                predicted: said
                    .iter()
                    .filter(|said| matches!(said, Prediction::Choice(it) if it == id))
                    .count(),
                measured: measured
                    .iter()
                    .filter(|it| matches!(it.came, Came::Choice(it) if it == id))
                    .count(),
            };
            asked.options().map(row).collect()
        }
        Ask::Quantity(quantity) => {
            let said = quantities(said);
            let came: Vec<Came> = measured.iter().map(|it| it.came.clone()).collect();
            let came = kinds::values(&came);
            let classes = buckets::of(&[said.clone(), came.clone()].concat(), &quantity.unit);
            let row = |bucket: &buckets::Bucket| Row {
                answer: bucket.label(&asked.question),
                predicted: said.iter().filter(|value| bucket.holds(**value)).count(),
                measured: came.iter().filter(|value| bucket.holds(**value)).count(),
            };
            classes.iter().map(row).collect()
        }
    }
}

/// The quantities that were predicted.
pub fn quantities(said: &[&Prediction]) -> Vec<f64> {
    let quantity = |it: &&Prediction| if let Prediction::Quantity(value) = it { Some(*value) } else { None };
    said.iter().filter_map(quantity).collect()
}

/// Whether a question of this kind can have this answer: another version may ask something else.
fn is_known(answer: &Answer, is_choice: bool) -> bool {
    let said = match &answer.prediction {
        Prediction::Choice(_) => is_choice,
        Prediction::Quantity(_) => !is_choice,
        Prediction::Skipped => true,
    };
    let came = match &answer.outcome {
        Some(Came::Choice(_)) => is_choice,
        Some(Came::Quantity(_)) => !is_choice,
        Some(Came::Undecided | Came::Unavailable) | None => true,
    };
    said && came
}

/// What a file holds that this tutor does not know, in words, and whether there is anything that it does.
pub fn unknown(labs: &[Lab], export: &Export) -> (Vec<String>, bool) {
    let mut unknown = BTreeSet::new();
    let mut any = false;
    for (slug, acts) in &export.labs {
        let Some(lab) = labs.iter().find(|lab| lab.card.slug == slug) else {
            unknown.insert(format!("lab `{}`", short(slug)));
            continue;
        };
        for (id, answers) in acts {
            let known = lab.acts.iter().find(|act| act.id() == id);
            let is_choice = known.map(|act| Asked::of(&lab.card, act.as_ref(), &[export]).is_choice());
            let strange = |is_choice| answers.iter().filter(|it| !is_known(it, is_choice)).count();
            match is_choice.map(strange) {
                None => {
                    unknown.insert(format!("act `{}` of lab {}", short(id), lab.card.number));
                }
                Some(0) => any = true,
                Some(count) => {
                    any |= count < answers.len();
                    unknown.insert(format!("an answer to act {id} of lab {}", lab.card.number));
                }
            }
        }
    }
    (unknown.into_iter().collect(), any)
}
