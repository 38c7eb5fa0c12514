//! A class without a network: each learner exports one small file, and the instructor counts all of them.
//!
//! - [`file`]: what such a file holds; [`attempt_selection`]: which rounds of an act; [`export`] writes it; [`gather`]
//!   reads many, and names those that are none, where one is an [`invalid_export`], and the [`invalid_entries`] of the
//!   others.
//! - [`count`]: what was predicted and what came out, by [`class_question`] as it was asked in these [`settings`];
//!   [`buckets`] for numbers, [`machine_groups`] by machine.
//! - [`disagreement`]: what is worth discussing in a question, [`discuss`] in all of them; [`text`] and [`html`] show it.

mod attempt_selection;
mod buckets;
mod class_question;
mod count;
mod disagreement;
mod discuss;
mod export;
mod file;
mod gather;
mod html;
mod invalid_entries;
mod invalid_export;
mod machine_groups;
mod settings;
mod tally;
#[cfg(test)]
mod tests;
mod text;

pub use export::{ExportArgs, run as export};
pub use tally::{TallyArgs, run as tally};
