//! What tests need of the kernel: threads that may do less, and patience with others who reclaim. Seccomp filters are
//! each thread's own for the kernel, and its children's. Only with the feature `testing`.

mod locked;

pub use locked::{Locked, locked};

use std::any::Any;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// How often a test is tried that others can disturb.
const TRIES: u32 = 10;

/// Run `work`, which measures and asserts. Where it panics it is run again, ten times in all; the last panic is the
/// caller's.
///
/// For relations that hold exactly, but only while nobody else touches the file's pages: all resident, as many dirty,
/// so many bytes from the device. The kernel may reclaim clean cache at any moment and for anybody's sake (kswapd, a
/// memory limit, a DAMON scheme that pages out every few seconds), and its flusher may write what is dirty. A neighbour
/// that drops caches every second hits most tries of a test that takes as long, and hardly ten; what is wrong is wrong
/// every time. So `work` begins from nothing: it makes its own file.
pub fn undisturbed<T>(mut work: impl FnMut() -> T) -> T {
    for this in 1..TRIES {
        match catch_unwind(AssertUnwindSafe(&mut work)) {
            Ok(done) => return done,
            Err(panic) => say_another(this, &*panic),
        }
    }
    work()
}

/// Not by `eprintln!`, which nobody sees when a test passes after all.
fn say_another(this: u32, panic: &(dyn Any + Send)) {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let test = thread::current().name().unwrap_or("a test").to_owned();
    let why = text.unwrap_or("it panicked");
    let _ = writeln!(
        io::stderr(),
        "another try: {test}: try {this} of {TRIES} failed, and anybody may reclaim cache at any moment: {why}"
    );
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// How often work is run that fails so many times, and whether it passes in the end.
    fn tried(failures: u32) -> (u32, bool) {
        let mut runs = 0;
        let passed = catch_unwind(AssertUnwindSafe(|| {
            undisturbed(|| {
                runs += 1;
                assert!(runs > failures, "failure {runs}");
            });
        }));
        (runs, passed.is_ok())
    }

    #[test]
    fn what_holds_is_run_once() {
        assert_eq!(tried(0), (1, true));
    }

    #[test]
    fn what_was_disturbed_is_tried_again() {
        assert_eq!([tried(1), tried(2)], [(2, true), (3, true)]);
    }

    #[test]
    fn what_is_wrong_fails_with_its_own_words() {
        assert_eq!(tried(u32::MAX), (TRIES, false));
        let panic = catch_unwind(|| undisturbed(|| assert_eq!(1, 2, "arithmetic"))).expect_err("it is wrong");
        let words = panic.downcast_ref::<String>().expect("a text");
        assert!(words.contains("arithmetic"), "{words}");
    }

    #[test]
    fn what_skips_is_done() {
        let mut runs = 0;
        let skipped = undisturbed(|| {
            runs += 1;
            let disk: Option<()> = None;
            let Some(()) = disk else { return "skipped" };
            panic!("nothing is measured where it is skipped")
        });
        assert_eq!((runs, skipped), (1, "skipped"));
    }
}
