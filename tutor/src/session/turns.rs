//! What the learner can do at each place of a session.

use super::keys::{self, Key};
use super::place::Place;
use super::{Session, Sheet, Turn};
use crate::exit::Result;
use crate::render;
use lesson::{Ask, Prediction, Question};

const HELP: &str = "Enter goes on. The number of an act begins there. Later, b goes back (as < does, also where \
    b is an answer), r runs an act again, and ? gives a hint. q quits; what you have done is kept.";

/// What a line at an open question means.
enum Said {
    Answer(Prediction),
    Key(Key),
    Nothing(String),
}

impl Session<'_> {
    /// Wait for a key, and say where it leads.
    pub(super) fn turn(&mut self, place: Place, sheet: Sheet) -> Result<Turn> {
        // Once it is known that nobody presses keys, none are offered.
        if self.is_unattended() && !matches!(place, Place::Question(_)) {
            return Ok(Turn::Forward);
        }
        match place {
            Place::Intro => self.at_intro(sheet),
            Place::Question(act) if self.rounds[act].is_none() => self.at_open_question(act, sheet),
            Place::Question(act) | Place::Reveal(act) => self.at_played(place, act),
            Place::Summary => self.at_summary(),
        }
    }

    fn at_intro(&mut self, sheet: Sheet) -> Result<Turn> {
        if !self.screen.is_paged() && self.offers.is_none() {
            return Ok(Turn::Forward);
        }
        let go_on = self.offers.map(|act| format!("go on at act {}", act + 1)).filter(|_| sheet.last);
        let mut keys = keys::on_card(sheet.first);
        if let Some(go_on) = &go_on {
            keys[0].1 = go_on;
            keys.insert(1, ("1", "begin at act 1"));
        }
        self.screen.keys(&keys)?;
        loop {
            let Some(text) = self.screen.line()? else { return Ok(self.at_end_of_input()) };
            match (Key::read(&text), text.parse::<usize>()) {
                (Some(Key::Next), _) => {
                    if sheet.last {
                        self.way.first = self.offers.take().unwrap_or(self.way.first);
                    }
                    self.screen.onward();
                    return Ok(Turn::Forward);
                }
                (Some(Key::Quit), _) => return Ok(Turn::Quit),
                (_, Ok(act)) if (1..=self.way.acts).contains(&act) => {
                    (self.way.first, self.offers) = (act - 1, None);
                    return Ok(Turn::To(Place::Question(act - 1)));
                }
                (Some(Key::Back), _) if !sheet.first => return self.idle(Turn::Back),
                (Some(Key::Back), _) => self.screen.remark("This is the first page.")?,
                (Some(Key::Again), _) => self.screen.remark(self.nothing_to_run())?,
                _ => self.screen.remark(HELP)?,
            }
            self.screen.idle()?;
        }
    }

    fn at_open_question(&mut self, act: usize, sheet: Sheet) -> Result<Turn> {
        let question = self.stage.question(act);
        if let Some(prediction) = self.ahead.answer(act).cloned() {
            self.screen.say([format!("> {}", render::prediction_text(&prediction, &question))])?;
            return self.play(act, prediction);
        }
        if self.is_unattended() {
            return self.play(act, Prediction::Skipped);
        }
        self.screen.keys(&keys::line(true, names_option("b", &question)))?;
        loop {
            let Some(text) = self.screen.line()? else {
                return match self.at_end_of_input() {
                    Turn::Forward => self.play(act, Prediction::Skipped),
                    turn => Ok(turn),
                };
            };
            match said(&text, &question) {
                Said::Answer(prediction) => return self.play(act, prediction),
                Said::Key(Key::Next) if !sheet.last => return Ok(Turn::Forward),
                Said::Key(Key::Next) => {
                    self.screen.remark("First say what you expect; a guess will do, and so will skip.")?
                }
                Said::Key(Key::Again) => {
                    self.screen.remark("Nothing is measured before you have said what you expect.")?
                }
                Said::Key(Key::Hint) => self.hint(&question)?,
                Said::Key(Key::Back) => return self.idle(Turn::Back),
                Said::Key(Key::Quit) => return Ok(Turn::Quit),
                Said::Nothing(why) => self.screen.remark(&why)?,
            }
            self.screen.idle()?;
        }
    }

    fn at_played(&mut self, place: Place, act: usize) -> Result<Turn> {
        let (prediction, question) = match &self.rounds[act] {
            Some(round) => (round.prediction.clone(), round.question.clone()),
            None => return Ok(Turn::To(Place::Question(act))),
        };
        if matches!(place, Place::Question(_)) {
            self.screen.say([format!("> {}", render::prediction_text(&prediction, &question))])?;
        }
        self.screen.keys(&keys::line(false, false))?;
        loop {
            let Some(text) = self.screen.line()? else { return Ok(self.at_end_of_input()) };
            match Key::read(&text) {
                Some(Key::Next) => {
                    self.screen.onward();
                    return Ok(Turn::Forward);
                }
                Some(Key::Back) => return self.idle(Turn::Back),
                Some(Key::Quit) => return Ok(Turn::Quit),
                Some(Key::Again) if self.stage.source.recording().is_some() => {
                    self.screen.remark("This is a recording: there is nothing to run again.")?;
                }
                Some(Key::Again) => {
                    self.screen.idle()?;
                    return self.play(act, prediction);
                }
                Some(Key::Hint) => self.hint(&question)?,
                None => self.screen.remark("That is none of the keys above. Enter goes on.")?,
            }
            self.screen.idle()?;
        }
    }

    fn at_summary(&mut self) -> Result<Turn> {
        self.screen.keys(&keys::line(false, false))?;
        loop {
            let Some(text) = self.screen.line()? else { return Ok(Turn::Quit) };
            match Key::read(&text) {
                Some(Key::Next | Key::Quit) => return Ok(Turn::Quit),
                Some(Key::Back) => return self.idle(Turn::Back),
                Some(Key::Again) => self.screen.remark("r runs an act again: go back to it with b.")?,
                _ => self.screen.remark("The lab is done. Enter ends it; b goes back to the acts.")?,
            }
            self.screen.idle()?;
        }
    }

    fn hint(&mut self, question: &Question) -> Result {
        let lines = render::hint(question, &self.screen.canvas());
        self.screen.note(lines)
    }

    fn nothing_to_run(&self) -> &'static str {
        if self.rounds.iter().any(Option::is_some) {
            "r runs an act again: go on to it first."
        } else {
            "Nothing has been run yet."
        }
    }

    fn idle(&mut self, turn: Turn) -> Result<Turn> {
        self.screen.idle().map(|()| turn)
    }

    /// With answers given ahead and no terminal, an end of input means that nobody is there to press keys: go on.
    /// Otherwise it means that somebody has left.
    fn is_unattended(&mut self) -> bool {
        // Found out before the first prompt rather than by it: that one would be answered by nobody.
        self.ahead.given()
            && !self.screen.has_person()
            && (self.screen.has_ended() || self.screen.is_at_end())
    }

    fn at_end_of_input(&mut self) -> Turn {
        if self.is_unattended() { Turn::Forward } else { Turn::Quit }
    }
}

/// An option's letter wins over a key of the same letter; every key has a second form.
fn said(text: &str, question: &Question) -> Said {
    match Key::read(text) {
        Some(key) if !names_option(text, question) => Said::Key(key),
        _ => match Prediction::parse(text, question) {
            Ok(prediction) => Said::Answer(prediction),
            Err(why) => Said::Nothing(why),
        },
    }
}

fn names_option(text: &str, question: &Question) -> bool {
    let Ask::Choice(options) = &question.answer else { return false };
    let mut letters = text.chars().map(|letter| letter.to_ascii_lowercase());
    match (letters.next(), letters.next()) {
        (Some(letter), None) => ('a'..='z').zip(options).any(|(option, _)| option == letter),
        _ => false,
    }
}
