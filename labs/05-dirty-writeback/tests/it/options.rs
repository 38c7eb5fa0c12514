//! Every question can be answered, and every option explained.

use crate::evidence::setting;
use lesson::testing::{asked, options_are_explained};

#[test]
fn every_option_is_a_misconception_of_its_own_with_its_own_explanation() {
    options_are_explained(&dirty_writeback::lab(), &setting());
}

#[test]
fn what_the_learner_reads_before_answering() {
    for (act, text) in asked(&dirty_writeback::lab(), &setting()) {
        insta::assert_snapshot!(format!("question-{act}"), text);
    }
}

/// A line that the learner sees before answering is one that the workload understands.
#[test]
fn every_line_to_type_is_understood() {
    let lab = dirty_writeback::lab();
    for act in &lab.acts {
        for command in act.question(&setting()).commands {
            let words: Vec<&str> =
                command.strip_prefix("tutor run ").expect("a workload").split(' ').collect();
            let workload =
                lab.workloads.iter().find(|workload| workload.name == words[0]).expect("of this lab");
            workload.command().try_get_matches_from(&words).unwrap_or_else(|why| panic!("{command}: {why}"));
        }
    }
}
