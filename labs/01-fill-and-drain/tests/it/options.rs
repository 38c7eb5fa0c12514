//! Every question can be answered, and every option explained.

use crate::evidence::setting;
use lesson::testing::{asked, options_are_explained};

#[test]
fn every_option_is_a_misconception_of_its_own_with_its_own_explanation() {
    options_are_explained(&fill_and_drain::lab(), &setting());
}

#[test]
fn what_the_learner_reads_before_answering() {
    for (act, text) in asked(&fill_and_drain::lab(), &setting()) {
        insta::assert_snapshot!(format!("question-{act}"), text);
    }
}
