//! Evidence that contradicts itself, or the usual story: nothing is explained that the evidence does not select.

use crate::evidence::*;

use insta::assert_snapshot;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};
use willneed_ignored::ask::{self, AskAll};
use willneed_ignored::asked::Asked;
use willneed_ignored::cap::{self, Cap};
use willneed_ignored::hints::{self, Hints, Load, Look};
use willneed_ignored::no_waste::{self, Hinted, NoWaste};
use willneed_ignored::non_blocking::{self, NonBlocking};
use willneed_ignored::pressure::{self, Pressure, Round};
use willneed_ignored::workloads::hinted::Advice;

fn ask(runs: Vec<Asked>) -> Reveal {
    let evidence = ask::Evidence {
        size_bytes: SIZE,
        settings: Some(SETTINGS),
        settings_after: Some(SETTINGS),
        available_bytes: Some(8 << 30),
        runs,
        map: Vec::new(),
    };
    AskAll.reveal(&evidence, &setting())
}

fn cap(one: u64, pieces: u64) -> Reveal {
    let evidence = cap::Evidence {
        size_bytes: SIZE,
        settings: Some(SETTINGS),
        settings_after: Some(SETTINGS),
        available_bytes: Some(8 << 30),
        piece_bytes: 4 << 20,
        one: vec![asked(SIZE, one)],
        pieces: vec![asked(4 << 20, pieces); 3],
        doubles: vec![asked(8 << 20, pieces / 2)],
        doubles_map: Vec::new(),
    };
    Cap.reveal(&evidence, &setting())
}

#[test]
fn ask_agrees_with_neither_setting() {
    let reveal = ask(vec![asked(SIZE, CAP + 1); 3]);
    assert_eq!(causes(&reveal), ["cap-not-explained", "memory-was-there"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn ask_where_pages_were_taken_away_says_nothing_of_memory_at_hand() {
    let mut run = asked(SIZE, CAP);
    run.after = state(CAP, 7);
    assert_eq!(causes(&ask(vec![run; 3])), ["capped-by-larger"]);
}

#[test]
fn ask_rounds_that_differ() {
    let reveal = ask(vec![asked(SIZE, CAP), asked(SIZE, PAGES), asked(SIZE, CAP)]);
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn ask_was_never_cold_or_nobody_knows() {
    let mut warm = asked(SIZE, CAP);
    warm.before = state(5, 0);
    let mut blind = asked(SIZE, CAP);
    blind.before = unknown();
    let reveal = ask(vec![warm, blind]);
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn somebody_takes_what_came() {
    let mut taken = asked(SIZE, CAP / 8);
    taken.device_read_bytes = Some(4 << 20);
    let once = ask(vec![taken.clone(), asked(SIZE, CAP), asked(SIZE, CAP)]);
    assert_eq!(causes(&once), ["capped-by-larger", "memory-was-there"]);
    let always = ask(vec![taken; 3]);
    assert_eq!(causes(&always), [""; 0], "nobody knows how much came by a call");
    let evidence = cap::Evidence {
        size_bytes: SIZE,
        settings: Some(SETTINGS),
        settings_after: Some(SETTINGS),
        piece_bytes: 4 << 20,
        one: vec![asked(SIZE, CAP)],
        pieces: vec![Asked { device_read_bytes: Some(SIZE), ..asked(4 << 20, PAGES / 2) }],
        ..cap::Evidence::default()
    };
    let pieces = Cap.reveal(&evidence, &setting());
    assert_eq!(causes(&pieces), [""; 0], "each call may have brought all that it was asked for");
    assert_snapshot!([once, always, pieces].iter().map(spoken).collect::<Vec<_>>().join("\n"));
}

#[test]
fn ask_while_somebody_changes_the_settings() {
    let evidence = ask::Evidence {
        size_bytes: SIZE,
        settings: Some(SETTINGS),
        settings_after: None,
        runs: vec![asked(SIZE, CAP); 3],
        ..ask::Evidence::default()
    };
    let reveal = AskAll.reveal(&evidence, &setting());
    assert_eq!(causes(&reveal), [""; 0], "the settings do not explain what came under others");
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn cap_one_call_brought_as_much_as_all_pieces() {
    let reveal = cap(PAGES, PAGES);
    assert_eq!(causes(&reveal), ["no-bound-met"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn cap_pieces_bring_no_more_than_one_call() {
    let reveal = cap(CAP, CAP);
    assert_eq!(causes(&reveal), ["ended-at-larger", "pieces-missing"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn calls_that_take_longer_than_the_read_and_calls_that_bring_nothing() {
    let reveal = |asked: Vec<Asked>| {
        let read = (0..5).map(|ms| read(0, SIZE, 10 + ms)).collect();
        let evidence = non_blocking::Evidence { size_bytes: SIZE, piece_bytes: 4 << 20, asked, read };
        NonBlocking.reveal(&evidence, &setting())
    };
    let slow = reveal(vec![asked(4 << 20, PAGES); 5]);
    assert_eq!(slow.outcome, Outcome::Choice("100%".to_owned()));
    let nothing = reveal(vec![asked(4 << 20, 0); 5]);
    assert!(matches!(nothing.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&nothing), [""; 0]);
    assert_snapshot!(format!("{}\n{}", spoken(&slow), spoken(&nothing)));
}

#[test]
fn pressure_that_evicts_and_yet_serves_all() {
    let mut hinted = asked(4 << 20, PAGES / 2);
    hinted.device_read_bytes = Some(SIZE);
    let round = Round { asked: hinted, read: read(PAGES / 2, 0, 10) };
    let evidence =
        pressure::Evidence { size_bytes: SIZE, limit_bytes: SIZE / 2, rounds: vec![round.clone(), round] };
    let reveal = Pressure.reveal(&evidence, &setting());
    assert_eq!(reveal.outcome, Outcome::Choice("all".to_owned()));
    assert_eq!(causes(&reveal), ["reclaimed-before-read"]);
    assert_snapshot!(spoken(&reveal));
}

fn look(advice: Advice, resident_pages: u64, ms: u64) -> Look {
    Look {
        advice,
        mapped: false,
        before: state(0, 0),
        after: state(resident_pages, 0),
        bytes: SIZE / 2,
        calls: 8192,
        elapsed_ns: ms * MS,
        major_faults: 0,
        device_read_bytes: Some(resident_pages * 4096),
    }
}

#[test]
fn hints_that_change_nothing() {
    let half = PAGES / 2;
    let advices = [Advice::Normal, Advice::Sequential, Advice::Random];
    let looks = (0..5).flat_map(|ms| advices.map(|advice| look(advice, half + 32, 10 + ms))).collect();
    let load = |call: &str, resident| Load {
        call: call.to_owned(),
        asked_pages: PAGES,
        resident_pages: Some(resident),
        elapsed_ns: MS,
    };
    let evidence = hints::Evidence {
        size_bytes: SIZE,
        part_bytes: SIZE / 2,
        looks,
        asked_bytes: SIZE,
        loads: vec![load("fadvise", CAP), load("madvise", CAP), load("readahead", CAP + 1)],
    };
    let reveal = Hints.reveal(&evidence, &setting());
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), ["random-read-ahead"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn hints_that_have_everything_read_twice() {
    let hinted = |ms: u64| Hinted {
        asked: asked(4 << 20, PAGES),
        read_bytes: SIZE,
        read_elapsed_ns: ms * MS,
        read_device_bytes: Some(SIZE),
    };
    let evidence = no_waste::Evidence {
        size_bytes: SIZE,
        pause_ms: 20,
        plain: (0..5).map(|ms| read(0, SIZE, 20 + ms)).collect(),
        at_once: (0..5).map(|ms| hinted(40 + ms)).collect(),
        paused: (0..5).map(|ms| hinted(40 + ms)).collect(),
        hint_folio_pages: vec![512],
        read_folio_pages: vec![1],
        ..no_waste::Evidence::default()
    };
    let reveal = NoWaste.reveal(&evidence, &setting());
    assert_eq!(reveal.outcome, Outcome::Choice("0.5x".to_owned()));
    assert_eq!(causes(&reveal), ["read-again", "total-time"]);
    assert_snapshot!(spoken(&reveal));
}
