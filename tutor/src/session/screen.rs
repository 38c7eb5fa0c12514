//! What a session prints and reads: pages, a key line, a prompt.

use crate::capabilities::Capabilities;
use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::prompt::Keyboard;
use crate::render::{self, Canvas, Page};
use crate::resume_after_stop;
use console::Term;

// A pipe that keeps saying things which lead nowhere (`yes | tutor lab 3`) must not be answered for ever.
const PATIENCE: u32 = 100;

/// The learner's side of a session.
pub struct Screen<'a> {
    out: &'a mut Out,
    keyboard: Keyboard,
    look: Capabilities,
    idle: u32,
    ended: bool,
    page: Page,
    below: Vec<String>,
    note: Vec<String>,
}

impl<'a> Screen<'a> {
    /// A screen that writes here and reads there.
    pub fn new(out: &'a mut Out, keyboard: Keyboard, look: Capabilities) -> Screen<'a> {
        Screen {
            out,
            keyboard,
            look,
            idle: 0,
            ended: false,
            page: Page::new(),
            below: Vec::new(),
            note: Vec::new(),
        }
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
        self.page.clone_from(page);
        (self.below, self.note) = (Vec::new(), Vec::new());
        self.draw()
    }

    fn draw(&mut self) -> Result {
        if self.look.clears {
            self.out.flush()?;
            Term::stdout().clear_screen().map_err(|error| Ending::failed("clear the terminal", error))?;
        }
        let lines = self.standing();
        self.out.lines(lines)?;
        self.out.flush()
    }

    /// All that stands above the prompt: the page, an empty line where there is one to spare, what was said, what there
    /// is to say about the last line typed, and the key line.
    fn standing(&self) -> Vec<String> {
        let below = self.below.len().max(1) + self.note.len();
        let spare = !self.look.clears || self.page.len() + below + 2 <= self.canvas().height;
        let (said, keys) = self.below.split_at(self.below.len().saturating_sub(1));
        let gap = vec![String::new(); usize::from(spare)];
        [&self.page, gap.as_slice(), said, &self.note, keys].concat()
    }

    /// Lines below what is shown.
    pub fn say(&mut self, lines: impl IntoIterator<Item = impl std::fmt::Display>) -> Result {
        let canvas = self.canvas();
        let lines = lines.into_iter().flat_map(|line| render::paragraph(&line.to_string(), &canvas));
        self.put(lines.collect())
    }

    /// What there is to say about the last line that was typed: in place of what was said about the one before, where
    /// the screen can be drawn anew, so that remarks do not push the page out of the window.
    pub fn remark(&mut self, text: &str) -> Result {
        self.note(render::paragraph(text, &self.canvas()))
    }

    /// The same with lines that have their margin already.
    pub fn note(&mut self, lines: Vec<String>) -> Result {
        self.note = lines;
        if self.look.clears {
            return self.draw();
        }
        self.out.lines(&self.note)?;
        self.out.flush()
    }

    fn put(&mut self, lines: Vec<String>) -> Result {
        self.out.lines(&lines)?;
        self.below.extend(lines);
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

    /// Whether nothing more comes, as far as is known without waiting for it.
    pub fn is_at_end(&mut self) -> bool {
        self.keyboard.is_at_end()
    }

    /// The key line.
    pub fn keys(&mut self, keys: &[(&str, &str)]) -> Result {
        let line = render::keys(keys, &self.canvas());
        self.put(vec![line])
    }

    /// Ask for a line; None at the end of input.
    pub fn line(&mut self) -> Result<Option<String>> {
        let prompt = if self.look.plain { "> " } else { " > " };
        self.out.text(prompt)?;
        self.out.flush()?;
        if self.keyboard.is_terminal() {
            let standing = if self.look.clears { self.standing() } else { Vec::new() };
            let lines = standing.iter().map(|line| format!("{line}\n")).collect::<String>();
            resume_after_stop::keep(lines + prompt, self.look.clears);
        }
        let line = self.keyboard.line();
        resume_after_stop::forget();
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
