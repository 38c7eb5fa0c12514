//! The act `kernel-clock`: settings, limits and what was watched may disagree.

use crate::evidence::*;
use dirty_writeback::kernel_clock::{Evidence, KernelClock};
use dirty_writeback::workloads::flushwatch::{Look, Watched};
use insta::assert_snapshot;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal, Setting};

const GIB: u64 = 1 << 30;

fn limits() -> Evidence {
    Evidence {
        background_threshold_bytes: Some(2 * GIB),
        threshold_bytes: Some(4 * GIB),
        available_bytes: 20 * GIB,
        system_dirty_bytes: 1 << 20,
        ..Evidence::default()
    }
}

fn watched(clean_after_ns: Option<u64>, at_most_ns: u64) -> Evidence {
    let look = |at_ns, dirty| Look { at_ns, unwritten: unwritten(dirty, 0) };
    let mut looks = vec![look(0, 256)];
    looks.extend(clean_after_ns.map(|at| look(at, 0)));
    Evidence { watched: Some(Watched { look_ns: MS, at_most_ns, looks, clean_after_ns }), ..limits() }
}

fn with_clocks(writeback_centisecs: u64, expire_centisecs: u64) -> Setting {
    let mut setting = setting();
    setting.host.dirty.writeback_centisecs = writeback_centisecs;
    setting.host.dirty.expire_centisecs = expire_centisecs;
    setting
}

fn reveal(evidence: &Evidence) -> Reveal {
    KernelClock.reveal(evidence, &setting())
}

fn chosen(evidence: &Evidence, setting: &Setting) -> Option<String> {
    match KernelClock.reveal(evidence, setting).outcome {
        Outcome::Choice(id) => Some(id),
        _ => None,
    }
}

#[test]
fn by_the_settings_and_says_so() {
    assert_snapshot!(spoken(&reveal(&limits())), @r#"
    outcome  choice expiry
    sentence By the settings, after 30 s to 35 s.
    cause    [expiry] The kernel's flusher looks every 5 s, and writes what has been dirty for longer than 30 s. Until then a small file lies in memory only: a power cut takes it.
    cause    [limits] Once more than 2 GiB are dirty in the whole system (now: 1 MiB), the flusher writes at once. From 3 GiB on, midway to the ceiling of 4 GiB, those who write are made to pause, the more the nearer they get to it.
    cause    [share-of-available] That limit is dirty_background_ratio, 10% of the 20 GiB that are available. More memory means more unsaved data.
    caveat   This is what the settings say; nothing was watched. With --patient you see it happen.
    "#);
}

#[test]
fn watched_wins_over_the_settings() {
    let ordinary = setting();
    let seen = |clean: Option<u64>| chosen(&watched(clean, 45 * S), &ordinary);
    assert_eq!(seen(Some(MS)).as_deref(), Some("at-close"));
    assert_eq!(seen(Some(4 * S)).as_deref(), Some("interval"));
    assert_eq!(seen(Some(31 * S)).as_deref(), Some("expiry"));
    assert_eq!(seen(Some(36 * S)).as_deref(), Some("expiry"), "a look may be late");
    assert_eq!(seen(Some(15 * S)), None, "neither clock explains that");
    assert_eq!(seen(Some(44 * S)), None);
    assert_eq!(seen(None).as_deref(), Some("limit"));
    assert_eq!(chosen(&watched(None, 20 * S), &ordinary), None, "too short a wait proves nothing");
}

#[test]
fn what_was_watched_and_is_not_the_expiry_is_not_explained_by_it() {
    for clean in [MS, 4 * S, 15 * S] {
        let reveal = reveal(&watched(Some(clean), 45 * S));
        assert!(!causes(&reveal).contains(&"expiry"), "{}", reveal.sentence);
    }
    assert_snapshot!(spoken(&reveal(&watched(Some(15 * S), 45 * S))), @r#"
    outcome  undecided: it was written after 15.0 s, which neither clock explains
    sentence Watched: its pages stayed dirty, and after 15.0 s they were on the disk.
    cause    [limits] Once more than 2 GiB are dirty in the whole system (now: 1 MiB), the flusher writes at once. From 3 GiB on, midway to the ceiling of 4 GiB, those who write are made to pause, the more the nearer they get to it.
    cause    [share-of-available] That limit is dirty_background_ratio, 10% of the 20 GiB that are available. More memory means more unsaved data.
    "#);
}

#[test]
fn the_clock_is_switched_off() {
    let off = with_clocks(0, 3000);
    assert_eq!(chosen(&limits(), &off).as_deref(), Some("limit"));
    assert_eq!(chosen(&watched(None, 35 * S), &off).as_deref(), Some("limit"));
    let and_yet = KernelClock.reveal(&watched(Some(31 * S), 35 * S), &off);
    assert!(matches!(and_yet.outcome, Outcome::Undecided(_)));
    assert!(!causes(&and_yet).contains(&"clock-off"));
}

#[test]
fn an_expiry_shorter_than_the_interval() {
    let short = with_clocks(500, 10);
    assert_eq!(chosen(&watched(Some(3 * S), 45 * S), &short).as_deref(), Some("expiry"));
    assert!(spoken(&KernelClock.reveal(&limits(), &short)).contains("after 0.1 s to 5.1 s"));
}

#[test]
fn too_much_is_dirty_already() {
    let full = Evidence { system_dirty_bytes: 3 * GIB, ..limits() };
    assert_snapshot!(spoken(&reveal(&full)), @r#"
    outcome  undecided: 3 GiB are dirty in the whole system now, above the kernel's limit: it is writing already, and a new file has no time of its own
    sentence This cannot be told from the settings now: 3 GiB are dirty in the whole system now, above the kernel's limit: it is writing already, and a new file has no time of its own.
    cause    [limits] Once more than 2 GiB are dirty in the whole system (now: 3 GiB), the flusher writes at once. From 3 GiB on, midway to the ceiling of 4 GiB, those who write are made to pause, the more the nearer they get to it.
    cause    [share-of-available] That limit is dirty_background_ratio, 10% of the 20 GiB that are available. More memory means more unsaved data.
    caveat   This is what the settings say; nothing was watched. With --patient you see it happen.
    "#);
}

#[test]
fn limits_that_are_not_the_share_and_limits_untold() {
    let other = Evidence { background_threshold_bytes: Some(GIB / 2), ..limits() };
    assert!(causes(&reveal(&other)).contains(&"not-the-share"));
    let untold = Evidence { background_threshold_bytes: None, threshold_bytes: None, ..limits() };
    assert_eq!(causes(&reveal(&untold)), ["expiry"]);
    let mut in_bytes = setting();
    in_bytes.host.dirty.background_bytes = GIB;
    assert_eq!(causes(&KernelClock.reveal(&limits(), &in_bytes)), ["expiry", "limits"]);
}

#[test]
fn asked_for_and_blind() {
    let blind = Evidence { blind: true, ..limits() };
    let said = spoken(&reveal(&blind));
    assert!(said.contains("The dirty pages of the file are unknown"), "{said}");
    assert!(!said.contains("--patient"), "it was asked for already: {said}");
}
