//! Real children on a real kernel: how they end, what they print, what they may leave behind.

use instruments::Unavailable;
use instruments::subject::{Exit, Outcome, Watch, run};
use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn shell(script: &str, watch: Watch) -> Outcome {
    let args = ["-c", script].map(OsStr::new);
    run(Path::new("/bin/sh"), &args, watch).expect("the shell starts").0
}

const EACH: [Watch; 3] = [Watch::Nothing, Watch::Death, Watch::Calls];

/// Every way to watch that this machine allows; what it refuses is printed.
fn each() -> impl Iterator<Item = Watch> {
    EACH.into_iter().filter(|watch| match run(Path::new("/bin/true"), &[], *watch) {
        Err(why @ Unavailable::Lacking { .. }) => {
            println!("skipped {watch:?}: {why}");
            false
        }
        _ => true,
    })
}

#[test]
fn a_child_ends_with_its_code_and_its_words() {
    for watch in each() {
        let outcome = shell("echo out; echo err >&2; exit 3", watch);
        assert_eq!(outcome.exit, Exit::Code(3), "{watch:?}");
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("out\n", "err\n"), "{watch:?}");
        assert!(outcome.wall_ns > 0);
        assert!(outcome.usage.minor_faults > 0 && outcome.usage.max_rss_bytes > 0, "{:?}", outcome.usage);
    }
}

#[test]
fn a_death_by_signal_is_told_with_its_sender() {
    for watch in each() {
        let exit = shell("kill -BUS $$", watch).exit;
        let code = (watch != Watch::Nothing).then_some(libc::SI_USER);
        let name = "SIGBUS".to_owned();
        assert_eq!(exit, Exit::Signal { number: libc::SIGBUS, name, code, address: None }, "{watch:?}");
    }
}

#[test]
fn a_child_of_the_child_that_dies_is_not_the_child() {
    for watch in each() {
        let exit = shell("sh -c 'kill -SEGV $$'; kill -KILL $$", watch).exit;
        let name = "SIGKILL".to_owned();
        assert_eq!(
            exit,
            Exit::Signal { number: libc::SIGKILL, name, code: None, address: None },
            "{watch:?}"
        );
    }
}

#[test]
fn a_program_that_is_not_there_is_one_clear_line() {
    for watch in each() {
        let error = run(Path::new("/nowhere/at all"), &[], watch).expect_err("it does not exist");
        assert_eq!(error.to_string(), "cannot start /nowhere/at all: No such file or directory", "{watch:?}");
        let error = run(Path::new("/"), &[], watch).expect_err("it is a directory");
        assert_eq!(error.to_string(), "cannot start /: Permission denied", "{watch:?}");
        let error = run(Path::new("a\0b"), &[], watch).expect_err("no name has a zero");
        assert!(error.to_string().contains("nul byte"), "{error}");
    }
}

#[test]
fn a_flood_of_output_is_read_and_bounded() {
    let outcome = shell("yes | head -c 10000000; yes no | head -c 3000000 >&2; echo end", Watch::Nothing);
    assert_eq!(outcome.exit, Exit::Code(0));
    assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (1 << 20, 1 << 20));
    assert!(outcome.stdout.starts_with("y\ny\n") && outcome.stderr.starts_with("no\nno\n"));
}

#[test]
fn a_child_may_close_its_output_and_go_on() {
    for watch in each() {
        let outcome = shell("echo early; exec >&-; sleep 0.1; echo late >&2", watch);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("early\n", "late\n"), "{watch:?}");
    }
}

#[test]
fn the_child_has_no_input_and_a_group_of_its_own() {
    let outcome =
        shell("cat; ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat; echo $$", Watch::Nothing);
    let numbers: Vec<&str> = outcome.stdout.split_whitespace().collect();
    assert!(matches!(numbers[..], [group, pid] if group == pid), "{numbers:?}");
}

#[test]
fn what_the_child_leaves_running_is_killed() {
    for watch in each() {
        let before = Instant::now();
        let outcome = shell("sleep 600 & echo $!", watch);
        assert!(before.elapsed() < Duration::from_secs(60), "it did not wait for it");
        ends_soon(outcome.stdout.trim());
    }
}

fn ends_soon(pid: &str) {
    let process = Path::new("/proc").join(pid);
    wait_until(&format!("process {pid} has ended"), || !running(&process));
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Where nobody reaps orphans, a killed one stays as a zombie.
fn running(process: &Path) -> bool {
    std::fs::read_to_string(process.join("stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn signals_start_at_their_defaults() {
    let ours = (1_u64 << (libc::SIGUSR1 - 1)) | (1 << (libc::SIGRTMAX() - 1));
    for signal in [libc::SIGUSR1, libc::SIGRTMAX()] {
        // SAFETY: ignoring a signal runs no handler.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    for watch in each() {
        let outcome = shell("grep -E '^Sig(Blk|Ign)' /proc/self/status", watch);
        let masks = outcome.stdout.lines().filter_map(|line| line.split_once(":\t"));
        let masks: Vec<(&str, u64)> = masks
            .map(|(name, mask)| (name, u64::from_str_radix(mask, 16).expect("hexadecimal") & ours))
            .collect();
        assert_eq!(masks, [("SigBlk", 0), ("SigIgn", 0)], "{watch:?}");
    }
}

#[test]
fn a_stopped_child_stays_stopped_until_it_is_continued() {
    for watch in each() {
        // The helper continues its parent only once that one is seen to be stopped.
        let script = "(until grep -q '^State:.*[Tt] (' /proc/$$/status; do sleep 0.01; done; sleep 0.1; \
                      grep '^State' /proc/$$/status; kill -CONT $$) & kill -STOP $$; echo went on; wait";
        let outcome = shell(script, watch);
        assert_eq!(outcome.exit, Exit::Code(0));
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        assert!(
            matches!(lines[..], [state, "went on"] if state.starts_with("State:")),
            "{watch:?}: {lines:?}"
        );
    }
}

#[test]
fn runs_side_by_side_do_not_take_each_others_children() {
    std::thread::scope(|scope| {
        let allowed: Vec<Watch> = each().collect();
        let runs: Vec<_> = (0..8)
            .map(|code| (code, allowed[code % allowed.len()]))
            .map(|(code, watch)| {
                scope.spawn(move || shell(&format!("sleep 0.0{code}; exit {code}"), watch).exit)
            })
            .collect();
        for (code, run) in runs.into_iter().enumerate() {
            assert_eq!(run.join().expect("it ran"), Exit::Code(code as i32));
        }
    });
}

/// Set for the process that [`a_child_dies_with_its_parent`] kills: where its child writes its number, and the watch.
const PARENT: &str = "INSTRUMENTS_PARENT_TO_BE_KILLED";

#[test]
fn parent_to_be_killed() {
    let Ok(task) = env::var(PARENT) else { return };
    let (watch, file) = task.split_once(' ').expect("two words");
    let watch = EACH.into_iter().find(|each| format!("{each:?}") == watch).expect("one of them");
    let _ = shell(&format!("echo $$ > {file}.part; mv {file}.part {file}; exec sleep 600"), watch);
}

#[test]
fn a_child_dies_with_its_parent() {
    let dir = tempfile::tempdir().expect("a directory");
    for watch in each() {
        let file = dir.path().join(format!("{watch:?}"));
        let mut parent = Command::new(env::current_exe().expect("a test knows itself"))
            .args(["--exact", "parent_to_be_killed"])
            .env(PARENT, format!("{watch:?} {}", file.display()))
            .spawn()
            .expect("it starts");
        wait_until("the child has started", || file.exists());
        parent.kill().expect("it is ours");
        parent.wait().expect("it is ours");
        ends_soon(std::fs::read_to_string(&file).expect("its number").trim());
    }
}

/// Set for the process that [`a_touch_past_the_end_is_told_with_its_address`] lets die: the file to map.
const SHRUNK: &str = "INSTRUMENTS_FILE_TO_SHRINK";

#[test]
fn touch_past_the_end() {
    let Some(path) = env::var_os(SHRUNK) else { return };
    let file = std::fs::File::options().read(true).write(true).open(path).expect("it was made for us");
    // SAFETY: the mapping is read once, through a pointer, and this process is meant to die of it.
    let map = unsafe { memmap2::Mmap::map(&file) }.expect("it is a file");
    file.set_len(0).expect("it may be written");
    println!("\naddress={}", map.as_ptr().addr());
    // SAFETY: the address is mapped; that nothing lies behind it is what is to be seen.
    unsafe { map.as_ptr().read_volatile() };
}

#[test]
fn a_touch_past_the_end_is_told_with_its_address() {
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a file");
    std::fs::write(file.path(), "some bytes").expect("there is room");
    let this = env::current_exe().expect("a test knows itself");
    let file = format!("{SHRUNK}={}", file.path().display());
    let args = [&file, this.to_str().expect("text"), "--exact", "touch_past_the_end", "--nocapture"];
    for watch in each().filter(|watch| *watch != Watch::Nothing) {
        // It dies on a thread of its own, as tests do.
        let (outcome, _) = run(Path::new("/usr/bin/env"), &args.map(OsStr::new), watch).expect("it starts");
        let lines = outcome.stdout.lines();
        let printed =
            lines.filter_map(|line| line.strip_prefix("address=")).next_back().expect("it was printed");
        let Exit::Signal { name, code, address, .. } = outcome.exit else { panic!("{:?}", outcome.exit) };
        assert_eq!((name.as_str(), code), ("SIGBUS", Some(libc::BUS_ADRERR)), "{watch:?}");
        assert_eq!(address, printed.parse().ok(), "{watch:?}");
    }
}
