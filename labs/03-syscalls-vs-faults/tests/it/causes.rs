//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use lesson::testing::Proofs;
use lesson::{Act, Recording, Setting};
use syscalls_vs_faults::cause::Why;
use syscalls_vs_faults::lab;

/// Every cause of the lab, and the recording that proves it: the one of its name.
const CAUSES: &[(&str, &str)] = &{
    let mut causes = [("", ""); Why::IDS.len()];
    let mut at = 0;
    while at < causes.len() {
        causes[at] = (Why::IDS[at], Why::IDS[at]);
        at += 1;
    }
    causes
};

pub fn proofs() -> Proofs {
    Proofs::new(lab(), env!("CARGO_MANIFEST_DIR"), CAUSES)
}

/// What a recording holds of one act, and where it was measured: to be changed into something contradictory.
pub fn evidence<A: Act>(_act: &A, name: &str) -> (A::Evidence, Setting) {
    let recording = proofs().recording(name);
    let act = recording.act(A::ID).unwrap_or_else(|| panic!("{name} has no act {}", A::ID));
    let evidence = act.evidence.clone().expect("evidence");
    (serde_json::from_value(evidence).expect("evidence of this act"), recording.setting)
}

#[test]
fn each_cause_is_selected_by_its_recording_and_no_other() {
    proofs().hold();
}

#[test]
fn no_figure_makes_a_reveal_panic() {
    proofs().survive_absurd_figures();
}

#[test]
fn random_trials_are_told_truly() {
    proofs().random_trials_are_told_truly();
}

#[test]
fn what_the_learner_reads() {
    for (name, text) in proofs().spoken() {
        insta::assert_snapshot!(format!("recording-{name}"), text);
    }
}

#[test]
fn no_recording_stands_in_the_folder_for_nothing() {
    let real: Vec<&str> = lab().recordings.iter().map(|(name, _)| *name).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/recordings");
    for entry in std::fs::read_dir(folder).expect("the folder of recordings") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            assert!(Why::IDS.contains(&name) != real.contains(&name), "{name}: a cause, or a real one");
        }
    }
}

#[test]
fn real_recordings_have_every_act_and_an_answer_to_each() {
    for (name, json) in lab().recordings {
        let recording =
            Recording::parse(json, lab().card.slug).unwrap_or_else(|error| panic!("{name}: {error}"));
        let reveals = proofs().reveals(&recording);
        assert_eq!(reveals.len(), lab().acts.len(), "{name}");
        for (act, reveal) in reveals {
            assert!(!reveal.sentence.is_empty() && !reveal.figures.is_empty(), "{name}: {act}");
        }
    }
}

#[test]
fn evidence_of_another_shape_is_refused_in_words() {
    for act in lab().acts {
        let setting = proofs().recording("page-size").setting;
        let error =
            act.reveal(&serde_json::json!({"pages": "many"}), &setting).expect_err("not its evidence");
        assert!(error.to_string().contains(act.id()), "{error}");
    }
}
