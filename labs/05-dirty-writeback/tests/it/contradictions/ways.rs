//! Acts about ways to write, and about what comes back: `durable`, `dsync-cache`, `round-trip`.

use crate::evidence::*;
use dirty_writeback::dsync_cache::{self, DsyncCache};
use dirty_writeback::durable::{self, Arm, Durable, Trial, WAYS};
use dirty_writeback::round_trip::{self, RoundTrip};
use dirty_writeback::workloads::count::Unwritten;
use dirty_writeback::workloads::dwrite::Way;
use insta::assert_snapshot;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal, Setting};

/// A trial of 4 MiB in 128 blocks.
fn trial(elapsed_ns: u64, dirty: u64, device: u64, flushes: Option<u64>) -> Trial {
    Trial {
        bytes: 4 << 20,
        writes: 128,
        elapsed_ns,
        pages: 1024,
        resident_pages: Some(1024),
        unwritten: unwritten(dirty, 0),
        device_write_bytes: Some(device),
        device_flushes: flushes,
    }
}

fn five(way: Way, one: Trial) -> Arm {
    let trial = |at| Trial { elapsed_ns: one.elapsed_ns + at, ..one };
    Arm { way: way.name(), trials: (0..5).map(trial).collect() }
}

/// What a disk with a volatile cache does.
fn usual() -> durable::Evidence {
    let all = 4 << 20;
    let of = |way| match way {
        Way::Buffered => trial(2 * MS, 1024, 0, Some(0)),
        Way::Fdatasync => trial(10 * MS, 0, all, Some(1)),
        Way::Direct => trial(20 * MS, 0, all, Some(0)),
        Way::Dsync | Way::Sync | Way::DirectDsync => trial(200 * MS, 0, all, Some(128)),
    };
    let arms = WAYS.into_iter().map(|way| five(way, of(way))).collect();
    durable::Evidence { arms, direct_refused: None }
}

fn with_cache(words: Option<&str>) -> Setting {
    let mut setting = setting();
    setting.host.device.as_mut().expect("there is one").write_cache = words.map(str::to_owned);
    setting
}

fn durable(evidence: &durable::Evidence) -> Reveal {
    Durable.reveal(evidence, &with_cache(Some("write back")))
}

/// The usual evidence with another trial for one way.
fn but(way: Way, one: Trial) -> durable::Evidence {
    let mut evidence = usual();
    *evidence.arms.iter_mut().find(|arm| arm.way == way.name()).expect("all are there") = five(way, one);
    evidence
}

#[test]
fn durable_the_usual() {
    assert_snapshot!(spoken(&durable(&usual())), @r#"
    outcome  quantity 100.000
    sentence The plain writes were 100x faster (plain 1.95 GiB/s ±0%, O_DSYNC 20.0 MiB/s ±0%).
    cause    [each-write-waits] With O_DSYNC each write() took 1.56 ms: it returned when the disk had its block. The disk completed 1.0 flushes of its own cache for each.
    cause    [one-wait-for-all] The same data with one fdatasync() at the end was 20x faster than O_DSYNC, and as durable when it returned. What costs is the waiting, and one wait can serve many writes.
    cause    [plain-owes-all] The plain writes returned with all 1,024 pages dirty: at the speed of memory, and nothing of it on the disk.
    cause    [direct-is-no-flush] O_DIRECT goes past the cache to the drive. This one says that it has a volatile cache of its own, and O_DIRECT does not flush that. The disk counted no flush. A promise takes O_DSYNC or fdatasync() as well.
    caveat   The drive says that it has a volatile write cache. Whether it keeps what it was told to flush, only a power cut would show.
    "#);
}

#[test]
fn durable_dsync_left_pages_dirty() {
    let reveal = durable(&but(Way::Dsync, trial(200 * MS, 5, 4 << 20, Some(128))));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert!(!causes(&reveal).contains(&"each-write-waits"));
    assert!(!causes(&reveal).contains(&"one-wait-for-all"));
}

#[test]
fn durable_dsync_returned_before_the_disk_had_taken_it() {
    let reveal = durable(&but(Way::Dsync, trial(200 * MS, 0, 4096, Some(128))));
    assert!(!causes(&reveal).contains(&"each-write-waits"));
}

#[test]
fn durable_plain_writes_were_written_along() {
    let reveal = durable(&but(Way::Buffered, trial(2 * MS, 1000, 96 << 10, Some(0))));
    assert!(!causes(&reveal).contains(&"plain-owes-all"));
}

#[test]
fn durable_dsync_as_fast_as_plain() {
    let reveal = durable(&but(Way::Dsync, trial(2 * MS, 0, 4 << 20, Some(128))));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)), "{:?}", reveal.outcome);
    let faster = durable(&but(Way::Dsync, trial(MS, 0, 4 << 20, Some(128))));
    assert!(faster.sentence.contains("slower"), "{}", faster.sentence);
    assert!(!causes(&faster).contains(&"one-wait-for-all"));
}

#[test]
fn durable_what_the_drive_says_decides_about_direct() {
    let evidence = usual();
    let said = |words| {
        let reveal = Durable.reveal(&evidence, &with_cache(words));
        causes(&reveal)
            .iter()
            .filter(|id| id.contains("direct") || id.contains("volatile"))
            .map(|id| (*id).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(said(Some("write back")), ["direct-is-no-flush"]);
    assert_eq!(said(Some("write through")), ["no-volatile-cache"]);
    assert_eq!(said(None), [""; 0]);
}

#[test]
fn durable_no_flush_is_proof_only_on_a_disk_that_counts_them() {
    let text = |evidence: &durable::Evidence| spoken(&durable(evidence));
    assert!(text(&usual()).contains("counted no flush"));
    let never_counts = but(Way::Dsync, trial(200 * MS, 0, 4 << 20, Some(0)));
    assert!(!text(&never_counts).contains("counted no flush"));
    let old_kernel = but(Way::Direct, trial(20 * MS, 0, 4 << 20, None));
    assert!(!text(&old_kernel).contains("counted no flush"));
}

#[test]
fn durable_direct_refused() {
    let mut evidence = usual();
    evidence.arms.truncate(4);
    evidence.direct_refused = Some("Invalid argument".to_owned());
    let reveal = durable(&evidence);
    assert!(!causes(&reveal).contains(&"direct-is-no-flush"));
    assert!(spoken(&reveal).contains("refuses it (Invalid argument)"));
    assert!(matches!(durable(&durable::Evidence::default()).outcome, Outcome::Undecided(_)));
}

fn dsync_cache(dsync: Trial, direct: Option<Trial>) -> Reveal {
    DsyncCache.reveal(&dsync_cache::Evidence { dsync, direct }, &setting())
}

#[test]
fn dsync_each_answer_by_its_own_count() {
    let seen = |resident, unwritten| {
        let base = trial(MS, 0, 4 << 20, None);
        let reveal = dsync_cache(Trial { resident_pages: resident, unwritten, ..base }, None);
        (reveal.outcome.clone(), causes(&reveal).len())
    };
    let choice = |id: &str| Outcome::Choice(id.to_owned());
    assert_eq!(seen(Some(1024), unwritten(0, 0)), (choice("clean"), 1));
    assert_eq!(seen(Some(1024), unwritten(1024, 0)), (choice("dirty"), 0));
    assert_eq!(seen(Some(0), unwritten(0, 0)), (choice("none"), 0));
    for (resident, unwritten) in
        [(Some(512), unwritten(0, 0)), (None, unwritten(0, 0)), (Some(1024), Unwritten::default())]
    {
        let (outcome, causes) = seen(resident, unwritten);
        assert!(matches!(outcome, Outcome::Undecided(_)), "{outcome:?}");
        assert_eq!(causes, 0);
    }
    assert!(matches!(dsync_cache(Trial::default(), None).outcome, Outcome::Undecided(_)));
}

#[test]
fn dsync_a_direct_write_that_used_the_cache_is_no_proof() {
    let base = trial(MS, 0, 4 << 20, None);
    assert_eq!(causes(&dsync_cache(base, Some(base))), ["through-the-cache"]);
}

fn came_back() -> round_trip::Evidence {
    round_trip::Evidence {
        bytes: SIZE,
        pages: PAGES,
        unwritten: unwritten(PAGES, 0),
        kept_by_advice_pages: Some(PAGES),
        resident_before_pages: Some(0),
        device_read_bytes: Some(SIZE),
        compared_bytes: SIZE,
        mismatches: 0,
        old_bytes: 0,
        first_mismatch: None,
    }
}

fn round_trip(evidence: &round_trip::Evidence) -> Reveal {
    RoundTrip.reveal(evidence, &setting())
}

#[test]
fn round_trip_a_byte_that_differs_is_told_with_its_place() {
    let rotten = round_trip::Evidence { mismatches: 1, first_mismatch: Some(123_456), ..came_back() };
    assert_eq!(causes(&round_trip(&rotten)), [""; 0]);
    assert_snapshot!(spoken(&round_trip(&rotten)), @r#"
    outcome  undecided: some bytes are neither what was stored nor what was there before
    sentence 1 of 67,108,864 bytes differ from what was stored, the first at offset 123,456, and some bytes are neither what was stored nor what was there before: this disk gives back other data.
    "#);
}

#[test]
fn round_trip_old_bytes() {
    let lost = SIZE / 256 * 255;
    let all =
        round_trip::Evidence { mismatches: lost, old_bytes: lost, first_mismatch: Some(0), ..came_back() };
    assert_eq!(round_trip(&all).outcome, Outcome::Choice("old".to_owned()));
    let some =
        round_trip::Evidence { mismatches: 4096, old_bytes: 4096, first_mismatch: Some(8192), ..came_back() };
    assert_eq!(round_trip(&some).outcome, Outcome::Choice("some".to_owned()));
    assert_eq!(causes(&round_trip(&some)), [""; 0]);
}

#[test]
fn round_trip_what_did_not_come_from_the_disk_proves_nothing() {
    let cases = [
        round_trip::Evidence { resident_before_pages: Some(3), ..came_back() },
        round_trip::Evidence { resident_before_pages: None, ..came_back() },
        round_trip::Evidence { device_read_bytes: Some(0), ..came_back() },
        round_trip::Evidence { compared_bytes: SIZE - 1, ..came_back() },
    ];
    for evidence in cases {
        let reveal = round_trip(&evidence);
        assert!(matches!(reveal.outcome, Outcome::Undecided(_)), "{evidence:?}");
        assert_eq!(causes(&reveal), [""; 0]);
        assert!(reveal.sentence.contains("0 of "), "{}", reveal.sentence);
    }
}

#[test]
fn round_trip_nothing_was_dirty_any_more() {
    let written_early = round_trip::Evidence { unwritten: unwritten(0, 0), ..came_back() };
    assert_eq!(causes(&round_trip(&written_early)), [""; 0], "it does not show that dirty pages are kept");
    let unknown = round_trip::Evidence { unwritten: Unwritten::default(), ..came_back() };
    assert_eq!(causes(&round_trip(&unknown)), [""; 0]);
}
