//! Memory cgroups of our own, on this machine's kernel: what a child meets in there, and that a file larger than the
//! limit never becomes warm.

use instruments::bench::Quiet;
use instruments::limit::Limit;
use instruments::scratch::Scratch;
use instruments::subject::{Exit, Watch, run_in};
use instruments::testing::undisturbed;
use instruments::{Bench, Host, Plan, Unavailable, evict};
use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

const MIB: u64 = 1 << 20;
/// Says that a test runs inside of a limit.
const INSIDE: &str = "INSTRUMENTS_INSIDE_A_LIMIT";
const LIMIT_BYTES: u64 = 24 * MIB;

/// A limit, or None (with the reason printed) where this user may have none.
fn limit(bytes: u64) -> Option<Limit> {
    match Limit::create(bytes) {
        Ok(limit) => Some(limit),
        Err(why @ Unavailable::Lacking { .. }) => {
            eprintln!("skipped: {why}");
            None
        }
        Err(why) => panic!("{why}"),
    }
}

fn shell(limit: &Limit, script: &str) -> (String, Exit) {
    let args = ["-c", script].map(OsStr::new);
    let (outcome, _) = run_in(Path::new("/bin/sh"), &args, Watch::Nothing, Some(limit)).expect("a shell");
    (outcome.stdout, outcome.exit)
}

#[test]
fn a_child_is_in_it_and_we_are_not() {
    let Some(limit) = limit(64 * MIB) else { return };
    let name = limit.cgroup().dir.file_name().and_then(OsStr::to_str).expect("a name").to_owned();
    assert!(name.starts_with(&format!("page-cache-tutor-{}-", std::process::id())), "{name}");
    let (said, exit) = shell(&limit, "cat /proc/self/cgroup");
    assert_eq!(exit, Exit::Code(0));
    assert!(said.contains(&name), "{said}");
    let ours = std::fs::read_to_string("/proc/self/cgroup").expect("readable");
    assert!(!ours.contains(&name), "{ours}");
    let dir = limit.cgroup().dir.clone();
    assert_eq!(limit.cgroup().limit_bytes(), Some(64 * MIB));
    drop(limit);
    assert!(!dir.exists());
}

#[test]
fn what_a_child_reads_is_charged_and_bounded() {
    undisturbed(|| {
        let Some(limit) = limit(32 * MIB) else { return };
        let Ok(scratch) = Scratch::create(None).inspect_err(|why| eprintln!("skipped: {why}")) else {
            return;
        };
        let path = scratch.write("data", 64 * MIB, &mut |_| ()).expect("room for 64 MiB");
        // Pages belong to the cgroup that brought them in: these were ours.
        evict::evict(&File::open(&path).expect("just written")).expect("nobody holds it");
        let before = limit.account().expect("it has an account");
        shell(&limit, &format!("cat '{}' > /dev/null", path.display()));
        let after = limit.account().expect("it has an account");
        assert!(before.file_bytes < MIB, "{before:?}");
        assert!(after.file_bytes > 8 * MIB && after.charged_bytes <= 32 * MIB, "{after:?}");
        assert!(after.limit_hits > before.limit_hits, "{after:?}");
        assert_eq!(after.oom_kills, Some(0), "clean cache goes before anybody is killed");
    });
}

#[test]
fn who_asks_for_more_than_the_limit_is_killed_and_that_is_counted() {
    let Some(limit) = limit(16 * MIB) else { return };
    if std::fs::read_to_string("/proc/swaps").is_ok_and(|swaps| swaps.lines().count() > 1) {
        return eprintln!("skipped: this machine has swap, where memory can go instead");
    }
    let (_, exit) = shell(&limit, "head -c 100000000 /dev/zero | tail -n 1 > /dev/null; exit 3");
    let account = limit.account().expect("it has an account");
    assert!(account.oom_kills >= Some(1), "{account:?}, {exit:?}");
}

#[test]
fn a_limit_below_the_file_is_named_as_the_cause() {
    let Some(limit) = limit(LIMIT_BYTES) else { return };
    let this = env::current_exe().expect("a test knows itself");
    let inside = format!("{INSIDE}=1");
    let args = [OsStr::new(&inside), this.as_os_str(), OsStr::new("--exact"), OsStr::new("inside")];
    let (outcome, _) =
        run_in(Path::new("/usr/bin/env"), &args, Watch::Nothing, Some(&limit)).expect("it can be started");
    assert_eq!(outcome.exit, Exit::Code(0), "{}", outcome.stdout);
}

/// Does nothing unless the test above runs it, inside the limit.
#[test]
fn inside() {
    if env::var_os(INSIDE).is_none() {
        return;
    }
    let scratch = match Scratch::create(None) {
        Ok(scratch) => scratch,
        Err(why) => return println!("skipped: {why}"),
    };
    let host = Host::probe(scratch.path()).expect("facts can be read");
    assert_eq!(host.cgroup.as_ref().and_then(|cgroup| cgroup.limit_bytes), Some(LIMIT_BYTES));
    let plan = Plan { size_bytes: 64 * MIB, block_bytes: 128 << 10, trials: 5 };
    let mut quiet = Quiet;
    let mut bench = Bench::new(host, plan, scratch, PathBuf::from("/proc/self/exe"), &mut quiet);
    let path = bench.data_file().expect("there is room");
    let error = bench.warm_up(&path).expect_err("there is no memory for it");
    assert!(matches!(error, Unavailable::Lacking { .. }), "other acts can go on: {error:?}");
    let error = error.to_string();
    assert!(error.contains("a memory limit of 24 MiB bounds it"), "{error}");
    println!("{error}");
}
