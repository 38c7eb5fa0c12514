//! What is asked before anything is measured.

use super::head::Top;
use super::page::{Block, height, pages, room};
use super::text::columns;
use super::theme::Tone;
use super::verdict::{how_to_answer, letter};
use super::{Canvas, Head, Page};
use lesson::{Ask, Question};

/// The question's screen: what will be done, what is asked, how to answer. What would need a second page is first
/// pushed together; if that is not enough, question and options stay on one page.
pub fn question(head: &Head<'_>, question: &Question, canvas: &Canvas) -> Vec<Page> {
    let top = Top::of_act(head, canvas);
    let room = room(&top, canvas);
    let title = Block::new(canvas.paint_all(Tone::Strong, canvas.wrap(head.act_title, canvas.text())));
    let setup = Block::new(canvas.wrap(&question.setup, canvas.text()));
    let commands = Block::new(commands(&question.commands, 2, canvas));
    let (ask, options) = (ask(question, canvas), options(question, canvas));
    let airy = Block::new(
        [ask.clone(), vec![String::new(); usize::from(!options.is_empty())], options.clone()].concat(),
    );
    let close = Block::new([ask, options].concat());
    let forms = [
        vec![title.clone(), setup.clone(), commands.clone(), airy.clone()],
        vec![setup.clone(), commands.clone(), airy.clone()],
        vec![setup.clone(), commands.clone(), close],
    ];
    let form = forms.into_iter().find(|form| height(form) <= room);
    pages(&top, form.unwrap_or_else(|| vec![title, setup, commands, airy]), canvas)
}

fn options(question: &Question, canvas: &Canvas) -> Vec<String> {
    let Ask::Choice(options) = &question.answer else { return Vec::new() };
    options.iter().enumerate().flat_map(|(at, option)| option_lines(at, &option.text, canvas)).collect()
}

/// What the `?` key shows.
pub fn hint(question: &Question, canvas: &Canvas) -> Vec<String> {
    canvas.with_margin(canvas.labelled("Hint", &question.hint, super::reveal::INDENT))
}

/// Command lines after `$`.
pub(super) fn commands(commands: &[String], indent: usize, canvas: &Canvas) -> Vec<String> {
    commands.iter().flat_map(|command| canvas.command(command, indent, canvas.inner())).collect()
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
pub fn option_lines(at: usize, text: &str, canvas: &Canvas) -> Vec<String> {
    canvas.labelled(&format!("  {}", letter(at)), text, 5)
}
