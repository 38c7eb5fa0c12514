//! What a session prints and reads: pages, a key line, a prompt.

use crate::ending::{Ending, Result};
use crate::look::Look;
use crate::out::Out;
use crate::prompt::Keyboard;
use crate::render::{self, Canvas, Page};
use console::Term;

// A pipe that keeps saying things which lead nowhere (`yes | tutor lab 3`) must not be answered for ever.
const PATIENCE: u32 = 100;

/// The learner's side of a session.
pub struct Screen<'a> {
    out: &'a mut Out,
    keyboard: Keyboard,
    look: Look,
    idle: u32,
    ended: bool,
}

impl<'a> Screen<'a> {
    /// A screen that writes here and reads there.
    pub fn new(out: &'a mut Out, keyboard: Keyboard, look: Look) -> Screen<'a> {
        Screen { out, keyboard, look, idle: 0, ended: false }
    }

    /// Whether a person may sit there.
    pub fn has_person(&self) -> bool {
        self.keyboard.is_terminal()
    }

    /// Whether each page waits for a key.
    pub fn is_paged(&self) -> bool {
        self.look.paged
    }

    /// The paper as large as the terminal is now; endless where nobody turns pages.
    pub fn canvas(&self) -> Canvas {
        let canvas = self.look.canvas();
        if self.look.paged { canvas } else { Canvas { height: 10_000, ..canvas } }
    }

    /// Draw a page, on an empty terminal where that can be.
    pub fn show(&mut self, page: &Page) -> Result {
        if self.look.clears {
            self.out.flush()?;
            Term::stdout().clear_screen().map_err(|error| Ending::failed("clear the terminal", error))?;
        }
        self.out.lines(page)?;
        // The key line and the prompt come below, after an empty line where there is one to spare.
        if !self.look.clears || page.len() + 3 <= self.canvas().height {
            self.out.line("")?;
        }
        self.out.flush()
    }

    /// Lines below what is shown.
    pub fn say(&mut self, lines: impl IntoIterator<Item = impl std::fmt::Display>) -> Result {
        let canvas = self.canvas();
        let wrapped = |line: &dyn std::fmt::Display| render::paragraph(&line.to_string(), &canvas);
        lines.into_iter().try_for_each(|line| self.out.lines(wrapped(&line)))?;
        self.out.flush()
    }

    /// Lines that have their margin already.
    pub fn lines(&mut self, lines: Vec<String>) -> Result {
        self.out.lines(lines)?;
        self.out.flush()
    }

    /// Forget what was typed ahead of what is shown now.
    pub fn drop_typed(&mut self) {
        self.keyboard.drop_typed();
    }

    /// Whether the input has ended.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// The key line.
    pub fn keys(&mut self, keys: &[(&str, &str)]) -> Result {
        let line = render::keys(keys, &self.canvas());
        self.out.line(line)
    }

    /// Ask for a line; None at the end of input.
    pub fn line(&mut self) -> Result<Option<String>> {
        self.out.text(if self.look.plain { "> " } else { " > " })?;
        self.out.flush()?;
        let line = self.keyboard.line();
        self.ended |= line.is_none();
        // What a terminal echoes has to be written here when nobody typed it.
        match &line {
            Some(text) if !self.keyboard.is_terminal() => self.out.line(text)?,
            None => self.out.line("")?,
            Some(_) => {}
        }
        self.out.flush()?;
        Ok(line)
    }

    /// Something led onward.
    pub fn onward(&mut self) {
        self.idle = 0;
    }

    /// Something did not; a person may do that as often as they like.
    pub fn idle(&mut self) -> Result {
        self.idle += 1;
        if self.keyboard.is_terminal() || self.idle < PATIENCE {
            return Ok(());
        }
        Err(Ending::Usage(format!("the input has led nowhere for {PATIENCE} lines; giving up")))
    }
}
