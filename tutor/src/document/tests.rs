//! Documents of canned sessions: the contract, field by field.

use super::*;
use crate::progress::Store;
use crate::session::fake::{self, Canned};
use crate::state::State;
use instruments::Unavailable;
use serde_json::json;

fn document(source: Canned, answers: &str) -> (Value, u8) {
    document_of(&fake::lab(), source, answers)
}

fn document_of(lab: &Lab, mut source: Canned, answers: &str) -> (Value, u8) {
    let place = tempfile::tempdir().unwrap();
    let ahead = Ahead::read(lab, &fake::setting(), 0, answers).unwrap();
    let mut store = Store::open(State::at(place.path()));
    let played = Played::play(&mut Stage { lab, source: &mut source, store: &mut store }, &ahead, 0);
    let document = serde_json::to_value(played.document(lab, &source)).unwrap();
    (document, played.into_parts().1.map_or_else(|ending| ending.code(), |()| 0))
}

#[test]
fn a_measured_session_has_all_fields_of_the_contract() {
    let (document, code) = document(Canned::usual(), "b,5x");
    assert_eq!(code, 0);
    assert_eq!(document["source"], "measured");
    assert_eq!(document["lab"], json!({"number": 7, "slug": "fake", "title": "Does it work?"}));
    assert_eq!(document["host"]["kernel"], "6.18.0");
    assert_eq!(
        document["acts"][0],
        json!({
            "id": "pick", "status": "measured", "prediction": {"choice": "two"}, "outcome": {"choice": "two"},
            "verdict": "hit", "sentence": "It was two.", "causes": [], "caveats": [], "evidence": "two"
        })
    );
    assert_eq!(document["acts"][1]["outcome"], json!({"value": 6.0, "unit": "x"}));
    assert_eq!(document["acts"][1]["verdict"], "hit");
}

#[test]
fn a_recorded_session_says_so_everywhere() {
    let (document, _) = document(Canned::usual().recorded(), "skip");
    assert_eq!(document["source"], "recorded");
    assert_eq!(document["recorded_on"], "2026-11-30");
    assert!(document["label"].as_str().unwrap().starts_with("RECORDED"));
    assert_eq!(document["acts"][1]["status"], "recorded");
    assert_eq!(document["acts"][0]["prediction"], json!({"skipped": true}));
    assert_eq!(document["acts"][0]["verdict"], "none");
}

#[test]
fn an_act_that_this_machine_lacks_leaves_the_others() {
    let lacking = Err(Unavailable::lacking("count", "ptrace", "ask your administrator"));
    let (document, code) = document(Canned::of([lacking, Ok(json!(6.0))]), "b");
    assert_eq!(code, 0);
    assert_eq!(document["acts"][0]["status"], "unavailable");
    assert!(document["acts"][0]["reason"].as_str().unwrap().contains("needs ptrace"));
    assert_eq!(document["acts"][0]["evidence"], Value::Null);
    assert_eq!(document["acts"][1]["status"], "measured");
}

#[test]
fn an_act_that_this_machine_lacks_brings_what_a_recording_says() {
    let lacking = Err(Unavailable::lacking("count", "ptrace", ""));
    let source = Canned::of([lacking, Ok(json!(6.0))]);
    let (document, _) = document_of(&fake::lab_with_recording(), source, "a");
    let act = &document["acts"][0];
    assert_eq!(act["status"], "unavailable");
    assert_eq!(act["verdict"], "none", "nothing was measured here");
    assert!(act["recorded"]["label"].as_str().unwrap().starts_with("RECORDED 2026-11-30"));
    assert_eq!(act["recorded"]["outcome"], json!({"choice": "one"}));
    assert_eq!(act["recorded"]["sentence"], "It was one.");
    assert!(document["acts"][1].get("recorded").is_none(), "it was measured");
}

#[test]
fn a_failure_still_gives_a_document_and_exit_code_1() {
    let failed = Err(Unavailable::failed("write data", "the directory is gone", ""));
    let (document, code) = document(Canned::of([failed]), "b");
    assert_eq!(code, 1);
    let reasons = ["cannot write data: the directory is gone", "not reached: `pick` failed before it"];
    for (act, reason) in reasons.into_iter().enumerate() {
        assert_eq!(document["acts"][act]["status"], "unavailable");
        assert_eq!(document["acts"][act]["reason"], reason);
    }
}

#[test]
fn caveats_carry_their_own_name() {
    let named = |it| caveat(&it).id;
    assert_eq!(named(Caveat::NoDeviceCounter), "no_device_counter");
    assert_eq!(named(Caveat::CacheBelow("virtio".to_owned())), "cache_below");
}
