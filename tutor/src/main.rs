//! `tutor`: a guided course on the Linux page cache. Predict, measure, reveal.

use std::process::ExitCode;

fn main() -> ExitCode {
    tutor::main()
}
