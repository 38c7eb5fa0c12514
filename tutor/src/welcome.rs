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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::{Attempt, End, today};
    use crate::session::fake;
    use lesson::Prediction;

    #[test]
    fn it_says_what_to_type_next_until_all_is_done() {
        let mut progress = Progress::default();
        let text = |progress: &Progress| lines(&[fake::lab()], progress).join("\n");
        assert!(text(&progress).contains("lab 7  Does it work? (0 of 2 done)"), "{}", text(&progress));
        assert!(text(&progress).contains("Next:  tutor lab 7"));
        let attempt = Attempt {
            on: today(),
            recorded: false,
            prediction: Prediction::Skipped,
            prediction_text: "skipped".to_owned(),
            end: Some(End::Unavailable("it needs a thing".to_owned())),
        };
        let acts = ["pick", "guess"].map(|act| (act.to_owned(), vec![attempt.clone()]));
        progress.labs.entry("fake".to_owned()).or_default().acts = acts.into();
        assert!(text(&progress).contains("2 of 2 done"));
        assert!(text(&progress).contains("done all of them"), "{}", text(&progress));
    }
}
