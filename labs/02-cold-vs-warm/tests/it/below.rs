//! The file behind a loop device: when the counts of its pages prove that a cold run came from memory, and when not.

use crate::evidence::*;
use cold_vs_warm::below::Below;
use cold_vs_warm::factor::{self, Factor};
use cold_vs_warm::pass::Pass;
use insta::assert_snapshot;
use instruments::Reading;
use lesson::testing::spoken;
use lesson::{Act, Reveal};

const TIMES: [u64; 5] = [50, 51, 50, 52, 50];

/// Cold runs as fast as warm ones, over a loop device.
fn factor(cold: Vec<Pass>, below: Vec<Below>) -> Reveal {
    let warm = passes(TIMES, warm);
    let evidence = factor::Evidence { size_bytes: SIZE, cold, warm, below, ..factor::Evidence::default() };
    Factor.reveal(&evidence, &setting())
}

#[test]
fn a_tie_over_a_file_that_was_in_memory() {
    let mut around = vec![below(PAGES + 20, PAGES + 20); 5];
    around[3] = below(PAGES, PAGES + 2);
    assert_snapshot!(spoken(&factor(passes(TIMES, cold), around)), @r#"
    outcome  undecided: the spreads overlap
    sentence A tie on this machine, now: cold 50.0 ms ±500 µs, warm 50.0 ms ±500 µs, and the spreads overlap.
    cause    [cache-below-held-it] Before each of the 5 cold runs nothing of the file itself was resident, but the file behind the loop device had at least 8 MiB in memory, and no run brought more than another 8 KiB there. So the loop device delivered the rest of the file from that memory: a cold run copied from one cache to another.
    caveat   The spreads of cold and warm overlap: no verdict between the two on this machine, now.
    "#);
}

#[test]
fn the_file_below_is_named_only_where_it_had_everything() {
    let causes = |cold: Vec<Pass>, around| {
        let reveal = factor(cold, around);
        reveal.causes.into_iter().map(|cause| cause.id).collect::<Vec<_>>()
    };
    let with = |odd: Below| {
        let mut around = vec![below(PAGES, PAGES); 5];
        around[2] = odd;
        causes(passes(TIMES, cold), around)
    };
    assert_eq!(with(below(PAGES, PAGES)), ["cache-below-held-it"]);
    assert_eq!(with(below(PAGES / 2, PAGES / 2)), [""; 0], "less than the file has");
    assert_eq!(with(below(PAGES, 2 * PAGES)), [""; 0], "the file had to come; what was there was other data");
    assert_eq!(with(Below { before: unknown(), after: unknown() }), [""; 0], "nobody may know");
    let mut replaced = below(PAGES, PAGES);
    if let Reading::Known(after) = &mut replaced.after {
        after.evicted_pages = Some(PAGES);
    }
    assert_eq!(with(replaced), [""; 0], "reclaim took as many as came");
    assert_eq!(causes(passes(TIMES, cold), vec![below(PAGES, PAGES); 4]), [""; 0], "not seen around each");
    assert_eq!(causes(passes(TIMES, warm), vec![below(PAGES, PAGES); 5]), [""; 0], "no run was cold");
    assert_eq!(causes(passes(TIMES, cold), Vec::new()), [""; 0], "no loop device");
}
