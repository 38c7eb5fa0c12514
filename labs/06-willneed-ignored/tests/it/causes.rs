//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use lesson::testing::Proofs;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: &[(&str, &str)] = &[
    ("capped-by-larger", "ext4-virtio"),
    ("capped-by-larger", "small-readahead"),
    ("ended-at-larger", "ext4-virtio"),
    ("capped-by-own-bdi", "btrfs"),
    ("capped-by-own-bdi", "btrfs-256"),
    ("cap-not-explained", "settings-unseen"),
    ("cap-not-explained", "bdi-unseen"),
    ("ended-elsewhere", "settings-unseen"),
    ("ended-elsewhere", "bdi-unseen"),
    ("file-below-cap", "large-readahead"),
    ("not-capped", "not-capped"),
    ("nothing-came", "nothing-came"),
    ("memory-was-there", "ext4-virtio"),
    ("each-call-capped", "ext4-virtio"),
    ("no-bound-met", "not-capped"),
    ("no-bound-met", "large-readahead"),
    ("not-pressure", "ext4-virtio"),
    ("pieces-missing", "bdi-unseen"),
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
    ("small-folios", "ext4-virtio"),
    ("pushed-out-again", "large-readahead"),
];

fn proofs() -> Proofs {
    Proofs::new(willneed_ignored::lab(), env!("CARGO_MANIFEST_DIR"), CAUSES)
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
fn other_settings_of_the_same_kernel_get_other_words() {
    let said = |name| {
        let proofs = proofs();
        let reveals = proofs.reveals(&proofs.recording(name));
        let (_, ask) = reveals.into_iter().find(|(act, _)| act == "ask").expect("it has the act");
        (ask.sentence, ask.causes.first().expect("a bound was found").text.clone())
    };
    let (large, small) = (said("ext4-virtio"), said("small-readahead"));
    assert_ne!(large.0, small.0);
    assert!(large.1.contains("Predicted from read_ahead_kb"), "{}", large.1);
    assert!(small.1.contains("Predicted from max_sectors_kb"), "{}", small.1);
}
