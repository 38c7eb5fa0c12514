//! The workloads that live, on a real kernel. Those that die are run by the tests of the whole program.

use lesson::testing::by_hand::{self, Fields};

/// See [`by_hand::run`].
fn run(name: &str, args: &[&str]) -> Result<Fields, String> {
    by_hand::run(&sigbus_on_truncation::lab(), name, args)
}

/// A directory for the test, and its name as an argument.
fn dir() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let name = dir.path().to_str().expect("a plain name").to_owned();
    (dir, name)
}

/// Nothing may be left there.
fn assert_empty(dir: &tempfile::TempDir) {
    assert_eq!(std::fs::read_dir(dir.path()).expect("still there").count(), 0);
}

fn differ(fields: &Fields, one: &str, other: &str) {
    assert_ne!(fields[one], fields[other], "{one} and {other}");
}

#[test]
fn a_reader_past_the_new_end_gets_nothing_and_the_one_across_it_less() {
    let (dir, name) = dir();
    let read = run("readcut", &["--keep", "300000", "--dir", &name]).expect("it lives");
    differ(&read, "pid", "cut_by_pid");
    let found = ["cut_error", "size_after_bytes", "read_returned", "read_error", "regrown_value"];
    assert_eq!(found.map(|key| &*read[key]), ["none", "300000", "0", "none", "0"]);
    assert_eq!((&*read["across_asked"], &*read["across_returned"]), ("200", "100"));
    assert_empty(&dir);
}

#[test]
fn the_rest_of_the_last_page_is_zero_and_takes_stores_that_no_read_sees() {
    let (dir, name) = dir();
    let map =
        run("mapcut", &["--keep", "300000", "--at", "300000", "--store", "--dir", &name]).expect("it lives");
    differ(&map, "pid", "cut_by_pid");
    let found = ["cut_error", "value_before", "last_kept_before", "last_kept_value", "value"];
    assert_eq!(found.map(|key| &*map[key]), ["none", "65", "65", "65", "0"]);
    assert_eq!(["loaded_back_value", "read_returned"].map(|key| &*map[key]), ["66", "0"]);
    assert_eq!(map["system_call_error"], "none");
    assert_empty(&dir);
}

/// One test for all: a process has one SIGBUS handler.
#[test]
fn three_defences_live_through_the_cut() {
    let (dir, name) = dir();
    let defend = |how| run("defend", &[how, "--size", "2M", "--dir", &name]).expect("it lives");
    let fields = ["strike_error", "stopped_by"];
    let half = |fields: &Fields| {
        let number = |key: &str| fields[key].parse::<u64>().expect("a number");
        assert_eq!(number("done_pages") * 2, number("pages"), "{fields:?}");
    };
    let copy = defend("copy");
    assert_eq!(fields.map(|key| &*copy[key]), ["none", "end_of_file"]);
    half(&copy);

    let handler = defend("handler");
    assert_eq!(fields.map(|key| &*handler[key]), ["none", "none"]);
    assert_eq!(handler["replaced_pages"], handler["done_pages"]);
    assert_eq!(handler["first_replaced_bytes"], handler["at_bytes"]);
    half(&handler);

    let seal = defend("seal");
    assert_eq!(fields.map(|key| &*seal[key]), ["EPERM", "none"]);
    assert_eq!(seal["done_pages"], seal["pages"]);
    assert_empty(&dir);
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (name, args, says) in [
        ("readcut", &["--keep", "1M"][..], "must lie before the place of the reader"),
        ("readcut", &["--size", "0"], "a file here has from 1 B to 1 GiB"),
        ("defend", &["copy", "--size", "2G"], "a file here has from 1 B to 1 GiB"),
        ("readcut", &["--dir", "/no/such/dir"], "name another directory"),
        ("mapcut", &["--keep", "0"], "give --keep and --at below --size"),
        ("mapcut", &["--keep", "2M"], "give --keep and --at below --size"),
        ("mapcut", &["--at", "1M"], "give --keep and --at below --size"),
        ("mapcut", &["--size", "2E"], "a file here has from 1 B to 1 GiB"),
        ("holestore", &["--disk", "1G"], "it must have between"),
        ("holestore", &["--disk", "1"], "it must have between"),
        ("defend", &["check", "--size", "1"], "give a larger --size"),
        ("defend", &["seal", "--against", "full"], "lies on no disk"),
        ("defend", &["copy", "--against", "full", "--dir", "/"], "leave --dir and --own-tmpfs away"),
    ] {
        let said = run(name, args).expect_err("refused");
        assert!(said.contains(says), "{name} {args:?}: {said}");
    }
}
