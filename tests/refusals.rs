//! What cannot be: one clear line, the exit code of the contract, and nothing left. In the guided form and in JSON.

mod support;

use nix::sys::stat::Mode;
use nix::sys::statvfs::statvfs;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use support::{Fixture, Ran, has_or_skip, labs, skip};

/// Refuse `tutor WORDS` in both forms; the line, which is the same in both.
#[track_caller]
fn refused(fixture: &Fixture, words: &str, code: i32) -> String {
    let guided = fixture.tutor(words).run();
    let line = guided.refuses(code).to_owned();
    assert_eq!(guided.out, "", "{guided:?}");
    let json = fixture.tutor(words).arg("--json").run();
    assert_eq!(json.refuses(code), line);
    is_a_document_or_nothing(&json);
    fixture.nothing_left();
    line
}

/// A failure leaves a document whose acts say why; a usage error leaves none.
#[track_caller]
fn is_a_document_or_nothing(ran: &Ran) {
    if ran.code() == Some(2) {
        return assert_eq!(ran.out, "", "{ran:?}");
    }
    if !ran.out.is_empty() {
        let acts = ran.json()["acts"].as_array().expect("acts").clone();
        let reasons = acts.iter().filter(|act| act["status"] == "unavailable" && act["reason"].is_string());
        assert!(reasons.count() > 0, "{ran:?}");
    }
}

#[test]
fn knobs_out_of_range_are_refused_with_the_range() {
    let fixture = Fixture::anywhere();
    for lab in labs().iter().filter(|lab| lab.smallest.contains("--size")) {
        for knob in ["--size 0", "--size 9E", "--size banana", "--size -1", "--size 4097", "--size="] {
            let line = refused(&fixture, &format!("lab {} {knob}", lab.number), 2);
            assert!(line.contains("--size") && line.contains(" to "), "{line}");
        }
    }
    for knob in ["--block 7", "--block 0", "--block 9E", "--trials 0", "--trials 1.5"] {
        let line = refused(&fixture, &format!("lab 3 {knob}"), 2);
        assert!(line.contains("lab 3 takes "), "{line}");
    }
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    let fixture = Fixture::anywhere();
    for (words, hint) in [
        ("lab 99", "2 cold-vs-warm"),
        ("lab cold-vs-wram", "2 cold-vs-warm"),
        ("lab -- -3", "2 cold-vs-warm"),
        ("lab 3 --step nope", "mmap-calls"),
        ("lab 3 --frobnicate 7", "tutor lab --help"),
        ("lab 3 --sise 64M", "--size"),
        ("lab", "2 cold-vs-warm"),
        ("lab --json", "type for example `tutor lab "),
        ("lsit", "'list'"),
        ("run craed", "'cread'"),
        ("reset 99", "2 cold-vs-warm"),
        ("completions no-shell", "bash"),
    ] {
        let ran = fixture.tutor(words).run();
        let line = ran.refuses(2);
        assert!(line.contains(hint), "{line}");
        assert_eq!(ran.out, "", "{ran:?}");
    }
    fixture.nothing_left();
}

#[test]
fn blocks_that_no_loop_can_work_with_are_bad_usage() {
    let fixture = Fixture::anywhere();
    let help = fixture.tutor("run --help").run().exits(0).out.clone();
    let (_, list) = help.split_once("Workloads:\n").expect("a list of them");
    let names = list.lines().map_while(|line| line.split_whitespace().next());
    let has_blocks = |name: &&str| fixture.tutor(&format!("run {name} --help")).run().out.contains("--block");
    let names: Vec<_> = names.filter(has_blocks).collect();
    assert!(names.len() >= 6 && names.contains(&"cread") && names.contains(&"dwrite"), "{names:?}");
    for name in names {
        for block in ["0", "2G"] {
            let ran = fixture.tutor(&format!("run {name} --size 1M --block {block}")).run();
            assert!(ran.refuses(2).contains("a block has from 1 B to 1 "), "{ran:?}");
            assert_eq!(ran.out, "", "{ran:?}");
        }
    }
    fixture.nothing_left();
}

#[test]
fn answers_that_are_none_are_refused_before_anything_is_measured() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for answers in ["z", "banana", "1,2,3,4,5,6,7,8,9,10,11,12", ",", "99999999999999999999999999999999e999"]
    {
        let line = refused(&fixture, &format!("lab 3 --size 64M --predict {answers}"), 2);
        assert!(line.contains("--predict"), "{line}");
    }
    let line = refused(&fixture, "lab 3 --replay --predict skip --no-predict", 2);
    assert!(line.contains("--no-predict"), "{line}");
}

#[test]
fn places_that_will_not_do_are_refused_with_what_to_do() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let file = fixture.file("file");
    fs::write(&file, "x").unwrap();
    for (place, why) in
        [("no-such-directory", "does not exist"), ("file", "not a directory"), ("/proc", "cannot use /proc")]
    {
        let line = refused(&fixture, &format!("lab 2 --size 8M --dir {place}"), 1);
        assert!(line.contains(why) && line.contains("--dir"), "{line}");
    }
}

#[test]
fn what_lives_in_memory_is_refused() {
    let fixture = Fixture::anywhere();
    if !support::in_memory(Path::new("/dev/shm")) {
        return skip("/dev/shm is no tmpfs");
    }
    // Lab 7 evicts nothing.
    for lab in labs().into_iter().filter(|lab| lab.number != 7) {
        let line = refused(&fixture, &format!("lab {} {} --dir /dev/shm", lab.number, lab.smallest), 1);
        assert!(line.contains("tmpfs") && line.contains("give a directory on a disk with --dir"), "{line}");
    }
    let ran = fixture.tutor("run cread --size 1M --dir /dev/shm").run();
    assert!(ran.refuses(1).contains("tmpfs"));
}

#[test]
fn a_directory_that_others_may_write_to_is_refused() {
    let Some(fixture) = Fixture::on_a_disk().map(Fixture::without_privileges) else { return };
    for words in ["lab 2 --size 8M --dir /", "lab 3 --dir /"] {
        let line = refused(&fixture, words, 1);
        assert!(line.contains("you may not write there"), "{line}");
    }
}

#[test]
fn no_room_is_refused_with_what_would_fit() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let room = statvfs(&fixture.scratch()).expect("it is there");
    let free = room.blocks_available() * room.fragment_size();
    // Between what fits and what no lab takes.
    let wanted = (free / 100 * 95) >> 20;
    if wanted >= 64 << 10 {
        return skip("there is more room than any lab takes");
    }
    for form in ["", "--json"] {
        let ran = fixture.tutor(&format!("lab 2 --size {wanted}M {form}")).run();
        let line = ran.refuses(1);
        assert!(line.contains("are free in") && line.contains("lab 2 takes"), "{line}");
        is_a_document_or_nothing(&ran);
    }
    let ran = fixture.tutor(&format!("run cread --size {}M", (free >> 20) + 1024)).run();
    assert!(ran.refuses(1).contains("free there"), "{ran:?}");
    fixture.nothing_left();
}

#[test]
fn recordings_that_are_none_are_refused_by_name() {
    let fixture = Fixture::anywhere();
    let own = fixture.tutor("lab 2 --replay --json").run().exits(0).json();
    fs::write(fixture.file("empty"), "").unwrap();
    fs::write(fixture.file("half"), r#"{"schema": 1, "lab": "cold-vs-wa"#).unwrap();
    fs::write(fixture.file("document"), own.to_string()).unwrap();
    fs::write(fixture.file("newer"), r#"{"schema": 99}"#).unwrap();
    fs::write(fixture.file("binary"), [0xff, 0, 0xfe]).unwrap();
    nix::unistd::mkfifo(&fixture.file("pipe"), Mode::S_IRUSR | Mode::S_IWUSR).expect("a pipe can be made");
    for (file, why) in [
        ("empty", "not a recording"),
        ("half", "not a recording"),
        ("document", "not a recording"),
        ("newer", "schema 99"),
        ("binary", "binary"),
        ("missing", "missing"),
        ("pipe", "not a regular file"),
        (".", "not a regular file"),
        ("/dev/zero", "not a regular file"),
    ] {
        let line = refused(&fixture, &format!("lab 2 --replay {file}"), 1);
        assert!(line.contains(file) && line.contains(why), "{line}");
    }
}

#[test]
fn a_recording_of_another_lab_is_refused() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let ran = fixture.tutor("lab 2 --size 8M --trials 5 --no-predict --json --record two").run();
    ran.exits(0);
    let line = refused(&fixture, "lab 3 --replay two", 1);
    assert!(line.contains("cold-vs-warm") && line.contains("syscalls-vs-faults"), "{line}");
}

#[test]
fn a_recording_that_could_not_be_kept_is_refused_before_anything_is_measured() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for file in ["no-such-directory/x", "/dev/null", "."] {
        let began = Instant::now();
        let line = refused(&fixture, &format!("lab 3 --no-predict --record {file}"), 1);
        assert!(line.contains("record to"), "{line}");
        assert!(began.elapsed() < Duration::from_secs(5), "it measured first");
    }
}

#[test]
fn a_recording_is_no_measurement() {
    let fixture = Fixture::anywhere();
    for knob in ["--size 64M", "--block 4K", "--trials 5", "--dir .", "--record x"] {
        let line = refused(&fixture, &format!("lab 2 --replay {knob}"), 2);
        assert!(line.contains("--replay"), "{line}");
    }
    assert!(!fixture.file("x").exists());
}

#[test]
fn workloads_refuse_what_they_cannot_work_on() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    nix::unistd::mkfifo(&fixture.file("pipe"), Mode::S_IRUSR | Mode::S_IWUSR).expect("a pipe can be made");
    fs::write(fixture.file("file"), "some bytes").unwrap();
    for (words, code) in [
        ("run cread", 2),
        ("run cread --size 0", 2),
        ("run cread --size 1M --block banana", 2),
        ("run cread --size 1M --block 0", 2),
        ("run cread --size 1M --block 2G", 2),
        ("run cread file --cold --warm", 2),
        ("run cread missing", 1),
        ("run cread .", 1),
        ("run cread pipe", 1),
        ("run cread /dev/zero", 1),
        ("run evict pipe", 1),
        ("run mmapsum .", 1),
        ("run residency pipe", 1),
    ] {
        let ran = fixture.tutor(words).run();
        ran.refuses(code);
        assert_eq!(ran.out, "", "{ran:?}");
    }
    fixture.nothing_left();
}

#[test]
fn a_directory_that_vanishes_while_workloads_run_is_named_as_the_reason() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for (lab, form) in [("2 --size 8M", "--json"), ("3 --size 64M", "--json"), ("3 --size 64M", "")] {
        let place = fixture.file("place");
        fs::create_dir(&place).unwrap();
        let mut running = fixture.tutor(&format!("lab {lab} --no-predict --dir place {form}")).start();
        let end = Instant::now() + support::PATIENCE;
        while !fixture.processes().iter().any(|line| line.contains(" run ")) {
            assert!(!running.has_ended() && Instant::now() < end, "no workload was started");
            std::thread::sleep(Duration::from_millis(2));
        }
        // At once, and not file by file.
        fs::rename(&place, fixture.file("gone")).unwrap();
        let ran = running.wait();
        fs::remove_dir_all(fixture.file("gone")).unwrap();
        let line = ran.refuses(1);
        assert!(
            line.starts_with("tutor: cannot go on with ") && line.contains("/place/page-cache-tutor-"),
            "{line}"
        );
        assert!(line.ends_with(": somebody removed it meanwhile; run the lab again"), "{line}");
        if form == "--json" {
            is_a_document_or_nothing(&ran);
        }
        fixture.nothing_left();
    }
}

#[test]
fn a_directory_that_vanishes_during_the_run_ends_it_in_order() {
    let Some(fixture) = Fixture::on_a_disk().filter(|_| has_or_skip(&["rm"])) else { return };
    for (form, moment_ms) in [("--json", 0), ("--json", 150), ("--json", 900), ("", 0), ("", 400)] {
        let place = fixture.file("place");
        fs::create_dir(&place).unwrap();
        let words = format!("lab 3 --size 64M --no-predict --dir place {form}");
        let running = fixture.tutor(&words).start();
        let end = Instant::now() + support::PATIENCE;
        while fs::read_dir(&place).unwrap().next().is_none() {
            assert!(Instant::now() < end, "no scratch directory is made");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(moment_ms));
        // In another process: a race with the tutor, which still writes there, until all is gone.
        while place.exists() {
            fixture.program_with("rm", "-rf place").run();
        }
        let ran = running.wait();
        let line = ran.refuses(1);
        assert!(line.starts_with("tutor: cannot "), "{line}");
        if form == "--json" {
            is_a_document_or_nothing(&ran);
        }
        fixture.nothing_left();
    }
}

#[test]
fn on_a_terminal_a_refusal_is_broken_between_words_and_commands_stay_whole() {
    let fixture = Fixture::anywhere();
    let said = fixture.tutor("export me.json").run().refuses(1).to_owned();
    for columns in [40, 60] {
        let ended = fixture.tutor("export me.json").on_terminal(columns, 12).end();
        let text = ended.exits(1).is_within(columns).text();
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert!(lines.len() > 1 || said.len() < usize::from(columns), "{text}");
        assert!(lines.iter().any(|line| line.contains("`tutor lab 1`")), "{text}");
        assert!(lines.join(" ").contains(&said), "the same words: {text}");
    }
}
