//! Lines that somebody types, or pipes: the same to us. No raw mode, so the terminal is never left changed.

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{FlushArg, tcflush};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::os::fd::AsFd;

// A longer line is no answer; an endless one must fill neither the memory nor a screen.
const MAX_LINE: u64 = 256;

/// Where answers come from.
pub struct Keyboard {
    // Our own buffer: what std's holds cannot be looked at, and so not be dropped.
    reader: BufReader<Box<dyn Read>>,
    terminal: bool,
    /// Whether a read would not wait.
    is_ready: fn() -> bool,
}

fn stdin_is_ready() -> bool {
    let stdin = io::stdin();
    let mut wanted = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    poll(&mut wanted, PollTimeout::ZERO).is_ok_and(|count| count > 0)
}

impl Keyboard {
    /// The process's own standard input.
    pub fn stdin() -> Keyboard {
        let source: Box<dyn Read> = match io::stdin().as_fd().try_clone_to_owned() {
            Ok(input) => Box::new(File::from(input)),
            // No descriptor is left.
            Err(_) => Box::new(io::stdin()),
        };
        Keyboard {
            reader: BufReader::new(source),
            terminal: io::stdin().is_terminal(),
            is_ready: stdin_is_ready,
        }
    }

    /// Lines prepared for a test.
    #[cfg(test)]
    pub fn piped(lines: &str) -> Keyboard {
        Keyboard {
            reader: BufReader::new(Box::new(io::Cursor::new(lines.as_bytes().to_vec()))),
            terminal: false,
            is_ready: || true,
        }
    }

    /// Whether a person may sit there.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Forget what was typed and not yet read: it was meant for something else. What is piped stays.
    pub fn drop_typed(&mut self) {
        if self.terminal {
            self.reader.consume(self.reader.buffer().len());
            // A terminal that is gone has nothing left to forget, and the next line finds its end.
            let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
        }
    }

    /// Whether the input has ended, as far as is known without waiting: a pipe whose writer thinks is none that ended.
    pub fn is_at_end(&mut self) -> bool {
        let ready = !self.reader.buffer().is_empty() || (self.is_ready)();
        ready && self.reader.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    /// The next line without its end and without control characters, which would reach the screen with it; None at the
    /// end of input. A terminal that is gone (EIO) is an end, too.
    pub fn line(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes);
        if read.unwrap_or(0) == 0 {
            return None;
        }
        let text: String = String::from_utf8_lossy(&bytes).chars().filter(|it| !it.is_control()).collect();
        Some(text.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_is_not_the_end() {
        let mut keyboard = Keyboard::piped("b\n\n  25x \r\nlast");
        let lines: Vec<_> = std::iter::from_fn(|| keyboard.line()).collect();
        assert_eq!(lines, ["b", "", "25x", "last"]);
    }

    #[test]
    fn the_end_is_seen_without_reading_a_line() {
        let mut keyboard = Keyboard::piped("a\n");
        assert!(!keyboard.is_at_end());
        assert_eq!(keyboard.line().as_deref(), Some("a"));
        assert!(keyboard.is_at_end());
        // Somebody who thinks has not left.
        let waiting = Keyboard { is_ready: || false, ..Keyboard::piped("") };
        assert!(!{ waiting }.is_at_end());
    }

    #[test]
    fn what_is_piped_is_not_dropped() {
        let mut keyboard = Keyboard::piped("a\nb\n");
        keyboard.line();
        keyboard.drop_typed();
        assert_eq!(keyboard.line().as_deref(), Some("b"));
    }

    #[test]
    fn what_moves_a_cursor_is_no_part_of_a_line() {
        assert_eq!(Keyboard::piped("\u{1b}[2Jb\0\n").line().unwrap(), "[2Jb");
    }

    #[test]
    fn endless_and_malformed_lines_are_bounded() {
        let mut keyboard = Keyboard {
            reader: BufReader::new(Box::new(io::repeat(0xff))),
            terminal: false,
            is_ready: || true,
        };
        assert_eq!(keyboard.line().unwrap().chars().count() as u64, MAX_LINE);
    }
}
