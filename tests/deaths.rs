//! Lab 7 with the real program: children die of what the lab says, where it says, and leave nothing behind.

use instruments::testing::undisturbed;
use serde_json::Value;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};
use tempfile::TempDir;

fn tutor(args: &[&str]) -> Output {
    let state = TempDir::new().expect("a temporary directory");
    Command::new(env!("CARGO_BIN_EXE_tutor"))
        .args(args)
        .env("XDG_STATE_HOME", state.path())
        .output()
        .expect("the tutor starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Whether this run could not be made for want of a privilege, which it then names.
fn lacking(output: &Output) -> bool {
    let said = text(&output.stderr);
    let lacking = output.status.code() == Some(1) && said.contains(": needs ");
    if lacking {
        eprintln!("skipped: {said}");
    }
    lacking
}

#[test]
fn what_dies_by_hand_dies_of_sigbus_and_had_said_where_it_was() {
    let dir = TempDir::new().expect("a temporary directory");
    let place = ["--dir", dir.path().to_str().expect("a plain name")];
    for args in [
        &["run", "mapcut"][..],
        &["run", "mapcut", "--never-longer"],
        &["run", "defend", "check"],
        &["run", "defend", "reserve"],
    ] {
        let output = tutor(&[args, &place].concat());
        assert_eq!(output.status.signal(), Some(libc::SIGBUS), "{args:?}: {output:?}");
        let line = text(&output.stdout);
        assert!(line.starts_with(&format!("[{}] ", args[1])) && line.contains(" base=0x"), "{line}");
        assert_eq!(std::fs::read_dir(dir.path()).expect("still there").count(), 0, "{args:?}");
    }
}

#[test]
fn what_dies_on_a_tmpfs_of_its_own_leaves_no_mount() {
    // Others may mount something meanwhile.
    undisturbed(|| {
        let mounts =
            || std::fs::read_to_string("/proc/self/mounts").expect("always readable").lines().count();
        let before = mounts();
        for args in [
            &["run", "holestore"][..],
            &["run", "defend", "check", "--against", "full"],
            &["run", "mapcut", "--own-tmpfs", "16M"],
        ] {
            let output = tutor(args);
            if lacking(&output) {
                return;
            }
            assert_eq!(output.status.signal(), Some(libc::SIGBUS), "{args:?}: {output:?}");
            assert_eq!(mounts(), before, "{args:?}");
        }
        for how in ["handler", "copy", "reserve"] {
            let output = tutor(&["run", "defend", how, "--against", "full"]);
            assert!(output.status.success(), "{how}: {output:?}");
        }
    });
}

#[test]
fn the_whole_lab_says_what_happened() {
    let output = tutor(&["lab", "7", "--json", "--no-predict"]);
    if !output.status.success() && text(&output.stderr).contains("disk") {
        return eprintln!("skipped: {}", text(&output.stderr));
    }
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let act = |id: &str| {
        let acts = document["acts"].as_array().expect("acts");
        acts.iter().find(|act| act["id"] == id).unwrap_or_else(|| panic!("no act {id}")).clone()
    };
    for id in ["shrink-read", "tail", "shrink-mmap", "defend"] {
        assert_eq!(act(id)["status"], "measured", "{}", act(id));
    }

    let read = &act("shrink-read")["evidence"];
    assert_eq!((&read["read_returned_bytes"], &read["read_error"]), (&0.into(), &"none".into()));
    assert_eq!(act("tail")["evidence"]["ended"]["value"], 0);

    let place = &act("shrink-mmap")["evidence"]["places"][0];
    let number = |key: &str| place["cut"][key].as_u64().expect("a number");
    let past_the_end = number("kept_bytes").div_ceil(number("page_bytes"));
    let death = &place["shrunk"]["ended"]["killed"];
    assert_eq!(death["signal"], "SIGBUS", "{place}");
    assert_eq!(death["code"], 2, "BUS_ADRERR");
    assert_eq!(death["page"], past_the_end);
    assert_eq!(place["shrunk"]["system_call_error"], "EFAULT");

    let full = act("full");
    if full["status"] == "unavailable" {
        let reason = full["reason"].as_str().expect("a reason");
        assert!(reason.contains("needs"), "{reason}");
        return eprintln!("skipped: {reason}");
    }
    assert_eq!(full["evidence"]["write_error"], "ENOSPC");
    let death = &full["evidence"]["ended"]["killed"];
    assert_eq!((&death["signal"], &death["page"]), (&"SIGBUS".into(), &full["evidence"]["hole_page"]));

    let trials = act("defend")["evidence"]["trials"].as_array().expect("trials").clone();
    let fate = |how: &str, against: &str| {
        let mut found = trials.iter().filter(|trial| trial["how"] == how && trial["against"] == against);
        found.next().unwrap_or_else(|| panic!("no trial of {how} against {against}"))["death"].is_null()
    };
    let alive = ["check", "handler", "copy", "seal", "reserve"].map(|how| fate(how, "cut"));
    assert_eq!(alive, [false, true, true, true, false]);
    let alive = ["check", "handler", "copy", "reserve"].map(|how| fate(how, "full"));
    assert_eq!(alive, [false, true, true, true]);
}

#[test]
fn the_recording_is_shown_as_one() {
    let output = tutor(&["lab", "7", "--replay", "--json", "--no-predict"]);
    assert!(output.status.success(), "{output:?}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(document["source"], "recorded");
    assert!(document["acts"].as_array().expect("acts").iter().all(|act| act["status"] == "recorded"));
}
