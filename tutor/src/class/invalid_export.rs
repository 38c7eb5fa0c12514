//! Where a file that looks like an export is none: the first part of it that cannot be understood, in words.

use super::file::{Answer, Came, Machine};
use super::gather::printable;
use lesson::Prediction;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The first place that is damaged, such as "`prediction` in answer 2 of act `trap` of lab `cold-vs-warm`".
pub fn place(export: &Value) -> String {
    let texts = ["tutor", "learner", "exported_on"];
    if let Some(field) = texts.iter().find(|field| !export[**field].is_string()) {
        return format!("`{field}`");
    }
    if !is::<Machine>(&export["machine"]) {
        return in_machine(&export["machine"]);
    }
    let Some(labs) = export["labs"].as_object() else { return "`labs`".to_owned() };
    for (slug, acts) in labs {
        let lab = format!("lab `{}`", printable(slug));
        let Some(acts) = acts.as_object() else { return lab };
        for (id, answers) in acts {
            let act = format!("act `{}` of {lab}", printable(id));
            let Some(answers) = answers.as_array() else { return act };
            if let Some(at) = answers.iter().position(|answer| !is::<Answer>(answer)) {
                return format!("{} of {act}", in_answer(&answers[at], at));
            }
        }
    }
    "its form".to_owned()
}

fn in_machine(machine: &Value) -> String {
    let fields = machine.as_object().into_iter().flatten();
    let alone = |(name, value): (&String, &Value)| serde_json::json!({ (name.as_str()): value });
    let damaged = fields.clone().find(|(name, value)| !is::<Machine>(&alone((name, value))));
    damaged.map_or("`machine`".to_owned(), |(name, _)| format!("`{}` of `machine`", printable(name)))
}

fn in_answer(answer: &Value, at: usize) -> String {
    let part = if !is::<Prediction>(&answer["prediction"]) {
        "`prediction` in "
    } else if !is::<Option<Came>>(&answer["outcome"]) {
        "`outcome` in "
    } else {
        ""
    };
    format!("{part}answer {}", at + 1)
}

fn is<T: DeserializeOwned>(value: &Value) -> bool {
    T::deserialize(value).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_place_is_named_and_the_words_are_no_programmers() {
        let answer = |prediction: Value| json!({"on": "", "prediction": prediction, "outcome": {"choice": "a"}, "verdict": "hit"});
        let of =
            |labs: Value| json!({"tutor": "", "learner": "", "exported_on": "", "machine": {}, "labs": labs});
        let good = answer(json!({"choice": "a"}));
        for (export, wanted) in [
            (json!({"tutor": 1}), "`tutor`"),
            (of(json!(7)), "`labs`"),
            (of(json!({"l": []})), "lab `l`"),
            (of(json!({"l": {"a": 1}})), "act `a` of lab `l`"),
            (
                of(json!({"l": {"a": [good, answer(json!({"quantity": "x"}))]}})),
                "`prediction` in answer 2 of act `a` of lab `l`",
            ),
            (of(json!({"l": {"a": [7]}})), "`prediction` in answer 1 of act `a` of lab `l`"),
        ] {
            assert_eq!(place(&export), wanted);
        }
        let mut odd = of(json!({}));
        odd["machine"] = json!({"arch": "x", "cpus": -3});
        assert_eq!(place(&odd), "`cpus` of `machine`");
    }
}
