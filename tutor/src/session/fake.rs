//! A small lab with canned evidence, for tests of everything around a session.

use super::source::{Replay, Source};
use super::stage::{End, Round};
use crate::record;
use instruments::host::Filesystem;
use instruments::{Bench, Host, Plan, Unavailable};
use lesson::recording::{RecordedAct, SCHEMA};
use lesson::{
    Act, AnyAct, Ask, Card, Choice, Knob, Lab, Notes, Outcome, Prediction, Quantity, Question, Recording,
    Reveal, Setting, Unit,
};
use serde_json::{Value, json};
use std::collections::VecDeque;

const NOTES: Notes = Notes {
    minutes: 2,
    say: "Say the thing.",
    trap: "Hide the thing.",
    asked: "Which thing?",
    answer: "That thing.",
};

struct Pick;
struct Guess;

fn question(ask: &str, answer: Ask) -> Question {
    Question {
        setup: "A thing is done.".to_owned(),
        commands: vec!["tutor run thing".to_owned()],
        ask: ask.to_owned(),
        answer,
        hint: "Think of the thing.".to_owned(),
    }
}

fn reveal(outcome: Outcome, sentence: &str) -> Reveal {
    Reveal {
        outcome,
        sentence: sentence.to_owned(),
        figures: vec![],
        causes: vec![],
        caveats: vec![],
        try_next: vec![],
        sources: vec![],
    }
}

impl Act for Pick {
    type Evidence = String;
    const ID: &'static str = "pick";
    const TITLE: &'static str = "Pick one";
    const SECONDS: u32 = 1;
    const NOTES: Notes = NOTES;

    fn question(&self, _: &Setting) -> Question {
        let choice =
            |id: &str| Choice { id: id.to_owned(), text: format!("it is {id}"), explanation: String::new() };
        question("Which one?", Ask::Choice(["one", "two", "three"].map(choice).into()))
    }

    fn measure(&self, _: &mut Bench<'_>) -> Result<String, Unavailable> {
        unreachable!("tests have evidence")
    }

    fn reveal(&self, evidence: &String, _: &Setting) -> Reveal {
        reveal(Outcome::Choice(evidence.clone()), &format!("It was {evidence}."))
    }
}

impl Act for Guess {
    type Evidence = f64;
    const ID: &'static str = "guess";
    const TITLE: &'static str = "Guess how many";
    const SECONDS: u32 = 2;
    const NOTES: Notes = NOTES;

    fn question(&self, _: &Setting) -> Question {
        let quantity =
            Quantity { unit: Unit::Ratio, example: "10x".to_owned(), hit_factor: 1.25, near_factor: 2.0 };
        question("How many times?", Ask::Quantity(quantity))
    }

    fn measure(&self, _: &mut Bench<'_>) -> Result<f64, Unavailable> {
        unreachable!("tests have evidence")
    }

    fn reveal(&self, evidence: &f64, _: &Setting) -> Reveal {
        reveal(Outcome::Quantity(*evidence), &format!("It was {evidence}x."))
    }
}

/// Two acts: `pick` is a choice of one, two, three; `guess` is a ratio.
pub fn lab() -> Lab {
    Lab {
        card: Card {
            number: 7,
            slug: "fake",
            title: "Does it work?",
            promise: "You will know.",
            minutes: 4,
            needs: &[],
            knobs: &[Knob { name: "size", min: 4096, max: 1 << 30, multiple_of: 4096 }],
            default_size_bytes: 1 << 20,
            default_block_bytes: 4096,
            default_trials: 5,
        },
        acts: vec![Box::new(Pick), Box::new(Guess)],
        workloads: vec![],
        recordings: &[],
    }
}

/// The same lab with a recording of its own, in which `pick` gave one.
pub fn lab_with_recording() -> Lab {
    let pick = RecordedAct { id: "pick".to_owned(), evidence: Some(json!("one")), unavailable: None };
    let recording = Recording {
        schema: SCHEMA,
        lab: "fake".to_owned(),
        recorded_on: "2026-11-30".to_owned(),
        setting: setting(),
        acts: vec![pick],
    };
    let json: &'static str = Box::leak(recording.to_json().expect("it is plain data").into_boxed_str());
    Lab { recordings: Box::leak(Box::new([("elsewhere", json)])), ..lab() }
}

/// A machine that does not exist.
pub fn setting() -> Setting {
    let host = Host {
        kernel: "6.18.0".to_owned(),
        arch: "x86_64".to_owned(),
        page_bytes: 4096,
        filesystem: Filesystem { kind: "ext4".to_owned(), ..Filesystem::default() },
        virtual_machine: Some("kvm".to_owned()),
        ..Host::default()
    };
    Setting { host, plan: Plan { size_bytes: 1 << 20, block_bytes: 4096, trials: 5 } }
}

/// A round that ended without evidence.
pub fn unavailable_round() -> Round {
    Round {
        question: lab().acts[0].question(&setting()),
        prediction: Prediction::Skipped,
        end: End::Unavailable("it needs a thing".to_owned()),
        recorded: None,
    }
}

/// Evidence in the order in which it is asked for.
pub struct Canned {
    setting: Setting,
    evidence: VecDeque<Result<Value, Unavailable>>,
    replay: Option<Replay>,
    /// Acts that were measured, in order.
    pub measured: Vec<&'static str>,
}

impl Canned {
    /// `pick` gives two, then `guess` gives 6.
    pub fn usual() -> Canned {
        Canned::of([Ok(json!("two")), Ok(json!(6.0))])
    }

    /// This evidence.
    pub fn of(evidence: impl IntoIterator<Item = Result<Value, Unavailable>>) -> Canned {
        Canned {
            setting: setting(),
            evidence: evidence.into_iter().collect(),
            replay: None,
            measured: vec![],
        }
    }

    /// As if it came from a recording.
    pub fn recorded(mut self) -> Canned {
        let mut recording = record::of(&lab(), &self, &[]);
        recording.recorded_on = "2026-11-30".to_owned();
        self.replay = Some(Replay::new(recording));
        self
    }
}

impl Source for Canned {
    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn evidence(&mut self, act: &dyn AnyAct) -> Result<Value, Unavailable> {
        self.measured.push(act.id());
        self.evidence.pop_front().expect("a test has enough evidence")
    }

    fn recording(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }
}
