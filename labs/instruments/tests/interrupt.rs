//! An interruption ends a running child at once. In a process of its own, since the flag stays up.

use instruments::subject::{Watch, run};
use instruments::{Unavailable, interrupt};
use std::ffi::OsStr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_request_kills_the_children_that_run_and_lets_no_other_start() {
    let started = Instant::now();
    let watches = [Watch::Nothing, Watch::Death, Watch::Calls].into_iter();
    let allowed = watches.filter(|watch| match run(Path::new("/bin/true"), &[], *watch) {
        Err(why @ Unavailable::Lacking { .. }) => {
            println!("skipped {watch:?}: {why}");
            false
        }
        _ => true,
    });
    let runs: Vec<_> = allowed
        .map(|watch| {
            thread::spawn(move || {
                let args = ["-c", "sleep 600 & sleep 600; true"].map(OsStr::new);
                run(Path::new("/bin/sh"), &args, watch)
            })
        })
        .collect();
    thread::sleep(Duration::from_millis(300));
    interrupt::request();
    for run in runs {
        assert_eq!(run.join().expect("it ends").map(drop), Err(Unavailable::Interrupted));
    }
    assert_eq!(run(Path::new("/bin/true"), &[], Watch::Nothing).map(drop), Err(Unavailable::Interrupted));
    assert!(started.elapsed() < Duration::from_secs(60), "nobody waited for the sleepers");
}
