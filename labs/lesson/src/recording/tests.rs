//! What is written is read back to the bit, and damaged input is refused with a reason.

use super::*;
use instruments::{Host, Plan};
use proptest::prelude::*;
use serde_json::json;

fn recording() -> Recording {
    Recording {
        schema: SCHEMA,
        lab: "cold-vs-warm".into(),
        recorded_on: "2026-11-30".into(),
        setting: Setting {
            host: Host { kernel: "6.18.44".into(), page_bytes: 4096, ..Host::default() },
            plan: Plan { size_bytes: 1 << 29, block_bytes: 1 << 17, trials: 5 },
        },
        acts: vec![
            RecordedAct {
                id: "trap".into(),
                evidence: Some(json!({"zebra_ns": 1, "apple_ns": 2, "elapsed_ns": [0.1, 1e300]})),
                unavailable: None,
            },
            RecordedAct { id: "factor".into(), evidence: None, unavailable: Some("no disk".into()) },
        ],
    }
}

fn written() -> String {
    recording().to_json().expect("a recording can be written")
}

/// The reason for which `edit`ing a good recording makes it a bad one.
fn refusal(edit: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(&written()).expect("it is JSON");
    edit(&mut value);
    Recording::parse(&value.to_string(), "cold-vs-warm").expect_err("it is damaged").to_string()
}

#[test]
fn what_was_written_is_read_back() {
    let read = Recording::parse(&written(), "cold-vs-warm").expect("it is good");
    assert_eq!(read, recording());
    assert_eq!(read.to_json().expect("it can be written again"), written());
    assert_eq!(read.act("factor").and_then(|act| act.unavailable.as_deref()), Some("no disk"));
    assert_eq!(read.act("none"), None);
}

#[test]
fn keys_keep_their_order_and_absent_ones_are_left_out() {
    let json = written();
    let places: Vec<_> = [
        "schema",
        "lab",
        "recorded_on",
        "setting",
        "host",
        "kernel",
        "plan",
        "acts",
        "id",
        "zebra_ns",
        "apple_ns",
    ]
    .iter()
    .map(|key| json.find(&format!("\"{key}\":")).expect(key))
    .collect();
    assert!(places.is_sorted(), "{json}");
    assert!(json.ends_with("}\n") && !json.ends_with("\n\n"));
    assert_eq!((json.matches("\"evidence\"").count(), json.matches("\"unavailable\"").count()), (1, 1));
}

#[test]
fn another_schema_is_told_before_anything_else() {
    let newer = r#"{"schema": 2, "everything": "is different"}"#;
    let error = Recording::parse(newer, "cold-vs-warm").expect_err("another schema");
    assert_eq!(error.to_string(), "it has schema 2, and this program reads schema 1");
}

#[test]
fn another_lab_is_told() {
    let error = Recording::parse(&written(), "fill-and-drain").expect_err("another lab");
    assert_eq!(error.to_string(), "it is a recording of lab `cold-vs-warm`, not of `fill-and-drain`");
}

#[test]
fn damaged_input_is_refused_with_a_reason() {
    let schema_missing = "it is not a recording: it has no schema number";
    for not_a_recording in ["[]", "null", "3", "\"text\"", "{}", r#"{"schema": "1"}"#, r#"{"schema": -1}"#] {
        let error = Recording::parse(not_a_recording, "cold-vs-warm").expect_err(not_a_recording);
        assert_eq!(error.to_string(), schema_missing, "{not_a_recording}");
    }
    for not_json in ["", "{", "{\"schema\": 1", "\u{0}", &"[".repeat(10_000)] {
        let error = Recording::parse(not_json, "cold-vs-warm").expect_err("not JSON");
        assert!(matches!(error, RecordingError::Malformed(_)), "{error}");
    }
    assert!(refusal(|value| value["acts"] = json!("none")).contains("expected a sequence"));
    assert!(refusal(|value| value["setting"]["plan"]["size_bytes"] = json!(-1)).contains("integer `-1`"));
    let missing = refusal(|value| {
        value.as_object_mut().expect("an object").remove("recorded_on");
    });
    assert_eq!(missing, "it is not a recording: missing field `recorded_on`");
    assert_eq!(
        refusal(|value| value["acts"][1]["id"] = json!("trap")),
        "it is not a recording: act `trap` is there twice"
    );
    for evidence in [Value::Null, json!({})] {
        let act = if evidence.is_null() { 0 } else { 1 };
        let error = refusal(|value| value["acts"][act]["evidence"] = evidence);
        assert!(error.ends_with("needs evidence, or why there is none"), "{error}");
    }
}

#[test]
fn no_prefix_of_a_recording_is_a_recording() {
    let json = written();
    let whole = json.trim_end().len();
    for end in (0..whole).filter(|end| json.is_char_boundary(*end)) {
        assert!(Recording::parse(&json[..end], "cold-vs-warm").is_err(), "cut at {end}");
    }
}

proptest! {
    /// A replay must say what the run said, so a figure may not change on its way through a file.
    #[test]
    fn figures_come_back_to_the_bit(bits: u64, count: u64) {
        let figure = f64::from_bits(bits);
        prop_assume!(figure.is_finite());
        let mut before = recording();
        before.acts[0].evidence = Some(json!({"figure": figure, "count": count}));
        let json = before.to_json().expect("it can be written");
        let after = Recording::parse(&json, "cold-vs-warm").expect("it is good");
        let evidence = after.acts[0].evidence.as_ref().expect("it was there");
        prop_assert_eq!(evidence["figure"].as_f64().map(f64::to_bits), Some(bits));
        prop_assert_eq!(evidence["count"].as_u64(), Some(count));
    }
}
