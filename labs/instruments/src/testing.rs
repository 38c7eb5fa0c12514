//! What tests need of the kernel: threads that may do less. Seccomp filters are each thread's own for the kernel, and
//! its children's. Only with the feature `testing`.

use std::io;
use std::thread;

/// cachestat(2), by its number on every architecture that this course knows.
pub const CACHESTAT: u32 = 451;

/// Run `work`, and the programs that it starts, as on a kernel from before cachestat(2).
pub fn without_cachestat<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    refusing(&[CACHESTAT], libc::ENOSYS, work)
}

/// Run `work` where the system calls `refused` fail with `errno`, as under a container's filter or on an older kernel.
/// In a thread of its own, which nothing can free from the filter again.
pub fn refusing<T: Send>(refused: &[u32], errno: i32, work: impl FnOnce() -> T + Send) -> T {
    let filter = program(refused, errno);
    let refused_work = || {
        install(&filter).expect("every kernel since 3.17 has seccomp filters");
        work()
    };
    thread::scope(|scope| match scope.spawn(refused_work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

fn program(refused: &[u32], errno: i32) -> Vec<libc::sock_filter> {
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let mut filter = vec![statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0)];
    for &number in refused {
        let code = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
        filter.push(libc::sock_filter { code, jt: 0, jf: 1, k: number });
        filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | errno as u32));
    }
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW));
    filter
}

fn install(filter: &[libc::sock_filter]) -> io::Result<()> {
    let len = u16::try_from(filter.len()).expect("a few instructions");
    let program = libc::sock_fprog { len, filter: filter.as_ptr().cast_mut() };
    // SAFETY: no memory is passed.
    let no_new_privileges = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    // SAFETY: the kernel only reads the program and its instructions, which live over the call.
    let filtered =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    if (no_new_privileges, filtered) == (0, 0) { Ok(()) } else { Err(io::Error::last_os_error()) }
}
