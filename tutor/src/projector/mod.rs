//! `tutor lab N --projector`: the same lab for a room, one idea a screen.
//!
//! - [`deck`]: a lab as screens, made by [`asked`], [`told`], [`pictures`] and cut by [`cut`]; [`big`]: block digits;
//!   [`hands`]: a show of hands. All of it pure.
//! - [`paper`], [`ink`]: a whole screen, its rows and colours; [`keys`]: what a key means.
//! - [`terminal`], [`input`], [`stand`]: the only place where single keys are read, and the way back from there;
//!   [`measuring`]: the screen while something is measured.
//! - [`show`]: from key to key; [`offer`]: where nothing can be measured at all.

mod asked;
mod big;
mod cut;
mod deck;
mod hands;
mod ink;
mod input;
mod keys;
mod measuring;
mod offer;
mod paper;
mod pictures;
mod show;
mod stand;
mod terminal;
#[cfg(test)]
mod tests;
mod told;

pub use ink::Ink;
pub use measuring::Shown;
pub use offer::offer;
pub use show::Show;
pub use stand::Here;
pub use terminal::{complain_later, leave};

use crate::capabilities::Capabilities;
use crate::exit::{Ending, Result};
use std::io::{IsTerminal, stdin, stdout};

/// The colours for this terminal; an error where there is none.
pub fn ink(dark: bool) -> Result<Ink> {
    let missing = [(stdin().is_terminal(), "input"), (stdout().is_terminal(), "output")];
    if let Some((_, which)) = missing.iter().find(|(there, _)| !there) {
        return Err(Ending::Usage(format!(
            "--projector needs a terminal, and standard {which} is none: run it in a terminal window without pipes, \
             or leave --projector out"
        )));
    }
    let look = Capabilities::here();
    Ok(match (look.plain, look.colour, dark) {
        (true, ..) => Ink::Dumb,
        (_, false, _) => Ink::Bare,
        (_, _, true) => Ink::Dark,
        (_, _, false) => Ink::Light,
    })
}
