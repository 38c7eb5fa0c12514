//! What happens at a projector: a key, or another window; and stopping and going on, which a shell does to it.

use super::keys::{self, Key};
use super::{measuring, terminal};
use crate::exit::{Ending, Result};
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{FlushArg, tcflush, tcgetsid};
use nix::unistd::{getppid, getsid};
use signal_hook::consts::{SIGCONT, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::thread;

/// After an Escape that is a key of its own nothing comes for so long.
const REST_OF_A_SEQUENCE_MS: u16 = 50;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A key.
    Key(Key),
    /// The screen has to be drawn anew: another size, or back from a stop.
    Redraw,
}

/// Keys and signals.
#[derive(Debug)]
pub struct Input {
    /// The terminal by a description of its own, which never blocks: Ctrl-Z throws away what was typed just before it,
    /// maybe after poll(2) has seen it, and who read then would wait, deaf to wakes. None where standard input is not the
    /// terminal of our session: nobody stops us there.
    terminal: Option<File>,
    wakes: UnixStream,
    read: Vec<u8>,
}

impl Input {
    /// From now on a stop gives the terminal back first, and another size of the window is an event.
    pub fn new() -> Result<Input> {
        let failed = |error| Ending::failed("watch the window", error);
        let (wakes, waker) = UnixStream::pair().map_err(failed)?;
        wakes.set_nonblocking(true).and_then(|()| waker.set_nonblocking(true)).map_err(failed)?;
        let signals = Signals::new([SIGTSTP, SIGCONT, SIGWINCH]).map_err(failed)?;
        thread::Builder::new()
            .name("window".to_owned())
            .spawn(move || watch(signals, &waker))
            .map_err(failed)?;
        Ok(Input { terminal: own_terminal(), wakes, read: Vec::new() })
    }

    /// The next event. A terminal that is gone is an end of input.
    pub fn next(&mut self) -> Event {
        loop {
            if let Some((key, taken)) = keys::first(&self.read, false) {
                self.read.drain(..taken);
                return Event::Key(key);
            }
            let pending = !self.read.is_empty();
            let timeout = if pending { PollTimeout::from(REST_OF_A_SEQUENCE_MS) } else { PollTimeout::NONE };
            let stdin = io::stdin();
            let keyboard = self.terminal.as_ref().map_or_else(|| stdin.as_fd(), File::as_fd);
            let mut ready = [
                PollFd::new(keyboard, PollFlags::POLLIN),
                PollFd::new(self.wakes.as_fd(), PollFlags::POLLIN),
            ];
            let count = poll(&mut ready, timeout);
            let [typed, woken] = ready.map(|it| it.revents().is_some_and(|found| !found.is_empty()));
            match count {
                Ok(0) => {
                    if let Some((key, taken)) = keys::first(&self.read, true) {
                        self.read.drain(..taken);
                        return Event::Key(key);
                    }
                }
                Ok(_) if woken => {
                    // Any number of wakes is one event.
                    while (&self.wakes).read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
                    return Event::Redraw;
                }
                Ok(_) if typed => {
                    let mut bytes = [0; 64];
                    match nix::unistd::read(keyboard, &mut bytes) {
                        Ok(0) => return Event::Key(Key::End),
                        Ok(count) => self.read.extend(&bytes[..count]),
                        Err(nix::Error::EINTR | nix::Error::EAGAIN) => {}
                        Err(_) => return Event::Key(Key::End),
                    }
                }
                // A signal, or nothing: ask again.
                Ok(_) | Err(nix::Error::EINTR) => {}
                Err(_) => return Event::Key(Key::End),
            }
        }
    }

    /// Forget what was typed while nobody read: it was meant for something else.
    pub fn drop_typed(&mut self) {
        self.read.clear();
        let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
    }
}

fn own_terminal() -> Option<File> {
    if tcgetsid(io::stdin()).ok() != getsid(None).ok() {
        return None;
    }
    let flags = (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits();
    File::options().read(true).custom_flags(flags).open("/dev/tty").ok()
}

fn watch(mut signals: Signals, waker: &UnixStream) {
    for signal in signals.forever() {
        match signal {
            SIGTSTP if nobody_would_continue() => {}
            SIGTSTP => {
                terminal::step_aside();
                let _ = emulate_default_handler(SIGTSTP);
            }
            SIGCONT if !terminal::come_back() => {}
            _ => {
                measuring::redraw();
                // A full pipe has woken already.
                let mut waker = waker;
                let _ = waker.write(&[0]);
            }
        }
    }
}

/// Whether our parent is of another session: then no shell watches us, the kernel itself would not stop us at a
/// Ctrl-Z (setpgid(2), orphaned process groups), and nobody would know that we wait.
fn nobody_would_continue() -> bool {
    getsid(Some(getppid())) != getsid(None)
}
