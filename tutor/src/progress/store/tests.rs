//! Progress against damage, newer files and other sessions.

use super::super::today;
use super::*;
use lesson::{Outcome, Prediction, Verdict};

fn attempt() -> Attempt {
    Attempt {
        on: today(),
        recorded: false,
        prediction: Prediction::Quantity(25.0),
        prediction_text: "25x".to_owned(),
        asked: String::new(),
        machine: String::new(),
        plan: None,
        end: None,
    }
}

fn revealed() -> End {
    End::Revealed {
        outcome: Outcome::Quantity(5.8),
        outcome_text: "5.8x".to_owned(),
        verdict: Verdict::Miss,
        sentence: "It was 5.8x.".to_owned(),
        why: vec![],
    }
}

#[test]
fn a_prediction_is_on_disk_before_its_end_and_nothing_is_overwritten() {
    let place = tempfile::tempdir().unwrap();
    let open = || Store::open(State::at(place.path()));
    open().predicted("lab", "act", attempt());
    assert_eq!(open().progress().last("lab", "act"), Some(&attempt()));
    assert!(!open().progress().is_done("lab", "act"));
    open().ended("lab", "act", attempt(), revealed());
    open().predicted("lab", "act", attempt());
    let store = open();
    assert_eq!(store.progress().labs["lab"].acts["act"].len(), 2);
    assert!(store.progress().is_done("lab", "act"), "an attempt that was broken off undoes no earlier one");
}

#[test]
fn two_sessions_side_by_side_lose_nothing() {
    let place = tempfile::tempdir().unwrap();
    let mut one = Store::open(State::at(place.path()));
    let mut two = Store::open(State::at(place.path()));
    one.predicted("lab", "a", attempt());
    two.predicted("lab", "b", attempt());
    let kept = Store::open(State::at(place.path()));
    assert_eq!(kept.progress().labs["lab"].acts.len(), 2);
}

#[test]
fn damaged_files_are_set_aside_one_beside_the_other() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join(FILE);
    for damage in ["{\"schema\": 1, \"la", "[]", "{\"schema\": 1, \"labs\": 7}"] {
        fs::write(&file, damage).unwrap();
        Store::open(State::at(place.path()));
        assert!(!file.exists());
    }
    let third = place.path().join("progress.json.corrupt-3");
    assert_eq!(fs::read_to_string(third).unwrap(), "{\"schema\": 1, \"labs\": 7}");
}

#[test]
fn a_newer_file_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let newer = r#"{"schema": 2, "pupils": []}"#;
    fs::write(place.path().join(FILE), newer).unwrap();
    let mut store = Store::open(State::at(place.path()));
    store.predicted("lab", "act", attempt());
    assert!(store.progress().last("lab", "act").is_some(), "the session itself goes on");
    assert_eq!(fs::read_to_string(place.path().join(FILE)).unwrap(), newer);
}

#[test]
fn without_a_place_the_session_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let in_the_way = place.path().join("file");
    fs::write(&in_the_way, "").unwrap();
    let mut store = Store::open(State::at(&in_the_way));
    store.predicted("lab", "act", attempt());
    store.ended("lab", "act", attempt(), revealed());
    assert!(store.progress().is_done("lab", "act"));
}

#[test]
fn forgetting_one_lab_keeps_the_others() {
    let place = tempfile::tempdir().unwrap();
    let mut store = Store::open(State::at(place.path()));
    for (lab, act) in [("a", "1"), ("a", "2"), ("b", "1")] {
        store.predicted(lab, act, attempt());
    }
    assert_eq!(store.forget(Some("a")), 2);
    assert_eq!(store.progress().labs.keys().collect::<Vec<_>>(), ["b"]);
    assert_eq!(store.forget(None), 1);
    assert_eq!(store.forget(None), 0);
}

#[test]
fn what_was_answered_counts_whatever_comes_after_it() {
    let skipped = |recorded| Attempt {
        prediction: Prediction::Skipped,
        prediction_text: "skipped".to_owned(),
        recorded,
        ..attempt()
    };
    let replayed = Attempt { recorded: true, ..attempt() };
    let unavailable = || End::Unavailable("it needs a thing".to_owned());
    let later = [
        (skipped(false), Some(revealed())),
        (skipped(true), Some(revealed())),
        (skipped(false), None),
        (replayed.clone(), Some(revealed())),
        (attempt(), None),
        (attempt(), Some(unavailable())),
    ];
    for (again, end) in later {
        let place = tempfile::tempdir().unwrap();
        let mut store = Store::open(State::at(place.path()));
        store.predicted("lab", "act", attempt());
        store.ended("lab", "act", attempt(), revealed());
        let before = store.progress().counted("lab", "act").cloned();
        store.predicted("lab", "act", again.clone());
        if let Some(end) = end {
            store.ended("lab", "act", again.clone(), end);
        }
        let store = Store::open(State::at(place.path()));
        assert_eq!(store.progress().counted("lab", "act").cloned(), before, "{again:?}");
        assert!(store.progress().is_done("lab", "act"));
    }
}

#[test]
fn an_answer_measured_anew_counts_once_its_end_is_there_and_is_pending_before() {
    let place = tempfile::tempdir().unwrap();
    let mut store = Store::open(State::at(place.path()));
    let again = Attempt { prediction: Prediction::Quantity(9.0), ..attempt() };
    store.predicted("lab", "act", attempt());
    store.ended("lab", "act", attempt(), revealed());
    assert_eq!(store.progress().pending("lab", "act"), None);
    store.predicted("lab", "act", again.clone());
    assert_eq!(store.progress().pending("lab", "act"), Some(&again));
    assert_eq!(store.progress().counted("lab", "act").unwrap().prediction, attempt().prediction);
    store.ended("lab", "act", again.clone(), revealed());
    assert_eq!(store.progress().pending("lab", "act"), None);
    assert_eq!(store.progress().counted("lab", "act").unwrap().prediction, again.prediction);
}

#[test]
fn an_end_goes_to_its_own_attempt_and_not_to_the_one_of_another_session() {
    let place = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (Store::open(State::at(place.path())), Store::open(State::at(place.path())));
    let other = Attempt { prediction: Prediction::Quantity(9.0), ..attempt() };
    one.predicted("lab", "act", attempt());
    two.predicted("lab", "act", other.clone());
    one.ended("lab", "act", attempt(), revealed());
    let kept = Store::open(State::at(place.path()));
    assert_eq!(kept.progress().counted("lab", "act").unwrap().prediction, attempt().prediction);
    assert_eq!(kept.progress().pending("lab", "act"), Some(&other));
}
