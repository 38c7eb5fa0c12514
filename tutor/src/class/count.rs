//! Count a class: for each question what was predicted, what the machines did, and what this tutor does not know.

use super::class_question::ClassQuestion;
use super::file::{Answer, Came, Export, Machine};
use super::invalid_entries::{self, Known};
use super::machine_groups::{self, MachineGroups};
use super::{buckets, disagreement};
use instruments::Plan;
use lesson::{AnyAct, Ask, Lab, Prediction};
use serde::Serialize;

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
    /// Of these, those whose prediction can be held beside what a machine showed: their own, or the class's.
    pub judged: usize,
    /// Of these, those who said what it showed, or came near.
    pub agreed: usize,
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
    pub by_kind: Vec<MachineGroups>,
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

/// A prediction, and what that learner's own machine answered, where it did.
#[derive(Clone, Debug)]
pub struct Said<'a> {
    /// What was said.
    pub prediction: &'a Prediction,
    /// The last outcome that was measured there.
    pub own: Option<&'a Came>,
}

/// All questions of the course that somebody answered or measured, in the course's order.
pub fn questions(labs: &[Lab], known: &Known<'_>, exports: &[Export]) -> Vec<Counted> {
    let acts = labs.iter().flat_map(|lab| lab.acts.iter().map(move |act| (lab, act.as_ref())));
    acts.filter_map(|(lab, act)| question(lab, act, known, exports)).collect()
}

fn question(lab: &Lab, act: &dyn AnyAct, known: &Known<'_>, exports: &[Export]) -> Option<Counted> {
    let options = known.options(lab.card.slug, act.id())?;
    let given: Vec<(&Machine, Vec<&Answer>)> = exports
        .iter()
        .filter_map(|export| {
            let answers = answers(lab, act, export)?.iter();
            Some((
                &export.machine,
                answers.filter(|answer| invalid_entries::in_answer(answer, options).is_none()).collect(),
            ))
        })
        .filter(|(_, answers): &(_, Vec<_>)| !answers.is_empty())
        .collect();
    if given.is_empty() {
        return None;
    }
    let plans = given.iter().map(|(machine, answers)| (*machine, plan(answers)));
    let asked = ClassQuestion::of(&lab.card, act, plans);
    let mut counted = Counted {
        lab: lab.card.number,
        lab_title: lab.card.title,
        act: act.id(),
        ask: asked.question.ask.clone(),
        answers: Vec::new(),
        predicted: 0,
        judged: 0,
        agreed: 0,
        skipped: 0,
        measured: 0,
        undecided: 0,
        unavailable: 0,
        recorded: 0,
        by_kind: Vec::new(),
        surprises: Vec::new(),
    };
    let mut said: Vec<Said<'_>> = Vec::new();
    let mut measured: Vec<Measured<'_>> = Vec::new();
    for (machine, answers) in &given {
        let first = answers.iter().find(|answer| answer.prediction != Prediction::Skipped);
        let last = answers.iter().rev().filter(|answer| !answer.recorded).find_map(|it| it.outcome.as_ref());
        match first {
            Some(answer) => said.push(Said { prediction: &answer.prediction, own: last }),
            None => counted.skipped += 1,
        }
        match last {
            Some(Came::Undecided) => counted.undecided += 1,
            Some(Came::Unavailable) => counted.unavailable += 1,
            Some(came) => measured.push(Measured { machine, came }),
            None => {
                counted.recorded += usize::from(answers.iter().any(|it| it.recorded && it.outcome.is_some()))
            }
        }
    }
    (counted.judged, counted.agreed) = disagreement::agreement(&said, &measured, &asked.question);
    let said: Vec<&Prediction> = said.iter().map(|said| said.prediction).collect();
    let chosen =
        said.iter().filter_map(|said| if let Prediction::Choice(id) = said { Some(id) } else { None });
    let shown = measured.iter().filter_map(|it| if let Came::Choice(id) = it.came { Some(id) } else { None });
    let asked = asked.with(chosen.chain(shown).map(String::as_str));
    (counted.predicted, counted.measured) = (said.len(), measured.len());
    counted.answers = rows(&said, &measured, &asked);
    counted.by_kind = machine_groups::of(&measured, &asked);
    counted.surprises = disagreement::of(&counted, &said, &measured, &asked);
    Some(counted)
}

/// The knobs of the prediction that counts; of those who said nothing, of the last round.
fn plan<'a>(answers: &[&'a Answer]) -> Option<&'a Plan> {
    let said = answers.iter().find(|answer| answer.prediction != Prediction::Skipped);
    said.or(answers.last()).and_then(|answer| answer.plan.as_ref())
}

fn answers<'a>(lab: &Lab, act: &dyn AnyAct, export: &'a Export) -> Option<&'a [Answer]> {
    export.labs.get(lab.card.slug)?.get(act.id()).map(Vec::as_slice)
}

fn rows(said: &[&Prediction], measured: &[Measured<'_>], asked: &ClassQuestion) -> Vec<Row> {
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
            let came = machine_groups::values(&came);
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
