//! Evidence that contradicts itself, or the usual story: nothing is explained that the evidence does not select.

use crate::evidence::*;
use fill_and_drain::change::Change;
use fill_and_drain::drain::Drain;
use fill_and_drain::drop_caches::{self, DropCaches};
use fill_and_drain::fill::Fill;
use fill_and_drain::reclaim::Reclaim;
use fill_and_drain::refill::Refill;
use fill_and_drain::stays::{self, Stays, Tried};
use fill_and_drain::{drain, fill, reclaim};
use insta::assert_snapshot;
use instruments::evict::Stuck;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};

fn fill(evidence: fill::Evidence) -> Reveal {
    Fill.reveal(&evidence, &setting())
}

fn drain(evidence: drain::Evidence) -> Reveal {
    Drain.reveal(&evidence, &setting())
}

fn reclaim(evidence: reclaim::Evidence) -> Reveal {
    Reclaim.reveal(&evidence, &setting())
}

fn chose(reveal: &Reveal) -> &str {
    match &reveal.outcome {
        Outcome::Choice(id) => id,
        Outcome::Undecided(_) => "undecided",
        Outcome::Quantity(_) => "a quantity",
    }
}

#[test]
fn fill_cached_grew_but_the_file_is_not_there() {
    let reveal = fill(filled(change(64, -64, 0), Some(state(0))));
    assert_eq!((chose(&reveal), causes(&reveal)), ("cached", vec![]));
}

#[test]
fn fill_the_file_is_there_but_no_line_moved_and_nobody_left() {
    let reveal = fill(filled(change(0, 0, 0), Some(state(PAGES))));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r"
    outcome  undecided: the file is in memory, and yet no line moved, and nobody left
    sentence This cannot be told here: the file is in memory, and yet no line moved, and nobody left.
    ");
    let others_left = Change { reclaimed_pages: Some(PAGES), ..change(0, 0, 0) };
    let reveal = fill(filled(others_left, Some(state(PAGES))));
    assert_eq!((chose(&reveal), causes(&reveal)), ("replaced", vec!["others-left"]));
}

#[test]
fn fill_no_line_moved_and_nothing_is_there() {
    assert_eq!(chose(&fill(filled(change(0, 0, 0), Some(state(0))))), "nothing");
    assert_eq!(chose(&fill(filled(change(0, 0, 0), Some(state(PAGES / 2))))), "undecided");
    assert_eq!(chose(&fill(filled(change(0, 0, 0), None))), "undecided");
}

#[test]
fn fill_free_memory_went_and_the_file_is_there() {
    let reveal = fill(filled(change(0, -64, -64), Some(state(PAGES))));
    assert_eq!((chose(&reveal), causes(&reveal)), ("lost", vec![]), "no cache elsewhere is proven");
}

#[test]
fn fill_free_memory_went_and_nobody_knows_where_the_file_is() {
    let reveal = fill(filled(change(0, -64, -64), None));
    assert_eq!((chose(&reveal), causes(&reveal)), ("lost", vec!["kept-elsewhere"]));
}

#[test]
fn fill_two_lines_grew() {
    let mut both = change(64, -128, 0);
    both.buffers_bytes = 64 * MIB;
    let reveal = fill(filled(both, Some(state(PAGES))));
    assert_eq!(chose(&reveal), "undecided");
    assert_snapshot!(reveal.sentence, @"This cannot be told here: while 64 MiB were written, Cached grew by 64 MiB, free memory fell by 128 MiB, Buffers grew by 64 MiB, which fits none of the answers.");
}

#[test]
fn fill_the_idle_machine_moves_as_much() {
    let mut evidence = filled(change(64, -64, 0), Some(state(PAGES)));
    evidence.idle = idle(40);
    let reveal = fill(evidence);
    assert_eq!(causes(&reveal), ["others-moved-it"]);
    assert_snapshot!(spoken(&reveal), @r"
    outcome  undecided: other programs use this machine, and move Cached by as much as 40 MiB themselves
    sentence This cannot be told here: other programs use this machine, and move Cached by as much as 40 MiB themselves.
    cause    [others-moved-it] Other programs use this machine, and its counters are everybody's: in as long a time, Cached moves by as much as 40 MiB without us. Try again when it is quiet, or with a larger --size.
    ");
}

#[test]
fn fill_only_free_memory_is_noisy() {
    let mut evidence = filled(change(64, -64, 0), Some(state(PAGES)));
    evidence.idle.windows.iter_mut().for_each(|window| window.free_bytes = 40 * MIB);
    let reveal = fill(evidence);
    assert_eq!((chose(&reveal), causes(&reveal)), ("cached", vec!["write-filled-it"]));
    assert!(spoken(&reveal).contains("free memory often moved by as much as 40 MiB"), "{}", spoken(&reveal));
}

#[test]
fn fill_nothing_measured() {
    assert_eq!(chose(&fill(fill::Evidence::default())), "undecided");
}

#[test]
fn drain_everything_went_except_from_the_counters() {
    let reveal = drain(drained(change(0, 0, 0)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r"
    outcome  undecided: all pages of the file went, but Cached did not move, and free memory did not move
    sentence This cannot be told here: all pages of the file went, but Cached did not move, and free memory did not move.
    ");
}

#[test]
fn drain_available_rises_halves_falls() {
    for (available, outcome) in [(64, "rises"), (30, "part"), (-64, "falls"), (5, "stays")] {
        let reveal = drain(drained(change(-64, 64, available)));
        assert_eq!(chose(&reveal), outcome);
        assert_eq!(causes(&reveal).contains(&"counted-before"), outcome == "stays", "{outcome}");
    }
}

#[test]
fn drain_available_seems_to_fall_and_the_processors_have_it() {
    let on_lists = Change { percpu_bytes: Some(60 * MIB), ..change(-64, 4, -60) };
    let reveal = drain(drained(on_lists));
    assert_eq!((chose(&reveal), causes(&reveal)), ("stays", vec!["counted-before", "on-processors-lists"]));
    let untold = Change { percpu_bytes: None, ..on_lists };
    let reveal = drain(drained(untold));
    assert_eq!((chose(&reveal), causes(&reveal)), ("undecided", vec![]));
    assert_snapshot!(reveal.sentence, @"This cannot be told here: all pages of the file went, but Cached fell by 64 MiB, and free memory grew by 4 MiB.");
}

#[test]
fn drain_names_why_pages_stayed_and_nothing_else() {
    for stuck in [
        Stuck::InMemory("tmpfs".to_owned()),
        Stuck::Dirty { pages: 7 },
        Stuck::Mapped { pages: 7, pids: vec![42] },
        Stuck::Unexplained { pages: 7 },
    ] {
        let mut evidence = drained(change(-64, 64, 0));
        evidence.stuck = Some(stuck.clone());
        let reveal = drain(evidence);
        assert_eq!((chose(&reveal), causes(&reveal)), ("undecided", vec!["not-drained"]));
        assert!(reveal.sentence.contains(&stuck.to_string()), "{}", reveal.sentence);
    }
}

#[test]
fn drain_nothing_measured() {
    assert_eq!(chose(&drain(drain::Evidence::default())), "undecided");
}

fn tried(before_pages: u64, after_pages: u64, again_pages: u64) -> Tried {
    Tried { before_pages, after_pages, again_pages }
}

fn stays(clean: Tried, written: Tried, mapped: Tried, memory: Tried) -> Reveal {
    let evidence = stays::Evidence {
        size_bytes: SIZE,
        pages: PAGES,
        clean,
        written,
        mapped,
        memory,
        dirty_pages: Some(PAGES),
    };
    Stays.reveal(&evidence, &setting())
}

#[test]
fn stays_explains_only_what_was_let_go_and_went() {
    let gone = tried(9, 0, 0);
    let reveal = stays(gone, tried(9, 9, 9), tried(9, 9, 9), tried(9, 9, 0));
    assert_eq!((chose(&reveal), causes(&reveal)), ("clean", vec![]));
    let reveal = stays(gone, gone, gone, gone);
    assert_eq!((chose(&reveal), causes(&reveal)), ("all", vec![]));
    let reveal = stays(gone, gone, tried(9, 3, 0), tried(9, 9, 9));
    assert_eq!((chose(&reveal), causes(&reveal)), ("unmapped", vec!["mapped-stays", "memory-stays"]));
}

#[test]
fn stays_the_clean_one_stayed_and_the_others_went() {
    let gone = tried(9, 0, 0);
    let reveal = stays(tried(9, 9, 9), gone, gone, gone);
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r"
    outcome  undecided: it fits none of the answers
    sentence All pages of the one just written, the mapped one and the one on tmpfs went. The call returned 0 for the clean one, too, and pages stayed.
    ");
}

#[test]
fn stays_one_was_never_there() {
    let gone = tried(9, 0, 0);
    assert_eq!(chose(&stays(gone, tried(0, 0, 0), gone, gone)), "undecided");
}

#[test]
fn refill_more_came_also_without_readahead() {
    let half = PAGES / 2;
    let reveal = |ordinary, without| Refill.reveal(&refilled(ordinary, without), &setting());
    assert_eq!(causes(&reveal(half + 9, half)), ["read-ahead"]);
    for (ordinary, without, outcome) in [
        (half + 9, half + 9, "half-plus"),
        (half, half + 9, "half"),
        (PAGES, PAGES, "all"),
        (0, half, "none"),
        (half / 2, half, "undecided"),
    ] {
        let reveal = reveal(ordinary, without);
        assert_eq!(chose(&reveal), outcome);
        assert!(!causes(&reveal).contains(&"read-ahead"), "{outcome}");
        assert!(!causes(&reveal).contains(&"nothing-ahead"), "{outcome}");
    }
    assert_eq!(causes(&reveal(half, half)), ["nothing-ahead"]);
}

#[test]
fn refill_goes_by_the_reads_that_nobody_took_pages_of() {
    let half = PAGES / 2;
    let mut evidence = refilled(half - 1, half - 7);
    for (reads, whole) in [(&mut evidence.ordinary, half + 9), (&mut evidence.without_readahead, half)] {
        reads[..2].iter_mut().for_each(|came| came.resident_pages = whole);
    }
    let reveal = Refill.reveal(&evidence, &setting());
    assert_eq!((chose(&reveal), causes(&reveal)), ("half-plus", vec!["read-ahead"]));
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn refill_somebody_always_takes_pages() {
    let half = PAGES / 2;
    let reveal = |ordinary, without| Refill.reveal(&refilled(ordinary, without), &setting());
    let taken = reveal(half - 1, half - 1);
    assert_eq!((chose(&taken), causes(&taken)), ("undecided", vec!["taken-meanwhile"]));
    assert_snapshot!(spoken(&taken));
    let only_without = reveal(half + 9, half - 1);
    assert_eq!((chose(&only_without), causes(&only_without)), ("half-plus", vec![]), "no control");
    assert!(spoken(&only_without).contains("nothing to compare with"), "{}", spoken(&only_without));
    let mut more_came = refilled(half + 9, half);
    more_came.ordinary.iter_mut().for_each(|came| came.device_read_bytes = Some(SIZE));
    let more_came = Refill.reveal(&more_came, &setting());
    assert_eq!((chose(&more_came), causes(&more_came)), ("undecided", vec![]));
    assert_snapshot!(more_came.sentence, @"Of 16,384 pages, the first 8,192 were read, and 8,201 are in memory. But the device delivered more: something took pages meanwhile.");
}

#[test]
fn reclaim_everything_is_still_there() {
    let reveal = reclaim(reclaimed(Some(held(24, 24, 0))));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal), @r"
    outcome  undecided: 16 MiB had to give, and nothing shows what did
    sentence This cannot be told here: 16 MiB had to give, and nothing shows what did.
    ");
}

#[test]
fn reclaim_cache_and_swap() {
    assert_eq!(chose(&reclaim(reclaimed(Some(held(8, 24, 0))))), "shrinks");
    let swapped = reclaim(reclaimed(Some(held(22, 8, 16))));
    assert_eq!((chose(&swapped), causes(&swapped)), ("swaps", vec!["swapped-out"]));
    let vanished = reclaim(reclaimed(Some(held(8, 3, 0))));
    assert_eq!((chose(&vanished), causes(&vanished)), ("undecided", vec![]));
}

#[test]
fn reclaim_killed_with_and_without_the_killer() {
    let mut evidence = reclaimed(None);
    evidence.killed_by = Some("SIGKILL".to_owned());
    let stranger = reclaim(evidence.clone());
    assert_eq!((chose(&stranger), causes(&stranger)), ("undecided", vec![]));
    evidence.oom_kills = Some(1);
    let killer = reclaim(evidence);
    assert_eq!((chose(&killer), causes(&killer)), ("killed", vec!["oom-killed"]));
}

#[test]
fn reclaim_there_was_no_cache_or_room_for_all() {
    let mut empty = reclaimed(Some(held(0, 24, 0)));
    empty.before = held(1, 0, 0);
    assert_eq!(chose(&reclaim(empty)), "undecided");
    let mut roomy = reclaimed(Some(held(24, 24, 0)));
    roomy.limit_bytes = 1 << 30;
    assert_eq!(chose(&reclaim(roomy)), "undecided");
}

fn switch(mode: &str, euid: u64, ours: &str, nobody: Option<&str>) -> Reveal {
    let evidence = drop_caches::Evidence {
        mode: mode.to_owned(),
        owner_uid: 0,
        euid,
        open_error: ours.to_owned(),
        nobody_error: nobody.map(str::to_owned),
    };
    DropCaches.reveal(&evidence, &setting())
}

#[test]
fn drop_caches_goes_by_who_could_open_it() {
    for (mode, euid, ours, nobody, outcome) in [
        ("0200", 0, "none", Some("EACCES"), "root"),
        ("0200", 0, "none", None, "root"),
        ("0666", 0, "none", None, "undecided"),
        ("0200", 0, "EROFS", Some("EROFS"), "nobody"),
        ("0200", 0, "none", Some("none"), "anyone"),
        ("0200", 1000, "EACCES", None, "root"),
        ("0444", 1000, "EACCES", None, "undecided"),
        ("0200", 1000, "EROFS", None, "nobody"),
        ("0666", 1000, "none", None, "anyone"),
    ] {
        let reveal = switch(mode, euid, ours, nobody);
        assert_eq!(chose(&reveal), outcome, "{mode} {euid} {ours} {nobody:?}");
        assert_eq!(causes(&reveal).contains(&"everybodys-cache"), outcome == "root");
        assert_eq!(causes(&reveal).contains(&"switch-locked"), outcome == "nobody");
    }
}
