//! `tutor reset`: forget the progress of a lab, or all of it.

use crate::course;
use crate::ending::{Ending, Result};
use crate::out::Out;
use crate::progress::Store;
use crate::state::State;
use clap::Args;
use dialoguer::Input;
use std::io::{IsTerminal, stderr, stdin};

/// What to forget
#[derive(Args, Debug)]
pub struct ResetArgs {
    /// Number or name of a lab
    #[arg(value_name = "N|NAME", required_unless_present = "all", conflicts_with = "all")]
    lab: Option<String>,
    /// The progress of all labs
    #[arg(long)]
    all: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

/// `tutor reset`
pub fn run(args: &ResetArgs, out: &mut Out) -> Result {
    let lab = args.lab.as_deref().map(course::find).transpose()?;
    let mut store = Store::open(State::here());
    if args.all && !args.yes && !confirmed()? {
        return out.line("Nothing was forgotten.");
    }
    let forgotten = store.forget(lab.as_ref().map(|lab| lab.card.slug));
    if !store.keeps() {
        return Err(Ending::Failed("cannot forget: progress cannot be written".to_owned()));
    }
    let acts = if forgotten == 1 { "act" } else { "acts" };
    match lab {
        Some(lab) => out.line(format_args!("Forgot {forgotten} {acts} of lab {}.", lab.card.number)),
        None => out.line(format_args!("Forgot {forgotten} {acts} of all labs.")),
    }
}

fn confirmed() -> Result<bool> {
    if !stdin().is_terminal() || !stderr().is_terminal() {
        return Err(Ending::Usage("reset --all asks on a terminal; without one, add --yes".to_owned()));
    }
    let answer: String = Input::new()
        .with_prompt("Forget the progress of all labs? Type yes")
        .allow_empty(true)
        .interact()
        .map_err(|error| Ending::failed("ask", error))?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}
