//! The terminal while it belongs to a projector: keys one by one, no cursor, a screen of its own; and the way back from
//! all of that, which the signal thread and a panic take, too.

use super::palette::Palette;
use crate::exit::{Ending, Result, write_complaint};
use nix::sys::termios::{self, InputFlags, LocalFlags, SetArg, SpecialCharacterIndices, Termios};
use nix::unistd::{getpgrp, tcgetpgrp};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The alternate screen, no cursor; and back, colours off.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1049l";

static HELD: Mutex<Option<Held>> = Mutex::new(None);

struct Held {
    before: Termios,
    palette: Palette,
    /// Given back for now: stopped, or in the background.
    away: bool,
    /// What there is to complain about, once there is a place for it again.
    complaints: Vec<String>,
}

/// The terminal is ours as long as this lives.
#[derive(Debug)]
pub struct Ours(());

impl Drop for Ours {
    fn drop(&mut self) {
        leave();
    }
}

/// Take the terminal.
pub fn enter(palette: Palette) -> Result<Ours> {
    static HOOK: Once = Once::new();
    // The message would be lost together with the screen that it stands on.
    HOOK.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            told(panic);
        }));
    });
    let failed = |error| Ending::failed("read single keys from the terminal", error);
    let before = termios::tcgetattr(io::stdin()).map_err(failed)?;
    let mut held = held();
    // Known before anything is changed: a signal in between finds the way back.
    let taken = held.insert(Held { before, palette, away: false, complaints: Vec::new() });
    set(taken).map_err(failed)?;
    Ok(Ours(()))
}

/// Give it back as it was. Whether it was ours.
pub fn leave() -> bool {
    let Some(held) = held().take() else { return false };
    if !held.away {
        give_back(&held);
    }
    for line in &held.complaints {
        write_complaint(line);
    }
    true
}

/// Keep a line for standard error until the terminal is given back, if it is ours: nothing may be written across the
/// screen. Whether it was kept.
pub fn complain_later(line: &str) -> bool {
    held().as_mut().map(|held| held.complaints.push(line.to_owned())).is_some()
}

/// Give it back for a while: the program is about to stop.
pub fn step_aside() {
    if let Some(held) = held().as_mut().filter(|held| !held.away) {
        give_back(held);
        held.away = true;
    }
}

/// Take it again, if it is ours to take: after `bg` it is the shell's. Whether it is ours now.
pub fn come_back() -> bool {
    let mut held = held();
    let Some(held) = held.as_mut() else { return false };
    if tcgetpgrp(io::stdin()) != Ok(getpgrp()) {
        return false;
    }
    held.away = set(held).is_err();
    !held.away
}

/// Draw all rows; nothing while the terminal is somebody else's.
pub fn draw(rows: &[String]) -> Result {
    let held = held();
    let Some(held) = held.as_ref().filter(|held| !held.away) else { return Ok(()) };
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        // Without escapes whatever was there leaves at the top, and as many lines follow as the window has.
        match held.palette {
            Palette::Dumb => text.push_str(&format!("\n{}", row.trim_end())),
            _ => text.push_str(&format!("\x1b[{};1H{row}", at + 1)),
        }
    }
    write(&text).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ending::ReaderLeft,
        _ => Ending::failed("draw on the terminal", error),
    })
}

fn set(held: &Held) -> nix::Result<()> {
    let mut single = held.before.clone();
    // Signals stay: Ctrl-C ends what is measured, too, and Ctrl-Z stops it. Ctrl-S would stop whoever draws.
    single.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO);
    single.input_flags.remove(InputFlags::IXON);
    single.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
    single.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
    termios::tcsetattr(io::stdin(), SetArg::TCSANOW, &single)?;
    if held.palette != Palette::Dumb {
        // A terminal that is gone is found by the next read.
        let _ = write(ENTER);
    }
    Ok(())
}

// Whatever fails here fails because the terminal is gone: then nothing is left to be put in order.
fn give_back(held: &Held) {
    let _ = write(if held.palette == Palette::Dumb { "\n" } else { LEAVE });
    let _ = termios::tcsetattr(io::stdin(), SetArg::TCSANOW, &held.before);
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

fn held() -> MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    const CHILD: &str = "projector::terminal::tests::on_a_terminal_of_its_own";
    const WANTED: &str = "TUTOR_TEST_PANICS";

    /// The other side of the test below, which starts it by its name, on a terminal: otherwise there is nothing to do.
    #[test]
    fn on_a_terminal_of_its_own() {
        if std::env::var_os(WANTED).is_none() {
            return;
        }
        let _ours = enter(Palette::Light).expect("a terminal");
        assert!(complain_later("a complaint"), "it is ours");
        draw(&["a screen".to_owned()]).expect("it can be drawn on");
        panic!("a panic on purpose");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_speaks() {
        let pair = native_pty_system().openpty(PtySize::default()).expect("a pseudo-terminal");
        let settings = || format!("{:?}", pair.master.get_termios());
        let before = settings();
        let mut command = CommandBuilder::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", CHILD, "--nocapture"]);
        command.env(WANTED, "1");
        let mut reader = pair.master.try_clone_reader().expect("it can be read");
        let text = std::thread::spawn(move || {
            let (mut text, mut piece) = (Vec::new(), [0; 4096]);
            // The end is an error (EIO), once nobody holds the terminal any more.
            while let Ok(count @ 1..) = reader.read(&mut piece) {
                text.extend(&piece[..count]);
            }
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut child = pair.slave.spawn_command(command).expect("it starts");
        assert!(!child.wait().expect("it ends").success(), "it panicked");
        assert_eq!(settings(), before);
        drop(pair);
        let text = text.join().expect("it was read");
        let place = |wanted: &str| text.find(wanted).unwrap_or_else(|| panic!("no {wanted:?} in {text:?}"));
        let order = [ENTER, "a screen", LEAVE, "a complaint", "a panic on purpose"].map(place);
        assert!(order.is_sorted(), "{text:?}");
        assert_eq!(text.matches(LEAVE).count(), 1, "{text:?}");
    }
}
