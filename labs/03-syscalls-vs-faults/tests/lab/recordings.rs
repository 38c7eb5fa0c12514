//! Every cause has a recording that proves it, and what is said to it is held in a snapshot.

use crate::told::{causes, folder, recording, text};
use lesson::{AnyAct, Recording};
use syscalls_vs_faults::{cause::Why, lab};

/// The reveal of every act in a recording.
fn reveals(recording: &Recording) -> Vec<(&'static str, lesson::Reveal)> {
    let reveal = |act: &dyn AnyAct| {
        let evidence = recording.act(act.id())?.evidence.as_ref()?;
        Some((act.id(), act.reveal(evidence, &recording.setting).expect("evidence of this act")))
    };
    lab().acts.iter().filter_map(|act| reveal(act.as_ref())).collect()
}

#[test]
fn every_cause_has_its_recording_and_its_words() {
    for id in Why::IDS {
        let reveals = reveals(&recording(id));
        let given: Vec<&str> = reveals.iter().flat_map(|(_, reveal)| causes(reveal)).collect();
        assert!(given.contains(&id), "{id}.json gives {given:?}");
        let told: String = reveals.iter().map(|(act, reveal)| format!("[{act}]\n{}", text(reveal))).collect();
        insta::assert_snapshot!(id, told);
    }
}

#[test]
fn no_recording_stands_in_the_folder_for_nothing() {
    let real: Vec<&str> = lab().recordings.iter().map(|(name, _)| *name).collect();
    for entry in std::fs::read_dir(folder()).expect("the folder of recordings") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            assert!(Why::IDS.contains(&name) != real.contains(&name), "{name}: a cause, or a real one");
        }
    }
}

#[test]
fn real_recordings_have_every_act_and_an_answer_to_each() {
    assert!(!lab().recordings.is_empty());
    for (name, json) in lab().recordings {
        let recording =
            Recording::parse(json, lab().card.slug).unwrap_or_else(|error| panic!("{name}: {error}"));
        for act in lab().acts {
            let recorded =
                recording.act(act.id()).unwrap_or_else(|| panic!("{name} has no act {}", act.id()));
            let evidence =
                recorded.evidence.as_ref().unwrap_or_else(|| panic!("{name}: no evidence of {}", act.id()));
            let reveal = act.reveal(evidence, &recording.setting).expect("evidence of this act");
            assert!(!reveal.sentence.is_empty() && !reveal.figures.is_empty(), "{name}: {}", act.id());
        }
    }
}

#[test]
fn no_figure_makes_a_reveal_panic() {
    for id in Why::IDS {
        lesson::testing::absurd_figures_are_survived(&lab(), &recording(id));
    }
}

#[test]
fn evidence_of_another_shape_is_refused_in_words() {
    for act in lab().acts {
        let setting = recording("page-size").setting;
        let error =
            act.reveal(&serde_json::json!({"pages": "many"}), &setting).expect_err("not its evidence");
        assert!(error.to_string().contains(act.id()), "{error}");
    }
}
