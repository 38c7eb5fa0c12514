//! Fork, and everything that a child does between fork(2) and execve(2).

use super::report::{NotStarted, REPORT_BYTES, Step};
use crate::calls::filter::Filter;
use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{self, ForkResult, Pid};
use std::ffi::{CString, OsStr, c_char};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Exit code of a child that never became the program.
const NOT_STARTED: i32 = 127;

/// All that the child needs, made before fork(2): in between, a child of a process with threads may neither
/// allocate nor take a lock.
#[derive(Debug)]
pub(super) struct Launch {
    program: CString,
    args: Vec<CString>,
    stdin: File,
    stdout: OwnedFd,
    stderr: OwnedFd,
    traced: bool,
    filter: Option<Filter>,
    door: Option<OwnedFd>,
}

/// A child that was forked and has not been reaped.
#[derive(Debug)]
pub(super) struct Forked {
    /// Its process id, which is also its process group.
    pub(super) pid: Pid,
    /// Where it waits for its tracer, if it is to be traced.
    pub(super) gate: Option<PipeWriter>,
    report: PipeReader,
}

impl Launch {
    /// `stdout` and `stderr` are the ends that the child writes to. `traced`: it waits for its tracer before exec;
    /// `filter` makes each system call stop for the tracer; `door` lets it into a memory cgroup.
    pub(super) fn new(
        program: &Path,
        args: &[&OsStr],
        stdout: OwnedFd,
        stderr: OwnedFd,
        traced: bool,
        filter: Option<Filter>,
        door: Option<OwnedFd>,
    ) -> io::Result<Launch> {
        let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::from);
        let first = std::iter::once(program.as_os_str());
        Ok(Launch {
            program: text(program.as_os_str())?,
            args: first.chain(args.iter().copied()).map(text).collect::<io::Result<_>>()?,
            stdin: File::open("/dev/null")?,
            stdout,
            stderr,
            traced,
            filter,
            door,
        })
    }

    /// Fork. The calling thread must live until the child is dead: the child asks to be killed when it ends. And it
    /// must be a thread for this alone: all its signals are blocked from here on.
    pub(super) fn fork(self) -> io::Result<Forked> {
        let argv: Vec<*const c_char> =
            self.args.iter().map(|arg| arg.as_ptr()).chain([std::ptr::null()]).collect();
        let (report, report_end) = io::pipe()?;
        let (gate_end, gate) =
            if self.traced { io::pipe().map(|(r, w)| (Some(r), Some(w)))? } else { (None, None) };
        let parent = unistd::getpid();
        // A handler of ours must not run in the child, nor SIGPIPE end us when it dies before we open its gate.
        SigSet::all().thread_block()?;
        // SAFETY: the child calls only async-signal-safe functions (see `become_program`) and never returns.
        let forked = unsafe { unistd::fork() };
        if let Ok(ForkResult::Child) = forked {
            let Err(failure) = self.become_program(&argv, parent, gate, gate_end);
            // A parent that is gone needs no report.
            let _ = unistd::write(&report_end, &failure.to_bytes());
            exit_at_once();
        }
        match forked? {
            ForkResult::Parent { child } => Ok(Forked { pid: child, gate, report }),
            ForkResult::Child => unreachable!("the child has exited above"),
        }
    }

    /// In the child: async-signal-safe calls only, no allocation, no lock, no panic.
    fn become_program(
        &self,
        argv: &[*const c_char],
        parent: Pid,
        gate: Option<PipeWriter>,
        gate_end: Option<PipeReader>,
    ) -> Result<std::convert::Infallible, NotStarted> {
        let at = |step| move |errno| NotStarted { step, errno };
        unistd::setpgid(Pid::from_raw(0), Pid::from_raw(0)).map_err(at(Step::Group))?;
        prctl::set_pdeathsig(Signal::SIGKILL).map_err(at(Step::Parent))?;
        if unistd::getppid() != parent {
            // It died before we asked.
            return Err(NotStarted { step: Step::Parent, errno: Errno::ESRCH });
        }
        unistd::dup2_stdin(&self.stdin).map_err(at(Step::Streams))?;
        unistd::dup2_stdout(&self.stdout).map_err(at(Step::Streams))?;
        unistd::dup2_stderr(&self.stderr).map_err(at(Step::Streams))?;
        if let Some(door) = &self.door {
            // 0 is whoever writes it.
            unistd::write(door, b"0").map_err(at(Step::Limit))?;
        }
        default_signals();
        if let Some(gate_end) = gate_end {
            drop(gate);
            // End of file: tracing was refused, and the tracer knows better than we why.
            if unistd::read(&gate_end, &mut [0]) != Ok(1) {
                exit_at_once();
            }
        }
        if let Some(filter) = &self.filter {
            prctl::set_no_new_privs().map_err(at(Step::Privileges))?;
            filter.install().map_err(at(Step::Filter))?;
        }
        // SAFETY: `program` is a C string, `argv` ends with a null pointer, and both outlive the call.
        unsafe { libc::execvp(self.program.as_ptr(), argv.as_ptr()) };
        Err(NotStarted { step: Step::Exec, errno: Errno::last() })
    }
}

fn exit_at_once() -> ! {
    // SAFETY: _exit ends the process without running anything of the parent's that we inherited.
    unsafe { libc::_exit(NOT_STARTED) }
}

/// Ignored signals stay ignored over exec, and so does the mask: the program must start as from a plain shell.
fn default_signals() {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: the default disposition runs no code of ours. KILL, STOP and the C library's own are refused, and
        // are as they should be.
        let _ = unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let _ = SigSet::empty().thread_set_mask();
}

impl Forked {
    /// Once the child is dead: why the program never ran, or None where it did. The pipe closes at exec.
    pub(super) fn not_started(mut self) -> Option<NotStarted> {
        let mut bytes = [0; REPORT_BYTES];
        self.report.read_exact(&mut bytes).ok()?;
        NotStarted::from_bytes(bytes)
    }
}
