//! `tutor progress`: what you predicted and what came out, act by act.

use super::{Attempt, End, Progress, Store};
use crate::capabilities::Capabilities;
use crate::course;
use crate::exit::Result;
use crate::out::Out;
use crate::render;
use crate::state::State;
use lesson::figure::Table;
use lesson::{AnyAct, Lab, Verdict};

/// `tutor progress`
pub fn run(json: bool, out: &mut Out) -> Result {
    let store = Store::open(State::here());
    if json {
        return out.json(store.progress());
    }
    let canvas = Capabilities::here().canvas();
    let tables: Vec<_> = course::labs().iter().filter_map(|lab| table(lab, store.progress())).collect();
    if tables.is_empty() {
        return out.line("Nothing yet. `tutor list` shows the labs.");
    }
    for (index, table) in tables.iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        out.lines(render::table(table, &canvas))?;
    }
    Ok(())
}

fn table(lab: &Lab, progress: &Progress) -> Option<Table> {
    progress.labs.get(lab.card.slug)?;
    Some(Table {
        title: format!("Lab {} · {}", lab.card.number, lab.card.title),
        head: ["act", "you said", "this machine", "verdict"].map(str::to_owned).into(),
        rows: lab.acts.iter().flat_map(|act| rows(lab, act.as_ref(), progress)).collect(),
    })
}

/// What counts of an act, and below it a later answer whose outcome is still to come.
fn rows(lab: &Lab, act: &dyn AnyAct, progress: &Progress) -> Vec<Vec<String>> {
    let (slug, id) = (lab.card.slug, act.id());
    let row = |name: String, attempt: Option<&Attempt>| {
        let cells = attempt.map_or_else(|| ["", "", ""].map(str::to_owned), cells);
        std::iter::once(name).chain(cells).collect()
    };
    match (progress.counted(slug, id), progress.pending(slug, id)) {
        (counted @ Some(_), pending @ Some(_)) => {
            vec![row(id.to_owned(), counted), row(format!("{id} (again)"), pending)]
        }
        (counted, pending) => {
            vec![row(id.to_owned(), counted.or(pending).or_else(|| progress.last(slug, id)))]
        }
    }
}

fn cells(attempt: &Attempt) -> [String; 3] {
    let (outcome, verdict) = match &attempt.end {
        None => ("not seen yet".to_owned(), ""),
        Some(End::Unavailable(_)) => ("could not be measured".to_owned(), ""),
        Some(End::Revealed { outcome_text, verdict, .. }) => (outcome_text.clone(), word(*verdict)),
    };
    let outcome = if attempt.recorded { format!("{outcome} (RECORDED)") } else { outcome };
    [attempt.prediction_text.clone(), outcome, verdict.to_owned()]
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Hit => "hit",
        Verdict::Near => "near",
        Verdict::Miss => "miss",
        Verdict::None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::today;
    use crate::session::fake;
    use lesson::{Outcome, Prediction};

    #[test]
    fn a_row_has_prediction_outcome_and_verdict_and_says_when_it_was_a_recording() {
        let mut progress = Progress::default();
        assert!(table(&fake::lab(), &progress).is_none());
        let attempt = Attempt {
            on: today(),
            recorded: true,
            prediction: Prediction::Quantity(5.0),
            prediction_text: "5x".to_owned(),
            asked: String::new(),
            machine: String::new(),
            plan: None,
            end: Some(End::Revealed {
                outcome: Outcome::Quantity(6.0),
                outcome_text: "6x".to_owned(),
                verdict: Verdict::Hit,
                sentence: String::new(),
                why: vec![],
            }),
        };
        let broken_off = Attempt { recorded: false, end: None, ..attempt.clone() };
        let acts = [("pick".to_owned(), vec![broken_off]), ("guess".to_owned(), vec![attempt])];
        progress.labs.entry("fake".to_owned()).or_default().acts = acts.into();
        let rows = table(&fake::lab(), &progress).unwrap().rows;
        assert_eq!(rows[0], ["pick", "5x", "not seen yet", ""]);
        assert_eq!(rows[1], ["guess", "5x", "6x (RECORDED)", "hit"]);
    }

    #[test]
    fn an_answer_whose_outcome_is_still_to_come_stands_below_the_one_that_counts() {
        let ended = Some(End::Unavailable("it needs a thing".to_owned()));
        let attempt = |prediction, text: &str, end| Attempt {
            on: today(),
            recorded: false,
            prediction,
            prediction_text: text.to_owned(),
            asked: String::new(),
            machine: String::new(),
            plan: None,
            end,
        };
        let acts = vec![
            attempt(Prediction::Quantity(5.0), "5x", ended),
            attempt(Prediction::Quantity(9.0), "9x", None),
            attempt(Prediction::Skipped, "skipped", None),
        ];
        let mut progress = Progress::default();
        progress.labs.entry("fake".to_owned()).or_default().acts = [("guess".to_owned(), acts)].into();
        let rows = table(&fake::lab(), &progress).unwrap().rows;
        assert_eq!(rows[1], ["guess", "5x", "could not be measured", ""]);
        assert_eq!(rows[2], ["guess (again)", "9x", "not seen yet", ""]);
    }
}
