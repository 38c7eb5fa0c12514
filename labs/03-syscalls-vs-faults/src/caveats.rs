//! What this machine itself makes uncertain.

use lesson::{Caveat, Setting, caveat};

/// Caveats that hold for every act on this machine, of those that read the file cold.
pub fn cold(setting: &Setting) -> Vec<Caveat> {
    caveat::of_host(&setting.host)
}

/// The same for acts that read from memory only: what lies below the device does not matter to them.
pub fn warm(setting: &Setting) -> Vec<Caveat> {
    let matters = |caveat: &Caveat| !matches!(caveat, Caveat::CacheBelow(_));
    cold(setting).into_iter().filter(matters).collect()
}
