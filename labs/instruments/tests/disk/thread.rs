//! Threads of another user: credentials are each thread's own for the kernel.

use std::thread;

/// The user and group that own nothing.
const NOBODY: libc::uid_t = 65534;

/// Run `work` as nobody; None, with the reason printed, where this process may not become somebody else.
pub fn as_nobody<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    if !nix::unistd::geteuid().is_root() {
        crate::skip("only root can become nobody");
        return None;
    }
    let keep: libc::uid_t = libc::uid_t::MAX;
    Some(run(|| {
        // SAFETY: raw system calls that change this thread's credentials only; no memory is passed.
        let group = unsafe { libc::syscall(libc::SYS_setresgid, keep, NOBODY, keep) };
        // SAFETY: as above.
        let groups = unsafe { libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<libc::gid_t>()) };
        // SAFETY: as above.
        let user = unsafe { libc::syscall(libc::SYS_setresuid, keep, NOBODY, keep) };
        assert_eq!((group, groups, user), (0, 0, 0));
        work()
    }))
}

fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
