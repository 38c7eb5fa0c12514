//! A presentation of a small lab with canned evidence: keys in, what was measured and what was shown out.

use crate::exit::Result;
use crate::progress::{End, Store};
use crate::projector::input::Event;
use crate::projector::keys::{self, Key};
use crate::projector::layout::Layout;
use crate::projector::palette::Palette;
use crate::projector::presenter::Presenter;
use crate::projector::show::Show;
use crate::session::fake::{self, Canned};
use crate::session::{Ahead, Stage};
use crate::state::State;
use instruments::Unavailable;
use lesson::Lab;
use serde_json::json;
use std::collections::VecDeque;

/// Keys that are pressed one after the other, and the screens that were drawn before each.
struct Pressed {
    keys: VecDeque<Key>,
    screens: Vec<String>,
}

impl Presenter for Pressed {
    fn layout(&self) -> Layout {
        Layout::of(60, 16, Palette::Bare)
    }

    fn draw(&mut self, rows: &[String]) -> Result {
        let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
        self.screens.push(rows.join("\n"));
        Ok(())
    }

    fn next(&mut self) -> Event {
        self.keys.pop_front().map_or(Event::Key(Key::End), Event::Key)
    }

    fn drop_typed(&mut self) {}
}

struct Told {
    screens: Vec<String>,
    measured: Vec<&'static str>,
    code: u8,
    ends: Vec<Option<End>>,
}

fn show(lab: &Lab, mut source: Canned, typed: &str) -> Told {
    let mut keys = VecDeque::new();
    let mut bytes = typed.as_bytes();
    while let Some((key, taken)) = keys::first(bytes, true) {
        keys.push_back(key);
        bytes = &bytes[taken..];
    }
    let place = tempfile::tempdir().unwrap();
    let mut store = Store::open(State::at(place.path()));
    let mut presenter = Pressed { keys, screens: Vec::new() };
    let stage = Stage { lab, source: &mut source, store: &mut store };
    let mut show = Show::new(stage, &mut presenter, Palette::Bare, Ahead::nothing(lab), 0);
    let code = show.run().map_or_else(|ending| ending.code(), |()| 0);
    let ends = store.progress().all("fake", "pick").iter().map(|attempt| attempt.end.clone()).collect();
    Told { screens: presenter.screens, measured: source.measured, code, ends }
}

/// From the first screen to the first question: three of the lab, the act's set-up.
const TO_QUESTION: &str = "nnnn";

fn at_question(typed: &str, source: Canned) -> Told {
    show(&fake::lab(), source, &format!("{TO_QUESTION}{typed}"))
}

impl Told {
    fn last(&self) -> &str {
        self.screens.last().unwrap()
    }
}

#[test]
fn a_question_measures_at_the_next_key_and_not_before() {
    let before = at_question("", Canned::usual());
    assert!(before.last().contains("Which one?") && before.measured.is_empty(), "{}", before.last());
    for key in ["n", " ", "\r", "\x1b[6~", "\x1b[C", "\x1b[B"] {
        let told = at_question(key, Canned::usual());
        assert!(told.last().contains("It was two."), "{key:?}: {}", told.last());
        assert_eq!((told.measured, told.code), (vec!["pick"], 0));
    }
}

#[test]
fn back_and_on_measures_nothing_again_and_r_does() {
    let back = at_question("n\x1b[5~\x1b[5~bn\x1b[6~n", Canned::usual());
    assert_eq!(back.measured, ["pick"]);
    assert!(back.last().contains("It was two."), "{}", back.last());
    let again = at_question("nr", Canned::of([Ok(json!("two")), Ok(json!("three"))]));
    assert_eq!(again.measured, ["pick", "pick"]);
    assert!(again.last().contains("It was three."), "{}", again.last());
    let early = at_question("r", Canned::usual());
    assert!(early.measured.is_empty() && early.last().contains("Nothing has been measured"));
}

#[test]
fn hands_are_counted_before_and_stand_beside_the_machine() {
    let told = at_question("v12\r7\x7f5\x1b[6~3 ", Canned::usual());
    assert!(told.measured.is_empty());
    let class = told.last();
    assert!(class.contains("What the class says") && class.contains("12 (60%)"), "{class}");
    let told = at_question("v12\r5\r3\rn", Canned::usual());
    assert!(told.last().contains("Of the class, 5 of 20 said so."), "{}", told.last());
    let told = at_question("v12\r5\r3\rnn", Canned::usual());
    let marked = told.last().lines().find(|line| line.contains("the machine")).unwrap_or_default();
    assert!(told.last().contains("The class beside the machine"), "{}", told.last());
    assert!(told.screens.iter().any(|it| it.contains("How many hands?")));
    assert!(
        told.last().lines().any(|line| line.starts_with(" b") && line.ends_with("◂ the machine")),
        "{marked}"
    );
    let late = at_question("nv", Canned::usual());
    assert!(late.last().contains("Hands come before"), "{}", late.last());
    let none = at_question("v\r\r\r", Canned::usual());
    assert!(none.last().contains("Which one?"), "no hand is no class: {}", none.last());
}

#[test]
fn what_fails_here_is_shown_from_a_recording_with_its_label() {
    for refused in [
        Unavailable::failed("read", "the disk is gone", "plug it in"),
        Unavailable::lacking("count", "ptrace", ""),
    ] {
        let lab = fake::lab_with_recording();
        let failed = show(&lab, Canned::of([Err(refused.clone())]), "nnnnn");
        assert_eq!(failed.code, 0);
        assert!(failed.last().contains("It could not be measured here"), "{}", failed.last());
        assert!(!failed.last().contains("RECORDED"), "{}", failed.last());
        let on = show(&lab, Canned::of([Err(refused.clone())]), "nnnnnn");
        assert!(
            on.last().contains("RECORDED 2026-11-30") && on.last().contains("It was one."),
            "{}",
            on.last()
        );
        let again = show(&lab, Canned::of([Err(refused), Ok(json!("three"))]), "nnnnnr");
        assert!(again.last().contains("It was three."), "{}", again.last());
        assert!(!again.last().contains("RECORDED"), "{}", again.last());
        assert!(matches!(again.ends.last(), Some(Some(End::Revealed { .. }))));
    }
}

#[test]
fn a_failure_later_does_not_take_away_what_was_measured() {
    let failed = Unavailable::failed("read", "the disk is gone", "plug it in");
    let told = at_question("nr ", Canned::of([Ok(json!("two")), Err(failed)]));
    assert!(told.screens[told.screens.len() - 2].contains("the disk is gone"));
    assert!(told.last().contains("It was two."), "{}", told.last());
}

#[test]
fn every_key_says_what_it_did_not_do() {
    for (keys, says) in [
        ("b", "This is the first screen."),
        ("z", "None of the keys"),
        ("r", "Nothing has been measured"),
        ("v", "Hands go up at a question"),
        ("?", "PageDown"),
    ] {
        let told = show(&fake::lab(), Canned::usual(), keys);
        assert!(told.last().contains(says), "{keys}: {}", told.last());
    }
    let all = show(&fake::lab(), Canned::usual(), &"n".repeat(20));
    assert!(all.last().contains("The last screen: q ends"), "{}", all.last());
    assert_eq!((all.measured.as_slice(), all.code), (["pick", "guess"].as_slice(), 0));
    let interrupted = at_question("n", Canned::of([Err(Unavailable::Interrupted)]));
    assert_eq!(interrupted.code, 130);
    for screen in &all.screens {
        assert!(screen.lines().last().unwrap().contains("q quit"), "{screen}");
    }
}
