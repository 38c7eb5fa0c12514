//! The options after the reveal: each one explained, and which was whose answer.

use super::page::Block;
use super::question::option_lines;
use super::text::columns;
use super::theme::Tone;
use super::{Canvas, Head, verdict};
use lesson::{Ask, Choice, Outcome, Prediction, Question};

/// One block an option, with an empty line between two unless `tight`; none for a question that asks for a quantity.
pub(super) fn options(
    head: &Head<'_>,
    question: &Question,
    prediction: Option<&Prediction>,
    outcome: &Outcome,
    tight: bool,
    canvas: &Canvas,
) -> Vec<Block> {
    let Ask::Choice(options) = &question.answer else { return Vec::new() };
    let machine = verdict::machine(head.recorded.is_some());
    let block = |(at, option): (usize, &Choice)| {
        let by_machine = matches!(outcome, Outcome::Choice(id) if *id == option.id);
        let by_you = matches!(prediction, Some(Prediction::Choice(id)) if *id == option.id);
        let whose = match (by_machine, by_you) {
            (true, true) => format!("your answer and {machine}'s"),
            (true, false) => format!("{machine}'s answer"),
            (false, true) => "your answer".to_owned(),
            (false, false) => String::new(),
        };
        let tone = if by_machine { Tone::Good } else { Tone::Near };
        let mut lines = marked(at, option, &whose, tone, canvas);
        lines.extend(canvas.hang("", &option.explanation, 5, canvas.text()));
        lines
    };
    let mut blocks: Vec<Vec<String>> = options.iter().enumerate().map(block).collect();
    if let Some(first) = blocks.first_mut() {
        first.insert(0, canvas.paint(Tone::Strong, "The answers, one by one"));
    }
    let mut blocks = blocks.into_iter();
    let further = |lines| if tight { Block::tight(lines, None) } else { Block::new(lines) };
    blocks.next().map(Block::fresh).into_iter().chain(blocks.map(further)).collect()
}

/// An option, and behind it whose answer it is; below it where the line is full.
fn marked(at: usize, option: &Choice, whose: &str, tone: Tone, canvas: &Canvas) -> Vec<String> {
    let unpainted = Canvas { colour: false, ..*canvas };
    let used = option_lines(at, &option.text, &unpainted).last().map_or(0, |line| columns(line));
    let mut lines = option_lines(at, &option.text, canvas);
    if whose.is_empty() {
        return lines;
    }
    let mark = format!("{} {whose}", if canvas.plain { "<-" } else { "◂" });
    match lines.last_mut() {
        Some(last) if used + 3 + columns(&mark) <= canvas.text() => {
            *last = format!("{last}   {}", canvas.paint(tone, &mark));
        }
        _ => lines.extend(canvas.paint_all(tone, canvas.hang("", &mark, 5, canvas.text()))),
    }
    lines
}
