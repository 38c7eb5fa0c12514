//! Where a presenter stands: a window to draw on, and keys. A test has one of its own.

use super::input::{Event, Input};
use super::layout::Layout;
use super::palette::Palette;
use super::terminal::{self, Ours};
use crate::exit::Result;

/// A window and keys.
pub trait Presenter {
    /// The layout as large as the window is now.
    fn layout(&self) -> Layout;
    /// Draw all rows.
    fn draw(&mut self, rows: &[String]) -> Result;
    /// Wait until something happens.
    fn next(&mut self) -> Event;
    /// Forget what was typed while nobody read.
    fn drop_typed(&mut self);
}

/// This process's own terminal. It is given back when this goes.
#[derive(Debug)]
pub struct Here {
    input: Input,
    palette: Palette,
    _ours: Ours,
}

impl Here {
    /// Take the terminal.
    pub fn take(palette: Palette) -> Result<Here> {
        let input = Input::new()?;
        Ok(Here { input, palette, _ours: terminal::enter(palette)? })
    }
}

impl Presenter for Here {
    fn layout(&self) -> Layout {
        Layout::here(self.palette)
    }

    fn draw(&mut self, rows: &[String]) -> Result {
        terminal::draw(rows)
    }

    fn next(&mut self) -> Event {
        self.input.next()
    }

    fn drop_typed(&mut self) {
        self.input.drop_typed();
    }
}
