//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use lesson::testing::Proofs;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: &[(&str, &str)] = &[
    ("writing-warmed-it", "ext4-virtio"),
    ("writing-did-not-warm-it", "never-warm"),
    ("waited-for-device", "ext4-virtio"),
    ("cache-below", "cache-below"),
    ("cache-below-held-it", "cache-below-held-it"),
    ("never-warm", "never-warm"),
    ("not-evicted", "not-evicted"),
    ("served-from-memory", "ext4-virtio"),
    ("counter-blind", "counter-blind"),
    ("direct-went-past", "ext4-virtio"),
    ("waited-for-each", "waited-for-each"),
    ("direct-used-cache", "direct-used-cache"),
    ("direct-refused", "direct-refused"),
    ("disk-test", "ext4-virtio"),
];

fn proofs() -> Proofs {
    Proofs::new(cold_vs_warm::lab(), env!("CARGO_MANIFEST_DIR"), CAUSES)
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
