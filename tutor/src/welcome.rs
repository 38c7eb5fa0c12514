//! The bare `tutor`: what this is, how far you are, what to type next.

use crate::ending::Result;
use crate::out::Out;
use crate::progress::{Progress, Store};
use crate::state::State;
use crate::{course, list};
use lesson::Lab;

/// `tutor`
pub fn run(out: &mut Out) -> Result {
    let store = Store::open(State::here());
    let labs = course::labs();
    out.lines(lines(&labs, store.progress()))
}

fn lines(labs: &[Lab], progress: &Progress) -> Vec<String> {
    let mut lines: Vec<String> = [
        "A course on the Linux page cache, on your own machine.",
        "Each lab asks what you expect, measures it here, and shows you what happened",
        "and why.",
        "",
    ]
    .map(str::to_owned)
    .into();
    for lab in labs {
        let card = &lab.card;
        lines.push(format!("  lab {}  {} ({} done)", card.number, card.title, list::done(lab, progress)));
    }
    let next = labs
        .iter()
        .find(|lab| progress.done(lab.card.slug, lab.acts.iter().map(|act| act.id())) < lab.acts.len());
    lines.push(String::new());
    lines.push(match next {
        Some(lab) => format!("Next:  tutor lab {}", lab.card.number),
        None => "You have done all of them. `tutor progress` shows what came out.".to_owned(),
    });
    lines.push("More:  tutor list, tutor doctor, tutor --help".to_owned());
    lines
}
