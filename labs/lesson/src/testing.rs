//! What the tests of every lab share: recordings as test input, reveals as text for snapshots, and the rules that
//! hold for every question. Only with the feature `testing`.

use crate::{Ask, Lab, Outcome, Prediction, Recording, Reveal, Setting};
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
