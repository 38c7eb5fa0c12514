//! A narrow terminal for the progress bar. indicatif fills each line with blanks to the edge and lets the terminal go on
//! in the next one. When a window gets narrower than that, the terminal breaks such a line in two, or cuts it, nobody can
//! tell which, and pieces of the bar stay. Short lines that end by themselves mean the same in every window.

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Nothing that is drawn anew is wider than this: no window that we care for is narrower.
pub const COLUMNS: usize = 40;

/// Draws so often a second at most.
const HERTZ: u8 = 20;

/// Clears what an older, longer line left.
const TO_THE_END: &str = "\x1b[K";

/// Standard error, with lines that end where their text ends.
#[derive(Debug)]
pub struct Narrow {
    terminal: Term,
    // Within one drawing indicatif writes a line, then the blanks that fill it up, and so on in turn.
    written: AtomicUsize,
}

impl Narrow {
    /// Where a bar is drawn.
    pub fn target() -> ProgressDrawTarget {
        let narrow = Narrow { terminal: Term::buffered_stderr(), written: AtomicUsize::new(0) };
        ProgressDrawTarget::term_like_with_hz(Box::new(narrow), HERTZ)
    }
}

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        COLUMNS as u16
    }

    fn height(&self) -> u16 {
        TermLike::height(&self.terminal)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_left(columns)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.terminal.write_line(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text == "\r" {
            return self.terminal.write_str(text);
        }
        match self.written.fetch_add(1, Ordering::Relaxed) {
            0 => self.terminal.write_str(&format!("{text}{TO_THE_END}")),
            odd if !odd.is_multiple_of(2) => Ok(()),
            _ => self.terminal.write_str(&format!("\r\n{text}{TO_THE_END}")),
        }
    }

    fn clear_line(&self) -> io::Result<()> {
        self.terminal.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.written.store(0, Ordering::Relaxed);
        self.terminal.flush()
    }
}
