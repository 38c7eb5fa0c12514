//! What this machine itself makes uncertain.

use lesson::{Caveat, Setting, caveat};

/// Caveats that hold for every act on this machine.
pub fn of(setting: &Setting) -> Vec<Caveat> {
    caveat::of_host(&setting.host)
}
