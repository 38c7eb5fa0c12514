//! `tutor list`: the labs, how long each takes, what it needs, how far you are.

use crate::capabilities::Capabilities;
use crate::course;
use crate::document::{Named, SCHEMA};
use crate::exit::Result;
use crate::out::Out;
use crate::progress::{Progress, Store};
use crate::render;
use crate::state::State;
use lesson::figure::Table;
use lesson::{AnyAct, Lab};
use serde::Serialize;

#[derive(Serialize)]
struct Document {
    schema: u32,
    labs: Vec<LabDocument>,
}

#[derive(Serialize)]
struct LabDocument {
    #[serde(flatten)]
    lab: Named,
    minutes: u32,
    needs: &'static [&'static str],
    acts: Vec<ActDocument>,
}

#[derive(Serialize)]
struct ActDocument {
    id: &'static str,
    title: &'static str,
    seconds: u32,
    done: bool,
}

/// `tutor list`
pub fn run(json: bool, out: &mut Out) -> Result {
    let store = Store::open(State::here());
    let labs = course::labs();
    if json {
        let labs = labs.iter().map(|lab| document(lab, store.progress())).collect();
        return out.json(&Document { schema: SCHEMA, labs });
    }
    let rows = labs.iter().map(|lab| row(lab, store.progress())).collect();
    let head = ["lab", "name", "question", "min", "needs", "done"].map(str::to_owned).into();
    out.lines(render::table(&Table { title: String::new(), head, rows }, &Capabilities::here().canvas()))
}

fn document(lab: &Lab, progress: &Progress) -> LabDocument {
    let act = |act: &dyn AnyAct| ActDocument {
        id: act.id(),
        title: act.title(),
        seconds: act.seconds(),
        done: progress.is_done(lab.card.slug, act.id()),
    };
    LabDocument {
        lab: Named::of(&lab.card),
        minutes: lab.card.minutes,
        needs: lab.card.needs,
        acts: lab.acts.iter().map(|it| act(it.as_ref())).collect(),
    }
}

fn row(lab: &Lab, progress: &Progress) -> Vec<String> {
    let card = &lab.card;
    vec![
        card.number.to_string(),
        card.slug.to_owned(),
        card.title.to_owned(),
        card.minutes.to_string(),
        card.needs_in_words(),
        done(lab, progress),
    ]
}

/// `2 of 6`
pub fn done(lab: &Lab, progress: &Progress) -> String {
    let done = progress.done(lab.card.slug, lab.acts.iter().map(|act| act.id()));
    format!("{done} of {}", lab.acts.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fake;

    #[test]
    fn the_table_and_the_document_say_the_same() {
        let (lab, progress) = (fake::lab(), Progress::default());
        assert_eq!(row(&lab, &progress), ["7", "fake", "Does it work?", "4", "", "0 of 2"]);
        let document = serde_json::to_value(document(&lab, &progress)).unwrap();
        assert_eq!(document["number"], 7);
        assert_eq!(document["acts"][1]["id"], "guess");
        assert_eq!(document["acts"][1]["done"], false);
    }
}
