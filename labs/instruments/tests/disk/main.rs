//! Residency, eviction and scratch directories on this machine's kernel and disk. Relations are asserted, never times
//! (but for one bound of a second, where the wrong way takes fifteen).

mod collect;
mod evict;
mod overlay;
mod residency;
mod scratch;
mod thread;
mod watch;

use instruments::scratch::Scratch;
use instruments::{Reading, Unknown};
use std::fs::File;
use std::path::PathBuf;

/// A scratch directory, or None (with the reason printed) on a machine that has no disk for it.
fn disk() -> Option<Scratch> {
    match Scratch::create(None) {
        Ok(scratch) => Some(scratch),
        Err(why) => {
            skip(&why.to_string());
            None
        }
    }
}

/// Say why a test proves nothing here.
fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

/// A scratch file of `bytes` bytes as it was written: resident, dirty or on its way to the disk.
fn file(scratch: &Scratch, bytes: u64) -> (PathBuf, File) {
    let path = scratch.write("data", bytes, &mut |_| ()).expect("room for a small file");
    let file = File::open(&path).expect("just written");
    (path, file)
}

/// A figure that has to be known.
fn known<T: std::fmt::Debug>(reading: std::io::Result<Reading<T>>) -> T {
    match reading.expect("a regular file") {
        Reading::Known(figure) => figure,
        Reading::Unknown(why) => panic!("unknown: {why}"),
    }
}

/// A reason that has to be there instead of a figure.
fn unknown<T: std::fmt::Debug>(reading: std::io::Result<Reading<T>>) -> Unknown {
    match reading.expect("a regular file") {
        Reading::Known(figure) => panic!("known: {figure:?}"),
        Reading::Unknown(why) => why,
    }
}
