//! A class without a network: each learner exports one small file, and the instructor counts all of them.
//!
//! - [`file`]: what such a file holds; [`export`] writes it; [`gather`] reads many, and names those that are none.
//! - [`count`]: what was predicted and what came out, by question as it was [`asked`]; [`buckets`] for numbers,
//!   [`kinds`] by machine.
//! - [`surprises`]: what is worth discussing; [`text`] and [`html`] show all of it.

mod asked;
mod buckets;
mod count;
mod export;
mod file;
mod gather;
mod html;
mod kinds;
mod surprises;
mod tally;
#[cfg(test)]
mod tests;
mod text;

pub use export::{ExportArgs, run as export};
pub use tally::{TallyArgs, run as tally};
