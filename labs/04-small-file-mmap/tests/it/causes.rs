//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use lesson::testing::Proofs;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: &[(&str, &str)] = &[
    ("calls-and-a-fault", "ext4-virtio"),
    ("mmap-costs-most", "mmap-costs-most"),
    ("fault-costs-most", "fault-costs-most"),
    ("munmap-costs-most", "munmap-costs-most"),
    ("against-read", "ext4-virtio"),
    ("made-up-by-the-byte", "straight-lines"),
    ("dearer-by-the-byte", "one-page-a-fault"),
    ("larger-folios", "larger-folios"),
    ("a-call-a-look", "ext4-virtio"),
    ("first-touches", "ext4-virtio"),
    ("read-around", "ext4-virtio"),
    ("no-read-ahead", "no-read-ahead"),
    ("advice-switched-it-off", "ext4-virtio"),
];

fn proofs() -> Proofs {
    Proofs::new(small_file_mmap::lab(), env!("CARGO_MANIFEST_DIR"), CAUSES)
}

#[test]
fn each_cause_is_selected_by_its_recording_and_no_other() {
    proofs().hold();
}

#[test]
fn absurd_figures_are_survived() {
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
