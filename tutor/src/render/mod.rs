//! Every screen and every figure: pure functions from data to lines, for a terminal and for plain text.
//!
//! - [`canvas`]: how large the paper is, and what may be put on it; [`theme`]: the few colours.
//! - [`text`]: cleaning, wrapping, fitting; [`number`]: values and ticks of axes.
//! - [`figure`]: each figure of a lesson, in both forms.
//! - One file a screen: [`intro`], [`question`], [`reveal`], [`unavailable`], [`summary`]; [`page`] cuts them
//!   into pages, [`head`] stands on top of each; [`markdown`] is a chapter of the book.

mod canvas;
mod figure;
mod head;
mod intro;
mod keys;
mod markdown;
mod number;
mod options;
mod page;
mod question;
mod reveal;
mod summary;
mod text;
mod theme;
mod unavailable;
mod verdict;

#[cfg(test)]
mod tests;

pub use canvas::Canvas;
pub use figure::{draw as drawn, figure, map_frame, table};
pub use head::Head;
pub use intro::{intro, machine};
pub use keys::keys;
pub use markdown::chapter;
pub use number::tick;
pub use question::{hint, option_lines, question};
pub use reveal::reveal;
pub use summary::{SummaryRow, summary};
pub use text::{item, paragraph};
pub use theme::Tone;
#[cfg(test)]
pub use theme::paint;
pub use unavailable::{sentence as as_sentence, unavailable};
pub use verdict::{how_to_answer, outcome_text, prediction_text, sentence as judged};

/// What is shown at once: lines without their newline, no wider than the canvas and two fewer than it is high.
pub type Page = Vec<String>;
