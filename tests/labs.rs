//! Every lab on a real disk at its smallest size: a document by the contract, the relations that must hold on any
//! machine, and nothing left. No times are compared with figures.

mod support;

use instruments::testing::undisturbed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;
use support::{Fixture, LabCard, act, alone, is_root_or_skip, keeps_the_contract, labs, nearly_all};

// Tests of one lab share its run: it takes seconds.
static MEASURED: Mutex<BTreeMap<u64, Option<Value>>> = Mutex::new(BTreeMap::new());

/// Relations that hold in the document of a lab that was measured here; nothing where there is no disk. Where they do not,
/// somebody else may have disturbed it, and it is measured again.
fn measured(number: u64, mut hold: impl FnMut(&Value)) {
    let mut tries = 0;
    undisturbed(|| {
        tries += 1;
        if let Some(document) = document(number, tries > 1) {
            hold(&document);
        }
    });
}

fn document(number: u64, anew: bool) -> Option<Value> {
    let mut documents = MEASURED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if anew {
        documents.remove(&number);
    }
    let document = documents.entry(number).or_insert_with(|| {
        let lab = labs().into_iter().find(|lab| lab.number == number).expect("it is in the course");
        measure(&lab, &Fixture::on_a_disk()?)
    });
    document.clone()
}

fn measure(lab: &LabCard, fixture: &Fixture) -> Option<Value> {
    let _alone = alone();
    let recording = fixture.file("recording.json");
    let words = format!("lab {} --json --no-predict {}", lab.number, lab.smallest);
    let ran = fixture.tutor(&words).arg("--record").arg(&recording).run();
    assert_eq!(ran.exits(0).complaints(), [""; 0], "{ran:?}");
    fixture.nothing_left();
    let document = ran.json();
    keeps_the_contract(&document, lab);
    assert_eq!(document["source"], "measured");
    let words = format!("lab {} --json --no-predict --replay", lab.number);
    let replayed = fixture.tutor(&words).arg(&recording).run().exits(0).json();
    keeps_the_contract(&replayed, lab);
    says_the_same(&document, &replayed);
    Some(document)
}

/// What was recorded says again what was said when it was measured.
fn says_the_same(measured: &Value, replayed: &Value) {
    assert_eq!(replayed["source"], "recorded");
    assert_eq!(replayed["host"], measured["host"]);
    assert_eq!(replayed["plan"], measured["plan"]);
    for live in measured["acts"].as_array().expect("acts") {
        let again = act(replayed, live["id"].as_str().expect("an id"));
        for field in ["outcome", "sentence", "causes", "evidence"] {
            assert_eq!(again[field], live[field], "{field} of {}", live["id"]);
        }
    }
}

#[test]
fn every_lab_measures_every_act_or_says_why_not() {
    for lab in labs() {
        measured(lab.number, |document| {
            for act in document["acts"].as_array().expect("acts") {
                println!("lab {} {}: {} {}", lab.number, act["id"], act["status"], act["reason"]);
            }
        });
    }
}

#[test]
fn nobody_can_do_every_lab_too() {
    if !is_root_or_skip() {
        return;
    }
    for lab in labs() {
        let Some(fixture) = Fixture::on_a_disk().map(Fixture::given_to_nobody) else { return };
        let document = measure(&lab, &fixture).expect("it was measured");
        assert_eq!(document["host"]["privileges"]["root"], false);
    }
}

#[test]
fn lab_1_finds_what_was_evicted_in_free_memory_and_mem_available_unmoved() {
    measured(1, |document| {
        let size = document["plan"]["size_bytes"].as_f64().expect("a size");
        let fill = &act(document, "fill")["evidence"];
        for round in passes(&fill["rounds"]) {
            let after = &round["after"];
            assert!(
                nearly_all(&after["resident_pages"], &after["pages"]),
                "a write leaves its pages: {after}"
            );
        }
        let drain = act(document, "drain");
        let went = |field: &str| {
            let of = |round: &Value| round["change"][field].as_f64().unwrap_or(0.0);
            middle(passes(&drain["evidence"]["rounds"]).iter().map(of).collect()) / size
        };
        if drain["outcome"]["undecided"].is_string() {
            return support::skip(&drain["outcome"]["undecided"]);
        }
        assert!((-1.25..=-0.75).contains(&went("cached_bytes")), "{drain}");
        // Free pages may wait on the processors' own lists, which both lines leave out.
        let free = middle(with_lists(drain, "free_bytes")) / size;
        let available = middle(with_lists(drain, "available_bytes")) / size;
        assert!((0.75..=1.25).contains(&free) && available.abs() < 0.25, "{free} {available}: {drain}");
        // The lab's own limit for what stays is a share of what was freed.
        if available.abs() < 0.2 * free {
            assert_eq!(drain["outcome"]["choice"], "stays", "{drain}");
        }
    });
}

/// How far a line of free memory went in each round, bytes.
fn with_lists(drain: &Value, field: &str) -> Vec<f64> {
    let of = |round: &Value| {
        let part = |field: &str| round["change"][field].as_f64().unwrap_or(0.0);
        part(field) + part("percpu_bytes")
    };
    passes(&drain["evidence"]["rounds"]).iter().map(of).collect()
}

#[test]
fn lab_1_refills_no_less_than_it_reads_and_cache_gives_way() {
    measured(1, |document| {
        let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("not a number: {value}"));
        let refill = &act(document, "refill")["evidence"];
        let asked = number(&refill["asked_bytes"]).div_ceil(number(&document["host"]["page_bytes"]));
        for came in passes(&refill["ordinary"]) {
            let resident = &came["resident_pages"];
            assert!(number(resident) > asked || nearly_all(resident, &asked.into()), "{refill}");
        }
        for came in passes(&refill["without_readahead"]) {
            assert!(nearly_all(&came["resident_pages"], &asked.into()), "not a page more: {refill}");
        }
        let film = &refill["film"];
        assert!(number(&film["frames_taken"]) >= 2 && !passes(&film["frames"]).is_empty(), "{film}");
        let reclaim = act(document, "reclaim");
        if reclaim["status"] == "unavailable" {
            return support::skip(&reclaim["reason"]);
        }
        let (before, after) = (&reclaim["evidence"]["before"], &reclaim["evidence"]["after"]);
        assert!(number(&after["charged_bytes"]) <= number(&reclaim["evidence"]["limit_bytes"]), "{reclaim}");
        assert!(number(&before["file_bytes"]) > number(&after["file_bytes"]), "{reclaim}");
    });
}

#[test]
fn lab_2_finds_the_file_warm_before_its_first_read() {
    measured(2, |document| {
        let trap = act(document, "trap");
        let size = trap["evidence"]["size_bytes"].as_u64().expect("a size");
        for pass in passes(&trap["evidence"]["first"]) {
            let before = known(&pass["before"]);
            assert!(nearly_all(&before["resident_pages"], &before["pages"]), "{pass}");
            // What others took meanwhile comes from the device again.
            assert!(pass["device_read_bytes"].as_u64().unwrap_or(0) <= size / 16, "{pass}");
        }
        // Near 1, or too near to be told from it.
        let outcome = &trap["outcome"];
        assert!(outcome["choice"] == "1x" || outcome["undecided"].is_string(), "{trap}");
        assert!(causes(trap).contains(&"writing-warmed-it".to_owned()), "{trap}");
    });
}

#[test]
fn lab_2_compares_only_runs_whose_state_was_proven() {
    measured(2, |document| {
        let factor = act(document, "factor");
        let evidence = &factor["evidence"];
        let size = document["plan"]["size_bytes"].as_u64().expect("a size");
        let cold: Vec<_> = passes(&evidence["cold"]).iter().filter(|pass| is_cold(pass, size)).collect();
        let warm: Vec<_> = passes(&evidence["warm"]).iter().filter(|pass| is_warm(pass)).collect();
        if let Some(ratio) = factor["outcome"]["value"].as_f64() {
            assert!(cold.len() >= 3 && warm.len() >= 3, "{factor}");
            let proven = median(&cold) / median(&warm);
            assert!(
                (ratio / proven - 1.0).abs() < 1e-9,
                "{ratio} is not {proven}, which the proven runs give"
            );
            assert!(cold.iter().chain(&warm).all(|pass| pass["calls"] == cold[0]["calls"]), "{evidence}");
        } else {
            assert!(factor["outcome"]["undecided"].is_string(), "{factor}");
        }
    });
}

#[test]
fn lab_2_proves_that_the_device_gave_nothing_to_a_warm_run() {
    measured(2, |document| {
        let proof = act(document, "proof");
        let size = document["plan"]["size_bytes"].as_u64().expect("a size");
        let evidence = &proof["evidence"];
        if proof["outcome"]["undecided"].is_string() {
            return support::skip(&proof["outcome"]["undecided"]);
        }
        assert!(is_cold(&evidence["control"], size), "{evidence}");
        assert!(
            evidence["warm"]["device_read_bytes"].as_u64().is_some_and(|bytes| bytes <= size / 16),
            "{evidence}"
        );
        assert_eq!(proof["outcome"]["choice"], "none");
    });
}

#[test]
fn lab_3_counts_what_arithmetic_says() {
    measured(3, |document| {
        let (reads, mmap) = (act(document, "reads"), act(document, "mmap-calls"));
        if reads["status"] == "unavailable" {
            return support::skip(&reads["reason"]);
        }
        let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("not a number: {value}"));
        let (size, block) =
            (number(&document["plan"]["size_bytes"]), number(&document["plan"]["block_bytes"]));
        let expected = size.div_ceil(block) + 1;
        assert_eq!(number(&reads["evidence"]["workload_calls"]), expected);
        assert_eq!(number(&reads["evidence"]["loop_calls"]), expected);
        assert_eq!(reads["outcome"]["value"], expected as f64);

        let pages = size.div_ceil(number(&document["host"]["page_bytes"]));
        let evidence = &mmap["evidence"];
        assert_eq!(number(&evidence["visited_pages"]), pages);
        assert_eq!(number(&evidence["read"]["workload"]["read"]), expected);
        assert!(evidence["mmap"]["workload"]["read"].is_null(), "a mapping reads nothing: {evidence}");
        assert_eq!(number(&evidence["mmap"]["workload"]["mmap"]), 1);
        // A fault maps at least the page that it is about.
        let faults = number(&evidence["mmap_faults"]);
        assert!((1..=pages).contains(&faults), "{faults} faults for {pages} pages");
    });
}

#[test]
fn lab_5_counts_what_a_store_leaves_and_a_sync_does_not() {
    measured(5, |document| {
        let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("not a number: {value}"));
        let back = &act(document, "round-trip")["evidence"];
        assert_eq!((number(&back["mismatches"]), &back["compared_bytes"]), (0, &back["bytes"]), "{back}");
        let stored = &act(document, "dirty")["evidence"]["stored"];
        if stored["unwritten"]["dirty_pages"].is_null() {
            return support::skip("the kernel does not tell which pages of a file are dirty");
        }
        assert_eq!(number(&stored["dirty_before_pages"]), 0);
        let page = number(&document["host"]["page_bytes"]);
        assert_eq!(number(&stored["pages"]), number(&stored["bytes"]).div_ceil(page));
        if act(document, "dirty")["outcome"]["choice"] == "none" {
            let unwritten = &stored["unwritten"];
            let left = number(&unwritten["dirty_pages"]) + number(&unwritten["writeback_pages"]);
            assert_eq!(left, number(&stored["pages"]));
        }
        for round in passes(&act(document, "msync")["evidence"]["rounds"]) {
            assert_eq!(
                (number(&round["after"]["dirty_pages"]), number(&round["after"]["writeback_pages"])),
                (0, 0)
            );
        }
        for arm in passes(&act(document, "durable")["evidence"]["arms"]) {
            if arm["way"] == "buffered" {
                continue;
            }
            for trial in passes(&arm["trials"]) {
                assert_eq!(
                    number(&trial["unwritten"]["dirty_pages"]),
                    0,
                    "{} left pages: {trial}",
                    arm["way"]
                );
            }
        }
    });
}

#[test]
fn only_a_lab_that_has_something_to_watch_takes_patience() {
    let fixture = Fixture::anywhere();
    let ran = fixture.tutor("lab 2 --patient").run();
    let line = ran.refuses(2);
    assert!(line.contains("lab 2 has no --patient"), "{line}");
}

fn passes(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no passes: {value}"))
}

fn known(reading: &Value) -> &Value {
    reading.get("known").unwrap_or_else(|| panic!("residency is unknown: {reading}"))
}

/// Nothing resident before, and about the file's size from the device.
fn is_cold(pass: &Value, size: u64) -> bool {
    let delivered = pass["device_read_bytes"].as_u64().unwrap_or(0);
    known(&pass["before"])["resident_pages"] == 0 && (size * 9 / 10..=size * 11 / 10).contains(&delivered)
}

/// All resident before, and nothing from the device.
fn is_warm(pass: &Value) -> bool {
    let before = known(&pass["before"]);
    before["resident_pages"] == before["pages"] && pass["device_read_bytes"] == 0
}

fn median(passes: &[&Value]) -> f64 {
    middle(passes.iter().map(|pass| pass["elapsed_ns"].as_f64().expect("a time")).collect())
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { (values[middle - 1] + values[middle]) / 2.0 } else { values[middle] }
}

fn causes(act: &Value) -> Vec<String> {
    let causes = act["causes"].as_array().expect("causes");
    causes.iter().map(|cause| cause["id"].as_str().expect("an id").to_owned()).collect()
}
