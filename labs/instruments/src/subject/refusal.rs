//! Why a child could not be started or traced here, and what to do about it.

use super::Watch;
use super::report::NotStarted;
use crate::{Unavailable, open};
use nix::errno::Errno;
use std::fmt::Display;
use std::fs;
use std::path::Path;

/// What a child reported that never became the program.
pub(super) fn of_report(program: &Path, why: NotStarted) -> Unavailable {
    if why.by_filter() { of_seccomp(program, why) } else { to_start(program, why) }
}

/// The program never ran.
pub(super) fn to_start(program: &Path, why: impl Display) -> Unavailable {
    Unavailable::failed(format!("start {}", open::shown(program)), why, "")
}

fn what(program: &Path, watch: Watch) -> String {
    let program = open::shown(program);
    match watch {
        Watch::Calls => format!("count the system calls of {program}"),
        Watch::Death | Watch::Nothing => format!("see which signal kills {program}"),
    }
}

/// ptrace(2) said no.
pub(super) fn of_ptrace(program: &Path, watch: Watch, errno: Errno) -> Unavailable {
    let what = what(program, watch);
    if errno != Errno::EPERM && errno != Errno::EACCES && errno != Errno::ENOSYS {
        return Unavailable::failed(what, format!("tracing it failed: {}", errno.desc()), "");
    }
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").ok();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let (needs, remedy) = missing(scope.as_deref().map(str::trim), &status);
    Unavailable::lacking(what, needs, remedy)
}

/// What ptrace(2) misses, from yama's ptrace_scope and our own /proc/self/status.
fn missing(scope: Option<&str>, status: &str) -> (&'static str, &'static str) {
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map_or("", str::trim);
    if !matches!(field("TracerPid:"), "" | "0") {
        return (
            "ptrace(2), and a process has one tracer only: another program traces this one",
            "run it without strace or a debugger around it",
        );
    }
    match scope {
        Some("3") => (
            "ptrace(2), which kernel.yama.ptrace_scope = 3 forbids to everybody until the next boot",
            "run it on a machine that boots with a lower value",
        ),
        Some("2") => (
            "CAP_SYS_PTRACE, since kernel.yama.ptrace_scope is 2",
            "run it as root, or `sudo sysctl kernel.yama.ptrace_scope=1`",
        ),
        _ => (
            "ptrace(2), which is refused here, as many containers do",
            "in a container, start it with --cap-add=SYS_PTRACE",
        ),
    }
}

/// seccomp(2) said no.
fn of_seccomp(program: &Path, why: NotStarted) -> Unavailable {
    Unavailable::lacking(
        what(program, Watch::Calls),
        format!("seccomp filters ({why})"),
        "use a kernel built with CONFIG_SECCOMP_FILTER, outside a sandbox that forbids them",
    )
}

/// The filter must know the name of the architecture.
pub(super) fn unknown_architecture(program: &Path) -> Unavailable {
    Unavailable::lacking(
        what(program, Watch::Calls),
        format!("a table for this architecture ({})", std::env::consts::ARCH),
        "count with `strace -f -c` instead",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_one_that_the_machine_shows() {
        let free = "Name:\ttutor\nTracerPid:\t0\n";
        let traced = "Name:\ttutor\nTracerPid:\t4711\n";
        assert!(missing(Some("3"), free).0.contains("ptrace_scope = 3"));
        assert!(missing(Some("2"), free).0.contains("CAP_SYS_PTRACE"));
        assert!(missing(Some("1"), free).1.contains("--cap-add"));
        assert!(missing(None, free).1.contains("--cap-add"));
        assert!(missing(Some("3"), traced).0.contains("another program traces"));
    }
}
