//! `tutor review N`: what you predicted and what happened, in Markdown, for notes of your own.

use crate::course;
use crate::exit::Result;
use crate::out::Out;
use crate::progress::{Attempt, End, Progress, Store};
use crate::state::State;
use lesson::{AnyAct, Lab, Prediction, Verdict};

/// `tutor review`
pub fn run(lab: Option<&str>, out: &mut Out) -> Result {
    let lab = lab.map_or_else(|| Err(course::which("review")), course::find)?;
    let store = Store::open(State::here());
    out.lines(markdown(&lab, store.progress()))
}

/// The whole page, line by line; a paragraph is one line, however long.
fn markdown(lab: &Lab, progress: &Progress) -> Vec<String> {
    let (card, acts) = (&lab.card, lab.acts.len());
    let done = progress.done(card.slug, lab.acts.iter().map(|act| act.id()));
    let mut lines = vec![format!("# Lab {}: {}", card.number, escaped(card.title)), String::new()];
    lines.push(match done {
        0 => format!("None of its {acts} acts is done yet: `tutor lab {}` begins.", card.number),
        done if done < acts => {
            format!("{done} of {acts} acts are done: `tutor lab {}` goes on.", card.number)
        }
        _ => format!("All {acts} acts are done."),
    });
    lines.extend(lab.acts.iter().flat_map(|act| act_lines(lab, act.as_ref(), progress)));
    lines
}

fn act_lines(lab: &Lab, act: &dyn AnyAct, progress: &Progress) -> Vec<String> {
    let (slug, id) = (lab.card.slug, act.id());
    let mut lines = vec![String::new(), format!("## {id}: {}", escaped(act.title())), String::new()];
    let Some(shown) = progress.counted(slug, id).or_else(|| progress.last(slug, id)) else {
        lines.push("Not done yet.".to_owned());
        return lines;
    };
    if !shown.asked.is_empty() {
        lines.extend([format!("**{}**", escaped(&shown.asked)), String::new()]);
    }
    lines.extend(facts(shown));
    let others =
        |attempt: &&Attempt| !std::ptr::eq(*attempt, shown) && attempt.prediction != Prediction::Skipped;
    let others: Vec<String> = progress.all(slug, id).iter().filter(others).map(said_when).collect();
    if !others.is_empty() {
        lines.push(format!("- You also said: {}", others.join("; ")));
    }
    if let Some(End::Revealed { why, .. }) = &shown.end
        && !why.is_empty()
    {
        lines.extend([String::new(), "Why:".to_owned(), String::new()]);
        lines.extend(why.iter().map(|cause| format!("- {}", escaped(cause))));
    }
    lines
}

fn facts(attempt: &Attempt) -> Vec<String> {
    let said = match attempt.prediction {
        Prediction::Skipped => "nothing: the question was skipped".to_owned(),
        _ => escaped(&attempt.prediction_text),
    };
    let mut lines = vec![format!("- You said: {said}")];
    match &attempt.end {
        None => lines.push("- What happened: not seen yet".to_owned()),
        Some(End::Unavailable(reason)) => {
            lines.push(format!("- What happened: it could not be measured: {}", escaped(reason)));
        }
        Some(End::Revealed { outcome_text, sentence, verdict, .. }) => {
            lines.push(match sentence.as_str() {
                "" => format!("- What happened: {}", escaped(outcome_text)),
                sentence => {
                    format!("- What happened: {} The answer: {}", escaped(sentence), escaped(outcome_text))
                }
            });
            lines.extend(word(*verdict).map(|word| format!("- Verdict: {word}")));
        }
    }
    lines.push(where_and_when(attempt));
    lines
}

/// A recording says so first: its date is not the day on which it was shown.
fn where_and_when(attempt: &Attempt) -> String {
    let (on, machine) = (escaped(&attempt.on), escaped(&attempt.machine));
    match (attempt.recorded, machine.as_str()) {
        (true, "") => format!("- A recording of another machine, shown on {on}"),
        (true, label) => format!("- A recording of another machine, shown on {on}: {label}"),
        (false, "") => format!("- This machine, {on}"),
        (false, machine) => format!("- This machine, {on}: {machine}"),
    }
}

fn said_when(attempt: &Attempt) -> String {
    let recorded = if attempt.recorded { ", for a recording" } else { "" };
    format!("{} ({}{recorded})", escaped(&attempt.prediction_text), escaped(&attempt.on))
}

fn word(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Hit => Some("a hit"),
        Verdict::Near => Some("near"),
        Verdict::Miss => Some("a miss this time"),
        Verdict::None => None,
    }
}

/// Text as Markdown shows it unchanged, on one line. An underscore inside a word means nothing in Markdown.
fn escaped(text: &str) -> String {
    let letters: Vec<char> =
        text.trim().chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let is_word =
        |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(|it| it.is_alphanumeric());
    let mut out = String::with_capacity(text.len());
    for (at, &letter) in letters.iter().enumerate() {
        let inside = is_word(at.checked_sub(1)) && is_word(Some(at + 1));
        if matches!(letter, '\\' | '*' | '`' | '<' | '[' | '|') || (letter == '_' && !inside) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fake;
    use lesson::Outcome;

    fn attempt(said: f64, end: Option<End>) -> Attempt {
        Attempt {
            on: "2026-11-30".to_owned(),
            recorded: false,
            prediction: Prediction::Quantity(said),
            prediction_text: format!("{said}x"),
            asked: "How many times?".to_owned(),
            machine: "Linux 6.18, ext4 on vda".to_owned(),
            plan: None,
            end,
        }
    }

    fn revealed() -> Option<End> {
        Some(End::Revealed {
            outcome: Outcome::Quantity(6.0),
            outcome_text: "6x".to_owned(),
            verdict: Verdict::Near,
            sentence: "It was 6x.".to_owned(),
            why: vec!["A page of read_ahead_kb *came*.".to_owned()],
        })
    }

    fn page(guesses: Vec<Attempt>) -> String {
        let mut progress = Progress::default();
        progress.labs.entry("fake".to_owned()).or_default().acts = [("guess".to_owned(), guesses)].into();
        markdown(&fake::lab(), &progress).join("\n")
    }

    #[test]
    fn each_act_has_question_prediction_outcome_verdict_and_why() {
        let page = page(vec![attempt(9.0, None), attempt(5.0, revealed())]);
        insta::assert_snapshot!(page, @r"
        # Lab 7: Does it work?

        1 of 2 acts are done: `tutor lab 7` goes on.

        ## pick: Pick one

        Not done yet.

        ## guess: Guess how many

        **How many times?**

        - You said: 5x
        - What happened: It was 6x. The answer: 6x
        - Verdict: near
        - This machine, 2026-11-30: Linux 6.18, ext4 on vda
        - You also said: 9x (2026-11-30)

        Why:

        - A page of read_ahead_kb \*came\*.
        ");
    }

    #[test]
    fn a_recording_an_old_file_and_what_could_not_be_measured_are_told() {
        let recorded =
            Attempt { recorded: true, machine: "RECORDED 2026".to_owned(), ..attempt(5.0, revealed()) };
        assert!(
            page(vec![recorded])
                .contains("A recording of another machine, shown on 2026-11-30: RECORDED 2026")
        );
        let old = Attempt { asked: String::new(), machine: String::new(), ..attempt(5.0, None) };
        let page_of_old = page(vec![old]);
        assert!(
            page_of_old.contains("- What happened: not seen yet\n- This machine, 2026-11-30"),
            "{page_of_old}"
        );
        let refused =
            page(vec![attempt(5.0, Some(End::Unavailable("it needs\n\u{1b}[1m <root>".to_owned())))]);
        assert!(refused.contains(r"it could not be measured: it needs  \[1m \<root>"), "{refused}");
    }

    #[test]
    fn only_what_markdown_would_read_is_escaped() {
        assert_eq!(escaped("max_sectors_kb = 4, _x_ [a](b) `c`"), r"max_sectors_kb = 4, \_x\_ \[a](b) \`c\`");
    }
}
