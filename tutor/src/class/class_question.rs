//! A question as a whole class was asked it: some options, and the figures in them, depend on the machine.

use super::file::{Came, Machine};
use super::gather::printable;
use super::settings::{self, setting};
use crate::render;
use instruments::Plan;
use lesson::{AnyAct, Ask, Card, Outcome, Prediction, Question, Setting};
use std::collections::BTreeMap;

/// The longest id that is shown.
const MAX_ID: usize = 40;

/// A question and the options of all machines.
#[derive(Clone, Debug)]
pub struct ClassQuestion {
    /// As the first machine was asked it; where figures in it differ, with the range of them.
    pub question: Question,
    options: Vec<Given>,
}

/// An option.
#[derive(Clone, Debug)]
struct Given {
    id: String,
    label: String,
    short: String,
}

impl ClassQuestion {
    /// What this act asks on these machines, with these knobs: a lab's own where they are not known.
    pub fn of<'a>(
        card: &Card,
        act: &dyn AnyAct,
        machines: impl IntoIterator<Item = (&'a Machine, Option<&'a Plan>)>,
    ) -> ClassQuestion {
        let mut settings: Vec<Setting> = Vec::new();
        for (machine, plan) in machines {
            let setting = setting(card, machine, plan);
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
        if settings.is_empty() {
            settings.push(setting(card, &Machine::default(), None));
        }
        settings.sort_by_key(|it| (it.plan.size_bytes, it.host.page_bytes));
        let questions: Vec<Question> = settings.iter().map(|setting| act.question(setting)).collect();
        let mut ids: Vec<String> = Vec::new();
        for question in &questions {
            let options = options(question);
            // A new one stands behind the one that it followed there.
            for (at, id) in options.iter().enumerate() {
                if !ids.iter().any(|known| known == id) {
                    let before = at.checked_sub(1).and_then(|at| ids.iter().position(|it| it == options[at]));
                    ids.insert(before.map_or(0, |before| before + 1), (*id).to_owned());
                }
            }
        }
        let options = ids.into_iter().map(|id| given(id, &questions)).collect();
        let knobs = settings::knobs(card, &settings).map(|knobs| format!(" ({knobs})"));
        let range = range(&questions[0].ask, &questions[questions.len() - 1].ask);
        let ask = range + &knobs.unwrap_or_default();
        ClassQuestion { question: Question { ask, ..questions[0].clone() }, options }
    }

    /// With options that only the files know: they come from another version, or from another size of file.
    pub fn with<'a>(mut self, chosen: impl Iterator<Item = &'a str>) -> ClassQuestion {
        for id in chosen {
            if !self.options.iter().any(|option| option.id == id) {
                let label = format!("`{}`", short(id));
                self.options.push(Given { id: id.to_owned(), short: label.clone(), label });
            }
        }
        self
    }

    /// Id and label of each option.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        self.options.iter().map(|option| (option.id.as_str(), option.label.as_str()))
    }

    /// An outcome in a word: an option's letter where it has the same on all machines.
    pub fn short(&self, came: &Came) -> Option<String> {
        match came {
            Came::Choice(id) => self.options.iter().find(|it| it.id == *id).map(|it| it.short.clone()),
            Came::Quantity(value) => Some(self.quantity(*value)),
            Came::Undecided | Came::Unavailable => None,
        }
    }

    /// A quantity in the question's unit.
    pub fn quantity(&self, value: f64) -> String {
        render::outcome_text(&Outcome::Quantity(value), &self.question)
    }
}

fn options(question: &Question) -> Vec<&str> {
    match &question.answer {
        Ask::Choice(options) => options.iter().map(|option| option.id.as_str()).collect(),
        Ask::Quantity(_) => Vec::new(),
    }
}

/// `a (None of it)` where all machines were asked so; the text alone where letters differ; the id where texts do.
fn given(id: String, questions: &[Question]) -> Given {
    let choice = Prediction::Choice(id.clone());
    let here = || questions.iter().filter(|question| options(question).contains(&id.as_str()));
    let mut wholes = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for question in here() {
        let whole = render::prediction_text(&choice, question);
        let letter = whole.split(' ').next().unwrap_or_default().to_owned();
        if let Ask::Choice(options) = &question.answer {
            texts.extend(options.iter().find(|it| it.id == id).map(|it| (it.text.clone(), ())));
        }
        wholes.insert(whole, letter);
    }
    let (label, short) = match (wholes.first_key_value(), texts.first_key_value()) {
        (Some((whole, letter)), _) if wholes.len() == 1 => (whole.clone(), letter.clone()),
        (_, Some((text, ()))) if texts.len() == 1 => (text.clone(), id.clone()),
        _ => (format!("{id} (its figure differs from machine to machine)"), id.clone()),
    };
    Given { id, label, short }
}

/// An id of a foreign file.
pub fn short(id: &str) -> String {
    printable(&id.chars().take(MAX_ID).collect::<String>())
}

/// One sentence for two that differ in one figure: "How many of the 64 to 512 MiB …?"
fn range(least: &str, greatest: &str) -> String {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (words(least), words(greatest));
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    if same == a.len() && same == b.len() {
        return least.to_owned();
    }
    let room = a.len().min(b.len()) - same;
    let after = a.iter().rev().zip(b.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let (from, to) = (&a[same..a.len() - after], &b[same..b.len() - after]);
    [&a[..same], from, &["to".to_owned()], to, &a[a.len() - after..]].concat().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_differ_in_a_figure_become_one() {
        assert_eq!(range("Of 8 MiB?", "Of 8 MiB?"), "Of 8 MiB?");
        assert_eq!(range("Of 8 MiB there?", "Of 64 MiB there?"), "Of 8 to 64 MiB there?");
        assert_eq!(range("Byte 4,097, or 1?", "Byte 65,537, or 1?"), "Byte 4,097, to 65,537, or 1?");
    }
}
