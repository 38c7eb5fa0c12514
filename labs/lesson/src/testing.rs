//! What the tests of every lab share: recordings as test input, reveals as text for snapshots, and the rules that
//! hold for every question. Only with the feature `testing`.

pub mod by_hand;
pub mod claims;
pub mod random_trials;

use crate::{Ask, Lab, Outcome, Prediction, Recording, Reveal, Setting};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A lab, the folder of its recordings, and which recording proves which of its causes.
#[derive(Debug)]
pub struct Proofs {
    lab: Lab,
    recordings: PathBuf,
    causes: &'static [(&'static str, &'static str)],
}

impl Proofs {
    /// `crate_dir` is the lab's CARGO_MANIFEST_DIR; `causes` names every cause of the lab and the recording that
    /// selects it.
    pub fn new(lab: Lab, crate_dir: &str, causes: &'static [(&'static str, &'static str)]) -> Proofs {
        Proofs { lab, recordings: Path::new(crate_dir).join("recordings"), causes }
    }

    /// The recording of this name. Panics where there is none, or it is no recording of this lab.
    pub fn recording(&self, name: &str) -> Recording {
        let path = self.recordings.join(name).with_extension("json");
        let json = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Recording::parse(&json, self.lab.card.slug).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The reveals of a recording's acts, each with its act's id.
    pub fn reveals(&self, recording: &Recording) -> Vec<(String, Reveal)> {
        let reveal = |recorded: &crate::recording::RecordedAct| {
            let act = self.lab.acts.iter().find(|act| act.id() == recorded.id).expect("an act of this lab");
            let evidence = recorded.evidence.as_ref()?;
            Some((recorded.id.clone(), act.reveal(evidence, &recording.setting).expect("readable evidence")))
        };
        recording.acts.iter().filter_map(reveal).collect()
    }

    /// Each cause is selected by its recording; none is selected that is not listed; and the recording that
    /// `--replay` shows has every act.
    pub fn hold(&self) {
        for (cause, name) in self.causes {
            let reveals = self.reveals(&self.recording(name));
            let selected = reveals.iter().any(|(_, reveal)| causes(reveal).contains(cause));
            assert!(selected, "{name} does not select {cause}");
        }
        for name in self.names() {
            for (act, reveal) in self.reveals(&self.recording(name)) {
                for cause in causes(&reveal) {
                    let listed = self.causes.iter().any(|(listed, _)| *listed == cause);
                    assert!(listed, "{name} {act}: {cause} is not listed");
                }
            }
        }
        let (name, json) = self.lab.recordings.first().expect("one to replay");
        let shown =
            Recording::parse(json, self.lab.card.slug).unwrap_or_else(|error| panic!("{name}: {error}"));
        let recorded: Vec<_> = self.reveals(&shown).into_iter().map(|(act, _)| act).collect();
        let acts: Vec<_> = self.lab.acts.iter().map(|act| act.id()).collect();
        assert_eq!(recorded, acts, "{name} shows every act");
    }

    /// See [`absurd_figures_are_survived`], for all listed recordings.
    pub fn survive_absurd_figures(&self) {
        for name in self.names() {
            absurd_figures_are_survived(&self.lab, &self.recording(name));
        }
    }

    /// See [`random_trials::are_told_truly`], for the recording that `--replay` shows.
    pub fn random_trials_are_told_truly(&self) {
        let (name, json) = self.lab.recordings.first().expect("one to replay");
        let recording =
            Recording::parse(json, self.lab.card.slug).unwrap_or_else(|error| panic!("{name}: {error}"));
        random_trials::are_told_truly(&self.lab, &recording);
    }

    /// The listed recordings, each with what the learner reads of it: for snapshots.
    pub fn spoken(&self) -> Vec<(&'static str, String)> {
        let text = |name| {
            let acts = self.reveals(&self.recording(name));
            let acts: Vec<_> =
                acts.iter().map(|(act, reveal)| format!("— {act} —\n{}", spoken(reveal))).collect();
            (name, acts.join("\n"))
        };
        self.names().into_iter().map(text).collect()
    }

    fn names(&self) -> BTreeSet<&'static str> {
        self.causes.iter().map(|(_, name)| *name).collect()
    }
}

/// No figure makes a reveal panic: neither evidence of nothing but zeros, nor evidence in which one field after the other
/// becomes as large as its type allows. Of nothing, nothing is told but that it cannot be told.
pub fn absurd_figures_are_survived(lab: &Lab, recording: &Recording) {
    for act in &lab.acts {
        let Some(evidence) = recording.act(act.id()).and_then(|recorded| recorded.evidence.as_ref()) else {
            continue;
        };
        let zeros = replaced(evidence, None, 0);
        let _ = act.reveal(&zeros, &recording.setting);
        let mut absurd = evidence.clone();
        let mut keys = BTreeSet::new();
        collect_keys(evidence, "", &mut keys);
        for key in keys {
            // The largest that the field's type takes.
            let largest = [u64::MAX, i64::MAX as u64, u32::MAX.into(), i32::MAX as u64, u8::MAX.into()];
            let taken = largest.into_iter().find_map(|figure| {
                let changed = replaced(&absurd, Some(&key), figure);
                act.reveal(&changed, &recording.setting).is_ok().then_some(changed)
            });
            absurd = taken.unwrap_or(absurd);
        }
    }
}

/// The names under which evidence has whole numbers.
fn collect_keys(value: &Value, key: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Number(number) if number.is_u64() => drop(keys.insert(key.to_owned())),
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, key, keys)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| collect_keys(value, key, keys)),
        _ => {}
    }
}

/// The same with another figure wherever a whole number stands under this name, or under any.
fn replaced(value: &Value, only: Option<&str>, figure: u64) -> Value {
    fn replace(value: &mut Value, key: &str, only: Option<&str>, figure: u64) {
        match value {
            Value::Number(number) if number.is_u64() && only.is_none_or(|only| only == key) => {
                *value = figure.into();
            }
            Value::Array(items) => items.iter_mut().for_each(|item| replace(item, key, only, figure)),
            Value::Object(fields) => {
                fields.iter_mut().for_each(|(key, value)| replace(value, key, only, figure));
            }
            _ => {}
        }
    }
    let mut value = value.clone();
    replace(&mut value, "", only, figure);
    value
}

/// A reveal as the learner reads it, without its figures: outcome, sentence, causes and caveats, a line each.
pub fn spoken(reveal: &Reveal) -> String {
    let mut text = String::new();
    let outcome = match &reveal.outcome {
        Outcome::Choice(id) => format!("choice {id}"),
        Outcome::Quantity(value) => format!("quantity {value:.3}"),
        Outcome::Undecided(why) => format!("undecided: {why}"),
    };
    let mut line = |name: &str, said: &str| writeln!(text, "{name:8} {said}").expect("a String takes all");
    line("outcome", &outcome);
    line("sentence", &reveal.sentence);
    for cause in &reveal.causes {
        line("cause", &format!("[{}] {}", cause.id, cause.text));
    }
    for caveat in &reveal.caveats {
        line("caveat", &caveat.to_string());
    }
    text
}

/// The ids of a reveal's causes.
pub fn causes(reveal: &Reveal) -> Vec<&str> {
    reveal.causes.iter().map(|cause| &*cause.id).collect()
}

/// Three to five options, each a misconception of its own with its own explanation, each of which can be typed.
pub fn options_are_explained(lab: &Lab, setting: &Setting) {
    for act in &lab.acts {
        let question = act.question(setting);
        let Ask::Choice(options) = &question.answer else { continue };
        assert!((3..=5).contains(&options.len()), "{}", act.id());
        for (at, option) in options.iter().enumerate() {
            assert!(option.explanation.len() > 60, "{} {}", act.id(), option.id);
            let typed = Prediction::parse(&option.id, &question);
            assert_eq!(typed, Ok(Prediction::Choice(option.id.clone())), "an id can be typed");
            for other in &options[at + 1..] {
                assert_ne!(option.explanation, other.explanation, "{}", act.id());
                assert_ne!(option.text, other.text, "{}", act.id());
            }
        }
    }
}

/// What the learner reads before answering, by act: for snapshots.
pub fn asked(lab: &Lab, setting: &Setting) -> Vec<(&'static str, String)> {
    let text = |act: &dyn crate::AnyAct| {
        let question = act.question(setting);
        let commands: Vec<_> = question.commands.iter().map(|command| format!("$ {command}")).collect();
        format!("{}\n\n{}\n\n{}\n\n? {}\n", question.setup, commands.join("\n"), question.ask, question.hint)
    };
    lab.acts.iter().map(|act| (act.id(), text(&**act))).collect()
}

/// The options from which the learner chooses, each with its explanation, by act: for snapshots. Of a quantity, how it is
/// judged.
pub fn offered(lab: &Lab, setting: &Setting) -> Vec<(&'static str, String)> {
    let text = |act: &dyn crate::AnyAct| match act.question(setting).answer {
        Ask::Choice(options) => options
            .iter()
            .map(|option| format!("{}: {}\n   {}\n", option.id, option.text, option.explanation))
            .collect(),
        Ask::Quantity(quantity) => format!("{quantity:?}\n"),
    };
    lab.acts.iter().map(|act| (act.id(), text(&**act))).collect()
}
