//! The way into a cgroup of the user's own systemd. Our processes lie outside of what that manages, and may not move there;
//! but it starts a process inside for whoever asks (a scope), and that one may move on.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Moves in, then becomes the program: $0 is the file that lets it in.
const MOVE_IN: &str = r#"echo 0 > "$0" && exec "$@""#;

/// The command that starts `program` in the cgroup of this `cgroup.procs`. See systemd-run(1).
pub(super) fn command(procs: &Path, program: &Path, args: &[&OsStr]) -> (PathBuf, Vec<OsString>) {
    // The shell and systemd-run are other programs, for whom "self" is somebody else.
    let program = match program.to_str() {
        Some("/proc/self/exe") => format!("/proc/{}/exe", std::process::id()).into(),
        _ => program.to_owned(),
    };
    let fixed = ["--user", "--scope", "--quiet", "--collect", "--", "/bin/sh", "-c", MOVE_IN];
    let inside = [procs.as_os_str().to_owned(), program.into_os_string()];
    let all = fixed.iter().map(OsString::from).chain(inside).chain(args.iter().map(OsString::from)).collect();
    ("systemd-run".into(), all)
}

/// Whether that works here: a program that does nothing is started so.
pub(super) fn works(procs: &Path) -> bool {
    let (program, args) = command(procs, Path::new("/bin/true"), &[]);
    let mut tried = Command::new(program);
    tried.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    tried.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_moves_in_and_becomes_the_program() {
        let dir = tempfile::tempdir().expect("a directory");
        let procs = dir.path().join("cgroup.procs");
        let (program, args) = command(&procs, Path::new("/bin/echo"), &[OsStr::new("a b"), OsStr::new("$c")]);
        assert_eq!(program, Path::new("systemd-run"));
        let shell = args.iter().position(|arg| arg == "/bin/sh").expect("a shell");
        let said = Command::new(&args[shell]).args(&args[shell + 1..]).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&said.stdout), "a b $c\n");
        assert_eq!(std::fs::read_to_string(procs).expect("written"), "0\n");
    }

    #[test]
    fn this_program_stays_this_program() {
        let (_, args) = command(Path::new("/p"), Path::new("/proc/self/exe"), &[]);
        assert_eq!(args.last(), Some(&format!("/proc/{}/exe", std::process::id()).into()));
    }
}
