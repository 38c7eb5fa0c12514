//! A question as a whole class was asked it: some options, and the figures in them, depend on the machine.

use super::file::{Came, Export, Machine};
use super::gather::printable;
use crate::render;
use instruments::host::{Device, Filesystem};
use instruments::{Host, Plan};
use lesson::{AnyAct, Ask, Card, Outcome, Prediction, Question, Setting};
use std::collections::BTreeMap;

/// The longest id that is shown.
const MAX_ID: usize = 40;

/// A question and the options of all machines.
#[derive(Clone, Debug)]
pub struct Asked {
    /// As the first machine was asked it.
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

impl Asked {
    /// What this act asks on the machines of these files.
    pub fn of(card: &Card, act: &dyn AnyAct, exports: &[&Export]) -> Asked {
        let mut settings: Vec<Setting> = Vec::new();
        for export in exports {
            let setting = setting(card, &export.machine);
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
        if settings.is_empty() {
            settings.push(setting(card, &Machine::default()));
        }
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
        Asked { question: questions[0].clone(), options }
    }

    /// With options that only the files know: they come from another version, or from another size of file.
    pub fn with<'a>(mut self, chosen: impl Iterator<Item = &'a str>) -> Asked {
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

    /// Whether options are chosen from.
    pub fn is_choice(&self) -> bool {
        matches!(self.question.answer, Ask::Choice(_))
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

/// What this machine was asked with: its facts within what machines have, the lab's default knobs.
fn setting(card: &Card, machine: &Machine) -> Setting {
    let sane = |kb: Option<u64>| kb.map(|kb| kb.clamp(0, 64 << 10));
    let device = sane(machine.read_ahead_kb).zip(sane(machine.max_sectors_kb));
    let is_page = machine.page_bytes.is_power_of_two() && (4 << 10..=64 << 10).contains(&machine.page_bytes);
    let host = Host {
        page_bytes: if is_page { machine.page_bytes } else { 4096 },
        cpus: machine.cpus.clamp(1, 4096),
        mem_total_bytes: 8 << 30,
        mem_available_bytes: 4 << 30,
        cachestat: machine.cachestat,
        filesystem: Filesystem { kind: printable(&machine.filesystem), ..Filesystem::default() },
        device: device.map(|(read_ahead_kb, max_sectors_kb)| Device {
            read_ahead_kb,
            max_sectors_kb,
            ..Device::default()
        }),
        ..Host::default()
    };
    let plan = Plan {
        size_bytes: card.default_size_bytes,
        block_bytes: card.default_block_bytes,
        trials: card.default_trials,
    };
    Setting { host, plan }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course;

    #[test]
    fn any_machine_that_a_file_can_claim_has_questions() {
        for lab in course::labs() {
            for page_bytes in [0, 1, 4096, 65_536, u64::MAX] {
                for kb in [None, Some(0), Some(1), Some(128), Some(4097), Some(u64::MAX)] {
                    let machine =
                        Machine { page_bytes, read_ahead_kb: kb, max_sectors_kb: kb, ..Machine::default() };
                    let setting = setting(&lab.card, &machine);
                    for act in &lab.acts {
                        assert!(!act.question(&setting).ask.is_empty(), "{}", act.id());
                    }
                }
            }
        }
    }
}
