//! A class without a network: each learner exports one small file, and the instructor counts all of them.
//!
//! - [`file`]: what such a file holds; [`condense`]: which rounds of an act; [`export`] writes it; [`gather`] reads many,
//!   and names those that are none, where they are [`damaged`], and what is [`strange`] in the others.
//! - [`count`]: what was predicted and what came out, by question as it was [`asked`] in these
//!   [`settings`]; [`buckets`] for numbers, [`kinds`] by machine.
//! - [`surprises`]: what is worth discussing in a question, [`discuss`] in all of them; [`text`] and [`html`] show it.

mod asked;
mod buckets;
mod condense;
mod count;
mod damaged;
mod discuss;
mod export;
mod file;
mod gather;
mod html;
mod kinds;
mod settings;
mod strange;
mod surprises;
mod tally;
#[cfg(test)]
mod tests;
mod text;

pub use export::{ExportArgs, run as export};
pub use tally::{TallyArgs, run as tally};
