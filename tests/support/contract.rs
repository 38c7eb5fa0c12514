//! The contract of `tutor lab N --json`.

use super::labs::LabCard;
use serde_json::Value;

/// The document has all that the contract promises, and nothing of another shape.
#[track_caller]
pub fn keeps_the_contract(document: &Value, lab: &LabCard) {
    assert_eq!(document["schema"], 1);
    assert_eq!(document["lab"]["number"], lab.number);
    assert_eq!(document["lab"]["slug"], lab.slug);
    assert!(is_text(&document["lab"]["title"]));
    let status = match text(&document["source"]) {
        "measured" => "measured",
        "recorded" => {
            assert!(text(&document["label"]).starts_with("RECORDED "), "{}", document["label"]);
            "recorded"
        }
        other => panic!("an unknown source: {other}"),
    };
    for fact in ["kernel", "arch"] {
        assert!(is_text(&document["host"][fact]), "{fact}: {}", document["host"]);
    }
    assert!(document["host"]["page_bytes"].as_u64().is_some_and(u64::is_power_of_two));
    for knob in ["size_bytes", "block_bytes", "trials"] {
        assert!(document["plan"][knob].is_u64(), "{knob}: {}", document["plan"]);
    }
    let acts = document["acts"].as_array().expect("acts");
    let ids: Vec<_> = acts.iter().map(|act| text(&act["id"])).collect();
    assert_eq!(ids, lab.acts);
    for act in acts {
        match text(&act["status"]) {
            "unavailable" => is_unavailable(act),
            found => {
                assert_eq!(found, status, "{act}");
                is_revealed(act);
            }
        }
    }
}

/// The act of this name.
#[track_caller]
pub fn act<'a>(document: &'a Value, id: &str) -> &'a Value {
    let acts = document["acts"].as_array().expect("acts");
    acts.iter().find(|act| act["id"] == id).unwrap_or_else(|| panic!("no act {id}"))
}

#[track_caller]
fn is_unavailable(act: &Value) {
    assert!(is_text(&act["reason"]), "{act}");
    assert_eq!(act["verdict"], "none", "{act}");
    assert!(act["evidence"].is_null() && act["sentence"] == "", "{act}");
}

#[track_caller]
fn is_revealed(act: &Value) {
    assert!(is_text(&act["sentence"]) && !act["evidence"].is_null(), "{act}");
    assert!(["hit", "near", "miss", "none"].contains(&text(&act["verdict"])), "{act}");
    let outcome = &act["outcome"];
    let decided = [is_text(&outcome["choice"]), outcome["value"].is_number(), is_text(&outcome["undecided"])];
    assert_eq!(decided.iter().filter(|decided| **decided).count(), 1, "one outcome: {outcome}");
    assert_eq!(outcome["value"].is_number(), is_text(&outcome["unit"]), "a value has a unit: {outcome}");
    for list in ["causes", "caveats"] {
        for entry in act[list].as_array().expect(list) {
            assert!(is_text(&entry["id"]) && is_text(&entry["text"]), "{entry}");
        }
    }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}
