//! The screen of an act that could not be measured.

use super::head::Top;
use super::page::{Block, pages};
use super::theme::Tone;
use super::{Canvas, Head, Page};
use lesson::Question;

/// What was asked, and why this machine cannot answer it now.
pub fn unavailable(head: &Head<'_>, question: &Question, reason: &str, canvas: &Canvas) -> Vec<Page> {
    let width = canvas.text();
    let said = "This act could not be measured here.";
    let rest = "Nothing is scored. The other acts go on.";
    let blocks = vec![
        Block::new(canvas.wrap(&question.ask, width)),
        Block::new(canvas.paint_all(Tone::Alert, canvas.wrap(said, width))),
        Block::tight(canvas.wrap(reason, width)),
        Block::new(canvas.wrap(rest, width)),
    ];
    pages(&Top::of_act(head, canvas), blocks, canvas)
}
