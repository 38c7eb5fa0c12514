//! Under a memory limit below its size a file never becomes warm, and the bench names the limit as the cause.
//! Needs a cgroup of its own, and so root; skipped with the reason elsewhere.

use instruments::bench::Quiet;
use instruments::scratch::Scratch;
use instruments::{Bench, Host, Plan, Unavailable};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

const INSIDE: &str = "INSTRUMENTS_INSIDE_A_LIMIT";
const LIMIT_BYTES: u64 = 24 << 20;
const SIZE_BYTES: u64 = 64 << 20;

/// A cgroup with a memory limit, removed when dropped.
struct Limit(PathBuf);

impl Limit {
    fn create() -> io::Result<Limit> {
        let name = format!("instruments-test-{}", std::process::id());
        let v1 = Path::new("/sys/fs/cgroup/memory");
        let (top, file) = match v1.exists() {
            true => (v1, "memory.limit_in_bytes"),
            false => (Path::new("/sys/fs/cgroup"), "memory.max"),
        };
        let limit = Limit(top.join(name));
        fs::create_dir(&limit.0)?;
        fs::write(limit.0.join(file), LIMIT_BYTES.to_string())?;
        Ok(limit)
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_limit_below_the_file_is_named_as_the_cause() {
    let limit = match Limit::create() {
        Ok(limit) => limit,
        Err(why) => return println!("skipped: no cgroup with a memory limit can be made here ({why})"),
    };
    let script = "echo $$ > \"$0\"/cgroup.procs && exec \"$1\" --exact inside --nocapture";
    let this = env::current_exe().expect("a test knows itself");
    let mut inside = Command::new("/bin/sh");
    inside.args(["-c", script]).arg(&limit.0).arg(this).env(INSIDE, "1");
    assert!(inside.status().expect("there is a shell").success());
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
    let plan = Plan { size_bytes: SIZE_BYTES, block_bytes: 128 << 10, trials: 5 };
    let mut quiet = Quiet;
    let mut bench = Bench::new(host, plan, scratch, PathBuf::from("/proc/self/exe"), &mut quiet);
    let path = bench.data_file().expect("there is room");
    let error = bench.make_warm(&path).expect_err("there is no memory for it");
    assert!(matches!(error, Unavailable::Lacking { .. }), "other acts can go on: {error:?}");
    let error = error.to_string();
    assert!(error.contains("a memory limit of 24 MiB bounds it"), "{error}");
    println!("{error}");
}
