//! Evidence as no machine has measured it: with fewer trials, and with other times. Whatever comes out of the arms, what is
//! said of them must be true.

use super::claims;
use crate::{AnyAct, Lab, Outcome, Recording, Reveal, Setting};
use serde_json::{Value, json};

/// How often the trials of each act are made anew.
const TIMES: u64 = 200;

/// Fields that hold what a trial took, or what its batch did.
const TOOK: [&str; 4] = ["elapsed_ns", "read_elapsed_ns", "store_ns", "msync_ns"];

/// What the lab says of such trials, made from this recording, is what they say.
pub fn are_told_truly(lab: &Lab, recording: &Recording) {
    for act in &lab.acts {
        let Some(evidence) = recording.act(act.id()).and_then(|recorded| recorded.evidence.as_ref()) else {
            continue;
        };
        for seed in 1..=TIMES {
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut changed = evidence.clone();
            shuffle(&mut changed, &mut random);
            let wrong = wrong_of(lab, &**act, &changed, &recording.setting);
            assert!(wrong.is_empty(), "{} with seed {seed}: {}", act.id(), wrong.join("\n"));
        }
    }
}

fn wrong_of(lab: &Lab, act: &dyn AnyAct, evidence: &Value, setting: &Setting) -> Vec<String> {
    let Ok(reveal) = act.reveal(evidence, setting) else { return Vec::new() };
    claims::contradictions(&document(lab, act, evidence, &reveal))
}

/// As `tutor lab --json` prints it, as far as claims are concerned.
fn document(lab: &Lab, act: &dyn AnyAct, evidence: &Value, reveal: &Reveal) -> Value {
    let outcome = match &reveal.outcome {
        Outcome::Choice(id) => json!({ "choice": id }),
        Outcome::Quantity(value) => json!({ "value": value }),
        Outcome::Undecided(why) => json!({ "undecided": why }),
    };
    json!({
        "lab": { "slug": lab.card.slug },
        "acts": [{
            "id": act.id(),
            "evidence": evidence,
            "outcome": outcome,
            "sentence": reveal.sentence,
            "causes": reveal.causes,
        }],
    })
}

/// Cut each row of trials to a random length, and let each trial take another time. A row keeps to a pace of its own, so
/// that rows are apart as often as they meet.
fn shuffle(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(items) if items.iter().any(is_trial) => {
            items.truncate(random.below(items.len() as u64 + 1) as usize);
            let pace = 1.0 + random.below(4) as f64;
            items.iter_mut().for_each(|trial| retime(trial, pace, random));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| shuffle(item, random)),
        Value::Object(fields) => fields.values_mut().for_each(|field| shuffle(field, random)),
        _ => {}
    }
}

fn is_trial(value: &Value) -> bool {
    let has = |value: &Value| TOOK.iter().any(|field| value[field].is_u64());
    value.is_object() && (has(value) || value.as_object().is_some_and(|it| it.values().any(has)))
}

fn retime(trial: &mut Value, pace: f64, random: &mut Random) {
    let Some(fields) = trial.as_object_mut() else { return };
    for (name, value) in fields {
        if TOOK.contains(&name.as_str()) {
            let ns = 1e6 * pace * (1.0 + random.below(100) as f64 / 100.0);
            *value = json!(ns as u64);
        } else if let Some(Value::Number(ns)) =
            value.as_array_mut().filter(|_| name == "batch").and_then(|it| it.last_mut())
        {
            let other = ns.as_f64().unwrap_or(1.0) * pace * (1.0 + random.below(100) as f64 / 100.0);
            *ns = (other as u64).into();
        } else if value.is_object() {
            retime(value, pace, random);
        }
    }
}

/// xorshift64: the same row for the same seed, on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}
