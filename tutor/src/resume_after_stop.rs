//! What stands on the terminal while the tutor asks, so that the signal thread can show it again after Ctrl-Z and `fg`:
//! the shell has written over it meanwhile, and the thread that asks sits in a read that goes on by itself.

use console::Term;
use nix::unistd::{getpgrp, tcgetpgrp};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

static STANDING: Mutex<Option<Standing>> = Mutex::new(None);

struct Standing {
    text: String,
    clears: bool,
}

/// This stands there from now on, on a cleared terminal where `clears`.
pub fn keep(text: String, clears: bool) {
    *standing() = Some(Standing { text, clears });
}

/// Something else is about to be written.
pub fn forget() {
    *standing() = None;
}

/// Show again what stands there, if we ask something, and if the terminal is ours: after `bg` it is the shell's.
pub fn show() {
    let standing = standing();
    let Some(Standing { text, clears }) = standing.as_ref() else { return };
    if tcgetpgrp(io::stdin()) != Ok(getpgrp()) {
        return;
    }
    if *clears {
        let _ = Term::stdout().clear_screen();
    }
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

// Held while it is written: whoever has read the answer waits so long before writing anything else.
fn standing() -> MutexGuard<'static, Option<Standing>> {
    STANDING.lock().unwrap_or_else(PoisonError::into_inner)
}
