//! Threads that may do less: credentials and seccomp filters are each thread's own for the kernel.

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

/// Run `work` where the system calls `refused` fail with `errno`, as under a container's filter or on an older kernel.
pub fn refusing<T: Send>(refused: &[u32], errno: i32, work: impl FnOnce() -> T + Send) -> T {
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let mut filter = vec![statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0)];
    for &number in refused {
        let code = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
        filter.push(libc::sock_filter { code, jt: 0, jf: 1, k: number });
        filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | errno as u32));
    }
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW));
    run(|| {
        let program =
            libc::sock_fprog { len: u16::try_from(filter.len()).unwrap(), filter: filter.as_mut_ptr() };
        // SAFETY: no memory is passed.
        let no_new_privileges = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
        // SAFETY: the program and its statements live until the call has copied them.
        let filtered =
            unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
        assert_eq!((no_new_privileges, filtered), (0, 0), "{}", std::io::Error::last_os_error());
        work()
    })
}

fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
