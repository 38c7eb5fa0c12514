//! Evidence that contradicts itself, or the usual story: nothing is explained that the evidence does not select.

use crate::evidence::*;
use cold_vs_warm::factor::{self, Factor};
use cold_vs_warm::lying_benchmark::{self, LyingBenchmark};
use cold_vs_warm::pass::Pass;
use cold_vs_warm::proof::{self, Proof};
use cold_vs_warm::trap::{self, Trap};
use insta::assert_snapshot;
use instruments::Reading;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};

const TIMES: [u64; 5] = [50, 51, 50, 52, 50];
const SHORT: [u64; 5] = [10, 11, 10, 10, 10];

fn trap(first: Vec<Pass>, second: Vec<Pass>) -> Reveal {
    Trap.reveal(&trap::Evidence { size_bytes: SIZE, first, second }, &setting())
}

fn factor(cold: Vec<Pass>, warm: Vec<Pass>) -> Reveal {
    let evidence = factor::Evidence { size_bytes: SIZE, cold, warm, ..factor::Evidence::default() };
    Factor.reveal(&evidence, &setting())
}

fn proof(control: Pass, warm: Pass) -> Reveal {
    let evidence =
        proof::Evidence { size_bytes: SIZE, control: Some(control), warm: Some(warm), stuck: None };
    Proof.reveal(&evidence, &setting())
}

fn lying(buffered: Vec<Pass>, direct: Vec<Pass>) -> Reveal {
    let evidence = lying_benchmark::Evidence {
        size_bytes: SIZE,
        read_bytes: SIZE,
        buffered,
        direct,
        ..lying_benchmark::Evidence::default()
    };
    LyingBenchmark.reveal(&evidence, &setting())
}

#[test]
fn trap_all_resident_and_yet_delivered_by_the_device() {
    let reveal = trap(passes(TIMES, |ns| pass(state(PAGES), ns, Some(SIZE))), passes(SHORT, warm));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice 5x
    sentence The first read took 50.0 ms ±500 µs, the second 10.0 ms ±0 ns: a ratio of 5x. Of the answers 5x is the nearest.
    "#);
}

#[test]
fn trap_residency_unknown() {
    let reveal = trap(passes(TIMES, |ns| pass(unknown(), ns, Some(0))), passes(TIMES, warm));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice 1x
    sentence The first read took 50.0 ms ±500 µs, the second 50.0 ms ±500 µs: a ratio of 1x, a tie within the spread.
    caveat   Residency is unknown here: the kernel tells residency only to those who own the file or may write to it.
    "#);
}

#[test]
fn trap_second_read_slower() {
    let reveal = trap(passes(SHORT, warm), passes(TIMES, warm));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice 1x
    sentence The first read took 10.0 ms ±0 ns, the second 50.0 ms ±500 µs: a ratio of 0.2x. The first was 5x faster, and of the answers 1x is the nearest.
    cause    [writing-warmed-it] In each of 5 rounds, all 2,048 pages were resident before the first read: the write had put them there. So the first read was a warm one, and the device delivered nothing.
    "#);
}

#[test]
fn trap_cold_in_some_rounds_and_wild_spreads() {
    let mut first = passes([10, 200, 10, 300, 400], warm);
    first[1] = cold(200 * MS);
    first[3] = cold(300 * MS);
    let reveal = trap(first, passes([10, 100, 10, 11, 12], warm));
    assert_eq!(causes(&reveal), ["writing-warmed-it", "writing-did-not-warm-it"]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: the spreads of the two reads overlap
    sentence The first read took 200 ms ±145 ms, the second 11.0 ms ±1.00 ms: a ratio of 18.2x, but the spreads overlap, so nobody can tell which was faster.
    cause    [writing-warmed-it] In 3 of 5 rounds, all 2,048 pages were resident before the first read: the write had put them there. So the first read was a warm one, and the device delivered nothing.
    cause    [writing-did-not-warm-it] In 2 of 5 rounds, pages were missing before the first read: as few as 0 of 2,048 pages were resident, and the device delivered up to 8 MiB. So the write had not left the whole file in memory.
    caveat   The trials of the first read lie far apart: take such a figure as a rough one. A quieter machine tells more.
    caveat   The spreads of the first read and the second overlap: no verdict between the two on this machine, now.
    "#);
}

#[test]
fn trap_nothing_measured() {
    assert_snapshot!(spoken(&trap(Vec::new(), Vec::new())), @r#"
    outcome  undecided: too few trials count (first reads: none was measured; second reads: none was measured)
    sentence Nothing can be told: too few trials count (first reads: none was measured; second reads: none was measured).
    "#);
}

#[test]
fn factor_cold_runs_without_bytes_from_the_device() {
    let reveal = factor(passes(TIMES, |ns| pass(state(0), ns, Some(0))), passes(SHORT, warm));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: too few trials count (cold: 0 of 5, since the device delivered 0 B of 8 MiB; warm: 5 of 5)
    sentence Nothing can be told: too few trials count (cold: 0 of 5, since the device delivered 0 B of 8 MiB; warm: 5 of 5).
    caveat   5 trials were thrown away, not averaged in: cold: the device delivered 0 B of 8 MiB.
    "#);
}

#[test]
fn factor_cold_runs_with_pages_resident() {
    let reveal = factor(passes(TIMES, |ns| pass(state(1), ns, Some(SIZE))), passes(SHORT, warm));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: too few trials count (cold: 0 of 5, since 1 page of 2,048 still resident before it; warm: 5 of 5)
    sentence Nothing can be told: too few trials count (cold: 0 of 5, since 1 page of 2,048 still resident before it; warm: 5 of 5).
    caveat   5 trials were thrown away, not averaged in: cold: 1 page of 2,048 still resident before it.
    "#);
}

#[test]
fn factor_warm_slower_than_cold() {
    let reveal = factor(passes(SHORT, cold), passes(TIMES, warm));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  quantity 0.200
    sentence The warm run was slower: the ratio is 0.2x (cold 10.0 ms ±0 ns, warm 50.0 ms ±500 µs).
    "#);
}

#[test]
fn factor_residency_unknown() {
    let reveal = factor(
        passes(TIMES, |ns| pass(unknown(), ns, Some(SIZE))),
        passes(SHORT, |ns| pass(unknown(), ns, Some(0))),
    );
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: too few trials count (cold: 0 of 5, since nobody can know what was resident before it; warm: 0 of 5, since nobody can know what was resident before it)
    sentence Nothing can be told: too few trials count (cold: 0 of 5, since nobody can know what was resident before it; warm: 0 of 5, since nobody can know what was resident before it).
    caveat   Residency is unknown here: the kernel tells residency only to those who own the file or may write to it.
    caveat   5 trials were thrown away, not averaged in: cold: nobody can know what was resident before it.
    caveat   5 trials were thrown away, not averaged in: warm: nobody can know what was resident before it.
    "#);
}

#[test]
fn factor_no_device_counter() {
    let reveal = factor(
        passes(TIMES, |ns| pass(state(0), ns, None)),
        passes(SHORT, |ns| pass(state(PAGES), ns, None)),
    );
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: too few trials count (cold: 0 of 5, since nobody counted what the device delivered; warm: 0 of 5, since nobody counted what the device delivered)
    sentence Nothing can be told: too few trials count (cold: 0 of 5, since nobody counted what the device delivered; warm: 0 of 5, since nobody counted what the device delivered).
    caveat   This kernel does not count the bytes that a device delivers to a process.
    caveat   5 trials were thrown away, not averaged in: cold: nobody counted what the device delivered.
    caveat   5 trials were thrown away, not averaged in: warm: nobody counted what the device delivered.
    "#);
}

#[test]
fn factor_spreads_overlap() {
    let reveal = factor(passes([10, 60, 20, 50, 30], cold), passes([12, 50, 22, 40, 28], warm));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: the spreads overlap
    sentence A tie on this machine, now: cold 30.0 ms ±15.0 ms, warm 28.0 ms ±9.00 ms, and the spreads overlap.
    caveat   The trials of cold and of warm lie far apart: take such a figure as a rough one. A quieter machine tells more.
    caveat   The spreads of cold and warm overlap: no verdict between the two on this machine, now.
    "#);
}

#[test]
fn factor_falling_times_of_runs_that_were_not_cold() {
    let reveal =
        factor(passes([90, 70, 50, 40, 30], |ns| pass(state(0), ns, Some(SIZE / 2))), passes(SHORT, warm));
    assert_eq!(causes(&reveal), [""; 0]);
}

#[test]
fn factor_some_runs_thrown_away() {
    let mut colds = passes(TIMES, cold);
    colds.push(pass(state(7), 5 * MS, Some(SIZE)));
    let mut warms = passes(SHORT, warm);
    warms.push(pass(state(PAGES), 90 * MS, Some(4096)));
    let reveal = factor(colds, warms);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  quantity 5.000
    sentence The warm run was 5x faster.
    cause    [waited-for-device] Both made the same 65 read() calls. The cold run first had to get 8 MiB from the device; for the warm run they were in memory.
    caveat   1 trial was thrown away, not averaged in: cold: 7 pages of 2,048 still resident before it.
    caveat   1 trial was thrown away, not averaged in: warm: the device delivered 4 KiB although all was resident.
    "#);
}

#[test]
fn factor_one_warm_run_kept_is_too_few_and_no_tie() {
    let mut spoiled = passes([42, 43, 44, 45, 46], warm);
    for pass in &mut spoiled[1..] {
        pass.before = state(PAGES - 4);
    }
    let reveal = factor(passes([250, 252, 258, 246, 252], cold), spoiled);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: too few trials count (cold: 5 of 5; warm: 1 of 5, since only 2,044 of 2,048 pages were resident before it)
    sentence Nothing can be told: too few trials count (cold: 5 of 5; warm: 1 of 5, since only 2,044 of 2,048 pages were resident before it).
    caveat   4 trials were thrown away, not averaged in: warm: only 2,044 of 2,048 pages were resident before it.
    caveat   One arm kept 1 of the 5 trials that it should have: take its figures with care.
    "#);
}

#[test]
fn factor_nothing_measured() {
    assert_snapshot!(spoken(&factor(Vec::new(), Vec::new())), @r#"
    outcome  undecided: too few trials count (cold: none was measured; warm: none was measured)
    sentence Nothing can be told: too few trials count (cold: none was measured; warm: none was measured).
    "#);
}

#[test]
fn proof_all_resident_and_yet_delivered() {
    let reveal = proof(cold(50 * MS), pass(state(PAGES), 10 * MS, Some(SIZE / 2)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice half
    sentence In the warm run the device delivered 4 MiB of 8 MiB; in the cold control run, 8 MiB.
    "#);
}

#[test]
fn proof_control_that_shows_too_much() {
    let reveal = proof(pass(state(0), 50 * MS, Some(3 * SIZE)), warm(10 * MS));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: the control run does not show that the counter works (the device delivered 24 MiB of 8 MiB)
    sentence This cannot be told here: the control run does not show that the counter works (the device delivered 24 MiB of 8 MiB).
    cause    [counter-blind] Nothing was resident before the control run, it read 8 MiB, and the counter showed 24 MiB. The counter does not follow what this filesystem reads, so it proves nothing about the warm run.
    "#);
}

#[test]
fn proof_control_that_was_not_cold() {
    let reveal = proof(pass(state(PAGES), 10 * MS, Some(0)), warm(10 * MS));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: the control run does not show that the counter works (2,048 pages of 2,048 still resident before it)
    sentence This cannot be told here: the control run does not show that the counter works (2,048 pages of 2,048 still resident before it).
    "#);
}

#[test]
fn proof_residency_unknown() {
    let reveal = proof(pass(unknown(), 50 * MS, Some(SIZE)), pass(unknown(), 10 * MS, Some(0)));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: the control run does not show that the counter works (nobody can know what was resident before it)
    sentence This cannot be told here: the control run does not show that the counter works (nobody can know what was resident before it).
    caveat   Residency is unknown here: the kernel tells residency only to those who own the file or may write to it.
    "#);
}

#[test]
fn proof_nothing_measured() {
    let evidence = proof::Evidence { size_bytes: SIZE, ..proof::Evidence::default() };
    assert_snapshot!(spoken(&Proof.reveal(&evidence, &setting())), @r#"
    outcome  undecided: there was no cold control run
    sentence This cannot be told here: there was no cold control run.
    "#);
}

#[test]
fn lying_slower_without_the_device() {
    let reveal = lying(passes(SHORT, warm), passes(TIMES, warm));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), ["direct-used-cache", "disk-test"]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: slower, but it is not proven that the device set the pace: the device delivered 0 B of 8 MiB
    sentence With O_DIRECT, 128 KiB at a time, the read ran at 160 MiB/s; through the cache, at 800 MiB/s: 5x slower. Nothing proves that the device set this pace: the device delivered 0 B of 8 MiB.
    cause    [direct-used-cache] O_DIRECT was accepted, but the device delivered 0 B of 8 MiB: this filesystem served the rest of those reads in some other way.
    cause    [disk-test] A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and as many bytes from the device as were read. A speed alone cannot tell a disk from memory.
    caveat   dd is not installed here, so that part was left out.
    "#);
}

#[test]
fn lying_device_as_fast_as_memory() {
    let direct = |ns| pass(state(PAGES), ns, Some(SIZE));
    let reveal = lying(passes(TIMES, warm), passes(TIMES, direct));
    assert_eq!(reveal.outcome, Outcome::Choice("same".to_owned()));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice same
    sentence With O_DIRECT, 128 KiB at a time, the read ran at 160 MiB/s; through the cache, at 160 MiB/s: the spreads overlap, a tie.
    cause    [direct-went-past] All 2,048 pages were resident before and after, and still the device delivered 8 MiB to the O_DIRECT read: it went past the cache.
    cause    [disk-test] A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and as many bytes from the device as were read. A speed alone cannot tell a disk from memory.
    caveat   dd is not installed here, so that part was left out.
    "#);
}

#[test]
fn lying_device_faster_than_memory() {
    let direct = |ns| pass(state(PAGES), ns, Some(SIZE));
    let reveal = lying(passes(TIMES, warm), passes(SHORT, direct));
    assert_eq!(reveal.outcome, Outcome::Choice("faster".to_owned()));
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  choice faster
    sentence With O_DIRECT, 128 KiB at a time, the read ran at 800 MiB/s; through the cache, at 160 MiB/s: 5x faster.
    cause    [direct-went-past] All 2,048 pages were resident before and after, and still the device delivered 8 MiB to the O_DIRECT read: it went past the cache.
    cause    [disk-test] A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and as many bytes from the device as were read. A speed alone cannot tell a disk from memory.
    caveat   dd is not installed here, so that part was left out.
    "#);
}

#[test]
fn lying_direct_reads_drop_the_cache() {
    let direct = |ns| {
        let mut pass = pass(state(PAGES), ns, Some(SIZE));
        pass.after = state(0);
        pass
    };
    assert_snapshot!(spoken(&lying(passes(SHORT, warm), passes(TIMES, direct))), @r#"
    outcome  choice device
    sentence With O_DIRECT, 128 KiB at a time, the read ran at 160 MiB/s; through the cache, at 800 MiB/s: 5x slower. That is the pace of the device, one request of 128 KiB at a time.
    cause    [direct-went-past] All 2,048 pages were resident before, and still the device delivered 8 MiB to the O_DIRECT read: it went past the cache. After one such read 0 were resident, and nothing tells whether it or somebody else took the others.
    cause    [disk-test] A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and as many bytes from the device as were read. A speed alone cannot tell a disk from memory.
    caveat   dd is not installed here, so that part was left out.
    "#);
}

#[test]
fn lying_reclaim_takes_pages_meanwhile() {
    let mut direct = passes(TIMES, |ns| pass(state(PAGES), ns, Some(SIZE)));
    if let Reading::Known(after) = &mut direct[3].after {
        after.resident_pages = PAGES - 513;
        after.evicted_pages = Some(513);
    }
    assert_snapshot!(spoken(&lying(passes(SHORT, warm), direct)), @r#"
    outcome  choice device
    sentence With O_DIRECT, 128 KiB at a time, the read ran at 160 MiB/s; through the cache, at 800 MiB/s: 5x slower. That is the pace of the device, one request of 128 KiB at a time.
    cause    [direct-went-past] All 2,048 pages were resident before, and still the device delivered 8 MiB to the O_DIRECT read: it went past the cache. After 4 of 5 such reads all were still there, so such a read takes nothing away. After the rest as few as 1,535 were: somebody else took what was missing. Reclaim, which makes room for others, had 513 pages.
    cause    [disk-test] A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and as many bytes from the device as were read. A speed alone cannot tell a disk from memory.
    caveat   dd is not installed here, so that part was left out.
    "#);
}

#[test]
fn lying_file_not_cached() {
    let missing = |ns| pass(state(PAGES / 2), ns, Some(SIZE));
    let reveal = lying(passes(TIMES, missing), passes(TIMES, missing));
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), ["never-warm", "disk-test"]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: too few trials count (through the cache: 0 of 5, since only 1,024 of 2,048 pages were resident before it; with O_DIRECT: 0 of 5, since only 1,024 of 2,048 pages were resident before it)
    sentence Nothing can be told: too few trials count (through the cache: 0 of 5, since only 1,024 of 2,048 pages were resident before it; with O_DIRECT: 0 of 5, since only 1,024 of 2,048 pages were resident before it).
    cause    [never-warm] After a read of all 2,048 pages, at most 1,024 were resident: the file never got warm.
    cause    [disk-test] A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and as many bytes from the device as were read. A speed alone cannot tell a disk from memory.
    caveat   5 trials were thrown away, not averaged in: buffered: only 1,024 of 2,048 pages were resident before it.
    caveat   5 trials were thrown away, not averaged in: O_DIRECT: only 1,024 of 2,048 pages were resident before it.
    caveat   dd is not installed here, so that part was left out.
    "#);
}

#[test]
fn lying_residency_unknown() {
    let reveal = lying(
        passes(SHORT, |ns| pass(unknown(), ns, Some(0))),
        passes(TIMES, |ns| pass(unknown(), ns, Some(SIZE))),
    );
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), ["disk-test"]);
    assert_snapshot!(spoken(&reveal), @r#"
    outcome  undecided: too few trials count (through the cache: 0 of 5, since nobody can know what was resident before it; with O_DIRECT: 0 of 5, since nobody can know what was resident before it)
    sentence Nothing can be told: too few trials count (through the cache: 0 of 5, since nobody can know what was resident before it; with O_DIRECT: 0 of 5, since nobody can know what was resident before it).
    cause    [disk-test] A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and as many bytes from the device as were read. A speed alone cannot tell a disk from memory.
    caveat   Residency is unknown here: the kernel tells residency only to those who own the file or may write to it.
    caveat   5 trials were thrown away, not averaged in: buffered: nobody can know what was resident before it.
    caveat   5 trials were thrown away, not averaged in: O_DIRECT: nobody can know what was resident before it.
    caveat   dd is not installed here, so that part was left out.
    "#);
}
