//! `tutor lab N --projector`: the same lab for a room, one idea a screen.
//!
//! - [`slides`]: a lab as screens, made by [`question`], [`reveal`], [`pictures`] and cut by [`paginate`]; [`big`]: block
//!   digits; [`show_of_hands`]: what a class said. All of it pure.
//! - [`layout`], [`palette`]: a whole screen, its rows and colours; [`keys`]: what a key means.
//! - [`terminal`], [`input`], [`presenter`]: the only place where single keys are read, and the way back from there;
//!   [`measuring`]: the screen while something is measured.
//! - [`show`]: from key to key; [`unavailable`]: where nothing can be measured at all.

mod big;
mod input;
mod keys;
mod layout;
mod measuring;
mod paginate;
mod palette;
mod pictures;
mod presenter;
mod question;
mod reveal;
mod show;
mod show_of_hands;
mod slides;
mod terminal;
#[cfg(test)]
mod tests;
mod unavailable;

pub use measuring::Shown;
pub use palette::Palette;
pub use presenter::Here;
pub use show::Show;
pub use terminal::{complain_later, leave};
pub use unavailable::offer;

use crate::capabilities::Capabilities;
use crate::exit::{Ending, Result};
use std::io::{IsTerminal, stdin, stdout};

/// The colours for this terminal; an error where there is none.
pub fn palette(dark: bool) -> Result<Palette> {
    let missing = [(stdin().is_terminal(), "input"), (stdout().is_terminal(), "output")];
    if let Some((_, which)) = missing.iter().find(|(there, _)| !there) {
        return Err(Ending::Usage(format!(
            "--projector needs a terminal, and standard {which} is none: run it in a terminal window without pipes, \
             or leave --projector out"
        )));
    }
    let look = Capabilities::here();
    Ok(match (look.plain, look.colour, dark) {
        (true, ..) => Palette::Dumb,
        (_, false, _) => Palette::Bare,
        (_, _, true) => Palette::Dark,
        (_, _, false) => Palette::Light,
    })
}
