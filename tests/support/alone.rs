//! One measurement at a time, whichever test or test program takes it.

use nix::fcntl::{Flock, FlockArg};
use std::fs::File;

/// Nobody else measures as long as this lives. A file lock and not a mutex: test programs may run side by side, too.
pub struct Alone(#[allow(dead_code, reason = "held, not looked at")] Flock<File>);

/// Wait until nobody else measures.
pub fn alone() -> Alone {
    // Any file will do that all tests of this checkout can open, whoever runs them; none has to be made for it.
    let file = File::open(env!("CARGO_BIN_EXE_tutor")).expect("the tutor is built");
    match Flock::lock(file, FlockArg::LockExclusive) {
        Ok(lock) => Alone(lock),
        Err((_, errno)) => panic!("cannot wait for other measurements: {errno}"),
    }
}
