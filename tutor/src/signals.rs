//! INT, TERM and HUP: end in order. Scratch files go, the terminal is left on a fresh line, the exit code is 130. CONT:
//! what was asked is shown again.

use crate::state::State;
use crate::{bar, projector, resume_after_stop, timing};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, process, thread};

const INTERRUPTED: i32 = 130;

static WRITING: Mutex<()> = Mutex::new(());

/// While the guard lives, an arriving signal waits: for a file that must be written whole or not at all.
pub fn undisturbed() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on a signal ends the program in order, wherever it is: at a prompt as well as while it measures.
pub fn watch() -> io::Result<()> {
    let mut signals = Signals::new(wanted().into_iter().chain([SIGCONT]))?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGCONT => resume_after_stop::show(),
                _ => end(),
            }
        }
    })?;
    Ok(())
}

/// The same for a workload that has nothing to tidy up: no second thread, whose own system calls would be counted
/// among the workload's.
pub fn exit_at_once() -> io::Result<()> {
    for signal in wanted() {
        signal_hook::flag::register_conditional_shutdown(
            signal,
            INTERRUPTED,
            Arc::new(AtomicBool::new(true)),
        )?;
    }
    Ok(())
}

fn end() -> ! {
    // Measurements stop at their next step, and their child dies.
    instruments::interrupt::request();
    let _last_write = undisturbed();
    instruments::scratch::remove_all();
    instruments::limit::remove_all();
    // What a killed child held.
    instruments::scratch::collect(&State::here().remembered_dirs());
    timing::end();
    bar::take_down();
    if projector::leave() {
        // Back on the ordinary screen, the shell's line is as it was.
    } else if io::stdout().is_terminal() {
        let _ = writeln!(io::stdout());
    } else if io::stderr().is_terminal() {
        let _ = writeln!(io::stderr());
    }
    process::exit(INTERRUPTED)
}

fn wanted() -> Vec<i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut wanted = vec![SIGINT, SIGTERM];
    // Under nohup(1) a hangup has to stay ignored.
    if !ignores(&status, SIGHUP) {
        wanted.push(SIGHUP);
    }
    wanted
}

/// Whether /proc/PID/status says that `signal` is ignored. See proc_pid_status(5), SigIgn.
fn ignores(status: &str, signal: i32) -> bool {
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read_bit_by_bit() {
        let nohup =
            "Name:\ttutor\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000002\n";
        assert!(ignores(nohup, SIGHUP));
        assert!(!ignores(nohup, SIGINT));
        assert!(!ignores("SigIgn:\t0000000000001000\n", SIGHUP));
        assert!(!ignores("", SIGHUP));
    }
}
