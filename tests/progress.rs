//! What the learner has done is kept after each step, as a whole, and never lost to another session or a damaged file.

mod support;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant};
use support::Fixture;

/// What the file of progress holds.
fn kept(fixture: &Fixture) -> Value {
    let text = fs::read_to_string(fixture.state("progress.json")).expect("progress is kept");
    serde_json::from_str(&text).expect("it is whole")
}

fn attempts<'v>(progress: &'v Value, lab: &str, act: &str) -> &'v [Value] {
    progress["labs"][lab]["acts"][act].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn a_prediction_is_kept_before_anything_is_measured_and_its_end_after_it() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let mut terminal = fixture.tutor("lab 2 --size 64M").on_terminal(80, 24);
    terminal.prompt().until_question().line("b");
    terminal.wait_for("write a file");
    let progress = kept(&fixture);
    let attempt = &attempts(&progress, "cold-vs-warm", "trap")[0];
    assert_eq!(attempt["prediction"], json!({"choice": "5x"}));
    terminal.prompt();
    let progress = kept(&fixture);
    let end = &attempts(&progress, "cold-vs-warm", "trap")[0]["end"];
    assert!(end["revealed"]["outcome_text"].is_string(), "{end}");
    // Nothing more is needed: it may die now.
    terminal.signal(Signal::SIGKILL);
    terminal.end();
    let shown = fixture.tutor("progress").run().exits(0).out.clone();
    assert!(shown.contains("trap") && shown.contains("5x"), "{shown}");
    let list = fixture.tutor("list --json").run().exits(0).json();
    assert_eq!(list["labs"].as_array().expect("labs").iter().filter(|lab| is_begun(lab)).count(), 1);
}

fn is_begun(lab: &Value) -> bool {
    lab["acts"].as_array().expect("acts").iter().any(|act| act["done"] == true)
}

#[test]
fn a_session_goes_on_where_it_was_left() {
    let fixture = Fixture::anywhere();
    let mut terminal = fixture.tutor("lab 2 --replay").on_terminal(80, 24);
    terminal.prompt().until_question().answer("a").line("q");
    let ended = terminal.end();
    assert!(ended.exits(0).text().contains("What you have done is kept"), "{}", ended.screen);
    let mut terminal = fixture.tutor("lab 2 --replay").on_terminal(80, 24);
    assert!(terminal.prompt().new_text().contains("go on at act 2"), "{}", terminal.shown());
    let next = terminal.answer("").until_question().new_text();
    assert!(next.contains("act 2 of 4"), "{next}");
    terminal.line("q");
    terminal.end().exits(0);
}

#[test]
fn what_a_reader_finds_is_always_whole() {
    let fixture = Fixture::anywhere();
    let mut seen = 0;
    for _ in 0..10 {
        let mut running = fixture.tutor("lab 3 --replay --json --predict 4097").start();
        while !running.has_ended() {
            if let Ok(text) = fs::read_to_string(fixture.state("progress.json")) {
                serde_json::from_str::<Value>(&text).expect("it is whole");
                seen += 1;
            }
        }
        running.wait().exits(0);
    }
    assert!(seen > 10, "the file was looked at {seen} times only");
    fixture.nothing_left();
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_file_and_what_is_left_is_collected() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for moment_ms in [5, 20, 60, 150, 400] {
        let running = fixture.tutor("lab 2 --size 8M --no-predict").start();
        std::thread::sleep(Duration::from_millis(moment_ms));
        running.signal(Signal::SIGKILL);
        running.wait();
        fixture.no_process_left();
        if fixture.state("progress.json").exists() {
            kept(&fixture);
        }
    }
    let cleaned = fixture.tutor("clean").run().exits(0).out.clone();
    assert!(cleaned.contains("removed") && cleaned.contains("Your progress stays in"), "{cleaned}");
    fixture.nothing_left();
    let again = fixture.tutor("clean").run().exits(0).out.clone();
    assert!(again.contains("Nothing was left on disk."), "{again}");
}

#[test]
fn the_next_run_collects_what_a_killed_one_left() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let place = fixture.file("elsewhere");
    fs::create_dir(&place).unwrap();
    let running = fixture.tutor("lab 3 --size 64M --no-predict --dir elsewhere").start();
    let end = Instant::now() + support::PATIENCE;
    // Only what has been remembered can be found again.
    while fs::read_dir(&place).unwrap().next().is_none() || !fixture.state("scratch-dirs").exists() {
        assert!(Instant::now() < end, "it makes no scratch directory");
        std::thread::sleep(Duration::from_millis(2));
    }
    running.signal(Signal::SIGKILL);
    running.wait();
    // A child between fork and exec holds what its parent held, until it is dead, too.
    fixture.no_process_left();
    assert_eq!(fs::read_dir(&place).unwrap().count(), 1, "nobody could tidy up");
    fixture.tutor("lab 2 --size 8M").run().exits(0);
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
    fixture.nothing_left();
}

#[test]
fn a_damaged_file_is_set_aside_and_told() {
    for damage in [&b"{ half"[..], b"", b"[]", b"{\"schema\": 1, \"labs\": 7}", b"\xff\xfe\x00", b"null"] {
        let fixture = Fixture::anywhere();
        fs::create_dir(fixture.state("")).unwrap();
        fs::write(fixture.state("progress.json"), damage).unwrap();
        let ran = fixture.tutor("lab 2 --replay --json --predict b").run();
        let complaints = ran.exits(0).complaints();
        assert_eq!(complaints.len(), 1, "{ran:?}");
        assert!(complaints[0].contains("progress.json.corrupt-1"), "{ran:?}");
        assert_eq!(fs::read(fixture.state("progress.json.corrupt-1")).unwrap(), damage, "nothing is lost");
        assert_eq!(attempts(&kept(&fixture), "cold-vs-warm", "trap").len(), 1, "it begins anew");
        assert_eq!(fixture.tutor("list").run().exits(0).complaints(), [""; 0], "told once");
    }
}

#[test]
fn a_newer_file_is_left_alone() {
    let fixture = Fixture::anywhere();
    fs::create_dir(fixture.state("")).unwrap();
    let newer = r#"{"schema": 2, "what": "nobody knows yet"}"#;
    fs::write(fixture.state("progress.json"), newer).unwrap();
    let ran = fixture.tutor("lab 2 --replay --no-predict").run();
    let complaints = ran.exits(0).complaints();
    assert!(complaints.len() == 1 && complaints[0].contains("newer tutor"), "{ran:?}");
    assert!(fixture.tutor("reset 2").run().code() == Some(1), "it cannot forget what it cannot read");
    assert_eq!(fs::read_to_string(fixture.state("progress.json")).unwrap(), newer);
}

#[test]
fn without_a_place_for_progress_a_lab_goes_on() {
    let fixture = Fixture::anywhere();
    fs::write(fixture.file("no-directory"), "").unwrap();
    let ran = fixture
        .tutor("lab 2 --replay --no-predict")
        .env("XDG_STATE_HOME", fixture.file("no-directory"))
        .run();
    let complaints = ran.exits(0).complaints();
    assert!(complaints.len() == 1 && complaints[0].contains("progress is not saved"), "{ran:?}");
    let unset = fixture.tutor("lab 2 --replay --no-predict").env("XDG_STATE_HOME", "").env("HOME", "").run();
    assert_eq!(unset.exits(0).complaints().len(), 1, "{unset:?}");
    assert!(!unset.out.contains("What you have done is kept"), "{unset:?}");
}

#[test]
fn a_directory_that_others_own_is_told_too() {
    let Some(fixture) = Fixture::on_a_disk().map(Fixture::without_privileges) else { return };
    let ran = fixture.tutor("lab 2 --replay --no-predict").env("XDG_STATE_HOME", "/").run();
    let complaints = ran.exits(0).complaints();
    assert!(complaints.len() == 1 && complaints[0].contains("progress is not saved"), "{ran:?}");
}

#[test]
fn two_sessions_at_once_lose_nothing_of_each_other() {
    let fixture = Fixture::anywhere();
    const SESSIONS: usize = 8;
    let start = |lab| fixture.tutor(&format!("lab {lab} --replay --json")).start();
    let running: Vec<_> = (0..SESSIONS).map(|number| start(2 + number % 2)).collect();
    for session in running {
        assert_eq!(session.wait().exits(0).complaints(), [""; 0]);
    }
    let progress = kept(&fixture);
    for (lab, act) in [("cold-vs-warm", "trap"), ("cold-vs-warm", "proof"), ("syscalls-vs-faults", "copies")]
    {
        let attempts = attempts(&progress, lab, act);
        assert_eq!(attempts.len(), SESSIONS / 2, "{lab} {act}");
    }
    fixture.nothing_left();
}

#[test]
fn reset_forgets_what_it_is_told_to() {
    let fixture = Fixture::anywhere();
    for lab in [2, 3] {
        fixture.tutor(&format!("lab {lab} --replay --json")).run().exits(0);
    }
    assert!(fixture.tutor("reset 2").run().exits(0).out.contains("of lab 2"));
    let progress = kept(&fixture);
    assert!(progress["labs"]["cold-vs-warm"].is_null() && !progress["labs"]["syscalls-vs-faults"].is_null());
    assert!(fixture.tutor("reset --all").run().refuses(2).contains("--yes"));
    assert_eq!(kept(&fixture), progress, "nobody has agreed");
    fixture.tutor("reset --all --yes").run().exits(0);
    assert_eq!(kept(&fixture)["labs"], json!({}));
    assert!(fixture.tutor("clean --all").run().exits(0).out.contains("removed"));
    assert!(!fixture.state("").exists());
}

#[test]
fn progress_is_nobody_elses_business_and_no_link_leads_astray() {
    let fixture = Fixture::anywhere();
    fixture.tutor("lab 2 --replay --json").run().exits(0);
    let mode = |name: &str| fs::metadata(fixture.state(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(""), mode("progress.json")), (0o700, 0o600));
    // Somebody's file under the name of progress is replaced, and not written through.
    fs::write(fixture.file("precious"), r#"{"schema": 1, "labs": {}}"#).unwrap();
    fs::remove_file(fixture.state("progress.json")).unwrap();
    symlink(fixture.file("precious"), fixture.state("progress.json")).unwrap();
    fixture.tutor("lab 2 --replay --json").run().exits(0);
    assert_eq!(fs::read_to_string(fixture.file("precious")).unwrap(), r#"{"schema": 1, "labs": {}}"#);
}
