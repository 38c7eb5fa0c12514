//! Run a program as a child process and learn what the kernel knows about its life and death.
//!
//! One run is one thread of ours ("subject"), from fork to the last wait. A child dies with the thread that forked it
//! (PR_SET_PDEATHSIG), and a tracee listens to the thread that seized it; a thread that lives exactly as long as the
//! child meets both, whichever thread calls [`run`]. Meanwhile the caller's thread reads what the child prints.

mod launch;
mod life;
mod output;
mod refusal;
mod report;
mod trace;
mod wait;

use crate::calls::Calls;
use crate::limit::Limit;
use crate::{Unavailable, interrupt, open};
use life::Life;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::thread;

/// What the child did and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Standard output, lossy UTF-8, bounded to 1 MiB.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// From before fork to after wait, nanoseconds.
    pub wall_ns: u64,
    /// From wait4(2).
    pub usage: Usage,
    /// From /proc/PID/io, read while the child was a zombie. None where the kernel does not account for it.
    pub io: Option<crate::proc::Io>,
    /// How it ended.
    pub exit: Exit,
}

/// struct rusage of the child, see getrusage(2). The moments between fork and exec are in it: some minor faults, and
/// in the peak what the parent had resident when it forked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// User CPU time, nanoseconds.
    pub user_ns: u64,
    /// System CPU time, nanoseconds.
    pub system_ns: u64,
    /// Faults served without I/O.
    pub minor_faults: u64,
    /// Faults that waited for I/O.
    pub major_faults: u64,
    /// 512-byte blocks read from a device (ru_inblock).
    pub in_blocks: u64,
    /// 512-byte blocks written.
    pub out_blocks: u64,
    /// Peak resident set, bytes.
    pub max_rss_bytes: u64,
}

/// How the child ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// exit(code).
    Code(i32),
    /// Killed by a signal. `code` (si_code) and `address` (si_addr) are known when it ran with [`Watch::Death`].
    Signal {
        /// Signal number.
        number: i32,
        /// Its name, such as SIGBUS.
        name: String,
        /// si_code.
        code: Option<i32>,
        /// si_addr, the address that faulted.
        address: Option<u64>,
    },
}

/// How closely to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Not at all: for timing.
    Nothing,
    /// Stop at the signal that kills, to read its siginfo.
    Death,
    /// Stop at each system call's entry, to count (and [`Watch::Death`] too).
    Calls,
}

/// Run `program args` with no standard input, in a process group of its own, dead when we die; killed if an
/// interruption arrives, and then Err(Interrupted). The second value is there with [`Watch::Calls`].
///
/// The run is over when the child has ended: what it leaves running in its process group, or under the tracer, is
/// killed. Its signals start at their defaults, whatever the caller ignores or blocks.
pub fn run(program: &Path, args: &[&OsStr], watch: Watch) -> Result<(Outcome, Option<Calls>), Unavailable> {
    run_in(program, args, watch, None)
}

/// The same; with a limit, the child is in that memory cgroup before it becomes the program.
pub fn run_in(
    program: &Path,
    args: &[&OsStr],
    watch: Watch,
    limit: Option<&Limit>,
) -> Result<(Outcome, Option<Calls>), Unavailable> {
    if let Some((program, args)) = limit.and_then(|limit| limit.wrapped(program, args)) {
        let args: Vec<&OsStr> = args.iter().map(OsString::as_os_str).collect();
        return run_in(&program, &args, watch, None);
    }
    interrupt::check()?;
    let cannot = |why: io::Error| refusal::to_start(program, why);
    let door = limit.map(Limit::door).transpose().map_err(cannot)?;
    let (stdout, stdout_end) = io::pipe().map_err(cannot)?;
    let (stderr, stderr_end) = io::pipe().map_err(cannot)?;
    let (ended, end) = io::pipe().map_err(cannot)?;
    let (text, life) = thread::scope(|scope| {
        let subject = move || {
            let _end = end;
            Life::live(program, args, watch, stdout_end.into(), stderr_end.into(), door)
        };
        let subject =
            thread::Builder::new().name("subject".into()).spawn_scoped(scope, subject).map_err(cannot)?;
        let text = output::drain(stdout, stderr, ended);
        let life = subject.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((text, life?))
    })?;
    interrupt::check()?;
    let (stdout, stderr) = text
        .map_err(|why| Unavailable::failed(format!("read what {} prints", open::shown(program)), why, ""))?;
    let Life { wall_ns, usage, io, exit, calls } = life;
    Ok((Outcome { stdout, stderr, wall_ns, usage, io, exit }, calls))
}
