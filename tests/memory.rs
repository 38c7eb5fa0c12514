//! How much memory the tutor itself takes, whatever the size of the file that it measures.

mod support;

use std::fs;
use std::time::Duration;
use support::{Fixture, Running, alone, skip};

const MOST_KIB: u64 = 64 << 10;

#[test]
fn the_tutor_stays_small_however_large_the_file() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let _alone = alone();
    for (words, acts) in [("lab 3 --size 512M", 3), ("lab 2 --size 256M", 2), ("lab 6 --size 256M", 2)] {
        // Each act is skipped and looked at; then the input ends.
        let mut running = fixture.tutor(words).input(&"s\n\n".repeat(acts)).start();
        let peak = peak_kib(&mut running);
        let ran = running.wait();
        if ran.code() == Some(2) && ran.err.contains("are free") {
            return skip(ran.err);
        }
        assert!(ran.exits(0).out.contains(&format!("act {} of", acts + 1)), "{words}: {ran:?}");
        assert!((1..MOST_KIB).contains(&peak), "{words}: {peak} KiB");
        println!("{words}: at most {peak} KiB");
    }
    fixture.nothing_left();
}

/// VmHWM: the most that the process itself, without its children, ever had in memory. See proc_pid_status(5).
fn peak_kib(running: &mut Running) -> u64 {
    let status = format!("/proc/{}/status", running.pid());
    let mut peak = 0;
    while !running.has_ended() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = peak.max(line.and_then(|kib| kib.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    peak
}
