//! The guided session: predict, measure, reveal, act by act.
//!
//! [`stage`] plays one act; [`source`] gives its evidence; [`place`] is the way through a lab; [`screen`] and [`keys`]
//! are the learner's side. What is shown comes from [`crate::render`].

mod ahead;
#[cfg(test)]
pub mod fake;
mod keys;
mod place;
mod screen;
mod source;
mod stage;
#[cfg(test)]
mod tests;

pub use ahead::Ahead;
pub use screen::Screen;
pub use source::{Live, Replay, Source};
pub use stage::{End, Round, Stage};

use crate::ending::Result;
use crate::render::{self, Head, Page, SummaryRow};
use instruments::size::format_bytes;
use keys::Key;
use lesson::{Ask, Prediction, Question, Verdict};
use place::{Place, Way};

/// A session of one lab.
pub struct Session<'a> {
    stage: Stage<'a>,
    screen: Screen<'a>,
    ahead: Ahead,
    way: Way,
    offers: Option<usize>,
    rounds: Vec<Option<Round>>,
}

/// Where to go from a page.
enum Turn {
    Forward,
    Back,
    /// A page that has just come to be: its act was played, or chosen.
    To(Place),
    Quit,
}

/// What a line at an open question means.
enum Said {
    Answer(Prediction),
    Key(Key),
    Nothing(String),
}

impl<'a> Session<'a> {
    /// A session that begins at act `first`, or, where that is not given, offers to go on where progress ends.
    pub fn new(stage: Stage<'a>, screen: Screen<'a>, ahead: Ahead, first: Option<usize>) -> Session<'a> {
        let acts = stage.lab.acts.len();
        // Piped answers must not mean something else the second time.
        let offers = if first.is_none() && screen.has_person() && !ahead.given() {
            where_it_stopped(&stage)
        } else {
            None
        };
        let way = Way { first: first.unwrap_or(0), acts };
        let rounds = vec![None; acts];
        Session { stage, screen, ahead, way, offers, rounds }
    }

    /// Go through it until the end, `q`, the end of input, or a failure. What was played stays in [`Session::rounds`].
    pub fn run(&mut self) -> Result {
        let mut place = Place::Intro;
        let mut page = 0;
        loop {
            let pages = self.pages(place);
            page = page.min(pages.len() - 1);
            self.screen.show(&pages[page])?;
            match self.turn(place, page + 1 == pages.len())? {
                Turn::Forward if page + 1 < pages.len() => page += 1,
                Turn::Forward => match self.way.after(place) {
                    Some(next) => (place, page) = (next, 0),
                    None => return Ok(()),
                },
                Turn::Back if page > 0 => page -= 1,
                Turn::Back => match self.way.before(place) {
                    Some(before) => (place, page) = (before, usize::MAX),
                    None => self.screen.say(["This is the first page."])?,
                },
                Turn::To(next) => (place, page) = (next, 0),
                Turn::Quit => return self.leave(place),
            }
        }
    }

    /// What was played, by act.
    pub fn into_rounds(self) -> Vec<Option<Round>> {
        self.rounds
    }

    fn pages(&self, place: Place) -> Vec<Page> {
        let canvas = self.screen.canvas();
        let lab = self.stage.lab;
        let label = self.stage.source.recording().map(|replay| replay.label.as_str());
        match (place, place_round(place, &self.rounds)) {
            (Place::Intro, _) => {
                let acts: Vec<_> =
                    lab.acts.iter().map(|act| (act.id(), act.title(), act.seconds())).collect();
                render::intro(&lab.card, &acts, self.stage.source.setting(), label, &canvas)
            }
            (Place::Summary, _) => render::summary(&lab.card, &self.rows(), label, &canvas),
            (Place::Reveal(act), Some(round)) => {
                let head = self.head(act, label);
                match &round.end {
                    End::Revealed { reveal, verdict, .. } => {
                        let said = Some(&round.prediction);
                        render::reveal(&head, &round.question, said, *verdict, reveal, &canvas)
                    }
                    End::Unavailable(reason) => render::unavailable(&head, &round.question, reason, &canvas),
                }
            }
            (Place::Question(act) | Place::Reveal(act), _) => {
                render::question(&self.head(act, label), &self.stage.question(act), &canvas)
            }
        }
    }

    fn head<'h>(&'h self, index: usize, recorded: Option<&'h str>) -> Head<'h> {
        let act = self.stage.act(index);
        Head {
            card: &self.stage.lab.card,
            act_index: index,
            act_count: self.way.acts,
            act_id: act.id(),
            act_title: act.title(),
            recorded,
        }
    }

    fn rows(&self) -> Vec<SummaryRow<'_>> {
        let played = self.stage.lab.acts.iter().zip(&self.rounds);
        played
            .filter_map(|(act, round)| {
                let round = round.as_ref()?;
                let (outcome, verdict) = match &round.end {
                    End::Revealed { reveal, verdict, .. } => (Ok(&reveal.outcome), *verdict),
                    End::Unavailable(reason) => (Err(reason.as_str()), Verdict::None),
                };
                Some(SummaryRow {
                    act_id: act.id(),
                    act_title: act.title(),
                    question: &round.question,
                    prediction: Some(&round.prediction),
                    outcome,
                    verdict,
                })
            })
            .collect()
    }

    fn turn(&mut self, place: Place, last_page: bool) -> Result<Turn> {
        // Once it is known that nobody presses keys, none are offered.
        if self.is_unattended() && !matches!(place, Place::Question(_)) {
            return Ok(Turn::Forward);
        }
        match place {
            Place::Intro => self.at_intro(),
            Place::Question(act) if self.rounds[act].is_none() => self.at_open_question(act, last_page),
            Place::Question(act) | Place::Reveal(act) => self.at_played(place, act),
            Place::Summary => self.at_summary(),
        }
    }

    fn at_intro(&mut self) -> Result<Turn> {
        if !self.screen.is_paged() && self.offers.is_none() {
            return Ok(Turn::Forward);
        }
        let go_on = self.offers.map(|act| format!("go on at act {}", act + 1));
        let mut keys = keys::line(false, false);
        if let Some(go_on) = &go_on {
            keys[0].1 = go_on;
            keys.insert(1, ("1", "begin at act 1"));
        }
        self.screen.keys(&keys)?;
        loop {
            let Some(text) = self.screen.line()? else { return Ok(self.at_end_of_input()) };
            match (Key::read(&text), text.parse::<usize>()) {
                (Some(Key::Next), _) => {
                    self.way.first = self.offers.take().unwrap_or(self.way.first);
                    self.screen.onward();
                    return Ok(Turn::Forward);
                }
                (Some(Key::Quit), _) => return Ok(Turn::Quit),
                (_, Ok(act)) if (1..=self.way.acts).contains(&act) => {
                    (self.way.first, self.offers) = (act - 1, None);
                    return Ok(Turn::To(Place::Question(act - 1)));
                }
                (Some(Key::Back), _) => self.screen.say(["This is the first page."])?,
                (Some(Key::Again), _) => self.screen.say(["Nothing has been run yet."])?,
                _ => self.screen.say([
                    "Enter goes on. The number of an act begins there. Later, b goes back, r runs an act again,",
                    "and ? gives a hint. q quits; what you have done is kept.",
                ])?,
            }
            self.screen.idle()?;
        }
    }

    fn at_open_question(&mut self, act: usize, last_page: bool) -> Result<Turn> {
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
                Said::Key(Key::Next) if !last_page => return Ok(Turn::Forward),
                Said::Key(Key::Next) => {
                    self.screen.say(["First say what you expect; a guess will do, and so will skip."])?
                }
                Said::Key(Key::Again) => {
                    self.screen.say(["Nothing is measured before you have said what you expect."])?
                }
                Said::Key(Key::Hint) => self.hint(&question)?,
                Said::Key(Key::Back) => return self.idle(Turn::Back),
                Said::Key(Key::Quit) => return Ok(Turn::Quit),
                Said::Nothing(why) => self.screen.say([why])?,
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
                    self.screen.say(["This is a recording: there is nothing to run again."])?;
                }
                Some(Key::Again) => {
                    self.screen.idle()?;
                    return self.play(act, prediction);
                }
                Some(Key::Hint) => self.hint(&question)?,
                None => self.screen.say(["That is none of the keys above. Enter goes on."])?,
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
                Some(Key::Again) => self.screen.say(["r runs an act again: go back to it with b."])?,
                _ => self.screen.say(["The lab is done. Enter ends it; b goes back to the acts."])?,
            }
            self.screen.idle()?;
        }
    }

    fn play(&mut self, act: usize, prediction: Prediction) -> Result<Turn> {
        if self.stage.source.recording().is_none() {
            let seconds = self.stage.act(act).seconds();
            let size = format_bytes(self.stage.lab.card.default_size_bytes);
            self.screen
                .say([String::new(), format!("Measuring: about {seconds} s with {size} on an SSD.")])?;
        }
        self.rounds[act] = Some(self.stage.play(act, prediction)?);
        if !self.screen.is_paged() {
            self.screen.say([""])?;
        }
        Ok(Turn::To(Place::Reveal(act)))
    }

    fn hint(&mut self, question: &Question) -> Result {
        let lines = render::hint(question, &self.screen.canvas());
        self.screen.lines(lines)
    }

    fn idle(&mut self, turn: Turn) -> Result<Turn> {
        self.screen.idle().map(|()| turn)
    }

    /// With answers given ahead and no terminal, an end of input means that nobody is there to press keys: go on.
    /// Otherwise it means that somebody has left.
    fn is_unattended(&self) -> bool {
        self.screen.has_ended() && self.ahead.given() && !self.screen.has_person()
    }

    fn at_end_of_input(&self) -> Turn {
        if self.is_unattended() { Turn::Forward } else { Turn::Quit }
    }

    fn leave(&mut self, place: Place) -> Result {
        let played = self.rounds.iter().any(Option::is_some);
        if played && place != Place::Summary && self.stage.store.keeps() {
            let number = self.stage.lab.card.number;
            self.screen
                .say([format!("What you have done is kept: `tutor lab {number}` goes on from there.")])?;
        }
        Ok(())
    }
}

fn place_round(place: Place, rounds: &[Option<Round>]) -> Option<&Round> {
    match place {
        Place::Question(act) | Place::Reveal(act) => rounds[act].as_ref(),
        Place::Intro | Place::Summary => None,
    }
}

/// The first act that is not done, where some are and some are not.
fn where_it_stopped(stage: &Stage<'_>) -> Option<usize> {
    let progress = stage.store.progress();
    let done: Vec<_> =
        stage.lab.acts.iter().map(|act| progress.is_done(stage.lab.card.slug, act.id())).collect();
    if done.contains(&true) { done.iter().position(|done| !done) } else { None }
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
