//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use crate::spoken::{causes, spoken};
use lesson::{Recording, Reveal};
use std::fs;
use std::path::Path;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: [(&str, &str); 27] = [
    ("capped-by-larger", "ext4-virtio"),
    ("capped-by-larger", "small-readahead"),
    ("capped-by-readahead", "btrfs"),
    ("cap-not-explained", "settings-unseen"),
    ("file-below-cap", "large-readahead"),
    ("not-capped", "not-capped"),
    ("nothing-came", "nothing-came"),
    ("memory-was-there", "ext4-virtio"),
    ("each-call-capped", "ext4-virtio"),
    ("not-pressure", "ext4-virtio"),
    ("pieces-missing", "btrfs"),
    ("submitting-is-work", "ext4-virtio"),
    ("calls-slept", "btrfs"),
    ("reclaimed-before-read", "ext4-virtio"),
    ("hints-dropped", "hints-dropped"),
    ("wrong-half", "ext4-virtio"),
    ("limit-did-not-bind", "limit-did-not-bind"),
    ("no-readahead", "ext4-virtio"),
    ("random-read-ahead", "random-read-ahead"),
    ("sequential-reaches-further", "ext4-virtio"),
    ("same-bound", "ext4-virtio"),
    ("populate-is-an-order", "ext4-virtio"),
    ("read-once", "ext4-virtio"),
    ("read-again", "read-again"),
    ("total-time", "ext4-virtio"),
    ("other-work-meanwhile", "btrfs"),
    ("pushed-out-again", "large-readahead"),
];

fn recording(name: &str) -> Recording {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings").join(name).with_extension("json");
    let json = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Recording::parse(&json, "willneed-ignored").unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The reveals of a recording's acts, each with its act's id.
fn reveals(recording: &Recording) -> Vec<(String, Reveal)> {
    let acts = willneed_ignored::lab().acts;
    let reveal = |recorded: &lesson::recording::RecordedAct| {
        let act = acts.iter().find(|act| act.id() == recorded.id).expect("an act of this lab");
        let evidence = recorded.evidence.as_ref()?;
        Some((recorded.id.clone(), act.reveal(evidence, &recording.setting).expect("readable evidence")))
    };
    recording.acts.iter().filter_map(reveal).collect()
}

#[test]
fn each_cause_is_selected_by_its_recording() {
    for (cause, name) in CAUSES {
        let reveals = reveals(&recording(name));
        assert!(
            reveals.iter().any(|(_, reveal)| causes(reveal).contains(&cause)),
            "{name} does not select {cause}"
        );
    }
}

#[test]
fn no_recording_selects_a_cause_that_is_not_listed() {
    for (_, name) in CAUSES {
        for (act, reveal) in reveals(&recording(name)) {
            for cause in causes(&reveal) {
                let listed = CAUSES.iter().any(|(listed, _)| *listed == cause);
                assert!(listed, "{name} {act}: {cause}");
            }
        }
    }
}

#[test]
fn what_the_learner_reads() {
    let mut names = CAUSES.map(|(_, name)| name).to_vec();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let acts = reveals(&recording(name));
        let text: Vec<_> =
            acts.iter().map(|(act, reveal)| format!("— {act} —\n{}", spoken(reveal))).collect();
        insta::assert_snapshot!(format!("recording-{name}"), text.join("\n"));
    }
}

#[test]
fn other_settings_of_the_same_kernel_get_other_words() {
    let said = |name| {
        let reveals = reveals(&recording(name));
        let (_, ask) = reveals.into_iter().find(|(act, _)| act == "ask").expect("it has the act");
        (ask.sentence, ask.causes.first().expect("a bound was found").text.clone())
    };
    let (large, small) = (said("ext4-virtio"), said("small-readahead"));
    assert_ne!(large.0, small.0);
    assert!(large.1.contains("Predicted from read_ahead_kb"), "{}", large.1);
    assert!(small.1.contains("Predicted from max_sectors_kb"), "{}", small.1);
}

#[test]
fn the_first_recording_has_every_act() {
    let lab = willneed_ignored::lab();
    let (name, json) = lab.recordings.first().expect("one to replay");
    let recording = Recording::parse(json, lab.card.slug).unwrap_or_else(|error| panic!("{name}: {error}"));
    let recorded: Vec<_> = reveals(&recording).into_iter().map(|(act, _)| act).collect();
    let acts: Vec<_> = lab.acts.iter().map(|act| act.id()).collect();
    assert_eq!(recorded, acts);
}
