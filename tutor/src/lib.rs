//! `tutor` as a library: the program itself, and what the book shows of it.

mod again;
mod atomic;
mod bar;
mod class;
mod clean;
mod cli;
mod course;
mod doctor;
mod document;
mod ending;
mod lab;
mod limited;
mod list;
mod look;
mod notes;
mod out;
mod pace;
mod progress;
mod projector;
mod prompt;
mod read;
mod record;
mod render;
mod reset;
mod review;
mod schedule;
mod session;
mod setting;
mod shown;
mod signals;
mod state;
mod welcome;
mod workloads;

pub use cli::command;
pub use course::labs;
pub use schedule::planned;
pub use shown::{Shown, ShownAct, in_words, tick};

use std::process::ExitCode;

/// The program: reads its own command line, does what it says, and tells how it ended.
pub fn main() -> ExitCode {
    let mut out = out::Out::stdout();
    let ended = cli::run(&mut out).and_then(|()| out.flush());
    // The signal thread tidies up and exits by itself: whatever failed meanwhile failed because of it.
    if instruments::interrupt::requested() {
        loop {
            std::thread::park();
        }
    }
    ended.map_or_else(|ending| ending.report(), |()| ExitCode::SUCCESS)
}
