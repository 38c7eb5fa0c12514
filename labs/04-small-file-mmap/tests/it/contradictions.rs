//! Evidence that contradicts itself, or the usual story: nothing is explained that the evidence does not select.

use crate::evidence::*;
use insta::assert_snapshot;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};
use small_file_mmap::amplify::{self, Amplify, Scatter};
use small_file_mmap::crossover::{self, Crossover, OneSize};
use small_file_mmap::pass::Pass;
use small_file_mmap::places;
use small_file_mmap::random::{self, Random};
use small_file_mmap::tiny::{self, Tiny};
use small_file_mmap::why::{self, Stepped, WhyDear};

fn tiny(read: Vec<Pass>, map: Vec<Pass>) -> Reveal {
    let evidence = tiny::Evidence { size_bytes: PAGE, read, map, ..tiny::Evidence::default() };
    Tiny.reveal(&evidence, &setting())
}

fn stepped(steps_us: [u64; 5]) -> Stepped {
    Stepped {
        pass: pass(1, steps_us.iter().sum::<u64>() * US, 1),
        steps_ns: steps_us.map(|us| us * US * TIMES).to_vec(),
        clocks_ns: 0,
    }
}

fn why(whole_us: u64, steps: Vec<Stepped>) -> Reveal {
    let whole = passes(1, around(whole_us * US), 1);
    WhyDear.reveal(&why::Evidence { size_bytes: PAGE, whole, mapped: steps, read: Vec::new() }, &setting())
}

/// All sizes, with this ratio of mapping to read at the size of so many doublings.
fn crossover(ratio: impl Fn(usize) -> f64, faults: u64, folio: impl Fn(usize) -> u64) -> Reveal {
    let size = |at: usize| {
        let bytes = PAGE << at;
        let read = 1000 + bytes / 10;
        let pages = bytes / PAGE;
        OneSize {
            bytes,
            read: passes(pages, around(read), 0),
            map: passes(pages, around((read as f64 * ratio(at)) as u64), faults.max(1)),
            folio_pages: vec![folio(at); 5],
        }
    };
    let sizes = (0..13).map(size).collect();
    let evidence = crossover::Evidence { page_bytes: PAGE, block_bytes: 128 << 10, sizes };
    Crossover.reveal(&evidence, &setting())
}

const PAGES: u64 = SIZE / PAGE;

fn random(pread: Vec<Pass>, touch: Vec<Pass>, first_touch: Vec<Pass>, calls: random::Counted) -> Reveal {
    let evidence = random::Evidence {
        size_bytes: SIZE,
        pages: PAGES,
        pread,
        touch,
        first_touch,
        sums: vec![7; 15],
        calls: Some(calls),
        uncounted: None,
    };
    Random.reveal(&evidence, &setting())
}

const CALLS: random::Counted = random::Counted { looks: 1000, pread: 1000, touch: 0 };

fn scatter(delivered_bytes: u64) -> Scatter {
    Scatter {
        at_pages: places::pages(1, 20, SIZE, PAGE),
        resident_before_pages: 0,
        resident_after_pages: delivered_bytes / PAGE,
        device_read_bytes: Some(delivered_bytes),
        major_faults: 20,
        elapsed_ns: 20_000 * US,
    }
}

fn amplify(plain: Scatter, random: Scatter, read_ahead_bytes: [Option<u64>; 2]) -> Reveal {
    let evidence = amplify::Evidence {
        size_bytes: SIZE,
        page_bytes: PAGE,
        read_ahead_bytes,
        plain: vec![plain],
        random: vec![random],
        map: Vec::new(),
    };
    Amplify.reveal(&evidence, &setting())
}

const KIB: u64 = 1 << 10;

#[test]
fn tiny_mapping_faster() {
    let reveal = tiny(passes(1, around(4 * US), 0), passes(1, around(2 * US), 1));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn tiny_slower_without_a_fault() {
    let reveal = tiny(passes(1, around(2 * US), 0), passes(1, around(6 * US), 0));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn tiny_spreads_overlap() {
    let wild = [1000, 9000, 1500, 2000, 8000];
    let reveal = tiny(passes(1, [900, 3000, 2000, 1000, 2500], 0), passes(1, wild, 1));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn tiny_a_tie() {
    let reveal = tiny(passes(1, around(2 * US), 0), passes(1, around(2 * US), 1));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_eq!(reveal.outcome, Outcome::Choice("equal".to_owned()));
}

#[test]
fn tiny_never_warm() {
    let reveal = tiny(passes(0, around(2 * US), 0), passes(1, around(6 * US), 1));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn tiny_counted_and_slower() {
    let counts = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 100)).collect();
    let evidence = tiny::Evidence {
        size_bytes: PAGE,
        read: passes(1, around(2 * US), 0),
        map: passes(1, around(6 * US), 1),
        calls: Some(tiny::Counted {
            times: 100,
            read: counts(&["openat", "read", "close"]),
            map: counts(&["openat", "mmap", "munmap", "close"]),
        }),
        uncounted: None,
    };
    assert_snapshot!(spoken(&Tiny.reveal(&evidence, &setting())));
}

#[test]
fn why_steps_that_do_not_add_up_name_no_winner() {
    let reveal = why(20, vec![stepped([1, 1, 5, 1, 1]); 5]);
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn why_two_steps_too_near() {
    let steps = [[1, 4, 3, 1, 1], [1, 3, 4, 1, 1], [1, 4, 3, 1, 1], [1, 3, 4, 1, 1], [1, 4, 4, 1, 1]];
    let reveal = why(10, steps.map(stepped).to_vec());
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)));
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn why_each_step_can_be_the_dearest() {
    let causes_of =
        [("mmap", "mmap-costs-most"), ("fault", "fault-costs-most"), ("munmap", "munmap-costs-most")];
    for (at, (option, cause)) in causes_of.into_iter().enumerate() {
        let mut steps = [1; 5];
        steps[at + 1] = 9;
        let reveal = why(13, vec![stepped(steps); 5]);
        assert_eq!(reveal.outcome, Outcome::Choice(option.to_owned()), "{}", reveal.sentence);
        assert_eq!(causes(&reveal), [cause]);
    }
}

#[test]
fn why_a_dear_touch_that_was_no_fault() {
    let mut steps = stepped([1, 1, 9, 1, 1]);
    steps.pass.minor_faults = 0;
    let reveal = why(13, vec![steps; 5]);
    assert_eq!(causes(&reveal), [""; 0]);
}

#[test]
fn crossover_at_once_never_and_wavering() {
    assert_snapshot!(spoken(&crossover(|_| 0.5, 1, |_| 1)));
    assert_snapshot!(spoken(&crossover(|_| 2.0, 4096, |_| 1)));
    let wavering = crossover(|at| if at == 5 { 0.5 } else { 2.0 }, 1, |_| 1);
    assert_eq!(causes(&wavering), [""; 0]);
    assert_snapshot!(spoken(&wavering));
    let ties = crossover(|at| if at < 4 { 2.0 } else { 1.0 }, 1, |_| 1);
    assert!(matches!(ties.outcome, Outcome::Undecided(_)));
    assert_snapshot!(spoken(&ties));
}

#[test]
fn crossover_at_a_size() {
    let reveal = crossover(|at| if at < 6 { 2.0 } else { 0.5 }, 1, |_| 1);
    assert_eq!(reveal.outcome, Outcome::Choice("middle".to_owned()));
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn crossover_larger_folios_without_fewer_faults_explain_nothing() {
    let reveal = crossover(|at| if at < 9 { 2.0 } else { 0.5 }, 1, |at| if at < 9 { 1 } else { 512 });
    assert!(!causes(&reveal).contains(&"larger-folios"));
}

#[test]
fn random_touch_slower() {
    let reveal = random(passes(PAGES, around(100), 0), passes(PAGES, around(200), 0), Vec::new(), CALLS);
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn random_touches_that_took_faults() {
    let faulting = passes(PAGES, around(100), 1);
    let reveal = random(passes(PAGES, around(1000), 0), faulting.clone(), faulting, CALLS);
    assert_eq!(causes(&reveal), [""; 0]);
}

#[test]
fn random_preads_that_made_no_calls() {
    let calls = random::Counted { looks: 1000, pread: 3, touch: 0 };
    let touch = passes(PAGES, around(100), 0);
    let reveal = random(passes(PAGES, around(1000), 0), touch.clone(), touch, calls);
    assert_eq!(causes(&reveal), [""; 0]);
}

#[test]
fn random_other_bytes_were_found() {
    let evidence =
        random::Evidence { sums: vec![7, 8], size_bytes: SIZE, pages: PAGES, ..Default::default() };
    assert_snapshot!(spoken(&Random.reveal(&evidence, &setting())));
}

#[test]
fn random_first_touches_dearer_than_preads() {
    let first = passes(PAGES, around(2000), 1);
    let reveal = random(passes(PAGES, around(1000), 0), passes(PAGES, around(100), 0), first, CALLS);
    assert_eq!(causes(&reveal), ["a-call-a-look", "first-touches"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn random_first_touches_dearer_than_touches() {
    let mut first = passes(PAGES, around(200), 0);
    first.iter_mut().for_each(|pass| pass.minor_faults = 100);
    let reveal = random(passes(PAGES, around(1000), 0), passes(PAGES, around(100), 0), first, CALLS);
    assert_eq!(causes(&reveal), ["a-call-a-look", "first-touches"]);
    assert!(reveal.causes[1].text.contains("that is 1.00 µs more for each."), "{}", reveal.causes[1].text);
}

#[test]
fn amplify_says_what_the_setting_makes_true() {
    for kib in [128, 8192] {
        let file_pages = SIZE / PAGE;
        let places = places::pages(1, 20, SIZE, PAGE);
        let windows = amplify::Windows::around(&places, kib * KIB / PAGE, file_pages);
        let reveal = amplify(scatter(windows.pages * PAGE), scatter(80 * KIB), [Some(kib * KIB); 2]);
        assert_eq!(causes(&reveal), ["read-around", "advice-switched-it-off"]);
        assert!(
            reveal.causes[0].text.contains(&format!("read_ahead_kb is {kib}")),
            "{}",
            reveal.causes[0].text
        );
    }
}

#[test]
fn amplify_figures_that_do_not_agree_with_the_setting() {
    let reveal = amplify(scatter(100 << 20), scatter(80 * KIB), [Some(128 * KIB); 2]);
    assert_eq!(causes(&reveal), ["advice-switched-it-off"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn amplify_device_and_cache_disagree() {
    let mut plain = scatter(2560 * KIB);
    plain.resident_after_pages = 20;
    let reveal = amplify(plain, scatter(80 * KIB), [Some(128 * KIB); 2]);
    assert!(!causes(&reveal).contains(&"read-around"));
}

#[test]
fn amplify_setting_changed_meanwhile_or_unknown() {
    let of = |setting| amplify(scatter(2560 * KIB), scatter(2560 * KIB), setting);
    let changed = of([Some(128 * KIB), Some(8192 * KIB)]);
    assert_eq!(causes(&changed), [""; 0]);
    assert_snapshot!(spoken(&changed));
    assert_snapshot!(spoken(&of([None, None])));
}

#[test]
fn amplify_nothing_is_read_ahead() {
    let reveal = amplify(scatter(80 * KIB), scatter(80 * KIB), [Some(0); 2]);
    assert_eq!(causes(&reveal), ["no-read-ahead"]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn amplify_not_cold_or_not_counted() {
    let mut warm = scatter(2560 * KIB);
    warm.resident_before_pages = 3;
    assert_snapshot!(spoken(&amplify(warm, scatter(80 * KIB), [Some(128 * KIB); 2])));
    let mut blind = scatter(2560 * KIB);
    blind.device_read_bytes = None;
    assert_snapshot!(spoken(&amplify(blind, scatter(80 * KIB), [Some(128 * KIB); 2])));
    let reveal = amplify(scatter(0), scatter(0), [Some(128 * KIB); 2]);
    assert_eq!(causes(&reveal), [""; 0]);
    assert_snapshot!(spoken(&reveal));
}

#[test]
fn nothing_measured_is_told_as_such() {
    let nothing = [
        Tiny.reveal(&tiny::Evidence::default(), &setting()),
        WhyDear.reveal(&why::Evidence::default(), &setting()),
        Crossover.reveal(&crossover::Evidence::default(), &setting()),
        Random.reveal(&random::Evidence::default(), &setting()),
        Amplify.reveal(&amplify::Evidence::default(), &setting()),
    ];
    for reveal in &nothing {
        assert!(matches!(reveal.outcome, Outcome::Undecided(_)) && reveal.causes.is_empty());
    }
    let told: Vec<_> = nothing.iter().map(|reveal| &*reveal.sentence).collect();
    assert_snapshot!(told.join("\n"));
}
