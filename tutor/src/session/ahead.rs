//! Answers given ahead on the command line.

use crate::exit::{Ending, Result};
use lesson::{Lab, Prediction, Setting};

/// Answers by act, and what to do where there is none.
#[derive(Clone, Debug, Default)]
pub struct Ahead {
    answers: Vec<Option<Prediction>>,
    given: bool,
}

impl Ahead {
    /// Nothing was given: every question is asked.
    pub fn nothing(lab: &Lab) -> Ahead {
        Ahead { answers: vec![None; lab.acts.len()], given: false }
    }

    /// --no-predict: every question is skipped.
    pub fn skip_all(lab: &Lab) -> Ahead {
        Ahead { answers: vec![Some(Prediction::Skipped); lab.acts.len()], given: true }
    }

    /// --predict b,25x,skip: in the order of the acts, from `first` on.
    pub fn read(lab: &Lab, setting: &Setting, first: usize, answers: &str) -> Result<Ahead> {
        let mut ahead = Ahead { given: true, ..Ahead::nothing(lab) };
        let typed: Vec<_> = answers.split(',').collect();
        let acts = &lab.acts[first..];
        if typed.len() > acts.len() {
            let (answers, acts) = (typed.len(), acts.len());
            return Err(Ending::Usage(format!(
                "--predict gives {answers} answers, and {acts} acts are to come"
            )));
        }
        for (index, (act, text)) in acts.iter().zip(typed).enumerate() {
            let prediction = Prediction::parse(text, &act.question(setting)).map_err(|why| {
                Ending::Usage(format!("--predict, answer {} for act {}: {why}", index + 1, act.id()))
            })?;
            ahead.answers[first + index] = Some(prediction);
        }
        Ok(ahead)
    }

    /// The answer for an act, once: who runs it again may answer anew.
    pub fn answer(&self, act: usize) -> Option<&Prediction> {
        self.answers.get(act)?.as_ref()
    }

    /// Whether answers were given ahead: then an end of input that is no terminal's means that nobody is there to
    /// press keys, and not that somebody leaves.
    pub fn given(&self) -> bool {
        self.given
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake;
    use super::*;

    fn read(first: usize, answers: &str) -> Result<Ahead> {
        Ahead::read(&fake::lab(), &fake::setting(), first, answers)
    }

    #[test]
    fn answers_go_to_the_acts_in_order() {
        let ahead = read(0, "b,25x").unwrap();
        assert_eq!(ahead.answer(0), Some(&Prediction::Choice("two".to_owned())));
        assert_eq!(ahead.answer(1), Some(&Prediction::Quantity(25.0)));
        let skip = read(0, "skip").unwrap();
        assert_eq!((skip.answer(0), skip.answer(1)), (Some(&Prediction::Skipped), None));
        assert_eq!(read(1, "25x").unwrap().answer(1), Some(&Prediction::Quantity(25.0)));
    }

    #[test]
    fn too_many_and_malformed_answers_are_usage_errors() {
        for (first, answers) in [(0, "a,1x,skip"), (1, "1x,1x"), (0, "z"), (0, ""), (0, "a,,"), (0, "a,many")]
        {
            let refused = read(first, answers).expect_err(answers);
            assert_eq!(refused.code(), 2, "{answers}: {refused}");
        }
    }
}
