//! One flag that says: stop in order. Set by the signal thread, asked between two steps of any measurement.
//!
//! A measurement that waits for a child cannot ask: therefore [`request`] also kills the children that run now.

use crate::Unavailable;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Children of ours that have not been reaped: as long as one stands here its number belongs to nobody else.
static CHILDREN: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn children() -> MutexGuard<'static, Vec<Pid>> {
    // A push or a removal that panicked half way is not possible, so a poisoned list is still a true one.
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ask everything to stop, and kill the children that run now, with all that they started in their process groups.
///
/// Takes a lock: for an ordinary thread, never for a signal handler.
pub fn request() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    children().iter().copied().for_each(kill_group);
}

/// Whether somebody asked.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// `Err(Interrupted)` once somebody asked: `interrupt::check()?` stands between two steps.
pub fn check() -> Result<(), Unavailable> {
    if requested() { Err(Unavailable::Interrupted) } else { Ok(()) }
}

/// A child that an interruption kills, until this is dropped.
#[derive(Debug)]
pub(crate) struct Mortal(Pid);

impl Mortal {
    /// Register a child just forked, which is or will be the leader of its process group. Drop this after the child
    /// has died and before it is reaped: from then on the kernel may give its number to a stranger.
    pub(crate) fn register(child: Pid) -> Mortal {
        let mut children = children();
        children.push(child);
        // The request may have come between fork and here.
        if requested() {
            kill_group(child);
        }
        Mortal(child)
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        children().retain(|child| *child != self.0);
    }
}

/// Kill a child that is not reaped yet, and its process group. There is no group before the child has made it, so
/// both are tried; that one of the two is gone already is what one wants.
pub(crate) fn kill_group(child: Pid) {
    let _ = killpg(child, Signal::SIGKILL);
    let _ = kill(child, Signal::SIGKILL);
}
