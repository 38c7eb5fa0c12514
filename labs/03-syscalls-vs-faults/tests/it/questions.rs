//! What is asked, at several sizes and on machines with other pages.

use crate::causes::proofs;
use instruments::size::shell_bytes;
use lesson::testing::{asked, offered, options_are_explained};
use lesson::{Ask, Setting};
use std::collections::BTreeSet;
use syscalls_vs_faults::lab;

fn setting(page_bytes: u64, size_bytes: u64, block_bytes: u64) -> Setting {
    let mut setting = proofs().recording("page-size").setting;
    setting.host.page_bytes = page_bytes;
    setting.plan.size_bytes = size_bytes;
    setting.plan.block_bytes = block_bytes;
    setting
}

/// What the learner reads before answering, and all explanations, on a machine with such pages.
fn reads(page_bytes: u64) {
    let setting = setting(page_bytes, 512 << 20, 128 << 10);
    let lab = lab();
    options_are_explained(&lab, &setting);
    for ((act, asked), (_, offered)) in asked(&lab, &setting).into_iter().zip(offered(&lab, &setting)) {
        let name = format!("question-{act}-{}", shell_bytes(page_bytes));
        insta::assert_snapshot!(name, format!("{asked}\n{offered}"));
    }
}

#[test]
fn with_pages_of_4_kib() {
    reads(4 << 10);
}

#[test]
fn with_pages_of_64_kib() {
    reads(64 << 10);
}

#[test]
fn at_every_size_and_block_there_are_three_to_five_options_that_differ() {
    let card = lab().card;
    let knob = |name: &str| card.knobs.iter().find(|knob| knob.name == name).expect("a knob");
    for page in [4 << 10, 16 << 10, 64 << 10] {
        for size in [knob("size").min, card.default_size_bytes, 10 << 30] {
            for block in [knob("block").min, card.default_block_bytes, knob("block").max] {
                for act in lab().acts {
                    let Ask::Choice(options) = act.question(&setting(page, size, block)).answer else {
                        continue;
                    };
                    assert!((3..=5).contains(&options.len()), "{}: {} options", act.id(), options.len());
                    for parts in [
                        options.iter().map(|option| &option.id).collect::<BTreeSet<_>>(),
                        options.iter().map(|option| &option.text).collect(),
                        options.iter().map(|option| &option.explanation).collect(),
                    ] {
                        assert_eq!(parts.len(), options.len(), "{}: two options say the same", act.id());
                    }
                }
            }
        }
    }
}

#[test]
fn every_line_after_a_dollar_is_one_that_the_binary_understands() {
    let mut run = clap::Command::new("tutor run").no_binary_name(true).subcommand_required(true);
    for workload in lab().workloads {
        run = run.subcommand(workload.command());
    }
    let recording = proofs().recording("large-folios");
    for act in lab().acts {
        let mut lines = act.question(&recording.setting).commands;
        for id in syscalls_vs_faults::cause::Why::IDS {
            let recording = proofs().recording(id);
            let Some(recorded) = recording.act(act.id()) else { continue };
            let evidence = recorded.evidence.as_ref().expect("evidence");
            lines.extend(act.reveal(evidence, &recording.setting).expect("evidence of this act").try_next);
        }
        assert!(!lines.is_empty(), "{}", act.id());
        for line in lines {
            // What strace(1) is to look at.
            if line.starts_with("truncate -s ") {
                continue;
            }
            let (_, words) = line.split_once("tutor run ").unwrap_or_else(|| panic!("{line}"));
            // `cread` belongs to lab 2, and its own tests hold it.
            if !words.starts_with("cread ") {
                run.clone()
                    .try_get_matches_from(words.split(' '))
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
    }
}
