//! Where a memory cgroup of ours can be: which directory takes a child with a limit, and lets our processes in.

use super::made::Made;
use super::{refusal, scope};
use crate::Unavailable;
use crate::proc::cgroup::MemoryCgroup;
use nix::unistd::{AccessFlags, access, geteuid};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Make a cgroup with this limit in the first place that takes it. The second value: whether a process gets in only
/// through a scope of the user's systemd.
pub(super) fn make(own: &MemoryCgroup, limit_bytes: u64) -> Result<(Made, bool), Unavailable> {
    let mut refused = Vec::new();
    for parent in above(own) {
        match make_in(&parent, limit_bytes) {
            Ok(made) => return Ok((made, false)),
            Err(why) => refused.push(why),
        }
    }
    if own.version == 2 && !geteuid().is_root() {
        for dir in of_user_session(&own.top, geteuid().as_raw()) {
            let parent = MemoryCgroup { dir, ..own.clone() };
            // First the place, since that is looked up faster than a scope is made.
            match make_in(&parent, limit_bytes) {
                Ok(made) if scope::works(&made.procs()) => return Ok((made, true)),
                Ok(made) => drop(made.remove()),
                Err(why) => refused.push(why),
            }
        }
    }
    Err(refusal::of(own.version, limit_bytes, &refused))
}

/// The directories in which a child of ours may be allowed, nearest first. In version 1 any cgroup takes children, so it
/// is our own one; in version 2 one with processes in it does not, unless it is the root.
fn above(own: &MemoryCgroup) -> impl Iterator<Item = MemoryCgroup> {
    let levels = if own.version == 1 { 1 } else { usize::MAX };
    let dirs = own.dir.ancestors().take_while(|dir| dir.starts_with(&own.top)).take(levels);
    dirs.map(|dir| MemoryCgroup { dir: dir.to_owned(), ..own.clone() })
}

/// What systemd hands to each user who is logged in. See user@.service(5), systemd.special(7).
fn of_user_session(top: &Path, uid: u32) -> [PathBuf; 2] {
    let manager = top.join(format!("user.slice/user-{uid}.slice/user@{uid}.service"));
    [manager.join("app.slice"), manager]
}

fn make_in(parent: &MemoryCgroup, limit_bytes: u64) -> io::Result<Made> {
    let switched_on = parent.version == 2 && switch_on(&parent.dir)?;
    if parent.version == 2 {
        // Whoever moves a process needs the right to do so in the place that both cgroups lie in.
        access(&parent.dir.join("cgroup.procs"), AccessFlags::W_OK)?;
    }
    let made = Made::create_in(parent, switched_on)?;
    let file = if parent.version == 1 { "memory.limit_in_bytes" } else { "memory.max" };
    let limited = fs::write(made.cgroup.dir.join(file), limit_bytes.to_string())
        .and_then(|()| access(&made.procs(), AccessFlags::W_OK).map_err(io::Error::from));
    match limited {
        Ok(()) => Ok(made),
        Err(why) => {
            let _ = made.remove();
            Err(why)
        }
    }
}

/// Let children of `dir` have memory limits. Whether that had to be switched on.
fn switch_on(dir: &Path) -> io::Result<bool> {
    let has = |file: &str| {
        fs::read_to_string(dir.join(file))
            .map(|controllers| controllers.split_whitespace().any(|name| name == "memory"))
    };
    if has("cgroup.subtree_control")? {
        return Ok(false);
    }
    if !has("cgroup.controllers")? {
        return Err(io::Error::new(ErrorKind::Unsupported, "no memory controller here"));
    }
    fs::write(dir.join("cgroup.subtree_control"), "+memory").map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(version: u32, dir: &str) -> MemoryCgroup {
        MemoryCgroup { version, dir: dir.into(), top: "/sys/fs/cgroup".into() }
    }

    fn places(own: &MemoryCgroup) -> Vec<String> {
        above(own).map(|parent| parent.dir.display().to_string()).collect()
    }

    #[test]
    fn version_2_climbs_and_version_1_stays() {
        let session = "/sys/fs/cgroup/user.slice/session-1.scope";
        assert_eq!(places(&own(1, session)), [session]);
        assert_eq!(places(&own(2, session)), [session, "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"]);
        assert_eq!(places(&own(2, "/sys/fs/cgroup")), ["/sys/fs/cgroup"]);
    }

    /// The files of a place of version 2, as far as they matter here.
    fn place(controllers: &str, subtree: &str) -> io::Result<tempfile::TempDir> {
        let dir = tempfile::tempdir()?;
        fs::write(dir.path().join("cgroup.controllers"), controllers)?;
        fs::write(dir.path().join("cgroup.subtree_control"), subtree)?;
        Ok(dir)
    }

    #[test]
    fn limits_are_switched_on_only_where_they_are_not() -> io::Result<()> {
        let on = place("cpu memory pids\n", "memory pids\n")?;
        assert!(!switch_on(on.path())?);
        let off = place("cpu memory pids\n", "pids\n")?;
        assert!(switch_on(off.path())?);
        assert_eq!(fs::read_to_string(off.path().join("cgroup.subtree_control"))?, "+memory");
        let without = place("cpu pids\n", "\n")?;
        assert_eq!(switch_on(without.path()).expect_err("none").kind(), ErrorKind::Unsupported);
        Ok(())
    }
}
