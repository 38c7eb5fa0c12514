//! `tutor`: a guided course on the Linux page cache. Predict, measure, reveal.

mod again;
mod atomic;
mod bar;
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
mod out;
mod progress;
mod prompt;
mod record;
mod render;
mod reset;
mod session;
mod setting;
mod signals;
mod state;
mod welcome;
mod workloads;

use std::process::ExitCode;

fn main() -> ExitCode {
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
