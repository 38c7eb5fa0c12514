//! Every cause has a recording that selects it. A snapshot a recording shows what the learner reads.

use lesson::testing::Proofs;

/// Every cause of the lab, and the recording that proves it.
const CAUSES: &[(&str, &str)] = &[
    ("stays-dirty", "ext4-virtio"),
    ("background-flusher", "flushed-early"),
    ("written-meanwhile", "written-meanwhile"),
    ("write-bytes-count-dirtying", "ext4-virtio"),
    ("a-fault-marks", "ext4-virtio"),
    ("sync-waits", "ext4-virtio"),
    ("async-is-empty", "ext4-virtio"),
    ("whole-folio", "ext4-virtio"),
    ("folios-of-one-page", "btrfs"),
    ("smallest-folio", "xfs-16k"),
    ("store-writes-the-piece", "ext4-virtio"),
    ("piece-is-written", "whole-piece"),
    ("each-write-waits", "ext4-virtio"),
    ("one-wait-for-all", "ext4-virtio"),
    ("plain-owes-all", "ext4-virtio"),
    ("direct-is-no-flush", "ext4-virtio"),
    ("no-volatile-cache", "write-through"),
    ("through-the-cache", "ext4-virtio"),
    ("direct-leaves-none", "ext4-virtio"),
    ("written-before-it-left", "ext4-virtio"),
    ("advice-drops-the-clean", "ext4-virtio"),
    ("expiry", "watched"),
    ("clock-off", "clock-off"),
    ("limits", "ext4-virtio"),
    ("share-of-available", "share-of-available"),
    ("not-the-share", "clock-off"),
    ("write-bytes-count-dirtying", "no-cachestat"),
];

fn proofs() -> Proofs {
    Proofs::new(dirty_writeback::lab(), env!("CARGO_MANIFEST_DIR"), CAUSES)
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
