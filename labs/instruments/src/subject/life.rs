//! One child's life, from fork to the last wait.

use super::launch::{Forked, Launch};
use super::trace::{self, Seen};
use super::{Exit, Usage, Watch, refusal, wait};
use crate::calls::Calls;
use crate::calls::filter::Filter;
use crate::interrupt::{self, Mortal};
use crate::proc::Io;
use crate::{Unavailable, open, proc};
use nix::errno::Errno;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Instant;

/// What the kernel told about a child.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) wall_ns: u64,
    pub(super) usage: Usage,
    pub(super) io: Option<Io>,
    pub(super) exit: Exit,
    pub(super) calls: Option<Calls>,
}

impl Life {
    /// Fork, watch, wait. Must have a thread to itself, see the module above.
    pub(super) fn live(
        program: &Path,
        args: &[&OsStr],
        watch: Watch,
        stdout: OwnedFd,
        stderr: OwnedFd,
        door: Option<OwnedFd>,
    ) -> Result<Life, Unavailable> {
        let filter = match watch {
            Watch::Calls => Some(Filter::new().ok_or_else(|| refusal::unknown_architecture(program))?),
            Watch::Nothing | Watch::Death => None,
        };
        let traced = watch != Watch::Nothing;
        let launch = Launch::new(program, args, stdout, stderr, traced, filter, door)
            .map_err(|why| refusal::to_start(program, why))?;
        wait::insist_on_zombies().map_err(|why| refusal::to_start(program, why.desc()))?;
        let clock = Instant::now();
        let mut forked = launch.fork().map_err(|why| refusal::to_start(program, why))?;
        let mortal = Mortal::register(forked.pid);
        let seen = forked.watch(watch);
        let wall_ns = u64::try_from(clock.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // Still a zombie here: its number is ours, its I/O counters can be read, and so its group can be told to go.
        interrupt::kill_group(forked.pid);
        let io = proc::io_of(forked.pid.as_raw().unsigned_abs());
        drop(mortal);
        let reaped = wait::reap(forked.pid);
        interrupt::check()?;
        // First what the child itself says: a tracer only finds a child that is gone.
        if let Some(why) = forked.not_started() {
            return Err(refusal::of_report(program, why));
        }
        let seen = seen.map_err(|errno| refusal::of_ptrace(program, watch, errno))?;
        let (exit, usage) = reaped.map_err(|why| {
            Unavailable::failed(format!("wait for {}", open::shown(program)), why.desc(), "")
        })?;
        let exit = explain(exit, &seen);
        let calls = (watch == Watch::Calls).then(|| seen.tally.finish());
        Ok(Life { wall_ns, usage, io, exit, calls })
    }
}

impl Forked {
    /// Let the child become the program, and come back when it is a zombie, whatever happened.
    fn watch(&mut self, watch: Watch) -> Result<Seen, Errno> {
        let seen = self.trace(watch);
        if seen.is_err() {
            interrupt::kill_group(self.pid);
        }
        wait::for_death(self.pid)?;
        seen
    }

    fn trace(&mut self, watch: Watch) -> Result<Seen, Errno> {
        let Some(gate) = self.gate.take() else { return Ok(Seen::default()) };
        trace::attach(self.pid, watch == Watch::Calls)?;
        nix::unistd::write(&gate, &[1])?;
        trace::follow(self.pid)
    }
}

/// Add what the tracer saw of the signal that killed.
fn explain(exit: Exit, seen: &Seen) -> Exit {
    match (exit, seen.last_signal) {
        (Exit::Signal { number, name, .. }, Some(last)) if last.number == number => {
            Exit::Signal { number, name, code: Some(last.code), address: last.address }
        }
        (exit, _) => exit,
    }
}
