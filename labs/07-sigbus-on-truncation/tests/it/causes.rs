//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use crate::spoken::{causes, spoken};
use lesson::{Recording, Reveal};
use std::fs;
use std::path::Path;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: [(&str, &str); 15] = [
    ("length-is-asked", "ext4-virtio"),
    ("old-data-gone", "ext4-virtio"),
    ("rest-of-page-zeroed", "ext4-virtio"),
    ("store-lost", "ext4-virtio"),
    ("store-came-back", "store-came-back"),
    ("no-page-behind-it", "ext4-virtio"),
    ("system-call-has-an-error", "ext4-virtio"),
    ("folio-past-the-end", "folio-past-the-end"),
    ("no-room-for-the-hole", "ext4-virtio"),
    ("check-is-no-lock", "ext4-virtio"),
    ("handler-gives-zeros", "ext4-virtio"),
    ("read-has-an-end", "no-namespaces"),
    ("seal-refused", "ext4-virtio"),
    ("room-is-not-length", "ext4-virtio"),
    ("promise-nobody-can-give", "ext4-virtio"),
];

fn recording(name: &str) -> Recording {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings").join(name).with_extension("json");
    let json = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Recording::parse(&json, "sigbus-on-truncation").unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The reveals of a recording's acts, each with its act's id.
fn reveals(recording: &Recording) -> Vec<(String, Reveal)> {
    let acts = sigbus_on_truncation::lab().acts;
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
                assert!(CAUSES.iter().any(|(listed, _)| *listed == cause), "{name} {act}: {cause}");
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
fn the_first_recording_has_every_act() {
    let lab = sigbus_on_truncation::lab();
    let (name, json) = lab.recordings.first().expect("one to replay");
    let recording = Recording::parse(json, lab.card.slug).unwrap_or_else(|error| panic!("{name}: {error}"));
    let recorded: Vec<_> = reveals(&recording).into_iter().map(|(act, _)| act).collect();
    let acts: Vec<_> = lab.acts.iter().map(|act| act.id()).collect();
    assert_eq!(recorded, acts);
}
