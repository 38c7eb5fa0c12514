//! The bare `tutor`: what this is, how far you are, what to type next.

use crate::capabilities::Capabilities;
use crate::exit::Result;
use crate::out::Out;
use crate::progress::{Progress, Store};
use crate::render::{self, Canvas};
use crate::state::State;
use crate::{course, doctor, list};
use lesson::Lab;

/// `tutor`
pub fn run(out: &mut Out) -> Result {
    let store = Store::open(State::here());
    let labs = course::labs();
    let machine = doctor::in_one_line(&labs);
    out.lines(lines(&labs, store.progress(), &machine, &Capabilities::here().canvas()))
}

fn lines(labs: &[Lab], progress: &Progress, machine: &str, canvas: &Canvas) -> Vec<String> {
    let mut lines: Vec<String> = [
        "Welcome to a course on the Linux page cache, on your own machine.",
        "Each lab asks what you expect, measures it here, and shows you what happened and why.",
        "",
    ]
    .iter()
    .flat_map(|text| render::paragraph(text, canvas))
    .collect();
    for lab in labs {
        let card = &lab.card;
        let label = format!("  lab {:<2}  ", card.number);
        let text = format!("{} ({} done)", card.title, list::done(lab, progress));
        lines.extend(render::item(&label, &text, canvas));
    }
    let next = labs
        .iter()
        .find(|lab| progress.done(lab.card.slug, lab.acts.iter().map(|act| act.id())) < lab.acts.len());
    lines.push(String::new());
    lines.extend(render::item("Here:  ", machine, canvas));
    lines.extend(match next {
        Some(lab) => render::item("Next:  ", &format!("tutor lab {}", lab.card.number), canvas),
        None => render::paragraph("You have done all of them. `tutor progress` shows what came out.", canvas),
    });
    lines.extend(render::item("More:  ", "tutor list, tutor doctor, tutor --help", canvas));
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
        let canvas = Canvas { width: 80, height: 24, colour: false, plain: false };
        let text = |progress: &Progress| lines(&[fake::lab()], progress, "Linux", &canvas).join("\n");
        assert!(text(&progress).contains("lab 7   Does it work? (0 of 2 done)"), "{}", text(&progress));
        assert!(text(&progress).contains("Next:  tutor lab 7"));
        let attempt = Attempt {
            on: today(),
            recorded: false,
            prediction: Prediction::Skipped,
            prediction_text: "skipped".to_owned(),
            asked: String::new(),
            machine: String::new(),
            plan: None,
            end: Some(End::Unavailable("it needs a thing".to_owned())),
        };
        let acts = ["pick", "guess"].map(|act| (act.to_owned(), vec![attempt.clone()]));
        progress.labs.entry("fake".to_owned()).or_default().acts = acts.into();
        assert!(text(&progress).contains("2 of 2 done"));
        assert!(text(&progress).contains("done all of them"), "{}", text(&progress));
    }

    #[test]
    fn no_window_cuts_a_word() {
        let labs = course::labs();
        let text = |width| {
            let canvas = Canvas { width, height: 24, colour: false, plain: false };
            lines(&labs, &Progress::default(), "Linux 6.18, ext4 on vda", &canvas)
        };
        let words = |lines: &[String]| {
            lines.iter().flat_map(|line| line.split_whitespace().map(str::to_owned)).collect::<Vec<_>>()
        };
        let wide = words(&text(100));
        for width in [40, 60, 80] {
            let lines = text(width);
            assert_eq!(words(&lines), wide, "{width}");
            let too_wide = lines.iter().find(|line| line.chars().count() > width);
            assert_eq!(too_wide, None, "{width}");
        }
    }
}
