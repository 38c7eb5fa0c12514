//! Wait for children and tracees of this thread without reaping them, and reap them when all is read.

use super::{Exit, Usage};
use nix::errno::Errno;
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;

/// A change of state that has not been consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It is a zombie now, and its number still its own.
    Died(Pid),
    /// A tracee has stopped: signal | event << 8. Resuming it consumes the change.
    Stopped(Pid, c_int),
}

/// A process that ignores SIGCHLD (and a parent may have left us so) has no zombies: its children vanish unread. Back
/// to the default then, which does nothing either.
pub(super) fn insist_on_zombies() -> Result<(), Errno> {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: no new action is given, and `now` is writable and of the type that sigaction fills in.
    Errno::result(unsafe { libc::sigaction(libc::SIGCHLD, ptr::null(), now.as_mut_ptr()) })?;
    // SAFETY: all-zero bytes are a valid sigaction, and the call only made them more so.
    let now = unsafe { now.assume_init() };
    if now.sa_sigaction == libc::SIG_IGN || now.sa_flags & libc::SA_NOCLDWAIT != 0 {
        // SAFETY: the default disposition runs no code of ours.
        let before = unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
        if before == libc::SIG_ERR {
            return Err(Errno::last());
        }
    }
    Ok(())
}

/// Wait until this child is dead, and leave it a zombie.
pub(super) fn for_death(child: Pid) -> Result<(), Errno> {
    wait(libc::P_PID, child.as_raw().unsigned_abs(), libc::WEXITED).map(drop)
}

/// Wait for any child or tracee that belongs to this very thread: those of other threads are not ours to reap.
pub(super) fn for_any() -> Result<Change, Errno> {
    let info = wait(libc::P_ALL, 0, libc::WEXITED | libc::WSTOPPED | libc::__WALL | libc::__WNOTHREAD)?;
    // SAFETY: waitid succeeded without WNOHANG, so it filled in the members of a SIGCHLD.
    let pid = Pid::from_raw(unsafe { info.si_pid() });
    Ok(match info.si_code {
        // SAFETY: as above.
        libc::CLD_TRAPPED | libc::CLD_STOPPED => Change::Stopped(pid, unsafe { info.si_status() }),
        _ => Change::Died(pid),
    })
}

fn wait(kind: libc::idtype_t, id: libc::id_t, flags: c_int) -> Result<libc::siginfo_t, Errno> {
    loop {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        // SAFETY: `info` is writable and of the type that waitid fills in.
        let result = unsafe { libc::waitid(kind, id, info.as_mut_ptr(), flags | libc::WNOWAIT) };
        match Errno::result(result) {
            // SAFETY: all-zero bytes are a valid siginfo_t, and waitid only made them more so.
            Ok(_) => return Ok(unsafe { info.assume_init() }),
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Reap a zombie. From here on its number may be a stranger's.
pub(super) fn reap(zombie: Pid) -> Result<(Exit, Usage), Errno> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are writable and of the types that wait4 fills in.
    let result = unsafe { libc::wait4(zombie.as_raw(), &mut status, libc::__WALL, usage.as_mut_ptr()) };
    Errno::result(result)?;
    // SAFETY: all-zero bytes are a valid rusage, and wait4 only made them more so.
    Ok((exit(status), Usage::from(unsafe { usage.assume_init() })))
}

fn exit(status: c_int) -> Exit {
    if libc::WIFSIGNALED(status) {
        let number = libc::WTERMSIG(status);
        Exit::Signal { number, name: signal_name(number), code: None, address: None }
    } else {
        Exit::Code(libc::WEXITSTATUS(status))
    }
}

/// `SIGBUS`; `SIGRT34` for a real-time signal.
fn signal_name(number: c_int) -> String {
    Signal::try_from(number).map_or_else(|_| format!("SIGRT{number}"), |signal| signal.as_str().to_owned())
}

impl From<libc::rusage> for Usage {
    fn from(usage: libc::rusage) -> Usage {
        let count = |value: i64| u64::try_from(value).unwrap_or(0);
        let ns = |time: libc::timeval| count(time.tv_sec) * 1_000_000_000 + count(time.tv_usec) * 1_000;
        Usage {
            user_ns: ns(usage.ru_utime),
            system_ns: ns(usage.ru_stime),
            minor_faults: count(usage.ru_minflt),
            major_faults: count(usage.ru_majflt),
            in_blocks: count(usage.ru_inblock),
            out_blocks: count(usage.ru_oublock),
            max_rss_bytes: count(usage.ru_maxrss) * 1024,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_told_apart() {
        assert_eq!(exit(3 << 8), Exit::Code(3));
        let dumped = 0x80;
        let name = "SIGBUS".to_owned();
        assert_eq!(
            exit(libc::SIGBUS | dumped),
            Exit::Signal { number: libc::SIGBUS, name, code: None, address: None }
        );
        assert_eq!(signal_name(40), "SIGRT40");
    }
}
