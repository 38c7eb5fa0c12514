//! `tutor doctor`: what this machine can and cannot show, and what to do about it.

use crate::ending::Result;
use crate::out::Out;
use clap::Args;
use std::path::PathBuf;

/// What this machine can and cannot show
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// The directory whose filesystem and disk are meant
    #[arg(long)]
    dir: Option<PathBuf>,
    /// One JSON document on standard output
    #[arg(long)]
    json: bool,
}

/// `tutor doctor`
pub fn run(args: &DoctorArgs, out: &mut Out) -> Result {
    let _ = args;
    out.line("")
}
