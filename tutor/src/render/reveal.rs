//! What this machine did: figure, sentence, prediction; why; what to keep in mind; every option explained.

use super::head::Top;
use super::page::{Block, height, pages, room};
use super::question::{commands, option_lines};
use super::theme::Tone;
use super::{Canvas, Head, Page, figure, verdict};
use lesson::{Ask, Choice, Outcome, Prediction, Question, Reveal, Verdict};

/// Where labelled paragraphs begin.
const INDENT: usize = 6;

/// The reveal's pages. The first has the key figure and the sentence; the options come last.
pub fn reveal(
    head: &Head<'_>,
    question: &Question,
    prediction: Option<&Prediction>,
    verdict: Verdict,
    reveal: &Reveal,
    canvas: &Canvas,
) -> Vec<Page> {
    let top = Top::of_act(head, canvas);
    let mut figures = reveal.figures.iter().map(|figure| Block::new(figure::draw(figure, canvas)));
    let ask = Block::new(canvas.wrap(&question.ask, canvas.text()));
    let told = Block::new(told(question, prediction, verdict, reveal, canvas));
    let mut blocks = match figures.next() {
        Some(key) => key_page(ask, key, told, room(&top, canvas)),
        None => vec![ask, told],
    };
    blocks.extend(labelled("Why", reveal.causes.iter().map(|cause| cause.text.clone()), canvas));
    blocks.extend(figures);
    blocks.extend(labelled("Note", reveal.caveats.iter().map(ToString::to_string), canvas));
    blocks.extend(more(reveal, canvas));
    blocks.extend(options(question, prediction, &reveal.outcome, canvas));
    pages(&top, blocks, canvas)
}

/// Question, figure, sentence. Where they do not fit one page, the sentence goes first: nobody should have to
/// turn a page for the result.
fn key_page(ask: Block, key: Block, told: Block, room: usize) -> Vec<Block> {
    let whole = vec![ask.clone(), key.clone(), told.clone()];
    let brief = vec![key.clone(), told.clone()];
    if height(&whole) <= room {
        whole
    } else if height(&brief) <= room {
        brief
    } else {
        vec![ask, told, key]
    }
}

/// The outcome in a sentence, and what was predicted.
fn told(
    question: &Question,
    prediction: Option<&Prediction>,
    verdict: Verdict,
    reveal: &Reveal,
    canvas: &Canvas,
) -> Vec<String> {
    let mut lines = canvas.paint_all(Tone::Strong, canvas.wrap(&reveal.sentence, canvas.text()));
    if let Some(text) = verdict::sentence(prediction, verdict, &reveal.outcome, question) {
        lines.extend(canvas.paint_all(verdict::tone(verdict), canvas.wrap(&text, canvas.text())));
    }
    lines
}

/// Paragraphs under one label, which stands only before the first.
fn labelled(label: &str, texts: impl Iterator<Item = String>, canvas: &Canvas) -> Vec<Block> {
    let paragraph = |(at, text): (usize, String)| {
        let lines = canvas.hang("", &text, INDENT, canvas.text());
        if at == 0 { Block::new(with_label(label, lines, canvas)) } else { Block::tight(lines) }
    };
    texts.filter(|text| !text.trim().is_empty()).enumerate().map(paragraph).collect()
}

fn with_label(label: &str, mut lines: Vec<String>, canvas: &Canvas) -> Vec<String> {
    if let Some(first) = lines.first_mut() {
        let gap = " ".repeat(INDENT.saturating_sub(label.len()));
        *first = format!("{}{gap}{}", canvas.paint(Tone::Label, label), first.trim_start());
    }
    lines
}

/// What to type next, and where the explanation can be checked.
fn more(reveal: &Reveal, canvas: &Canvas) -> Option<Block> {
    let mut lines = commands(&reveal.try_next, canvas);
    if !reveal.sources.is_empty() {
        let sources = format!("See {}", reveal.sources.join("; "));
        lines.extend(canvas.hang("", &sources, INDENT, canvas.text()));
    }
    if lines.is_empty() {
        return None;
    }
    if !reveal.try_next.is_empty() {
        lines.insert(0, "      To see more, type:".to_owned());
    }
    Some(Block::new(with_label("More", lines, canvas)))
}

/// Every option with its explanation, and which one was chosen by whom.
fn options(
    question: &Question,
    prediction: Option<&Prediction>,
    outcome: &Outcome,
    canvas: &Canvas,
) -> Vec<Block> {
    let Ask::Choice(options) = &question.answer else { return Vec::new() };
    let block = |(at, option): (usize, &Choice)| {
        let machine = matches!(outcome, Outcome::Choice(id) if *id == option.id);
        let you = matches!(prediction, Some(Prediction::Choice(id)) if *id == option.id);
        let mut lines = option_lines(at, &option.text, canvas);
        let chosen = match (machine, you) {
            (true, true) => "You and this machine chose this.",
            (true, false) => "This machine chose this.",
            (false, true) => "You chose this.",
            (false, false) => "",
        };
        let tone = if machine { Tone::Good } else { Tone::Near };
        if !chosen.is_empty() {
            lines.extend(canvas.paint_all(tone, canvas.hang("", chosen, 5, canvas.text())));
        }
        lines.extend(canvas.hang("", &option.explanation, 5, canvas.text()));
        lines
    };
    let mut blocks: Vec<Vec<String>> = options.iter().enumerate().map(block).collect();
    if let Some(first) = blocks.first_mut() {
        first.splice(0..0, [canvas.paint(Tone::Strong, "The answers, one by one"), String::new()]);
    }
    let mut blocks = blocks.into_iter();
    blocks.next().map(Block::fresh).into_iter().chain(blocks.map(Block::new)).collect()
}
