//! What is asked before anything is measured.

use super::head::Top;
use super::page::{Block, pages};
use super::text::columns;
use super::theme::Tone;
use super::verdict::{how_to_answer, letter};
use super::{Canvas, Head, Page};
use lesson::{Ask, Question};

/// The question's screen: what will be done, what is asked, how to answer.
pub fn question(head: &Head<'_>, question: &Question, canvas: &Canvas) -> Vec<Page> {
    let top = Top::of_act(head, canvas);
    let width = canvas.text();
    let mut blocks = vec![
        Block::new(canvas.paint_all(Tone::Strong, canvas.wrap(head.act_title, width))),
        Block::new(canvas.wrap(&question.setup, width)),
        Block::new(commands(&question.commands, canvas)),
        Block::new(ask(question, canvas)),
    ];
    if let Ask::Choice(options) = &question.answer {
        let option = |(at, option): (usize, &lesson::Choice)| option_lines(at, &option.text, canvas);
        let mut options = options.iter().enumerate().map(option);
        blocks.extend(options.next().map(Block::new));
        blocks.extend(options.map(Block::tight));
    }
    pages(&top, blocks, canvas)
}

/// What the `?` key shows.
pub fn hint(question: &Question, canvas: &Canvas) -> Vec<String> {
    canvas.with_margin(super::intro::labelled("Hint", &question.hint, canvas))
}

/// Command lines after `$`.
pub(super) fn commands(commands: &[String], canvas: &Canvas) -> Vec<String> {
    commands.iter().flat_map(|command| canvas.command(command, canvas.inner())).collect()
}

/// The question itself, and at the right how it is answered.
fn ask(question: &Question, canvas: &Canvas) -> Vec<String> {
    let width = canvas.text();
    let plain = canvas.wrap(&question.ask, width);
    let how = how_to_answer(question, canvas);
    let last = plain.last().map_or(0, |line| columns(line));
    let mut lines = canvas.paint_all(Tone::Strong, plain);
    if how.is_empty() {
        return lines;
    }
    match lines.last_mut() {
        Some(line) if last + 3 + columns(&how) <= width => {
            let gap = " ".repeat(width - last - columns(&how));
            *line = format!("{line}{gap}{}", canvas.paint(Tone::Quiet, &how));
        }
        _ => lines.extend(canvas.paint_all(Tone::Quiet, canvas.wrap(&how, width))),
    }
    lines
}

/// An option with its letter.
pub(super) fn option_lines(at: usize, text: &str, canvas: &Canvas) -> Vec<String> {
    let mut lines = canvas.hang("", text, 5, canvas.text());
    if let Some(first) = lines.first_mut() {
        let letter = canvas.paint(Tone::Label, &letter(at).to_string());
        *first = format!("  {letter}  {}", first.trim_start());
    }
    lines
}
