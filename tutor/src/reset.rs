//! `tutor reset`: forget the progress of a lab, or all of it.

use crate::course;
use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::progress::Store;
use crate::prompt::Keyboard;
use crate::state::State;
use clap::Args;

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
    if args.all && !args.yes && !confirmed(&mut Keyboard::stdin(), out)? {
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

// dialoguer would read this in raw mode: deaf to the end of input, and a TERM would leave the terminal raw.
fn confirmed(keyboard: &mut Keyboard, out: &mut Out) -> Result<bool> {
    if !keyboard.is_terminal() {
        return Err(Ending::Usage("reset --all asks on a terminal; without one, add --yes".to_owned()));
    }
    out.text("Forget the progress of all labs? Type yes: ")?;
    out.flush()?;
    let answer = keyboard.line();
    if answer.is_none() {
        out.line("")?;
    }
    Ok(answer.is_some_and(|answer| ["y", "yes"].contains(&answer.to_lowercase().as_str())))
}
