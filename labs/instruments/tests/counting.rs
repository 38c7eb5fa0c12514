//! Our counts against those of `strace -f -c`, to the call, and against what a program is known to do.

use instruments::Unavailable;
use instruments::calls::{Calls, Counts};
use instruments::resource_usage::Meter;
use instruments::subject::{Exit, Watch, run};
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// None, with the reason printed, where nobody may trace.
fn count(program: &Path, args: &[&OsStr]) -> Option<Calls> {
    match run(program, args, Watch::Calls) {
        Ok((outcome, calls)) => {
            assert_eq!(outcome.exit, Exit::Code(0), "{}", outcome.stderr);
            assert!(calls.is_some(), "calls were watched");
            calls
        }
        Err(why @ Unavailable::Lacking { .. }) => {
            println!("skipped: {why}");
            None
        }
        Err(why) => panic!("{why}"),
    }
}

/// All three stretches together.
fn totals(calls: &Calls) -> Counts {
    let names = [&calls.startup, &calls.workload, &calls.teardown].into_iter().flat_map(Counts::keys);
    names.map(|name| (name.clone(), calls.total(name))).collect()
}

/// What `strace -f -c` counts; None, with the reason printed, where there is no strace or it may not trace.
fn strace(program: &Path, args: &[&OsStr]) -> Option<Counts> {
    let report = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut all: Vec<&OsStr> = ["-f", "-c", "-o"].iter().map(OsStr::new).collect();
    all.extend([report.path().as_os_str(), program.as_os_str()]);
    all.extend(args);
    // Through our own runner: a program makes other calls where it inherits ignored signals, as below nohup.
    match run(Path::new("strace"), &all, Watch::Nothing) {
        Ok((outcome, _)) if outcome.exit == Exit::Code(0) => {}
        Ok((outcome, _)) => {
            println!("skipped: strace says {}", outcome.stderr.trim());
            return None;
        }
        Err(why) => {
            println!("skipped: no strace to compare with ({why})");
            return None;
        }
    }
    let table = std::fs::read_to_string(report.path()).expect("strace writes its table");
    // % time, seconds, usecs/call, calls, maybe errors, name.
    let rows = table.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [share, _, _, calls, .., name] = words[..] else { return None };
        share.parse::<f64>().ok()?;
        Some((name.to_owned(), calls.parse().ok()?))
    });
    Some(rows.filter(|(name, _)| name != "total").collect())
}

fn agree(program: &str, args: &[&str]) {
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
    let Some(theirs) = strace(Path::new(program), &args) else { return };
    let Some(calls) = count(Path::new(program), &args) else { return };
    let ours = totals(&calls);
    assert!(theirs.len() > 5, "a table was read: {theirs:?}");
    assert_eq!(ours, theirs, "{program} {args:?}");
}

#[test]
fn one_process_agrees_to_the_call() {
    agree("/bin/true", &[]);
    agree("/bin/cat", &["/proc/self/maps", "/etc/passwd"]);
    agree("/bin/dd", &["if=/dev/zero", "of=/dev/null", "bs=1", "count=3000"]);
}

#[test]
fn children_agree_to_the_call() {
    // The shell waits for each in turn: no SIGCHLD interrupts a wait, which would make the count a matter of timing.
    agree("/bin/sh", &["-c", "cat /etc/passwd > /dev/null; (cd /; cat /etc/group >/dev/null); exit 0"]);
    agree(
        "/usr/bin/env",
        &["A=1", "/bin/sh", "-c", "exec /bin/dd if=/dev/zero of=/dev/null bs=512 count=100"],
    );
}

#[test]
fn pipelines_agree_in_the_calls_that_timing_leaves_alone() {
    let args =
        ["-c", "dd if=/dev/zero bs=4k count=50 | dd of=/dev/null bs=4k iflag=fullblock"].map(OsStr::new);
    let shell = Path::new("/bin/sh");
    let Some(theirs) = strace(shell, &args) else { return };
    let Some(calls) = count(shell, &args) else { return };
    let ours = totals(&calls);
    for name in ["execve", "write", "openat", "mmap", "close", "dup2", "brk"] {
        assert_eq!(ours.get(name), theirs.get(name), "{name}");
    }
    assert_eq!(ours["execve"], 3);
}

#[test]
fn dd_reads_as_often_as_the_formula_says() {
    let args = ["if=/dev/zero", "of=/dev/null", "bs=512", "count=777"].map(OsStr::new);
    let dd = Path::new("/bin/dd");
    let Some(bare) = count(dd, &["if=/dev/null", "of=/dev/null"].map(OsStr::new)) else { return };
    let Some(calls) = count(dd, &args) else { return };
    // The bare run reads once, to find the end.
    assert_eq!(calls.total("read") - bare.total("read"), 777 - 1);
    assert!(!calls.marked);
    assert_eq!(calls.workload_total(), 0);
}

/// This test is also the program that the tests below count: with the variable set it works, without it passes.
const WORK: &str = "INSTRUMENTS_COUNTED_WORK";
const BLOCKS: u64 = 100;
const THREADS: u64 = 4;
const SPAWNS: u64 = 3;

fn read_zeros(blocks: u64) {
    let mut zeros = std::fs::File::open("/dev/zero").expect("it is always there");
    let mut block = [0; 64];
    for _ in 0..blocks {
        zeros.read_exact(&mut block).expect("zeros have no end");
    }
}

#[test]
fn counted_work() {
    match std::env::var(WORK).as_deref() {
        Ok("metered") => {
            read_zeros(7);
            let mut zeros = std::fs::File::open("/dev/zero").expect("it is always there");
            let mut block = [0; 64];
            let meter = Meter::start();
            for _ in 0..BLOCKS {
                zeros.read_exact(&mut block).expect("zeros have no end");
            }
            meter.stop();
        }
        Ok("threads") => std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| read_zeros(BLOCKS));
            }
        }),
        // vfork(2) or posix_spawn(3), where a shell would fork.
        Ok("spawns") => (0..SPAWNS).for_each(|_| {
            assert!(Command::new("/bin/true").status().expect("it is everywhere").success());
        }),
        _ => {}
    }
}

/// `env` sets the variable for one child without touching our own environment.
fn own_work(work: &str) -> Vec<OsString> {
    let this: PathBuf = std::env::current_exe().expect("a test knows itself");
    let assignment = OsString::from(format!("{WORK}={work}"));
    vec![assignment, this.into(), "--exact".into(), "counted_work".into(), "--test-threads=1".into()]
}

fn env(args: &[OsString]) -> (&'static Path, Vec<&OsStr>) {
    (Path::new("/usr/bin/env"), args.iter().map(OsString::as_os_str).collect())
}

#[test]
fn a_metered_stretch_has_the_work_and_nothing_else() {
    let args = own_work("metered");
    let (env, args) = env(&args);
    let Some(calls) = count(env, &args) else { return };
    assert!(calls.marked);
    assert_eq!(calls.workload, Counts::from([("read".into(), BLOCKS)]));
    assert!(calls.startup["read"] >= 7 && calls.teardown["write"] >= 1);
    if let Some(theirs) = strace(env, &args) {
        assert_eq!(
            theirs["prctl"],
            calls.total("prctl") + 2,
            "the marks are seen by strace and not counted here"
        );
    }
}

#[test]
fn all_threads_are_followed() {
    let args = own_work("threads");
    let (env, args) = env(&args);
    let Some(calls) = count(env, &args) else { return };
    let calls = totals(&calls);
    assert!(calls["read"] >= THREADS * BLOCKS, "{calls:?}");
    let Some(theirs) = strace(env, &args) else { return };
    for name in ["read", "openat", "clone3", "clone", "execve"] {
        assert_eq!(calls.get(name), theirs.get(name), "{name}");
    }
}

#[test]
fn spawned_programs_are_followed() {
    let args = own_work("spawns");
    let (env, args) = env(&args);
    let Some(calls) = count(env, &args) else { return };
    let calls = totals(&calls);
    assert_eq!(calls["execve"], 2 + SPAWNS, "env, the test, and the programs");
    let Some(theirs) = strace(env, &args) else { return };
    for name in ["execve", "openat", "close", "access", "pread64", "vfork"] {
        assert_eq!(calls.get(name), theirs.get(name), "{name}");
    }
}
