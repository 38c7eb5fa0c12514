//! Sessions with a small lab whose evidence is canned: typed answers in, a transcript out.

use super::fake::{self, Canned};
use super::*;
use crate::capabilities::Capabilities;
use crate::out::Out;
use crate::out::tests::Shared;
use crate::progress::Store;
use crate::prompt::Keyboard;
use crate::state::State;
use instruments::Unavailable;
use lesson::Lab;
use serde_json::json;
use std::path::Path;

const PLAIN: Capabilities =
    Capabilities { colour: false, plain: true, clears: false, paged: false, bar: false };

struct Told {
    text: String,
    code: u8,
    measured: Vec<&'static str>,
    rounds: Vec<Option<Round>>,
}

fn session_in(place: &Path, source: Canned, typed: &str, ahead: Option<&str>) -> Told {
    session_of(&fake::lab(), place, source, typed, ahead)
}

fn session_of(lab: &Lab, place: &Path, mut source: Canned, typed: &str, ahead: Option<&str>) -> Told {
    let shared = Shared::default();
    let mut out = Out::to(shared.clone());
    let mut store = Store::open(State::at(place));
    let ahead = ahead.map_or_else(
        || Ahead::nothing(lab),
        |answers| Ahead::read(lab, &fake::setting(), 0, answers).unwrap(),
    );
    let stage = Stage { lab, source: &mut source, store: &mut store };
    let mut session = Session::new(stage, Screen::new(&mut out, Keyboard::piped(typed), PLAIN), ahead, None);
    let code = session.run().map_or_else(|ending| ending.code(), |()| 0);
    let rounds = session.into_rounds();
    out.flush().unwrap();
    Told { text: shared.text(), code, measured: source.measured, rounds }
}

fn session(source: Canned, typed: &str, ahead: Option<&str>) -> Told {
    session_in(tempfile::tempdir().unwrap().path(), source, typed, ahead)
}

fn place_of(text: &str, wanted: &str) -> usize {
    text.find(wanted).unwrap_or_else(|| panic!("{wanted:?} is not in:\n{text}"))
}

#[test]
fn a_whole_session_asks_then_measures_then_reveals() {
    let told = session(Canned::usual(), "b\nn\n10x\n\nn\n", None);
    assert_eq!(told.code, 0);
    assert_eq!(told.measured, ["pick", "guess"]);
    let order = [
        "Which one?",
        "> b\n",
        "Measuring",
        "It was two.",
        "How many times?",
        "> 10x\n",
        "It was 6x.",
        "near",
    ];
    let places: Vec<_> = order.iter().map(|wanted| place_of(&told.text, wanted)).collect();
    assert!(places.is_sorted(), "{places:?}\n{}", told.text);
    assert!(!told.text.contains('\u{1b}'));
}

#[test]
fn nothing_is_measured_before_an_answer_and_the_end_of_input_is_q() {
    for typed in ["", "n\n\nr\n?\nwhat\n", "q\n", "<\n"] {
        let told = session(Canned::usual(), typed, None);
        assert_eq!((told.code, told.measured.len()), (0, 0), "{typed:?}");
        assert!(!told.text.contains("It was"), "{}", told.text);
    }
}

#[test]
fn the_prediction_is_on_disk_when_the_measurement_starts() {
    let place = tempfile::tempdir().unwrap();
    let failed = Err(Unavailable::failed("write data", "the disk is gone", "plug it in"));
    let told = session_in(place.path(), Canned::of([failed]), "c\n", None);
    assert_eq!(told.code, 1);
    let store = Store::open(State::at(place.path()));
    let last = store.progress().last("fake", "pick").unwrap();
    assert_eq!(last.prediction, Prediction::Choice("three".to_owned()));
    assert_eq!(last.end, None);
}

#[test]
fn back_shows_again_what_was_shown_and_measures_nothing() {
    let told = session(Canned::usual(), "a\nb\nn\nn\nback\nq\n", None);
    assert_eq!(told.measured, ["pick"]);
    assert_eq!(told.text.matches("It was two.").count(), 3, "{}", told.text);
}

#[test]
fn r_measures_again_with_the_same_prediction_and_keeps_both() {
    let place = tempfile::tempdir().unwrap();
    let source = Canned::of([Ok(json!("two")), Ok(json!("three"))]);
    let told = session_in(place.path(), source, "b\nr\nq\n", None);
    assert_eq!(told.measured, ["pick", "pick"]);
    assert!(place_of(&told.text, "It was two.") < place_of(&told.text, "It was three."));
    let store = Store::open(State::at(place.path()));
    assert_eq!(store.progress().labs["fake"].acts["pick"].len(), 2);
}

#[test]
fn a_recording_is_not_run_again_and_is_labelled_on_every_screen() {
    let told = session(Canned::usual().recorded(), "b\nr\nn\nskip\nn\nn\n", None);
    assert_eq!(told.measured, ["pick", "guess"]);
    assert!(!told.text.contains("Measuring"));
    assert!(told.text.matches("RECORDED 2026-11-30").count() >= 6, "{}", told.text);
}

#[test]
fn an_act_that_this_machine_lacks_says_why_and_the_session_goes_on() {
    let lacking = Err(Unavailable::lacking("count calls", "ptrace", "ask for it"));
    let told = session(Canned::of([lacking, Ok(json!(6.0))]), "a\nn\n6x\nn\nn\n", None);
    assert_eq!(told.code, 0);
    place_of(&told.text, "cannot count calls: needs ptrace; ask for it");
    place_of(&told.text, "It was 6x.");
    assert!(matches!(&told.rounds[0].as_ref().unwrap().end, End::Unavailable(_)));
}

#[test]
fn what_this_machine_lacks_is_shown_from_a_recording_with_its_label() {
    let lacking = Err(Unavailable::lacking("count calls", "ptrace", "ask for it"));
    let place = tempfile::tempdir().unwrap();
    let source = Canned::of([lacking, Ok(json!(6.0))]);
    let told = session_of(&fake::lab_with_recording(), place.path(), source, "a\nn\nn\n6x\nn\nn\n", None);
    assert_eq!(told.code, 0);
    let order = ["needs ptrace", "RECORDED 2026-11-30", "It was one.", "You said a"];
    let places: Vec<_> = order.map(|wanted| place_of(&told.text, wanted)).into();
    assert!(places.is_sorted(), "{}", told.text);
    let next_act = &told.text[place_of(&told.text, "How many times?")..];
    assert!(!next_act.contains("RECORDED"), "{next_act}");
    let store = Store::open(State::at(place.path()));
    let end = store.progress().labs["fake"].acts["pick"][0].end.clone();
    assert!(matches!(end, Some(crate::progress::End::Unavailable(_))), "it does not count as measured");
}

#[test]
fn answers_given_ahead_are_not_asked_for_and_an_empty_input_goes_on() {
    let told = session(Canned::usual(), "", Some("b,skip"));
    assert_eq!(told.measured, ["pick", "guess"]);
    assert_eq!(told.code, 0);
    assert!(
        !told.text.contains("n next") && !told.text.contains("\n> \n"),
        "no key is offered: {}",
        told.text
    );
    let fewer = session(Canned::usual(), "", Some("b"));
    assert_eq!(fewer.rounds[1].as_ref().unwrap().prediction, Prediction::Skipped);
}

#[test]
fn an_endless_pipe_of_nonsense_is_given_up() {
    let told = session(Canned::usual(), &"y\n".repeat(10_000), None);
    assert_eq!(told.code, 2);
    assert!(told.text.len() < 100_000, "{} bytes", told.text.len());
    let again =
        session(Canned::of((0..200).map(|_| Ok(json!("two")))), &format!("a\n{}", "r\n".repeat(500)), None);
    assert_eq!(again.code, 2);
}

#[test]
fn piped_answers_mean_the_same_the_second_time() {
    let place = tempfile::tempdir().unwrap();
    let first = session_in(place.path(), Canned::usual(), "b\nq\n", None);
    let second = session_in(place.path(), Canned::usual(), "b\nq\n", None);
    assert_eq!(first.text, second.text);
}

#[test]
fn every_prompt_shows_all_keys() {
    let told = session(Canned::usual(), "b\nn\n6x\nn\nq\n", None);
    let prompts = told.text.matches("\n> ").count();
    for key in ["n next", " back", "r run again", "? hint", "q quit"] {
        assert!(told.text.matches(key).count() >= 5, "{key}: {prompts}\n{}", told.text);
    }
}

#[test]
fn an_end_of_input_before_anything_is_measured_says_so_and_q_does_not() {
    let line = "End of input: nothing was measured. `--no-predict` runs without questions.";
    for typed in ["", "?\n", "what\n"] {
        let told = session(Canned::usual(), typed, None);
        assert!(told.text.trim_end().ends_with(line), "{typed:?}: {}", told.text);
    }
    for typed in ["q\n", "?\nq\n", "b\n", "b\nq\n"] {
        let told = session(Canned::usual(), typed, None);
        assert!(!told.text.contains("End of input"), "{typed:?}: {}", told.text);
    }
    let replayed = session(Canned::usual().recorded(), "", None);
    place_of(&replayed.text, "End of input: nothing was shown. `--no-predict`");
}
