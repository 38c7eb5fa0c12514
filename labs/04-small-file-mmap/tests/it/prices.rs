//! What a size costs is explained by straight lines only where the measured times lie on them.

use crate::evidence::*;
use insta::assert_snapshot;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};
use small_file_mmap::crossover::{Crossover, Evidence, OneSize};

/// All sizes, with these nanoseconds for so many KiB, read and mapped.
fn crossover(read: impl Fn(u64) -> u64, map: impl Fn(u64) -> u64) -> Reveal {
    let size = |at: u32| {
        let (bytes, kib) = (PAGE << at, 4 << at);
        let pages = bytes / PAGE;
        OneSize {
            bytes,
            read: passes(pages, around(read(kib)), 0),
            map: passes(pages, around(map(kib)), pages.div_ceil(16)),
            folio_pages: vec![1; 5],
        }
    };
    let sizes = (0..13).map(size).collect();
    Crossover.reveal(&Evidence { page_bytes: PAGE, block_bytes: 128 << 10, sizes }, &setting())
}

#[test]
fn straight_lines_that_cross_where_the_times_do() {
    let reveal = crossover(|kib| 3000 + 100 * kib, |kib| 8000 + 50 * kib);
    assert_eq!(causes(&reveal), ["made-up-by-the-byte"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn what_comes_after_the_crossing_has_no_part_in_it() {
    let dear = |kib: u64| if kib > 4096 { 10 } else { 1 };
    let reveal = crossover(|kib| dear(kib) * (3000 + 100 * kib), |kib| 8000 + 50 * kib);
    let straight = crossover(|kib| 3000 + 100 * kib, |kib| 8000 + 50 * kib);
    assert_eq!(reveal.causes, straight.causes);
}

#[test]
fn a_bend_before_the_crossing_is_not_explained() {
    // Up to 1 MiB the mapping falls further behind; then reading gets dearer.
    let read = |kib: u64| 3000 + 116 * kib + 400 * kib.saturating_sub(1024);
    let reveal = crossover(read, |kib| 8000 + 130 * kib);
    assert!(matches!(reveal.outcome, Outcome::Choice(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert!(reveal.sentence.ends_with("These figures do not tell why."), "{}", reveal.sentence);
}

#[test]
fn a_mapping_that_makes_up_in_between_does_not_fall_behind_at_every_size() {
    let reveal = crossover(|kib| 3000 + 100 * kib, |kib| 8000 + 200 * kib);
    assert_eq!(causes(&reveal), ["dearer-by-the-byte"]);
    let catching_up = |kib: u64| if kib == 1024 { 150_000 } else { 8000 + 200 * kib };
    let reveal = crossover(|kib| 3000 + 100 * kib, catching_up);
    assert_eq!(reveal.outcome, Outcome::Choice("never".to_owned()));
    assert_eq!(causes(&reveal), [""; 0]);
}
