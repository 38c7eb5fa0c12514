//! What a whole class should discuss, the greatest surprise first; and where there is none, why.

use super::count::Counted;
use super::disagreement::FEW;
use serde::Serialize;

/// What to discuss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Discussion {
    /// Surprises, each with its question: those first that fewest expected.
    pub worth_discussing: Vec<String>,
    /// What there is to say beside them, or in place of them.
    pub remarks: Vec<String>,
}

/// Of these questions.
pub fn of(questions: &[Counted]) -> Discussion {
    let mut ranked: Vec<&Counted> = questions.iter().collect();
    ranked.sort_by(|a, b| share(a).total_cmp(&share(b)));
    let told =
        |it: &&Counted| it.surprises.iter().map(|text| format!("{}: {text}", name(it))).collect::<Vec<_>>();
    let worth_discussing: Vec<String> = ranked.iter().flat_map(told).collect();
    let remarks = remarks(questions, worth_discussing.is_empty());
    Discussion { worth_discussing, remarks }
}

/// The share of predictions that agree; beyond all of it where there are too few.
fn share(counted: &Counted) -> f64 {
    if counted.judged < FEW { 2.0 } else { counted.agreed as f64 / counted.judged as f64 }
}

fn remarks(questions: &[Counted], no_surprise: bool) -> Vec<String> {
    if questions.iter().all(|it| it.predicted == 0) {
        return vec!["Nobody predicted anything, so there is no surprise to speak of.".to_owned()];
    }
    let mut remarks = Vec::new();
    if no_surprise && questions.iter().any(|it| it.judged >= FEW) {
        remarks.push(format!(
            "No surprise: wherever {FEW} or more predicted, at least half of them said what the machines showed."
        ));
    }
    let predicted = || questions.iter().filter(|it| it.predicted > 0);
    let unmeasured: Vec<&Counted> = predicted().filter(|it| it.judged == 0).collect();
    let few: Vec<&Counted> = predicted().filter(|it| (1..FEW).contains(&it.judged)).collect();
    if !few.is_empty() {
        remarks.push(format!("Too few predictions to tell, fewer than {FEW}: {}.", names(&few)));
    }
    if !unmeasured.is_empty() {
        remarks.push(format!("Predicted, but measured on no machine: {}.", names(&unmeasured)));
    }
    remarks
}

fn name(counted: &Counted) -> String {
    format!("lab {} {}", counted.lab, counted.act)
}

/// `lab 2 trap, factor; lab 3 reads`
fn names(questions: &[&Counted]) -> String {
    let mut told = String::new();
    let mut lab = 0;
    for it in questions {
        match (it.lab == lab, told.is_empty()) {
            (true, _) => told.push_str(&format!(", {}", it.act)),
            (false, true) => told.push_str(&name(it)),
            (false, false) => told.push_str(&format!("; {}", name(it))),
        }
        lab = it.lab;
    }
    told
}
