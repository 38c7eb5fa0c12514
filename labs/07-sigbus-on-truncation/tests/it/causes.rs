//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use lesson::testing::Proofs;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: &[(&str, &str)] = &[
    ("length-is-asked", "ext4-virtio"),
    ("old-data-gone", "ext4-virtio"),
    ("rest-of-page-zeroed", "ext4-virtio"),
    ("store-lost", "ext4-virtio"),
    ("store-came-back", "tmpfs"),
    ("no-page-behind-it", "ext4-virtio"),
    ("system-call-has-an-error", "ext4-virtio"),
    ("folio-past-the-end", "folio-past-the-end"),
    ("folio-past-the-end", "tmpfs"),
    ("no-room-for-the-hole", "ext4-virtio"),
    ("check-is-no-lock", "ext4-virtio"),
    ("handler-gives-zeros", "ext4-virtio"),
    ("read-has-an-end", "no-namespaces"),
    ("seal-refused", "ext4-virtio"),
    ("room-is-not-length", "ext4-virtio"),
    ("promise-nobody-can-give", "ext4-virtio"),
];

fn proofs() -> Proofs {
    Proofs::new(sigbus_on_truncation::lab(), env!("CARGO_MANIFEST_DIR"), CAUSES)
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
