//! Evidence that contradicts itself, or the usual story: nothing is explained that the evidence does not select.

use crate::evidence::*;
use insta::assert_snapshot;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};
use sigbus_on_truncation::defend::{self, Defend, Trial};
use sigbus_on_truncation::ended::{Death, Ended};
use sigbus_on_truncation::full::{self, Full};
use sigbus_on_truncation::shrink_mmap::{self, Place, ShrinkMmap, Touch};
use sigbus_on_truncation::shrink_read::{self, ShrinkRead};
use sigbus_on_truncation::tail::{self, Store, Tail};
use sigbus_on_truncation::workloads::defend::{Against, How};

fn undecided(reveal: &Reveal) -> bool {
    matches!(reveal.outcome, Outcome::Undecided(_)) && reveal.causes.is_empty()
}

fn chose(reveal: &Reveal, id: &str) -> bool {
    reveal.outcome == Outcome::Choice(id.to_owned())
}

fn of_read(evidence: shrink_read::Evidence) -> Reveal {
    ShrinkRead.reveal(&evidence, &setting())
}

fn of_tail(evidence: tail::Evidence) -> Reveal {
    Tail.reveal(&evidence, &setting())
}

fn of_mmap(evidence: shrink_mmap::Evidence) -> Reveal {
    ShrinkMmap.reveal(&evidence, &setting())
}

fn of_full(evidence: full::Evidence) -> Reveal {
    Full.reveal(&evidence, &setting())
}

fn of_defend(evidence: defend::Evidence) -> Reveal {
    Defend.reveal(&evidence, &setting())
}

#[test]
fn the_book_is_told_as_the_book() {
    assert!(chose(&of_read(read()), "eof"));
    assert!(chose(&of_tail(tail()), "zero"));
    assert!(chose(&of_mmap(one_place(&touch(Ended::Killed(sigbus(129))))), "sigbus"));
    assert!(chose(&of_full(full()), "sigbus"));
    assert!(chose(&of_defend(defend()), "check-reserve"));
}

#[test]
fn read_of_a_file_that_was_not_cut() {
    let refused = of_read(shrink_read::Evidence { cut_error: "EPERM".into(), ..read() });
    assert!(undecided(&refused));
    let longer = of_read(shrink_read::Evidence { size_after_bytes: SIZE, ..read() });
    assert!(undecided(&longer));
    assert_snapshot!([refused.sentence, longer.sentence].join("\n"), @r#"
    This cannot be told here: the other process could not cut the file (EPERM).
    This cannot be told here: after the cut the file had 1,048,576 bytes instead of 525,288.
    "#);
}

#[test]
fn read_that_fails_or_returns_what_is_gone() {
    let error =
        |error: &str| shrink_read::Evidence { read_returned_bytes: None, read_error: error.into(), ..read() };
    let returned =
        |value| shrink_read::Evidence { read_returned_bytes: Some(1), read_value: Some(value), ..read() };
    let reveals =
        [of_read(error("EIO")), of_read(error("ESTALE")), of_read(returned(b'A')), of_read(returned(3))];
    assert!(chose(&reveals[0], "eio") && chose(&reveals[2], "old-data"));
    assert!(undecided(&reveals[1]) && undecided(&reveals[3]));
    assert!(reveals.iter().all(|reveal| reveal.causes.is_empty()));
    assert_snapshot!(reveals.map(|reveal| reveal.sentence).join("\n"), @r#"
    read() failed with EIO.
    This cannot be told here: read() failed with ESTALE, which is none of the answers.
    read() returned the old data, though the file no longer has it.
    This cannot be told here: read() returned a byte, 3, which nobody wrote.
    "#);
}

#[test]
fn read_whose_other_proofs_are_missing_explains_less() {
    let reveal =
        of_read(shrink_read::Evidence { across_returned_bytes: None, regrown_value: b'A', ..read() });
    assert!(chose(&reveal, "eof"));
    assert_eq!(causes(&reveal), [""; 0]);
}

#[test]
fn tail_that_keeps_the_old_byte_kills_or_was_never_known() {
    let ended = |ended| tail::Evidence { ended, store: None, ..tail() };
    let reveals = [
        of_tail(ended(Ended::Value(b'A'))),
        of_tail(ended(Ended::Killed(sigbus(128)))),
        of_tail(ended(killed_by("SIGKILL"))),
        of_tail(ended(Ended::Value(9))),
        of_tail(tail::Evidence { before_value: 0, store: None, ..tail() }),
    ];
    assert!(chose(&reveals[0], "old") && chose(&reveals[1], "signal"));
    assert!(reveals[2..].iter().all(undecided));
    assert!(reveals.iter().all(|reveal| reveal.causes.is_empty()));
    assert_snapshot!(reveals.map(|reveal| reveal.sentence).join("\n"), @r#"
    Byte 525,288 still was 'A' after the cut. No signal came.
    The load of byte 525,288 killed the process: SIGBUS (BUS_ADRERR) at page 128.
    This cannot be told here: SIGKILL killed the process, which no load raises.
    This cannot be told here: byte 525,288 became 9, which nobody wrote.
    This cannot be told here: byte 525,288 was 0 before the cut, where 'A' had been written.
    "#);
}

#[test]
fn tail_whose_whole_page_changed_is_not_put_down_to_a_cleared_rest() {
    let reveal = of_tail(tail::Evidence { last_kept_value: 0, store: None, ..tail() });
    assert!(chose(&reveal, "zero"));
    assert_eq!(causes(&reveal), [""; 0]);
}

#[test]
fn tail_whose_store_did_not_stick_is_neither_lost_nor_back() {
    let store = |loaded_back_value, read_returned_bytes| Store {
        stored_value: b'B',
        loaded_back_value,
        read_returned_bytes,
        regrown_value: 0,
    };
    for store in [store(0, 0), store(b'B', 1)] {
        let reveal = of_tail(tail::Evidence { store: Some(store), ..tail() });
        assert_eq!(causes(&reveal), ["rest-of-page-zeroed"]);
    }
}

#[test]
fn mmap_dies_elsewhere_or_of_something_else() {
    let death = |death: Death| of_mmap(one_place(&touch(Ended::Killed(death))));
    let elsewhere = death(sigbus(7));
    let odd_code = death(Death { code: Some(3), ..sigbus(129) });
    let unseen = death(Death { code: None, page: None, ..sigbus(129) });
    for reveal in [&elsewhere, &odd_code, &unseen] {
        assert!(chose(reveal, "sigbus"));
        assert_eq!(causes(reveal), ["system-call-has-an-error"]);
    }
    let segv = death(Death { signal: "SIGSEGV".into(), code: Some(1), ..sigbus(129) });
    assert!(chose(&segv, "sigsegv"));
    let kill = of_mmap(one_place(&Touch { system_call_error: "none".into(), ..touch(killed_by("SIGKILL")) }));
    assert!(undecided(&kill));
    assert_snapshot!([elsewhere, odd_code, unseen, segv, kill].map(|reveal| reveal.sentence).join("\n"), @r#"
    The load of page 129 killed the process: SIGBUS (BUS_ADRERR) at page 7.
    The load killed the process: SIGBUS (BUS_OBJERR) at page 129, the page it touched.
    The load of page 129 killed the process: SIGBUS.
    The load killed the process: SIGSEGV (SEGV_MAPERR) at page 129, the page it touched.
    This cannot be told here: SIGKILL killed the process, which no load raises.
    "#);
}

#[test]
fn mmap_zeros_are_put_down_to_a_folio_only_if_more_was_mapped_than_the_file_has() {
    let zero = |mapped_bytes| Touch { mapped_bytes, huge_bytes: Some(0), ..touch(Ended::Value(0)) };
    let page_by_page = Some((cut().kept_pages() + 1) * PAGE);
    for mapped in [None, page_by_page] {
        let reveal = of_mmap(one_place(&zero(mapped)));
        assert!(chose(&reveal, "zeros"));
        assert_eq!(causes(&reveal), [""; 0]);
    }
    let reveal = of_mmap(one_place(&zero(Some(SIZE))));
    assert_eq!(causes(&reveal), ["folio-past-the-end"]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice zeros
    sentence The load of page 129 gave 0, and no signal came.
    cause    [folio-past-the-end] On ext4, a file of 129 pages, never longer, gave 0 at page 129, the first past its end: the kernel had mapped 1 MiB for it, as a large folio that reaches past the end.
    "#);
}

#[test]
fn mmap_old_data_no_cut_and_nothing_at_all() {
    let mut evidence = one_place(&touch(Ended::Value(b'A')));
    assert!(undecided(&of_mmap(evidence.clone())));
    evidence.places[0].shrunk.cut_error = Some("EACCES".into());
    assert!(undecided(&of_mmap(evidence)));
    assert!(undecided(&of_mmap(shrink_mmap::Evidence::default())));
}

#[test]
fn mmap_on_other_places_does_not_decide() {
    let mut evidence = one_place(&touch(Ended::Killed(sigbus(129))));
    let zero = Touch { mapped_bytes: Some(2 << 20), huge_bytes: Some(2 << 20), ..touch(Ended::Value(0)) };
    let killed = evidence.places[0].shrunk.clone();
    evidence.places.push(Place { name: "tmpfs".into(), cut: cut(), shrunk: killed, never_longer: zero });
    let reveal = of_mmap(evidence);
    assert!(chose(&reveal, "sigbus"));
    assert_eq!(causes(&reveal), ["no-page-behind-it", "system-call-has-an-error", "folio-past-the-end"]);
}

#[test]
fn full_disk_that_was_not_full() {
    let free = of_full(full::Evidence { free_bytes: PAGE, ..full() });
    let refused = of_full(full::Evidence { fill_error: "EDQUOT".into(), ..full() });
    assert!(
        matches!(free.outcome, Outcome::Undecided(_)) && matches!(refused.outcome, Outcome::Undecided(_))
    );
    assert_eq!(causes(&free), [""; 0]);
    assert_eq!(causes(&refused), [""; 0]);
    assert_snapshot!([free.sentence, refused.sentence].join("\n"), @r#"
    This cannot be told here: 4 KiB were still free on the disk.
    This cannot be told here: the disk did not become full (the last write said EDQUOT).
    "#);
}

#[test]
fn full_disk_that_takes_the_store_or_kills_in_another_way() {
    let works = of_full(full::Evidence { ended: Ended::Value(b'B'), write_error: "none".into(), ..full() });
    let nothing = of_full(full::Evidence { ended: Ended::Value(0), ..full() });
    let kill = of_full(full::Evidence { ended: killed_by("SIGKILL"), ..full() });
    let elsewhere = of_full(full::Evidence { ended: Ended::Killed(sigbus(0)), ..full() });
    let no_proof = of_full(full::Evidence { write_error: "none".into(), ..full() });
    assert!(chose(&works, "later") && undecided(&nothing) && undecided(&kill));
    assert!(chose(&elsewhere, "sigbus") && chose(&no_proof, "sigbus"));
    for reveal in [&works, &elsewhere, &no_proof] {
        assert_eq!(causes(reveal), [""; 0]);
    }
    assert_snapshot!([works, nothing, kill, elsewhere, no_proof].map(|reveal| reveal.sentence).join("\n"), @r#"
        The store worked, on a full disk. write() at the same place had worked.
        This cannot be told here: after the store there was 0, which nobody stored.
        This cannot be told here: SIGKILL killed the process, and nothing shows why.
        The store killed the process: SIGBUS (BUS_ADRERR) at page 0. write() at the same place had returned ENOSPC.
        The store killed the process: SIGBUS (BUS_ADRERR) at page 1. write() at the same place had worked.
        "#);
}

fn with(how: How, change: impl FnOnce(&mut Trial)) -> Reveal {
    let mut evidence = defend();
    let trial = evidence.trials.iter_mut().find(|trial| trial.how == how).expect("all five are there");
    change(trial);
    of_defend(evidence)
}

#[test]
fn defend_other_deaths_than_in_the_book() {
    let none = {
        let trials = defend().trials.into_iter().map(|trial| Trial { death: None, ..trial }).collect();
        of_defend(defend::Evidence { trials, no_full_disk: None })
    };
    let handler = with(How::Handler, |trial| trial.death = Some(sigbus(128)));
    let check = with(How::Reserve, |trial| *trial = alive(How::Reserve));
    let copy = with(How::Copy, |trial| trial.death = Some(sigbus(128)));
    assert!(chose(&none, "none") && chose(&handler, "check-handler-reserve") && chose(&check, "check"));
    assert!(matches!(copy.outcome, Outcome::Undecided(_)));
    assert!(!causes(&none).contains(&"promise-nobody-can-give"));
    assert!(!causes(&check).contains(&"room-is-not-length"));
    assert_snapshot!([none, handler, check, copy].map(|reveal| reveal.sentence).join("\n"), @r#"
    The cut killed none of the five.
    The cut killed three of the five: check first, SIGBUS handler and fallocate(). The other two lived.
    The cut killed one of the five: check first. The other four lived.
    This cannot be told here: the cut killed check first, copy with read() and fallocate(), which is none of the answers.
    "#);
}

#[test]
fn defend_a_cut_that_did_not_happen_proves_nothing() {
    let reveal = with(How::Check, |trial| trial.strike_error = "EPERM".into());
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert!(!causes(&reveal).contains(&"check-is-no-lock"));
    let missing = of_defend(defend::Evidence { trials: vec![dead(How::Check)], no_full_disk: None });
    assert!(matches!(missing.outcome, Outcome::Undecided(_)));
    let nothing = of_defend(defend::Evidence::default());
    assert!(undecided(&nothing));
    assert_snapshot!([reveal, missing, nothing].map(|reveal| reveal.sentence).join("\n"), @r#"
    This cannot be told here: in the trial of "check first" the file could not be cut (EPERM).
    This cannot be told here: the trial of "SIGBUS handler" is missing.
    This cannot be told here: the trial of "check first" is missing.
    "#);
}

#[test]
fn defend_a_death_elsewhere_is_not_explained_by_the_cut() {
    let reveal = with(How::Check, |trial| trial.death = Some(sigbus(3)));
    assert!(chose(&reveal, "check-reserve"));
    assert!(!causes(&reveal).contains(&"check-is-no-lock"));
}

#[test]
fn defend_a_seal_that_did_not_hold_is_not_praised() {
    let reveal = with(How::Seal, |trial| trial.strike_error = "none".into());
    assert!(!causes(&reveal).contains(&"seal-refused"));
    let reveal = with(How::Seal, |trial| trial.done_pages = Some(128));
    assert!(!causes(&reveal).contains(&"seal-refused"));
}

#[test]
fn defend_a_disk_that_was_not_full_says_nothing_about_it() {
    let mut evidence = defend();
    let full = |how, done, error: &str| Trial {
        against: Against::Full,
        strike_error: error.into(),
        pages: 8,
        done_pages: Some(done),
        ..alive(how)
    };
    let said = |evidence: &defend::Evidence| spoken(&of_defend(evidence.clone())).contains("full disk, ");
    evidence.no_full_disk = None;
    evidence.trials.push(full(How::Handler, 4, "none"));
    assert!(!said(&evidence));
    evidence.trials.push(full(How::Reserve, 8, "ENOSPC"));
    evidence.trials.retain(|trial| trial.against == Against::Cut || trial.how != How::Handler);
    evidence.trials.push(full(How::Handler, 4, "ENOSPC"));
    assert!(said(&evidence));
}
