//! What this machine did: figure, sentence, prediction; why; what to keep in mind; every option explained.

use super::head::Top;
use super::options::options;
use super::page::{Block, best, height, room};
use super::question::commands;
use super::theme::Tone;
use super::{Canvas, Head, Page, figure, verdict};
use lesson::{Card, Figure, Prediction, Question, Reveal, Verdict};

/// Where labelled paragraphs begin.
pub(super) const INDENT: usize = 6;

/// The reveal's pages. The first has the key figure, the sentence and why; then comes what to keep in mind, where to
/// go on, and further figures, in the way that takes the fewest pages; the options last.
pub fn reveal(
    head: &Head<'_>,
    question: &Question,
    prediction: Option<&Prediction>,
    verdict: Verdict,
    reveal: &Reveal,
    canvas: &Canvas,
) -> Vec<Page> {
    let top = Top::of_act(head, canvas);
    let ask = Block::new(canvas.wrap(&question.ask, canvas.text()));
    let told = Block::new(told(head, question, prediction, verdict, reveal, canvas));
    let draw = |figure: &Figure| Block::new(figure::draw(figure, canvas));
    let (keys, figures) = match reveal.figures.split_first() {
        Some((key, others)) => (key_parts(ask, key, told, room(&top, canvas), canvas), others),
        None => (vec![vec![ask, told]], [].as_slice()),
    };
    let figures: Vec<Block> = figures.iter().map(draw).collect();
    let why = labelled("Why", reveal.causes.iter().map(|cause| cause.text.clone()), canvas);
    let notes = labelled("Note", reveal.caveats.iter().map(ToString::to_string), canvas);
    let more = vec![Block::new(more(head, reveal, canvas))];
    let answers =
        [false, true].map(|tight| options(head, question, prediction, &reveal.outcome, tight, canvas));
    let mut orders = [[&notes, &more, &figures], [&notes, &figures, &more], [&figures, &notes, &more]];
    if canvas.plain {
        orders.reverse();
    }
    let form = |key: &Vec<Block>, answers: &Vec<Block>, [first, second, third]: [&Vec<Block>; 3]| {
        [key, &why, first, second, third, answers].into_iter().flatten().cloned().collect()
    };
    let mut forms = Vec::new();
    for answers in &answers {
        forms.extend(keys.iter().flat_map(|key| orders.map(|order| form(key, answers, order))));
    }
    best(&top, forms.into_iter(), canvas)
}

/// The ways to begin, best first: question, figure, sentence on one page. The question may go, since it was just
/// answered, and the figure may shrink. Where even that is not enough, the sentence comes before the figure: nobody
/// should have to turn a page for it.
fn key_parts(ask: Block, key: &Figure, told: Block, room: usize, canvas: &Canvas) -> Vec<Vec<Block>> {
    let drawn = |shorter: usize| {
        let canvas = Canvas { height: canvas.height.saturating_sub(shorter), ..*canvas };
        Block::new(figure::draw(key, &canvas))
    };
    let whole = vec![ask.clone(), drawn(0), told.clone()];
    let mut forms = vec![whole];
    forms.extend([0, 3, 6].map(|shorter| vec![drawn(shorter), told.clone()]));
    forms.retain(|form| height(form) <= room);
    if forms.is_empty() { vec![vec![ask, told, drawn(0)]] } else { forms }
}

/// The outcome in a sentence, and what was predicted.
fn told(
    head: &Head<'_>,
    question: &Question,
    prediction: Option<&Prediction>,
    verdict: Verdict,
    reveal: &Reveal,
    canvas: &Canvas,
) -> Vec<String> {
    let mut lines = canvas.paint_all(Tone::Strong, canvas.wrap(&reveal.sentence, canvas.text()));
    if let Some(text) =
        verdict::sentence(head.recorded.is_some(), question, prediction, verdict, &reveal.outcome)
    {
        lines.extend(canvas.paint_all(verdict::tone(verdict), canvas.wrap(&text, canvas.text())));
    }
    lines
}

/// Paragraphs under one label, which stands only before the first.
fn labelled(label: &str, texts: impl Iterator<Item = String>, canvas: &Canvas) -> Vec<Block> {
    let paragraph = |(at, text): (usize, String)| match at {
        0 => Block::new(canvas.labelled(label, &text, INDENT)),
        _ => {
            let lines = canvas.hang("", &text, INDENT, canvas.text());
            let again = lines.first().map(|line| canvas.with_label(label, line, INDENT));
            Block::tight(lines, again)
        }
    };
    texts.filter(|text| !text.trim().is_empty()).enumerate().map(paragraph).collect()
}

/// Where the book tells more, what to type next, and where the explanation can be checked.
fn more(head: &Head<'_>, reveal: &Reveal, canvas: &Canvas) -> Vec<String> {
    let Card { number, slug, .. } = head.card;
    let book = format!("tutor read {number}{}book: {slug}.html#{}", canvas.dot(), head.act_id);
    let mut lines = canvas.labelled("More", &book, INDENT);
    lines.extend(commands(&reveal.try_next, INDENT, canvas));
    if !reveal.sources.is_empty() {
        let sources = format!("See {}.", reveal.sources.join("; "));
        lines.extend(canvas.hang("", &sources, INDENT, canvas.text()));
    }
    lines
}
