//! The screen of an act that could not be measured.

use super::head::Top;
use super::page::{Block, pages};
use super::theme::Tone;
use super::{Canvas, Head, Page};
use lesson::Question;

/// What was asked, and why this machine cannot answer it now. `recorded`: what another machine said follows.
pub fn unavailable(
    head: &Head<'_>,
    question: &Question,
    reason: &str,
    recorded: bool,
    canvas: &Canvas,
) -> Vec<Page> {
    let width = canvas.text();
    let said = match head.recorded {
        Some(_) => "This act could not be measured on the recorded machine.",
        None => "This act cannot be measured here.",
    };
    let next = if recorded {
        "Another machine could. What it said was recorded, and follows."
    } else {
        "No verdict on this one; the other acts go on."
    };
    let blocks = vec![
        Block::new(canvas.wrap(&question.ask, width)),
        Block::new(canvas.paint_all(Tone::Alert, canvas.wrap(said, width))),
        Block::tight(canvas.wrap(&sentence(reason), width), None),
        Block::new(canvas.wrap(next, width)),
    ];
    pages(&Top::of_act(head, canvas), blocks, canvas)
}

/// A reason such as an error gives, with a capital letter and a full stop.
pub fn sentence(reason: &str) -> String {
    let mut chars = reason.trim().chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let text = first + chars.as_str();
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}
