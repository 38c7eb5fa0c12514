//! The screens before a measurement: what will be done, what is asked, what the class said.

use super::layout::Layout;
use super::paginate;
use super::show_of_hands::{self, Answer, ShowOfHands};
use super::slides::{Draft, Part, room_of_several};
use crate::render::{self, Canvas, Tone};
use lesson::{Ask, Question};

/// Narrower text says less beside a bar.
const NARROW: usize = 50;

/// All of an act's.
pub fn drafts(title: &str, question: &Question, hands: Option<&ShowOfHands>, layout: &Layout) -> Vec<Draft> {
    let canvas = layout.canvas();
    let commands: Vec<String> =
        question.commands.iter().flat_map(|line| canvas.command(line, 2, canvas.inner())).collect();
    let setup = [canvas.wrap(&question.setup, canvas.text()), commands];
    let mut drafts = vec![Draft::of(Part::Setup, title, &setup, layout), ask(question, layout)];
    drafts.extend(hands.map(|hands| class(Part::Hands, question, hands, None, layout)));
    drafts
}

/// The question with its options, all on one screen where that can be; on several, each begins with the question.
fn ask(question: &Question, layout: &Layout) -> Draft {
    let canvas = layout.canvas();
    let Ask::Choice(options) = &question.answer else {
        let how = render::how_to_answer(question, &canvas);
        return Draft::of(Part::Question, &question.ask, &[canvas.wrap(&how, canvas.text())], layout);
    };
    let options: Vec<Vec<String>> = options
        .iter()
        .enumerate()
        .map(|(at, option)| render::option_lines(at, &option.text, &canvas))
        .collect();
    let airy = Draft::of(Part::Question, &question.ask, &options, layout);
    if airy.pages.len() == 1 {
        return airy;
    }
    let room = room_of_several(&question.ask, layout);
    let pages = paginate::pieces(&options, |piece| piece.iter().map(Vec::len).sum::<usize>() <= room);
    Draft {
        part: Part::Question,
        heading: question.ask.clone(),
        pages: pages.into_iter().map(|piece| piece.concat()).collect(),
    }
}

/// How many said what; `machine` is the answer that the machine gave.
pub fn class(
    part: Part,
    question: &Question,
    hands: &ShowOfHands,
    machine: Option<usize>,
    layout: &Layout,
) -> Draft {
    let canvas = layout.canvas();
    let answers = show_of_hands::answers(question);
    let mut lines = bars(&answers, hands, machine, &canvas);
    if let Some(answer) = machine.map(|at| &answers[at]).filter(|answer| !answer.text.is_empty()) {
        lines.push(String::new());
        lines.extend(canvas.hang(&answer.name, &answer.text, 4, canvas.text()));
    }
    let heading = match machine {
        Some(_) => "The class beside the machine",
        None => "What the class says",
    };
    Draft::of(part, heading, &[lines], layout)
}

fn bars(answers: &[Answer], hands: &ShowOfHands, machine: Option<usize>, canvas: &Canvas) -> Vec<String> {
    let (arrow, block) = if canvas.plain { ("<-", "#") } else { ("◂", "█") };
    let name = answers.iter().map(|answer| answer.name.chars().count()).max().unwrap_or(0);
    let most = hands.counts.iter().copied().max().unwrap_or(0).max(1);
    let narrow = canvas.text() < NARROW;
    let mark = if narrow { format!(" {arrow} machine") } else { format!("  {arrow} the machine") };
    // Beside a bar stand its count, its share, and who gave this answer.
    let beside = " 9999 (100%)".len() + mark.chars().count() + 2;
    let room = canvas.text().saturating_sub(name + beside).max(3);
    let line = |(at, (answer, count)): (usize, (&Answer, &u32))| {
        let width = (u64::from(*count) * room as u64).div_ceil(u64::from(most)) as usize;
        let bar = canvas.paint(Tone::Ink, &block.repeat(width));
        let gap = " ".repeat(name - answer.name.chars().count() + 2);
        let beside = if *count == 0 { "0".to_owned() } else { format!(" {count} ({})", hands.share(at)) };
        let mark = match machine {
            Some(answer) if answer == at => canvas.paint(Tone::Good, &mark),
            _ => String::new(),
        };
        format!("{}{gap}{bar}{beside}{mark}", answer.name)
    };
    answers.iter().zip(&hands.counts).enumerate().map(line).collect()
}

/// The screen on which counts are typed: `at` is the answer whose count is typed now.
pub fn typing(question: &Question, hands: &ShowOfHands, at: usize, layout: &Layout) -> Vec<String> {
    let canvas = layout.canvas();
    let answers = show_of_hands::answers(question);
    let name = answers.iter().map(|answer| answer.name.chars().count()).max().unwrap_or(0);
    let answer = &answers[at];
    let text = if answer.text.is_empty() { &question.ask } else { &answer.text };
    let below = canvas.wrap(text, canvas.text());
    let mut lines = canvas.paint_all(Tone::Strong, canvas.wrap("How many hands?", canvas.text()));
    // As many answers as there is room for, that which is typed now among them.
    let room = layout.body().saturating_sub(lines.len() + 1 + below.len()).max(1);
    let first = (at + 1).saturating_sub(room);
    let seen = answers.iter().zip(&hands.counts).enumerate().skip(first).take(room);
    for (index, (answer, count)) in seen {
        let sign = if index == at { ">" } else { " " };
        let line = format!("{sign} {:<name$}  {count:>4}", answer.name);
        lines.push(if index == at { canvas.paint(Tone::Label, &line) } else { line });
    }
    lines.push(String::new());
    lines.extend(below);
    canvas.with_margin(lines)
}
