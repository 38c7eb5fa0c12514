//! What the tests of the real binary share: a place of their own, a command to chain, a terminal to type into.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part of this")]

mod alone;
mod command;
mod contract;
mod ended;
mod fixture;
mod labs;
mod neighbour;
mod process;
mod regime;
mod running;
mod terminal;

pub use alone::alone;
pub use command::Tutor;
pub use contract::{act, keeps_the_contract};
pub use ended::Ended;
pub use fixture::{Fixture, in_memory};
pub use labs::{LabCard, labs};
pub use neighbour::{Beside, Neighbour};
pub use regime::{Disk, MemoryLimit, Regime};
pub use running::{Ran, Running};
pub use terminal::Terminal;

use std::io::Write;
use std::time::Duration;

/// Longer than anything takes on a loaded machine: what has not ended by then hangs.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// Whether nearly all of `all` pages were found: 15 of 16 at least, and none too many. A lab takes seconds, and the kernel
/// may reclaim a few pages at any moment, for anybody's sake; where the cache does not do what the lab says, far more are
/// missing.
pub fn nearly_all(found: &serde_json::Value, all: &serde_json::Value) -> bool {
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_else(|| panic!("no number: {value}"));
    let (found, all) = (number(found), number(all));
    found <= all && found >= all - all / 16
}

/// Say why a test proves nothing here. Not by `println!`, which nobody sees when a test passes.
pub fn skip(why: impl std::fmt::Display) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

/// Whether this is root; says what is skipped where it is not.
pub fn is_root_or_skip() -> bool {
    let root = nix::unistd::geteuid().is_root();
    if !root {
        skip("only root can do that");
    }
    root
}

/// Whether all of these tools are installed; says which is not.
pub fn has_or_skip(tools: &[&str]) -> bool {
    let missing = tools.iter().find(|tool| which(tool).is_none());
    if let Some(tool) = missing {
        skip(format_args!("{tool} is not installed"));
    }
    missing.is_none()
}

fn which(tool: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Where a user's PATH leaves them out, root's tools are still found.
    let dirs = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    dirs.map(|dir| dir.join(tool)).find(|file| file.is_file())
}
