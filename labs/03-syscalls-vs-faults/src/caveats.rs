//! What this machine itself makes uncertain.

use lesson::{Caveat, Setting};

/// Caveats that hold for every act on this machine.
pub fn of(_setting: &Setting) -> Vec<Caveat> {
    Vec::new()
}
