//! Where a presenter stands: a window to draw on, and keys. A test has one of its own.

use super::ink::Ink;
use super::input::{Event, Input};
use super::paper::Paper;
use super::terminal::{self, Ours};
use crate::exit::Result;

/// A window and keys.
pub trait Stand {
    /// The paper as large as the window is now.
    fn paper(&self) -> Paper;
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
    ink: Ink,
    _ours: Ours,
}

impl Here {
    /// Take the terminal.
    pub fn take(ink: Ink) -> Result<Here> {
        let input = Input::new()?;
        Ok(Here { input, ink, _ours: terminal::enter(ink)? })
    }
}

impl Stand for Here {
    fn paper(&self) -> Paper {
        Paper::here(self.ink)
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
