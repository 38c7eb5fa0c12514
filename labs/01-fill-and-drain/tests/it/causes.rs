//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use lesson::testing::Proofs;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: &[(&str, &str)] = &[
    ("write-filled-it", "ext4-virtio"),
    ("others-left", "others-left"),
    ("did-not-fit", "memory-limit"),
    ("kept-elsewhere", "kept-elsewhere"),
    ("others-moved-it", "others-moved-it"),
    ("counted-before", "ext4-virtio"),
    ("on-processors-lists", "ext4-virtio"),
    ("not-drained", "not-drained"),
    ("dirty-stays", "ext4-virtio"),
    ("mapped-stays", "ext4-virtio"),
    ("memory-stays", "ext4-virtio"),
    ("read-ahead", "ext4-virtio"),
    ("nothing-ahead", "nothing-ahead"),
    ("taken-meanwhile", "memory-limit"),
    ("cache-gave-way", "ext4-virtio"),
    ("oom-killed", "oom-killed"),
    ("swapped-out", "swapped-out"),
    ("not-promised", "not-promised"),
    ("everybodys-cache", "ext4-virtio"),
    ("switch-locked", "switch-locked"),
    ("instead-of-the-switch", "ext4-virtio"),
];

fn proofs() -> Proofs {
    Proofs::new(fill_and_drain::lab(), env!("CARGO_MANIFEST_DIR"), CAUSES)
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
