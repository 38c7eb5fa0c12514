//! `dropswitch`: open /proc/sys/vm/drop_caches for writing, as ourselves and as nobody, and never write to it.

use clap::Args;
use instruments::{Unavailable, other_process};
use lesson::workload::Line;
use nix::unistd::{Gid, Uid, geteuid, setgroups, setresgid, setresuid};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;

/// The switch. Writing 1, 2 or 3 to it drops clean caches of the whole machine: nothing here ever does.
pub const SWITCH: &str = "/proc/sys/vm/drop_caches";

/// The user and group that own nothing.
const NOBODY: u32 = 65534;

/// `tutor run dropswitch` takes no arguments.
#[derive(Args, Debug)]
pub struct DropSwitch {}

/// Run it.
pub fn run(_: DropSwitch) -> Result<Line, Unavailable> {
    let metadata = fs::metadata(SWITCH).map_err(|error| {
        Unavailable::lacking(
            format!("look at {SWITCH}"),
            format!("the switch itself ({error})"),
            "run it outside of this container",
        )
    })?;
    let root = geteuid().is_root();
    let ours = open_for_writing();
    let line = Line::new("dropswitch")
        .with("mode", format!("{:04o}", metadata.mode() & 0o7777))
        .with("owner_uid", metadata.uid())
        .with("euid", geteuid())
        .with("open_error", error_name(&ours));
    // Root can become somebody else, and try again; the way back is closed, and this process ends anyway.
    let as_nobody = root.then(|| become_nobody().map(|()| open_for_writing()));
    match as_nobody {
        None => Ok(line.with("nobody_error", "unknown")),
        Some(Ok(tried)) => Ok(line.with("nobody_error", error_name(&tried))),
        Some(Err(_)) => Ok(line.with("nobody_error", "unknown")),
    }
}

/// Open it and close it. No O_TRUNC and no O_CREAT: nothing but the question whether we may.
fn open_for_writing() -> io::Result<()> {
    OpenOptions::new().write(true).open(SWITCH).map(drop)
}

fn become_nobody() -> nix::Result<()> {
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    setgroups(&[])?;
    setresgid(group, group, group)?;
    setresuid(user, user, user)
}

fn error_name(tried: &io::Result<()>) -> String {
    match tried {
        Ok(()) => "none".to_owned(),
        Err(error) => error.raw_os_error().map_or_else(|| "other".to_owned(), other_process::error_name),
    }
}
