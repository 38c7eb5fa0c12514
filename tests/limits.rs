//! Memory limits with the real program: what runs in one meets it, nobody else does, and it goes on every way out.
//! And the switch that no lab ever writes to.

mod support;

use instruments::testing::undisturbed;
use nix::sys::signal::Signal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::{Fixture, PATIENCE, Ran, has_or_skip, skip};

/// The fields of a workload's line.
fn number(line: &str, key: &str) -> u64 {
    let field = line.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    field.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no number {key} in {line}"))
}

/// The memory cgroups of this process.
fn cgroups_of(pid: nix::unistd::Pid) -> Vec<PathBuf> {
    let name = format!("page-cache-tutor-{pid}-");
    let (mut found, mut left) = (Vec::new(), vec![PathBuf::from("/sys/fs/cgroup")]);
    while let Some(dir) = left.pop() {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| path.is_dir() && !path.is_symlink()) {
            let ours = path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(&name));
            if ours { found.push(path) } else { left.push(path) }
        }
    }
    found
}

/// Whether no limit could be had, for want of a privilege that is named.
fn lacking(ran: &Ran) -> bool {
    let lacking =
        ran.code() == Some(1) && ran.err.contains("a memory limit of") && ran.err.contains(": needs ");
    if lacking {
        skip(&ran.err);
    }
    lacking
}

#[test]
fn cache_gives_way_to_a_program_in_its_limit() {
    undisturbed(|| {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let ran = fixture.tutor("run --limit 64M squeeze --size 48M --cold --alloc 40M").run();
        if lacking(&ran) {
            return;
        }
        let lines: Vec<_> = ran.exits(0).out.lines().collect();
        let [_, squeezed, limit] = lines[..] else {
            panic!("what it said first, last, and the limit: {ran:?}")
        };
        const MIB: u64 = 1 << 20;
        assert!(number(squeezed, "before_file_bytes") >= 40 * MIB, "{squeezed}");
        assert!(number(squeezed, "after_file_bytes") < number(squeezed, "before_file_bytes"), "{squeezed}");
        let memory = number(squeezed, "after_anon_bytes");
        assert!(memory >= 40 * MIB || number(squeezed, "after_swap_bytes") > 0, "{squeezed}");
        assert!(number(squeezed, "after_charged_bytes") <= 64 * MIB, "{squeezed}");
        assert!(limit.starts_with("[limit] limit_bytes=67108864 "), "{limit}");
        assert_eq!(number(limit, "oom_kills"), 0, "{limit}");
        fixture.nothing_left();
    });
}

#[test]
fn more_than_the_limit_kills_in_there_and_nowhere_else() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    if std::fs::read_to_string("/proc/swaps").is_ok_and(|swaps| swaps.lines().count() > 1) {
        return skip("this machine has swap, where memory can go instead");
    }
    let ran = fixture.tutor("run --limit 32M squeeze --size 8M --cold --alloc 64M").run();
    if lacking(&ran) {
        return;
    }
    assert!(ran.refuses(1).contains("SIGKILL killed it"), "{ran:?}");
    let limit = ran.out.lines().last().expect("what the limit saw");
    assert!(number(limit, "oom_kills") >= 1, "{limit}");
    fixture.nothing_left();
}

#[test]
fn a_limit_goes_on_every_way_out_and_after_a_kill_with_the_next_run() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGKILL] {
        let words = "run --limit 64M squeeze --size 16M --cold --alloc 16M --over 60s";
        let mut running = fixture.tutor(words).start();
        let pid = running.pid();
        let end = Instant::now() + PATIENCE;
        while cgroups_of(pid).iter().all(|dir| !is_populated(dir)) {
            if running.has_ended() {
                assert!(lacking(&running.wait()), "it ended before it was asked to");
                return;
            }
            assert!(Instant::now() < end, "no limit came to be");
            std::thread::sleep(Duration::from_millis(5));
        }
        running.signal(signal);
        let ran = running.wait();
        if signal == Signal::SIGKILL {
            fixture.no_process_left();
            assert_eq!(cgroups_of(pid).len(), 1, "nobody is left who could have removed it");
            let cleaned = fixture.tutor("clean").run();
            assert!(cleaned.exits(0).out.contains(&format!("page-cache-tutor-{pid}-")), "{cleaned:?}");
        } else {
            ran.exits(130);
        }
        assert_eq!(cgroups_of(pid), [""; 0].map(PathBuf::from), "after {signal}");
        fixture.nothing_left();
    }
}

fn is_populated(dir: &Path) -> bool {
    std::fs::read_to_string(dir.join("cgroup.procs")).is_ok_and(|processes| !processes.is_empty())
}

#[test]
fn the_big_switch_is_opened_and_never_written() {
    let Some(fixture) = Fixture::on_a_disk().filter(|_| has_or_skip(&["strace"])) else { return };
    let seen = fixture.file("strace");
    for words in ["run dropswitch", "lab 1 --step drop-caches --json --no-predict"] {
        // Every system call on the file, by its name or by a descriptor of it.
        let strace = fixture.program_with("strace", "-f -P /proc/sys/vm/drop_caches -o").arg(&seen);
        let ran = strace.arg(fixture.program()).args(words.split_whitespace()).run();
        if ran.code() != Some(0) && ran.err.contains("ptrace") {
            return skip("strace may trace nothing here");
        }
        ran.exits(0);
        let calls = std::fs::read_to_string(&seen).expect("strace has written it");
        let on_the_file: Vec<_> = calls.lines().filter(|line| line.contains('(')).collect();
        assert!(
            on_the_file.iter().any(|line| line.contains("openat(") && line.contains("O_WRONLY")),
            "{calls}"
        );
        for line in on_the_file {
            let harmless = ["openat(", "close(", "fcntl(", "statx(", "newfstatat("]
                .iter()
                .any(|call| line.contains(call));
            assert!(harmless && !line.contains("O_TRUNC"), "{line}");
        }
    }
    fixture.nothing_left();
}
