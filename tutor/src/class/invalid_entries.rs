//! What a readable file holds that cannot be counted: labs of another version, and answers that no question has.

use super::class_question::short;
use super::file::{Answer, Came, Export};
use super::settings::{self, Options};
use lesson::{Lab, Prediction};
use std::collections::{BTreeMap, BTreeSet};

/// What of one file cannot be counted.
#[derive(Debug, Default)]
pub struct InvalidEntries {
    /// Labs and acts that this tutor does not know: of another version, perhaps.
    pub unknown: BTreeSet<String>,
    /// Answers that their question cannot have: damage.
    pub damaged: BTreeSet<String>,
    /// Whether there is anything that can be counted.
    pub any: bool,
}

/// All acts that this tutor knows, with their options.
pub struct Known<'a>(BTreeMap<&'a str, (u32, BTreeMap<&'static str, Options>)>);

impl Known<'_> {
    /// Of these labs.
    pub fn of(labs: &[Lab]) -> Known<'_> {
        let acts = |lab: &Lab| {
            let options = |act: &dyn lesson::AnyAct| (act.id(), settings::options(&lab.card, act));
            (lab.card.number, lab.acts.iter().map(|act| options(act.as_ref())).collect())
        };
        Known(labs.iter().map(|lab| (lab.card.slug, acts(lab))).collect())
    }

    /// The options of an act of a lab that it knows.
    pub fn options(&self, slug: &str, act: &str) -> Option<&Options> {
        self.0.get(slug)?.1.get(act)
    }

    /// What of this file cannot be counted.
    pub fn invalid_entries(&self, export: &Export) -> InvalidEntries {
        let mut found = InvalidEntries::default();
        for (slug, acts) in &export.labs {
            let Some((number, known)) = self.0.get(slug.as_str()) else {
                found.unknown.insert(format!("lab `{}`", short(slug)));
                continue;
            };
            for (id, answers) in acts {
                let Some(options) = known.get(id.as_str()) else {
                    found.unknown.insert(format!("act `{}` of lab {number}", short(id)));
                    continue;
                };
                for answer in answers {
                    match in_answer(answer, options) {
                        Some(what) => found.damaged.insert(format!("{what} in act {id} of lab {number}")),
                        None => std::mem::replace(&mut found.any, true),
                    };
                }
            }
        }
        found
    }
}

/// What is invalid in an answer, where something is: an option that the question has nowhere, a number where it has
/// options, an option where it asks for a number.
pub fn in_answer(answer: &Answer, options: &Options) -> Option<String> {
    let choice = |id: &String| {
        let known = options.as_ref().is_some_and(|options| options.contains(id));
        (!known).then(|| format!("`{}`", short(id)))
    };
    let quantity = || options.is_some().then(|| "a number".to_owned());
    let said = match &answer.prediction {
        Prediction::Choice(id) => choice(id),
        Prediction::Quantity(_) => quantity(),
        Prediction::Skipped => None,
    };
    said.or_else(|| match &answer.outcome {
        Some(Came::Choice(id)) => choice(id),
        Some(Came::Quantity(_)) => quantity(),
        Some(Came::Undecided | Came::Unavailable) | None => None,
    })
}
