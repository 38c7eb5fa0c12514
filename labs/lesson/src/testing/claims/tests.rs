//! Lies are found, and what is true is let pass.

use super::*;
use serde_json::json;

fn pass(cold: bool, elapsed_ns: u64) -> Value {
    json!({
        "before": {"known": {"pages": 10, "resident_pages": if cold { 0 } else { 10 }}},
        "bytes": 40960, "elapsed_ns": elapsed_ns, "device_read_bytes": if cold { 40960 } else { 0 }
    })
}

/// A document of lab 2 whose runs took these times, with this outcome and sentence.
fn factor(cold: &[u64], warm: &[u64], outcome: &Value, sentence: &str) -> Value {
    let passes = |is_cold, times: &[u64]| times.iter().map(|ns| pass(is_cold, *ns)).collect::<Vec<_>>();
    json!({"lab": {"slug": "cold-vs-warm"}, "acts": [{
        "id": "factor", "outcome": outcome, "sentence": sentence,
        "evidence": {"cold": passes(true, cold), "warm": passes(false, warm)}
    }]})
}

#[track_caller]
fn finds(document: &Value, lie: &str) {
    let found = contradictions(document);
    assert!(found.iter().any(|line| line.contains(lie)), "{found:?}");
}

const COLD: [u64; 5] = [400, 410, 420, 430, 440];
const WARM: [u64; 5] = [100, 104, 105, 106, 110];

#[test]
fn the_truth_passes() {
    let said = factor(&COLD, &WARM, &json!({"value": 4.0, "unit": "x"}), "The warm run was 4x faster.");
    assert_eq!(contradictions(&said), [""; 0]);
    let said =
        factor(&COLD, &COLD, &json!({"undecided": "the spreads overlap"}), "A tie on this machine, now.");
    assert_eq!(contradictions(&said), [""; 0]);
    let few = json!({"undecided": "too few trials could be kept"});
    assert_eq!(contradictions(&factor(&COLD[..1], &WARM, &few, "Too few trials could be kept.")), [""; 0]);
}

#[test]
fn a_tie_of_arms_that_lie_apart() {
    finds(&factor(&COLD, &WARM, &json!({"undecided": "x"}), "A tie on this machine, now."), "lie apart");
}

#[test]
fn faster_where_they_overlap() {
    finds(
        &factor(&COLD, &COLD, &json!({"value": 1.0, "unit": "x"}), "The warm run was 1x faster."),
        "it overlaps",
    );
}

#[test]
fn faster_with_one_trial() {
    let said = factor(&COLD[..1], &WARM, &json!({"value": 3.81}), "The warm run was 3.81x faster.");
    finds(&said, "of which 1 and 5 trials count");
}

#[test]
fn a_trial_in_the_wrong_state_does_not_count() {
    let mut said = factor(&COLD, &WARM, &json!({"value": 4.0, "unit": "x"}), "The warm run was 4x faster.");
    said["acts"][0]["evidence"]["warm"][0]["device_read_bytes"] = 4096.into();
    finds(&said, "of which 5 and 4 trials count");
}

#[test]
fn a_spread_of_one_trial() {
    let said =
        factor(&COLD[..1], &WARM, &json!({"undecided": "x"}), "cold 400 ns ±0 ns, and nobody can tell.");
    finds(&said, "a spread of one trial");
}

#[test]
fn another_ratio() {
    let said = factor(&COLD, &WARM, &json!({"value": 4.1}), "The warm run was 5x faster.");
    finds(&said, "4.1 is not 4");
    finds(&said, "5x, where the medians give 4");
}

#[test]
fn all_with_pages_missing() {
    let run = |resident| {
        json!({"before": {"known": {"pages": 10, "resident_pages": 0}},
        "after": {"known": {"pages": 10, "resident_pages": resident}}})
    };
    let cap = |pieces: u64, choice: &str| {
        json!({"lab": {"slug": "willneed-ignored"}, "acts": [{
            "id": "cap", "outcome": {"choice": choice}, "sentence": "So it is.",
            "evidence": {"one": [run(2)], "pieces": [run(pieces)]}
        }]})
    };
    assert_eq!(contradictions(&cap(10, "all")), [""; 0]);
    assert_eq!(contradictions(&cap(9, "part")), [""; 0]);
    finds(&cap(9, "all"), "all, where the counts say part");
    finds(&cap(0, "part"), "part, where the counts say same");
}
