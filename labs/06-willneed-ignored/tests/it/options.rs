//! Every question can be answered, and every option explained.

use crate::evidence::setting;
use lesson::{Ask, Prediction};

#[test]
fn every_option_is_a_misconception_of_its_own_with_its_own_explanation() {
    for act in willneed_ignored::lab().acts {
        let question = act.question(&setting());
        let Ask::Choice(options) = &question.answer else { continue };
        assert!((3..=5).contains(&options.len()), "{}", act.id());
        for (at, option) in options.iter().enumerate() {
            assert!(option.explanation.len() > 60, "{} {}", act.id(), option.id);
            assert_eq!(
                Prediction::parse(&option.id, &question),
                Ok(Prediction::Choice(option.id.clone())),
                "an id can be typed"
            );
            for other in &options[at + 1..] {
                assert_ne!(option.explanation, other.explanation, "{}", act.id());
                assert_ne!(option.text, other.text, "{}", act.id());
            }
        }
    }
}

#[test]
fn what_the_learner_reads_before_answering() {
    for act in willneed_ignored::lab().acts {
        let question = act.question(&setting());
        let text = format!(
            "{}\n\n{}\n\n{}\n\n? {}\n",
            question.setup,
            question.commands.iter().map(|command| format!("$ {command}")).collect::<Vec<_>>().join("\n"),
            question.ask,
            question.hint,
        );
        insta::assert_snapshot!(format!("question-{}", act.id()), text);
    }
}
