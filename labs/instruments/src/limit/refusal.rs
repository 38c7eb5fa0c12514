//! Why no memory cgroup could be made here, and what to do about it.

use crate::Unavailable;
use crate::size::format_bytes;
use std::io::{self, ErrorKind};

fn what(limit_bytes: u64) -> String {
    format!("give a child a memory limit of {}", format_bytes(limit_bytes))
}

/// There is none to be seen.
pub(super) fn invisible(limit_bytes: u64) -> Unavailable {
    Unavailable::lacking(
        what(limit_bytes),
        "memory cgroups, and none can be seen here",
        "mount them (cgroups(7)), or run it outside of this container",
    )
}

/// All places refused, for these reasons.
pub(super) fn of(version: u32, limit_bytes: u64, refused: &[io::Error]) -> Unavailable {
    let all = |kind: ErrorKind| !refused.is_empty() && refused.iter().all(|why| why.kind() == kind);
    let any = |kind: ErrorKind| refused.iter().any(|why| why.kind() == kind);
    let (needs, remedy) = if all(ErrorKind::Unsupported) {
        (
            "the memory controller of cgroups, which is switched off here".to_owned(),
            "boot with cgroup_enable=memory, or see which controllers /sys/fs/cgroup/cgroup.controllers names",
        )
    } else if any(ErrorKind::PermissionDenied) && version == 2 {
        (
            "root, or a session of a systemd that hands cgroups to its users".to_owned(),
            "run it as root, or log in as an ordinary user instead of through su or sudo",
        )
    } else if any(ErrorKind::PermissionDenied) {
        ("root, since only root may make memory cgroups of version 1 here".to_owned(), "run it as root")
    } else if any(ErrorKind::ReadOnlyFilesystem) {
        (
            "cgroups that may be changed, and they are mounted read-only here".to_owned(),
            "run it outside of this container",
        )
    } else if all(ErrorKind::ResourceBusy) {
        (
            "a cgroup without processes in it: with some, it may have no limited children".to_owned(),
            "run it outside of this container",
        )
    } else {
        let why = refused.first().map_or_else(|| "nothing to try".to_owned(), ToString::to_string);
        (format!("a place for a memory cgroup ({why})"), "run it on another machine, outside of containers")
    };
    Unavailable::lacking(what(limit_bytes), needs, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(version: u32, kinds: &[ErrorKind]) -> String {
        let refused: Vec<_> = kinds.iter().map(|kind| io::Error::from(*kind)).collect();
        of(version, 128 << 20, &refused).to_string()
    }

    #[test]
    fn each_refusal_names_what_is_missing() {
        use ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy, Unsupported};
        let start = "cannot give a child a memory limit of 128 MiB: needs ";
        assert!(told(1, &[PermissionDenied]).starts_with(&format!("{start}root")));
        assert!(
            told(2, &[ResourceBusy, PermissionDenied]).starts_with(&format!("{start}root, or a session"))
        );
        assert!(told(2, &[Unsupported, Unsupported]).contains("switched off"));
        assert!(told(2, &[ReadOnlyFilesystem]).contains("read-only"));
        assert!(told(2, &[ResourceBusy]).contains("without processes"));
        assert!(told(2, &[ErrorKind::NotFound]).contains("a place for a memory cgroup"));
        assert!(told(2, &[]).contains("nothing to try"));
    }
}
