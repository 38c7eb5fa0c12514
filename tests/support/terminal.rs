//! The tutor on a terminal: a pseudo-terminal whose screen is kept, and whose settings are compared.

use super::PATIENCE;
use super::ended::{Ended, fits};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// More than a session ever says; less than what a loop that does not end says soon.
const MOST_BYTES: usize = 1 << 20;

/// For so long nothing may come before what has come counts as all of it.
const QUIET: Duration = Duration::from_millis(10);

/// How often to look whether the program has ended.
const POLL: Duration = Duration::from_millis(40);

/// A program on a terminal.
pub struct Terminal {
    child: Mortal,
    // Held: the terminal lives as long as somebody has its other end, and so its settings can be asked for at the end.
    slave: Option<Box<dyn SlavePty + Send>>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    incoming: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    transcript: Vec<u8>,
    typed_at: usize,
    settings: String,
}

impl Terminal {
    pub(super) fn start(command: CommandBuilder, columns: u16, rows: u16) -> Terminal {
        let pair = native_pty_system().openpty(size(columns, rows)).expect("a pseudo-terminal");
        let settings = settings(pair.master.as_ref());
        let child = Mortal(pair.slave.spawn_command(command).expect("the program starts"));
        let reader = pair.master.try_clone_reader().expect("it can be read");
        let writer = pair.master.take_writer().expect("it can be written to");
        let (sender, incoming) = channel();
        thread::spawn(move || forward(reader, &sender));
        Terminal {
            child,
            slave: Some(pair.slave),
            master: pair.master,
            writer,
            incoming,
            screen: vt100::Parser::new(cells(rows), cells(columns), 0),
            transcript: Vec::new(),
            typed_at: 0,
            settings,
        }
    }

    /// Its process.
    pub fn pid(&self) -> Pid {
        let id = self.child.0.process_id().expect("it runs on Unix");
        Pid::from_raw(i32::try_from(id).expect("Linux numbers fit"))
    }

    /// The job that has the terminal: of a shell's, the one in front.
    pub fn foreground(&self) -> Pid {
        Pid::from_raw(self.master.process_group_leader().expect("somebody has the terminal"))
    }

    /// Send a signal to it alone, as kill(1) does.
    pub fn signal(&mut self, signal: Signal) {
        kill(self.pid(), signal).expect("it has not been waited for");
    }

    /// Keys, as they come from a keyboard: `\x03` is Ctrl-C, `\x04` Ctrl-D, `\x1a` Ctrl-Z.
    pub fn keys(&mut self, keys: &str) {
        while self.take(Duration::ZERO) {}
        self.typed_at = self.transcript.len();
        self.writer.write_all(keys.as_bytes()).and_then(|()| self.writer.flush()).expect("somebody listens");
    }

    /// A line and Enter.
    pub fn line(&mut self, text: &str) {
        self.keys(&format!("{text}\r"));
    }

    /// A line and Enter; then wait for the next prompt.
    #[track_caller]
    pub fn answer(&mut self, text: &str) -> &mut Self {
        self.line(text);
        self.prompt()
    }

    /// A line and Enter; then wait for the next prompt, or the end. Whether it asks again.
    #[track_caller]
    pub fn asks_after(&mut self, text: &str) -> bool {
        self.line(text);
        self.asks_or_ends()
    }

    /// Wait for the next prompt, or the end. Whether it asks.
    #[track_caller]
    pub fn asks_or_ends(&mut self) -> bool {
        self.wait("a prompt or the end", |terminal| terminal.asks() || terminal.has_ended());
        self.asks()
    }

    /// Turn pages until a question is asked.
    #[track_caller]
    pub fn until_question(&mut self) -> &mut Self {
        for _ in 0..20 {
            if self.is_question() {
                return self;
            }
            self.answer("");
        }
        panic!("no question after 20 pages:\n{}", self.shown())
    }

    /// Whether the page that has been shown last asks a question: then its keys begin with that for skipping.
    pub fn is_question(&self) -> bool {
        self.new_text().lines().rev().nth(1).is_some_and(|keys| keys.trim_start().starts_with("s "))
    }

    /// No line since the last keys is wider than so many columns. The first is what was typed.
    #[track_caller]
    pub fn fits(&self, columns: u16) {
        fits(self.new_text().split_once('\n').unwrap_or_default().1, columns);
    }

    /// The settings are those of the beginning: nothing is raw, nothing is hidden.
    #[track_caller]
    pub fn has_its_settings(&self) {
        self.settings_are_the_same();
        assert!(!self.screen.screen().hide_cursor(), "the cursor is hidden");
    }

    #[track_caller]
    fn settings_are_the_same(&self) {
        assert_eq!(settings(self.master.as_ref()), self.settings, "the terminal's settings are others");
    }

    /// Change the window's size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.master.resize(size(columns, rows)).expect("it is a terminal");
        self.screen.set_size(cells(rows), cells(columns));
    }

    /// Wait until it asks for a line.
    #[track_caller]
    pub fn prompt(&mut self) -> &mut Self {
        self.wait("a prompt", Terminal::asks)
    }

    // What was asked before the last keys is not what is asked now.
    fn asks(&mut self) -> bool {
        let new = self.new_text();
        ["\n > ", "\n> "].iter().any(|prompt| new.ends_with(prompt)) && !self.take(QUIET)
    }

    /// Wait until it has written this since the last keys.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) -> &mut Self {
        self.wait(text, |terminal| terminal.new_text().contains(text))
    }

    /// Wait until this stands on the screen, whenever it was written.
    #[track_caller]
    pub fn shows(&mut self, text: &str) -> &mut Self {
        self.wait(text, |terminal| terminal.shown().contains(text) && !terminal.take(QUIET))
    }

    /// Wait until the screen is no longer this one.
    #[track_caller]
    pub fn changes(&mut self, from: &str) -> &mut Self {
        self.wait("another screen", |terminal| terminal.shown() != from && !terminal.take(QUIET))
    }

    /// The rows of the screen.
    pub fn all_rows(&self) -> Vec<String> {
        let screen = self.screen.screen();
        screen.rows(0, screen.size().1.get()).collect()
    }

    /// Wait until the projector waits for a key: its last row begins with that for the next screen.
    #[track_caller]
    pub fn projects(&mut self) -> &mut Self {
        self.wait("the projector's keys", |terminal| {
            terminal.all_rows().last().is_some_and(|row| row.trim_start().starts_with("n "))
                && !terminal.take(QUIET)
        })
    }

    /// Whether a program has taken the whole screen for itself: the alternate one, without a cursor.
    pub fn is_taken(&self) -> bool {
        let screen = self.screen.screen();
        screen.alternate_screen() && screen.hide_cursor()
    }

    /// Wait until this holds.
    #[track_caller]
    pub fn wait(&mut self, what: &str, mut done: impl FnMut(&mut Terminal) -> bool) -> &mut Self {
        let end = Instant::now() + PATIENCE;
        while !done(self) {
            let ended = !self.take(POLL) && self.has_ended() && !self.take(POLL);
            let in_vain = (ended || Instant::now() > end) && !done(self);
            assert!(!in_vain, "no {what:?} (ended: {ended}) on this screen:\n{}", self.shown());
        }
        self
    }

    /// What is on the screen.
    pub fn shown(&self) -> String {
        self.screen.screen().contents()
    }

    /// What was written since the last keys, without escapes.
    pub fn new_text(&self) -> String {
        let text = String::from_utf8_lossy(&self.transcript[self.typed_at..]).into_owned();
        console::strip_ansi_codes(&text).into_owned()
    }

    /// The screen's first line: where the page still fits, it is the page's first line.
    pub fn top(&self) -> String {
        let columns = self.screen.screen().size().1.get();
        self.screen.screen().rows(0, columns).next().unwrap_or_default()
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.has_ended()
    }

    /// Close the window: nobody holds the terminal any more but the program on it. The exit code that this leads to.
    #[track_caller]
    pub fn hang_up(self) -> Option<u32> {
        let Terminal { mut child, slave, master, writer, incoming, .. } = self;
        drop((slave, incoming, master));
        // It types a last key; its echo wakes the thread that reads, which then closes its own end.
        drop(writer);
        child.wait_for_end()
    }

    /// Wait for its end, and look at what it left: the same settings, a visible cursor, the ordinary screen, not too
    /// much text.
    #[track_caller]
    pub fn end(mut self) -> Ended {
        let end = Instant::now() + PATIENCE;
        // A terminal that nobody reads from fills up, and stops who writes.
        while !self.has_ended() {
            self.take(POLL);
            assert!(Instant::now() < end, "it does not end:\n{}", self.shown());
        }
        let code = self.child.wait_for_end();
        self.settings_are_the_same();
        // Once nobody has its other end, what is left of the output comes, and then the end of it.
        drop(self.slave.take());
        while !self.is_read_up() {
            assert!(Instant::now() < end, "somebody still holds the terminal:\n{}", self.shown());
        }
        let screen = self.screen.screen();
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.alternate_screen(), "the alternate screen stays");
        assert!(!screen.bracketed_paste() && !screen.application_keypad(), "a mode stays");
        let raw = String::from_utf8_lossy(&self.transcript).into_owned();
        Ended { code, raw, screen: self.shown() }
    }

    // Whether all output has come, and its end.
    fn is_read_up(&mut self) -> bool {
        while self.take(POLL) {}
        matches!(self.incoming.try_recv(), Err(TryRecvError::Disconnected))
    }

    // The next piece of output, if one comes within `wait`.
    fn take(&mut self, wait: Duration) -> bool {
        match self.incoming.recv_timeout(wait) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.transcript.extend(bytes);
                assert!(self.transcript.len() < MOST_BYTES, "it does not stop writing:\n{}", self.shown());
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(wait);
                false
            }
        }
    }
}

/// A child that does not outlive the test, even one that fails.
struct Mortal(Box<dyn Child + Send + Sync>);

impl Mortal {
    fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("it is our child").is_some()
    }

    #[track_caller]
    fn wait_for_end(&mut self) -> Option<u32> {
        let end = Instant::now() + PATIENCE;
        while !self.has_ended() {
            assert!(Instant::now() < end, "it does not end");
            thread::sleep(Duration::from_millis(2));
        }
        let status = self.0.wait().expect("it has ended");
        status.signal().is_none().then(|| status.exit_code())
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        if !self.has_ended() {
            let pid = self.0.process_id().and_then(|id| i32::try_from(id).ok());
            pid.map(|pid| kill(Pid::from_raw(pid), Signal::SIGKILL));
            let _ = self.0.wait();
        }
    }
}

fn forward(mut from: impl Read, to: &Sender<Vec<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if to.send(bytes[..count].to_vec()).is_err() {
            return;
        }
    }
}

/// What `stty -g` would print, in words.
fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("it is a terminal"))
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a window has cells")
}
