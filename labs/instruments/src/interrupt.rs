//! One flag that says: stop in order. Set by the signal thread, asked between two steps of any measurement.

use crate::Unavailable;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ask everything to stop.
pub fn request() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Whether somebody asked.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// `Err(Interrupted)` once somebody asked: `interrupt::check()?` stands between two steps.
pub fn check() -> Result<(), Unavailable> {
    if requested() { Err(Unavailable::Interrupted) } else { Ok(()) }
}
