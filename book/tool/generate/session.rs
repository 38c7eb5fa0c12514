//! The recorded session of a lab: its box, and question and reveal of each act.

use super::markdown::{escaped, table, typed};
use super::{Files, generated};
use crate::svg;
use instruments::size::format_bytes;
use lesson::{Ask, Card, Choice, Figure, Lab, Outcome, Question, Reveal, Unit};
use std::path::Path;
use tutor::{Transcript, TranscriptAct};

/// Acts that the book also tells in short, outside of their lab's chapter.
const SHORT: [(&str, &str); 1] = [("cold-vs-warm", "lying-benchmark")];

/// All files of a lab.
pub fn files(lab: &Lab, shown: &Transcript) -> Files {
    let dir = Path::new(lab.card.slug);
    let mut files = vec![(generated(dir.join("box.md")), card(lab))];
    for act in &shown.acts {
        let file = |kind: &str| generated(dir.join(format!("{}.{kind}.md", act.id)));
        files.push((file("question"), question(&act.question)));
        files.push((file("reveal"), folded(act, |reveal| body(act, reveal, &shown.label))));
        if SHORT.contains(&(lab.card.slug, act.id)) {
            files.push((file("short"), folded(act, |reveal| told(reveal, &shown.label))));
        }
    }
    files
}

/// The box on top of a chapter, as far as the lab's card tells; the chapter adds what it disturbs.
fn card(lab: &Lab) -> String {
    let Card { number, title, minutes, needs, default_size_bytes, .. } = &lab.card;
    let size = if lab.card.knob("size").is_some() {
        format!(
            "{} for its data file, less where a quarter of the free disk or memory is less; another with --size",
            format_bytes(*default_size_bytes)
        )
    } else {
        "a few MiB".to_owned()
    };
    let seconds: u32 = lab.acts.iter().map(|act| act.seconds()).sum();
    let rows = [
        ("Command", format!("`tutor lab {number}`; without measuring, `tutor lab {number} --replay`")),
        ("In the terminal", format!("`tutor read {number}`")),
        ("Time", format!("{minutes} minutes, of which the machine needs about {seconds} s on an SSD")),
        (
            "Needs",
            if needs.is_empty() { "nothing special".to_owned() } else { escaped(&lab.card.needs_in_words()) },
        ),
        ("Kernel", "Linux 5.10 or newer".to_owned()),
        ("Disk and memory", escaped(&size)),
    ];
    let rows: String = rows.iter().map(|(name, text)| format!("| {name} | {text} |\n")).collect();
    format!("| Lab {number} | {} |\n|---|---|\n{rows}", escaped(title))
}

/// What is done, what is asked, how to answer.
fn question(question: &Question) -> String {
    let mut out = format!("{}\n\n", escaped(&question.setup));
    if !question.commands.is_empty() {
        out += &typed(&question.commands);
        out.push('\n');
    }
    out += &format!("**{}**\n\n", escaped(&question.ask));
    match &question.answer {
        Ask::Choice(options) => {
            for (letter, option) in ('a'..='z').zip(options) {
                out += &format!("- **{letter}** {}\n", escaped(&option.text));
            }
        }
        Ask::Quantity(quantity) => {
            let what = match &quantity.unit {
                Unit::Ratio => "a ratio".to_owned(),
                Unit::Percent => "a percentage".to_owned(),
                Unit::Bytes => "a size".to_owned(),
                Unit::Count(things) => format!("a number of {things}"),
            };
            out += &format!("*Answer with {what}, such as {}.*\n", escaped(&quantity.example));
        }
    }
    out
}

/// A reveal, closed until it is wanted.
fn folded(act: &TranscriptAct, body: impl Fn(&Reveal) -> String) -> String {
    let body = match &act.reveal {
        Ok(reveal) => body(reveal),
        Err(reason) => format!("The recorded machine could not measure this: {}\n", escaped(reason)),
    };
    let summary = "Reveal: what the recorded machine answered";
    format!("<details class=\"reveal\">\n<summary>{summary}</summary>\n\n{body}\n</details>\n")
}

/// What came out, and why.
fn told(reveal: &Reveal, label: &str) -> String {
    let mut out = format!("*{}*\n\n**{}**\n\n", escaped(label), escaped(&reveal.sentence));
    for figure in &reveal.figures {
        out += &drawn(figure, label);
        out.push('\n');
    }
    for (at, cause) in reveal.causes.iter().enumerate() {
        let why = if at == 0 { "**Why.** " } else { "" };
        out += &format!("{why}{}\n\n", escaped(&cause.text));
    }
    out
}

fn body(act: &TranscriptAct, reveal: &Reveal, label: &str) -> String {
    let mut out = told(reveal, label);
    if !reveal.caveats.is_empty() {
        out += "**Keep in mind.**\n\n";
        reveal.caveats.iter().for_each(|caveat| out += &format!("- {}\n", escaped(&caveat.to_string())));
        out.push('\n');
    }
    if let Ask::Choice(options) = &act.question.answer {
        out += "**The answers, one by one.**\n\n";
        for (letter, option) in ('a'..='z').zip(options) {
            out += &answer(letter, option, &reveal.outcome);
        }
    }
    if !reveal.try_next.is_empty() {
        out += &format!("\nTo see more of it:\n\n{}", typed(&reveal.try_next));
    }
    out
}

fn answer(letter: char, option: &Choice, outcome: &Outcome) -> String {
    let chosen = match outcome {
        Outcome::Choice(id) if *id == option.id => " (*The recorded machine's answer.*)",
        _ => "",
    };
    format!("- **{letter}** {}.{chosen} {}\n", escaped(&option.text), escaped(&option.explanation))
}

/// A figure: a table as a table, everything else as a drawing with its words.
fn drawn(figure: &Figure, label: &str) -> String {
    match figure {
        Figure::Table(rows) => {
            let title =
                if rows.title.is_empty() { String::new() } else { format!("{}\n\n", escaped(&rows.title)) };
            format!("{title}{}", table(&rows.head, &rows.rows))
        }
        other => svg::figure(other, label),
    }
}
