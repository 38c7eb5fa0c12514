//! `tutor` as a library: the program itself, and what the book shows of it.

mod atomic;
mod bar;
mod capabilities;
mod class;
mod clean;
mod cli;
mod course;
mod doctor;
mod document;
mod exit;
mod lab;
mod list;
mod memory_limit;
mod notes;
mod out;
mod progress;
mod projector;
mod prompt;
mod read;
mod record;
mod render;
mod reset;
mod resume_after_stop;
mod review;
mod schedule;
mod session;
mod setting;
mod signals;
mod state;
mod timing;
mod transcript;
mod welcome;
mod workloads;

pub use cli::command;
pub use course::labs;
pub use schedule::planned;
pub use transcript::{Transcript, TranscriptAct, in_words, tick};

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
