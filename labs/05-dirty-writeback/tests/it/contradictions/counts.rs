//! Acts that count dirty pages: `dirty`, `msync`, `msync-async`, `one-byte`.

use crate::evidence::*;
use dirty_writeback::dirty::{self, Dirty};
use dirty_writeback::msync::{self, Msync, Round};
use dirty_writeback::msync_async::{self, MsyncAsync};
use dirty_writeback::one_byte::{self, Arm, OneByte, Place};
use dirty_writeback::stored::Stored;
use dirty_writeback::workloads::count::Unwritten;
use insta::assert_snapshot;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};

fn dirty(stored: Stored) -> Reveal {
    Dirty.reveal(&dirty::Evidence { stored }, &setting())
}

/// Half of the pages were written, and `writeback` more are on their way.
fn half_written(writeback: u64) -> Stored {
    Stored { device_write_bytes: Some(SIZE / 2), ..stored(unwritten(PAGES / 2, writeback)) }
}

#[test]
fn dirty_a_part_was_written_above_the_kernels_limit() {
    let part = Stored { background_threshold_bytes: Some(32 << 20), ..half_written(100) };
    assert_snapshot!(spoken(&dirty(part)), @r#"
    outcome  choice part
    sentence A part: 8,092 of 16,384 pages are on the disk, 8,292 are not.
    cause    [background-flusher] The kernel had begun by itself: with this file, 65 MiB would be dirty in the whole system, and above 32 MiB its flusher writes in the background. 8,092 pages had been written when they were counted.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    "#);
}

#[test]
fn dirty_a_part_was_written_and_nobody_knows_why() {
    let reveal = dirty(half_written(0));
    assert!(causes(&reveal).contains(&"written-meanwhile"));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice part
    sentence A part: 8,192 of 16,384 pages are on the disk, 8,192 are not.
    cause    [written-meanwhile] 8,192 pages had been written already. The kernel's own limit of 1 GiB was not reached, so that was not the reason. Another program's sync or the filesystem's own commit can do it; nothing here tells which.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    "#);
    let untold = Stored { background_threshold_bytes: None, ..half_written(0) };
    assert!(!spoken(&dirty(untold)).contains("limit"));
}

#[test]
fn dirty_not_dirty_and_not_taken_by_the_disk_either() {
    let vanished = dirty(stored(unwritten(PAGES / 2, 0)));
    assert_eq!(causes(&vanished), [""; 0]);
    assert_snapshot!(spoken(&vanished), @r#"
    outcome  undecided: 8,192 pages are not dirty any more, and yet the disk took only 0 B
    sentence This cannot be told here: 8,192 pages are not dirty any more, and yet the disk took only 0 B.
    "#);
    let all = dirty(Stored { device_write_bytes: Some(SIZE), ..stored(unwritten(0, 0)) });
    assert_eq!(all.outcome, Outcome::Choice("all".to_owned()));
    assert!(!causes(&all).contains(&"stays-dirty"));
    let unseen = dirty(Stored { device_write_bytes: None, ..stored(unwritten(0, 0)) });
    assert_eq!(unseen.outcome, Outcome::Choice("all".to_owned()));
}

#[test]
fn dirty_counted_twice_while_it_is_stored_and_written() {
    let reveal = dirty(stored(unwritten(PAGES, PAGES)));
    assert_eq!(reveal.outcome, Outcome::Choice("none".to_owned()));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice none
    sentence None of it: all 16,384 pages are dirty or on their way to the disk, 16,384 of them on their way.
    cause    [write-bytes-count-dirtying] /proc/PID/io says write_bytes rose by 64 MiB, and the disk took 0 B from everybody. That counter counts bytes made dirty, not bytes written.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    "#);
}

#[test]
fn dirty_pages_were_dirty_before() {
    let reveal = dirty(Stored { dirty_before_pages: Some(7), ..stored(unwritten(PAGES, 0)) });
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: 7 pages of the file were dirty before the first store
    sentence This cannot be told here: 7 pages of the file were dirty before the first store.
    "#);
}

#[test]
fn dirty_others_wrote_meanwhile() {
    let busy = Stored { device_write_bytes: Some(SIZE), ..stored(unwritten(PAGES, 0)) };
    let reveal = dirty(busy);
    assert!(!causes(&reveal).contains(&"write-bytes-count-dirtying"), "the disk took as much as was stored");
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice none
    sentence None of it: all 16,384 pages are dirty, newer in memory than on the disk.
    cause    [stays-dirty] A store changes the page in the cache and marks it dirty; no write of any kind was asked for. All 16,384 pages are in that state. Meanwhile the disk took 64 MiB from the whole system.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    caveat   Other programs used the machine meanwhile: the disk took 64 MiB while none of this file's pages had left.
    "#);
}

#[test]
fn dirty_unknown_by_the_file_and_clear_by_the_system() {
    assert_snapshot!(spoken(&dirty(stored_unknown())), @r#"
    outcome  choice none
    sentence None of it, by the whole system's figures: its Dirty rose by 64 MiB over the stores, and had moved by 4 KiB by itself before.
    cause    [write-bytes-count-dirtying] /proc/PID/io says write_bytes rose by 64 MiB, and the disk took 0 B from everybody. That counter counts bytes made dirty, not bytes written.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    caveat   The dirty pages of the file are unknown: cachestat(2) does not see the pages of this file on ext4.
    "#);
}

#[test]
fn dirty_unknown_and_the_system_says_nothing_either() {
    let noisy = Stored { system_drift_bytes: SIZE, ..stored_unknown() };
    assert!(matches!(dirty(noisy).outcome, Outcome::Undecided(_)));
    let fell = Stored { system_dirty_bytes: 0, ..stored_unknown() };
    assert_eq!(dirty(fell).outcome, Outcome::Choice("all".to_owned()));
}

#[test]
fn dirty_nothing_was_stored() {
    let reveal = dirty(Stored::default());
    assert_eq!(causes(&reveal), [""; 0]);
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
}

fn round(store_ns: u64, msync_ns: u64, after: Unwritten, device: Option<u64>) -> Round {
    let stored = Stored { store_ns, ..stored(unwritten(PAGES, 0)) };
    Round { stored, msync_ns, after, device_write_bytes: device }
}

fn msync(rounds: Vec<Round>) -> Reveal {
    Msync.reveal(&msync::Evidence { rounds }, &setting())
}

fn five(one: impl Fn(u64) -> Round) -> Vec<Round> {
    (0..5).map(one).collect()
}

#[test]
fn msync_returned_with_pages_still_dirty() {
    let reveal = msync(five(|at| round(10 * MS + at, 50 * MS + at, unwritten(3, 4), Some(SIZE))));
    assert!(!causes(&reveal).contains(&"sync-waits"));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  quantity 5.000
    sentence msync took 5x the time of the stores (stores 10.0 ms ±1.00 ns, msync 50.0 ms ±1.00 ns). Afterwards up to 7 pages were still not on the disk.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    "#);
}

#[test]
fn msync_nothing_dirty_and_nothing_taken_by_the_disk() {
    let reveal = msync(five(|at| round(10 * MS + at, 50 * MS + at, unwritten(0, 0), Some(0))));
    assert!(!causes(&reveal).contains(&"sync-waits"), "nothing proves that it waited for the disk");
}

#[test]
fn msync_faster_than_the_stores_or_as_fast() {
    let faster = msync(five(|at| round(50 * MS + at, 10 * MS + at, unwritten(0, 0), Some(SIZE))));
    assert_snapshot!(spoken(&faster), @r#"
    outcome  quantity 0.200
    sentence msync took 0.2x the time of the stores (stores 50.0 ms ±1.00 ns, msync 10.0 ms ±1.00 ns). Afterwards no page was dirty.
    cause    [sync-waits] Before the call all 16,384 pages were dirty, after it none, and the disk had taken 64 MiB: MS_SYNC writes, and waits until the disk says that it has everything.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    "#);
    let tie = msync(five(|at| round((10 + 5 * at) * MS, (12 + 4 * at) * MS, unwritten(0, 0), Some(SIZE))));
    assert!(matches!(tie.outcome, Outcome::Undecided(_)));
}

#[test]
fn msync_rounds_whose_pages_had_left_before() {
    let mut rounds = five(|at| round(10 * MS + at, 50 * MS + at, unwritten(0, 0), Some(SIZE)));
    let mut left_before = rounds[2].clone();
    left_before.stored.unwritten = unwritten(PAGES - 1, 1);
    left_before.msync_ns = 1;
    rounds.push(left_before);
    assert_snapshot!(spoken(&msync(rounds)), @r#"
    outcome  quantity 5.000
    sentence msync took 5x the time of the stores (stores 10.0 ms ±1.00 ns, msync 50.0 ms ±1.00 ns). Afterwards no page was dirty.
    cause    [sync-waits] Before the call all 16,384 pages were dirty, after it none, and the disk had taken 64 MiB: MS_SYNC writes, and waits until the disk says that it has everything.
    cause    [a-fault-marks] The stores took 64 faults for 16,384 pages: what is clean is mapped read-only, so the first store into a page, or into the large folio around it, stops in the kernel, which marks it dirty. That is part of what the stores cost.
    caveat   1 trial was thrown away, not averaged in: the stores: only 16,383 of 16,384 pages were dirty before it.
    "#);
    let none = msync(five(|at| {
        let mut round = round(10 * MS + at, 50 * MS + at, unwritten(0, 0), Some(SIZE));
        round.stored.dirty_before_pages = Some(9);
        round
    }));
    assert!(matches!(none.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&none), [""; 0]);
    assert!(matches!(msync(Vec::new()).outcome, Outcome::Undecided(_)));
}

fn quiet() -> msync_async::Evidence {
    let dirty = unwritten(PAGES, 0);
    msync_async::Evidence {
        stored: stored(dirty),
        rest_ns: 200 * MS,
        rested: dirty,
        device_rested_bytes: Some(0),
        msync_ns: 3000,
        after: dirty,
        settled: dirty,
        device_settled_bytes: Some(0),
    }
}

fn asynchronous(evidence: &msync_async::Evidence) -> Reveal {
    MsyncAsync.reveal(evidence, &setting())
}

#[test]
fn async_each_answer_by_its_own_evidence() {
    let outcome = |evidence| asynchronous(&evidence).outcome;
    let choice = |id: &str| Outcome::Choice(id.to_owned());
    assert_eq!(outcome(quiet()), choice("nothing"));
    let clean = unwritten(0, 0);
    assert_eq!(outcome(msync_async::Evidence { after: clean, settled: clean, ..quiet() }), choice("waits"));
    let on_its_way = unwritten(0, PAGES);
    assert_eq!(outcome(msync_async::Evidence { after: on_its_way, ..quiet() }), choice("starts"));
}

#[test]
fn async_pages_left_by_themselves() {
    let before = msync_async::Evidence { rested: unwritten(PAGES - 5, 5), ..quiet() };
    assert_snapshot!(spoken(&asynchronous(&before)), @r#"
    outcome  undecided: pages left before the call already: somebody else was writing
    sentence The call took 3.00 µs, but pages left before the call already: somebody else was writing. Only 16,379 of 16,384 pages were dirty before it.
    "#);
    let later = msync_async::Evidence { settled: unwritten(PAGES - 5, 0), ..quiet() };
    assert_snapshot!(spoken(&asynchronous(&later)), @r#"
    outcome  undecided: pages left after the call had returned, and nothing shows whether it was the call that sent them
    sentence The call took 3.00 µs, and all pages were dirty when it returned. 200 ms later, 16,379 were: pages left after the call had returned, and nothing shows whether it was the call that sent them.
    "#);
}

#[test]
fn async_unknown_by_the_file() {
    let unknown = Unwritten::default();
    let blind = msync_async::Evidence {
        stored: stored_unknown(),
        rested: unknown,
        after: unknown,
        settled: unknown,
        ..quiet()
    };
    assert_eq!(causes(&asynchronous(&blind)), [""; 0]);
    assert_snapshot!(spoken(&asynchronous(&blind)), @r#"
    outcome  choice nothing
    sentence The call took 3.00 µs. In 200 ms after it the disk took 0 B of 64 MiB, and 0 B in the same time before it.
    caveat   The dirty pages of the file are unknown: cachestat(2) does not see the pages of this file on ext4.
    "#);
    let busy = msync_async::Evidence { device_rested_bytes: Some(SIZE), ..blind };
    assert!(matches!(asynchronous(&busy).outcome, Outcome::Undecided(_)));
}

/// A byte in page 300 of each of five places, with `dirty` dirty pages around it, from `first` on.
fn arm(cached: &str, by: &str, dirty: u64, first: u64, device: u64) -> Arm {
    let place = Place {
        at_page: 300,
        dirty_pages: Some(dirty),
        first_dirty_page: Some(first),
        last_dirty_page: Some(first + dirty - 1),
        device_write_bytes: Some(device),
    };
    Arm { cached: cached.to_owned(), by: by.to_owned(), pages: 1024, places: vec![place; 5] }
}

fn one_byte(arms: Vec<Arm>) -> Reveal {
    OneByte.reveal(&one_byte::Evidence { arms }, &setting())
}

#[test]
fn one_byte_many_pages_that_are_no_folio() {
    let reveal =
        one_byte(vec![arm("write", "store", 200, 200, 1 << 20), arm("pages", "store", 1, 300, 4096)]);
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: 200 pages became dirty, and they are not one piece
    sentence This cannot be told here: 200 pages became dirty, and they are not one piece.
    "#);
}

#[test]
fn one_byte_a_folio_is_no_cause_where_single_pages_say_the_same() {
    let reveal = one_byte(vec![arm("write", "store", 4, 300, 1), arm("pages", "store", 4, 300, 1)]);
    assert_eq!(causes(&reveal), ["smallest-folio"]);
    let reversed = one_byte(vec![arm("write", "store", 1, 300, 1), arm("pages", "store", 256, 256, 1)]);
    assert_eq!(causes(&reversed), [""; 0], "larger where each came in by itself: nothing explains that");
}

#[test]
fn one_byte_each_answer_by_its_own_count() {
    let outcome = |dirty, first| one_byte(vec![arm("write", "store", dirty, first, 0)]).outcome;
    let choice = |id: &str| Outcome::Choice(id.to_owned());
    assert_eq!(outcome(1, 300), choice("one"));
    assert_eq!(outcome(16, 288), choice("sixteen"));
    assert_eq!(outcome(256, 256), choice("folio"));
    assert_eq!(outcome(1024, 0), choice("file"));
    assert!(matches!(outcome(0, 1), Outcome::Undecided(_)));
    assert!(matches!(one_byte(Vec::new()).outcome, Outcome::Undecided(_)));
}

#[test]
fn one_byte_what_the_disk_took_is_named_only_if_it_fits() {
    let arms = |by_store, by_write| {
        vec![
            arm("write", "store", 256, 256, by_store),
            arm("pages", "store", 1, 300, 4096),
            arm("write", "write", 256, 256, by_write),
        ]
    };
    let mib = 1 << 20;
    assert_eq!(causes(&one_byte(arms(mib, 4096))), ["whole-folio", "store-writes-the-piece"]);
    assert_eq!(causes(&one_byte(arms(mib, mib))), ["whole-folio", "piece-is-written"]);
    assert_eq!(causes(&one_byte(arms(9 * mib, 4096))), ["whole-folio"], "others wrote");
    assert_eq!(causes(&one_byte(arms(4096, 4096))), ["whole-folio"], "the store wrote less than its piece");
}

#[test]
fn one_byte_unknown() {
    let mut asked = arm("write", "store", 1, 300, 0);
    asked.places.iter_mut().for_each(|place| place.dirty_pages = None);
    assert_snapshot!(spoken(&one_byte(vec![asked, arm("pages", "store", 1, 300, 0)])), @r#"
    outcome  undecided: the kernel does not tell which pages of this file are dirty
    sentence This cannot be told here: the kernel does not tell which pages of this file are dirty.
    caveat   The dirty pages of the file are unknown: cachestat(2) does not see the pages of this file on ext4.
    "#);
}
