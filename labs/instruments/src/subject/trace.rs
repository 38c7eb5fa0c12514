//! Trace a child: see the signal that kills it, and count system calls at their entries.
//!
//! A tracer is a thread, not a process: seizing, waiting and resuming all happen on the thread that forked the child.
//! See ptrace(2). A tracee may be killed at any moment, so that ESRCH is an ordinary answer to any request: the next
//! wait tells what happened.

use super::wait::{self, Change};
use crate::calls::filter::Entry;
use crate::calls::tally::Tally;
use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::unistd::Pid;
use std::ffi::{c_int, c_void};
use std::path::Path;
use std::ptr;

/// A signal on its way to a process of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delivered {
    pub(super) number: c_int,
    pub(super) code: c_int,
    /// si_addr, for signals that the kernel itself raises for an address.
    pub(super) address: Option<u64>,
}

/// What the tracer has seen by the time the child is a zombie.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) tally: Tally,
    /// The last signal delivered to the child; if it died of this number, this is what it died of.
    pub(super) last_signal: Option<Delivered>,
}

/// Attach to a child that waits before its exec. `calls`: it will have a filter, and all its children count too.
pub(super) fn attach(child: Pid, calls: bool) -> Result<(), Errno> {
    let threads = Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_EXITKILL;
    let all =
        threads | Options::PTRACE_O_TRACESECCOMP | Options::PTRACE_O_TRACEFORK | Options::PTRACE_O_TRACEVFORK;
    ptrace::seize(child, if calls { all } else { threads })
}

/// Resume whatever stops until `child` is a zombie. What it leaves running is killed when this thread ends
/// (PTRACE_O_EXITKILL).
pub(super) fn follow(child: Pid) -> Result<Seen, Errno> {
    let mut seen = Seen::default();
    let mut started = false;
    loop {
        match wait::for_any()? {
            Change::Died(pid) if pid == child => return Ok(seen),
            Change::Died(pid) => drop(wait::reap(pid)),
            Change::Stopped(pid, status) => match (status & 0xff, status >> 8) {
                (_, libc::PTRACE_EVENT_SECCOMP) => {
                    if started && let Some(entry) = entry(pid) {
                        seen.tally.count(entry);
                    }
                    resume(pid, 0);
                }
                (_, libc::PTRACE_EVENT_EXEC) => {
                    // The child becomes the program: what it did before is ours, this one call is the program's.
                    if !std::mem::replace(&mut started, true) {
                        seen.tally.count(Entry::Number(libc::SYS_execve as u16));
                    }
                    resume(pid, 0);
                }
                (libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU, PTRACE_EVENT_STOP) => {
                    stay_stopped(pid)
                }
                (signal, 0) => {
                    if let Some(delivered) = delivered(pid)
                        && is_thread_of(child, pid)
                    {
                        seen.last_signal = Some(delivered);
                    }
                    resume(pid, signal);
                }
                // A new tracee's first stop, or the parent's at the birth of one.
                _ => resume(pid, 0),
            },
        }
    }
}

/// PTRACE_EVENT_STOP of linux/ptrace.h, which libc has for some targets only.
const PTRACE_EVENT_STOP: c_int = 128;

fn entry(pid: Pid) -> Option<Entry> {
    let message = ptrace::getevent(pid).ok()?;
    Some(Entry::from_message(message as u16))
}

fn delivered(pid: Pid) -> Option<Delivered> {
    let info = ptrace::getsiginfo(pid).ok()?;
    let by_address =
        matches!(info.si_signo, libc::SIGSEGV | libc::SIGBUS | libc::SIGILL | libc::SIGFPE | libc::SIGTRAP);
    // SI_USER and the other codes of a sender are 0 or less; then there is no address.
    let address = (by_address && info.si_code > 0).then(|| {
        // SAFETY: for these signals with a positive code the kernel has filled in si_addr.
        let address = unsafe { info.si_addr() };
        address as u64
    });
    Some(Delivered { number: info.si_signo, code: info.si_code, address })
}

fn is_thread_of(process: Pid, thread: Pid) -> bool {
    Path::new(&format!("/proc/{process}/task/{thread}")).exists()
}

/// Let a tracee go on, with this signal (0: none). The number goes through as it is, since nix knows no real-time
/// signals.
fn resume(pid: Pid, signal: c_int) {
    request(libc::PTRACE_CONT, pid, signal);
}

/// A group-stop: it stays stopped, as it would be without us, until a SIGCONT arrives.
fn stay_stopped(pid: Pid) {
    request(libc::PTRACE_LISTEN, pid, 0);
}

fn request(request: RequestType, pid: Pid, data: c_int) {
    let data = ptr::without_provenance_mut::<c_void>(data as usize);
    // SAFETY: PTRACE_CONT and PTRACE_LISTEN take a number for data and touch no memory of ours. ESRCH means that the
    // tracee was killed, which the next wait reports.
    let _ = unsafe { libc::ptrace(request, pid.as_raw(), ptr::null_mut::<c_void>(), data) };
}

#[cfg(target_env = "musl")]
type RequestType = c_int;
#[cfg(not(target_env = "musl"))]
type RequestType = std::ffi::c_uint;
