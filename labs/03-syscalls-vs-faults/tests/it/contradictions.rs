//! Evidence that contradicts itself or the usual story: no explanation may stand that it does not select.

use crate::causes::evidence;
use lesson::testing::{causes, spoken};
use lesson::{Act, Outcome, Reveal};
use syscalls_vs_faults::blocks::{self, Blocks};
use syscalls_vs_faults::copies::{self, Copies};
use syscalls_vs_faults::faults::Faults;
use syscalls_vs_faults::filled::Filled;
use syscalls_vs_faults::folios::Folios;
use syscalls_vs_faults::mmap_calls::MmapCalls;
use syscalls_vs_faults::pass::Pass;
use syscalls_vs_faults::reads::Reads;

/// What `act` says to the evidence in recording `name` after `change`.
fn reveal<A: Act>(act: A, name: &str, change: impl FnOnce(&mut A::Evidence)) -> Reveal {
    let (mut evidence, setting) = evidence(&act, name);
    change(&mut evidence);
    act.reveal(&evidence, &setting)
}

fn choice(reveal: &Reveal) -> &str {
    match &reveal.outcome {
        Outcome::Choice(id) => id,
        _ => "",
    }
}

fn assert_undecided(reveal: &Reveal) {
    assert!(matches!(reveal.outcome, Outcome::Undecided(_)), "{}", spoken(reveal));
}

/// No cause at all, and the sentence owns up to it.
fn assert_unexplained(reveal: &Reveal) {
    assert_eq!(causes(reveal), [""; 0], "{}", spoken(reveal));
    assert!(reveal.sentence.ends_with("These figures do not tell why."), "{}", spoken(reveal));
}

fn slow_down(passes: &mut [Pass], factor: f64) {
    for pass in passes {
        pass.elapsed_ns = (pass.elapsed_ns as f64 * factor) as u64;
        pass.cpu_ns = (pass.cpu_ns as f64 * factor) as u64;
    }
}

#[test]
fn reads_that_cannot_have_brought_the_file() {
    let reveal = reveal(Reads, "one-call-a-block", |evidence| evidence.workload_calls = 4000);
    assert_unexplained(&reveal);
    assert!(spoken(&reveal).contains("contradict"), "{}", spoken(&reveal));
}

#[test]
fn reads_of_another_number_of_bytes() {
    let reveal = reveal(Reads, "one-call-a-block", |evidence| evidence.bytes /= 2);
    assert_unexplained(&reveal);
    assert!(spoken(&reveal).contains("do not belong to the whole file"), "{}", spoken(&reveal));
}

#[test]
fn reads_without_marks() {
    let reveal = reveal(Reads, "one-call-a-block", |evidence| {
        evidence.marked = false;
        evidence.startup_calls += std::mem::take(&mut evidence.workload_calls);
    });
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
}

#[test]
fn reads_that_two_counts_disagree_about() {
    let reveal = reveal(Reads, "one-call-a-block", |evidence| evidence.loop_calls -= 1);
    assert!(spoken(&reveal).contains("one of the two counts is wrong"), "{}", spoken(&reveal));
}

#[test]
fn a_mapping_that_makes_a_call_a_page() {
    let reveal = reveal(MmapCalls, "faults-instead-of-calls", |evidence| {
        evidence.mmap.workload.insert("madvise".to_owned(), evidence.pages);
    });
    assert_eq!(choice(&reveal), "one-a-page");
    assert_eq!(causes(&reveal), ["a-call-for-each-block"]);
}

#[test]
fn a_mapping_without_a_call_or_a_fault() {
    let reveal = reveal(MmapCalls, "faults-instead-of-calls", |evidence| {
        evidence.mmap.workload.clear();
        evidence.mmap_faults = 0;
        evidence.read.workload.clear();
    });
    assert_eq!(choice(&reveal), "none");
    assert_unexplained(&reveal);
}

#[test]
fn a_mapping_that_did_not_visit_every_page() {
    let reveal = reveal(MmapCalls, "faults-instead-of-calls", |evidence| evidence.visited_pages -= 1);
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
}

#[test]
fn faults_of_a_mapping_that_was_not_warm() {
    for change in [
        |mapping: &mut Filled| mapping.resident_before_pages -= 1,
        |mapping: &mut Filled| mapping.major_faults = 1,
    ] {
        let reveal = reveal(Faults, "beyond-the-window", |evidence| change(&mut evidence.mapping));
        assert_undecided(&reveal);
        assert_unexplained(&reveal);
    }
}

#[test]
fn fewer_faults_than_the_window_gives_over_folios_that_are_no_larger() {
    let reveal = reveal(Faults, "beyond-the-window", |evidence| evidence.mapping.folio_pages = vec![1; 5]);
    assert_eq!(causes(&reveal), ["neighbours-too"], "{}", spoken(&reveal));
}

#[test]
fn more_faults_than_the_window_gives() {
    let reveal = reveal(Faults, "fault-around", |evidence| evidence.mapping.minor_faults *= 4);
    assert_eq!(causes(&reveal), ["neighbours-too"], "{}", spoken(&reveal));
}

#[test]
fn no_fault_at_all() {
    let reveal = reveal(Faults, "fault-around", |evidence| evidence.mapping.minor_faults = 0);
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
}

#[test]
fn buffer_faults_that_are_not_those_of_the_buffer() {
    for (touched, untouched) in [(32, 0), (5, 5), (0, 1000)] {
        let reveal = reveal(Faults, "untouched-buffer", |evidence| {
            evidence.touched_buffer_faults = touched;
            evidence.untouched_buffer_faults = untouched;
        });
        assert!(!causes(&reveal).contains(&"untouched-buffer"), "{}", spoken(&reveal));
    }
}

#[test]
fn fewer_faults_over_single_pages() {
    let reveal = reveal(Folios, "large-folios", |evidence| {
        std::mem::swap(&mut evidence.ordinary.minor_faults, &mut evidence.single.minor_faults);
    });
    assert_eq!(choice(&reveal), "far-fewer");
    assert_unexplained(&reveal);
}

#[test]
fn many_more_faults_over_folios_that_are_no_smaller() {
    let reveal = reveal(Folios, "large-folios", |evidence| evidence.ordinary.folio_pages = vec![1; 5]);
    assert_eq!(choice(&reveal), "ten-times");
    assert_unexplained(&reveal);
}

#[test]
fn the_same_count_that_no_window_explains() {
    let reveal = reveal(Folios, "window-only", |evidence| {
        evidence.ordinary.minor_faults = 3000;
        evidence.single.minor_faults = 3000;
    });
    assert_eq!(choice(&reveal), "same");
    assert_unexplained(&reveal);
}

#[test]
fn a_window_is_not_inferred_from_folios_that_are_not_single_pages() {
    let reveal = reveal(Folios, "fault-around-only", |evidence| {
        evidence.ordinary.folio_pages = vec![16; 5];
        evidence.single.folio_pages = vec![16; 5];
    });
    assert_unexplained(&reveal);
}

#[test]
fn two_mappings_of_which_one_was_not_warm() {
    let reveal = reveal(Folios, "large-folios", |evidence| evidence.single.resident_before_pages -= 1);
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
}

#[test]
fn blocks_whose_passes_were_not_warm() {
    let reveal = reveal(Blocks, "price-of-a-call", |evidence| {
        for pass in evidence.points.iter_mut().flat_map(|timed| &mut timed.passes) {
            pass.resident_before_pages -= 1;
        }
    });
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
    assert!(spoken(&reveal).contains("thrown away"), "{}", spoken(&reveal));
}

#[test]
fn blocks_that_differ_less_than_they_spread() {
    let reveal = reveal(Blocks, "price-of-a-call", |evidence| {
        for timed in &mut evidence.points {
            slow_down(&mut timed.passes[..2], 10.0);
        }
    });
    assert!(spoken(&reveal).contains("overlap"), "{}", spoken(&reveal));
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
}

#[test]
fn blocks_whose_times_follow_no_line() {
    let reveal = reveal(Blocks, "price-of-a-call", |evidence| slow_down(&mut evidence.points[5].passes, 3.0));
    assert_eq!(choice(&reveal), "twice");
    assert_unexplained(&reveal);
}

#[test]
fn small_blocks_that_are_faster() {
    let reveal = reveal(Blocks, "price-of-a-call", |evidence| {
        let large = evidence.points.iter_mut().find(|timed| timed.block_bytes == 128 << 10).expect("128 KiB");
        slow_down(&mut large.passes, 10.0);
    });
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
}

#[test]
fn a_slower_large_block_without_a_cache_to_blame() {
    for change in [
        |evidence: &mut blocks::Evidence| evidence.caches.clear(),
        |evidence: &mut blocks::Evidence| evidence.caches.retain(|cache| cache.level != 2),
    ] {
        let reveal = reveal(Blocks, "processor-cache", change);
        assert!(reveal.sentence.contains("Larger is not always better"), "{}", spoken(&reveal));
        assert!(!causes(&reveal).contains(&"processor-cache"), "{}", spoken(&reveal));
    }
}

#[test]
fn a_slower_large_block_within_the_spread() {
    let reveal = reveal(Blocks, "processor-cache", |evidence| {
        for timed in &mut evidence.points {
            slow_down(&mut timed.passes[..2], 10.0);
        }
    });
    assert!(!reveal.sentence.contains("Larger is not always better"), "{}", spoken(&reveal));
    assert!(!causes(&reveal).contains(&"processor-cache"), "{}", spoken(&reveal));
}

#[test]
fn a_warm_pass_that_was_fed_by_the_device_does_not_count() {
    let reveal = reveal(Copies, "copying-costs", |evidence| {
        for pass in &mut evidence.warm.mmap {
            pass.device_read_bytes = Some(1 << 20);
        }
    });
    assert_undecided(&reveal);
    assert_unexplained(&reveal);
}

#[test]
fn a_cold_pass_that_found_pages_or_got_too_little_does_not_count() {
    for change in [
        |pass: &mut Pass| pass.resident_before_pages = 1,
        |pass: &mut Pass| pass.device_read_bytes = Some(1 << 20),
    ] {
        let reveal =
            reveal(Copies, "waited-longer", |evidence| evidence.cold.mmap.iter_mut().for_each(change));
        assert!(!causes(&reveal).contains(&"waited-longer"), "{}", spoken(&reveal));
        assert!(reveal.sentence.contains("Cold (256 MiB): too few trials"), "{}", spoken(&reveal));
    }
}

#[test]
fn a_tie_has_no_cost_to_explain() {
    let reveal = reveal(Copies, "copying-costs", |evidence| evidence.warm.mmap = evidence.warm.read.clone());
    assert_eq!(choice(&reveal), "tie");
    assert!(!causes(&reveal).contains(&"copying-costs"), "{}", spoken(&reveal));
}

#[test]
fn a_slower_way_that_took_no_more_than_the_adding_alone() {
    let reveal =
        reveal(Copies, "copying-costs", |evidence| evidence.warm.adding = evidence.warm.read.clone());
    assert_eq!(choice(&reveal), "mmap");
    assert!(!causes(&reveal).contains(&"copying-costs"), "{}", spoken(&reveal));
}

/// The adding alone is a part of each way: where it came out slower, it is no baseline.
#[test]
fn no_cost_is_derived_from_an_adding_alone_that_took_longer_than_what_contains_it() {
    for name in ["copying-costs", "faults-cost"] {
        // Slower beyond the spread, slower by a hair, and slower than only one of the two.
        for factor in [10.0, 1.001, 0.999] {
            let reveal = reveal(Copies, name, |evidence| {
                let median = |passes: &[Pass]| {
                    let mut sorted: Vec<_> = passes.iter().map(|pass| pass.elapsed_ns).collect();
                    sorted.sort_unstable();
                    sorted[sorted.len() / 2] as f64
                };
                let (read, mmap) = (median(&evidence.warm.read), median(&evidence.warm.mmap));
                let wanted = if factor < 1.0 { read.max(mmap) } else { read.min(mmap) };
                let now = median(&evidence.warm.adding);
                slow_down(&mut evidence.warm.adding, wanted * factor / now);
            });
            let given = causes(&reveal);
            assert!(
                !given.contains(&"copying-costs") && !given.contains(&"faults-cost"),
                "{}",
                spoken(&reveal)
            );
            assert!(
                spoken(&reveal).contains("this run has no baseline"),
                "{name} {factor}: {}",
                spoken(&reveal)
            );
        }
    }
}

#[test]
fn a_part_of_a_larger_file_that_brought_more_than_the_part() {
    for (further, why) in [(8 << 20, "went on past the part"), (80 << 20, "nothing here tells why")] {
        let (mut evidence, mut setting) = evidence(&Copies, "waited-longer");
        setting.host.device.get_or_insert_default().read_ahead_kb = 8192;
        let told = |evidence: &copies::Evidence| spoken(&Copies.reveal(evidence, &setting));
        evidence.warm_bytes = 2 * evidence.cold_bytes;
        for pass in &mut evidence.cold.mmap {
            pass.device_read_bytes = Some(evidence.cold_bytes + further);
        }
        assert!(told(&evidence).contains(why), "{}", told(&evidence));
        evidence.cold_bytes = evidence.warm_bytes;
        assert!(!told(&evidence).contains(why), "{}", told(&evidence));
    }
}

#[test]
fn no_waiting_is_derived_from_a_pass_that_used_more_of_the_processor_than_it_lasted() {
    let reveal = reveal(Copies, "waited-longer", |evidence| {
        evidence.cold.read[0].cpu_ns = evidence.cold.read[0].elapsed_ns + 1;
    });
    assert!(!causes(&reveal).contains(&"waited-longer"), "{}", spoken(&reveal));
}

#[test]
fn a_slower_mapping_without_faults() {
    let reveal = reveal(Copies, "faults-cost", |evidence| {
        for pass in evidence.warm.mmap.iter_mut().chain(&mut evidence.warm.populate) {
            pass.minor_faults = 0;
        }
    });
    assert_eq!(choice(&reveal), "read");
    assert_unexplained(&reveal);
}

#[test]
fn cold_times_of_runs_that_got_different_amounts() {
    let reveal = reveal(Copies, "waited-longer", |evidence| {
        for pass in &mut evidence.cold.mmap {
            pass.device_read_bytes = pass.device_read_bytes.map(|bytes| bytes * 2);
        }
    });
    assert!(!causes(&reveal).contains(&"waited-longer"), "{}", spoken(&reveal));
}

#[test]
fn a_cold_difference_that_is_neither_waiting_nor_work() {
    let reveal = reveal(Copies, "waited-longer", |evidence| {
        for (at, pass) in evidence.cold.mmap.iter_mut().enumerate() {
            pass.cpu_ns = if at % 2 == 0 { 0 } else { pass.elapsed_ns };
        }
    });
    let given = causes(&reveal);
    assert!(!given.contains(&"waited-longer") && !given.contains(&"worked-longer"), "{}", spoken(&reveal));
}
