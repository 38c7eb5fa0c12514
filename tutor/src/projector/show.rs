//! A presentation, from key to key.

use super::input::Event;
use super::keys::{Key, Wish};
use super::layout::{Frame, Layout};
use super::measuring::{self, Measuring};
use super::palette::Palette;
use super::presenter::Presenter;
use super::question;
use super::show_of_hands::ShowOfHands;
use super::slides::{Part, Slide, Talk};
use crate::exit::{Ending, Result};
use crate::render::Tone;
use crate::session::{Ahead, End, Round, Stage, promise};
use instruments::Unavailable;
use lesson::Prediction;

/// The keys, on every screen.
pub const KEYS: [(&str, &str); 6] =
    [("n", "next"), ("b", "back"), ("r", "run again"), ("v", "hands"), ("?", "help"), ("q", "quit")];
const TYPING: [(&str, &str); 5] =
    [("0-9", "count"), ("n", "next"), ("b", "back"), ("v", "done"), ("q", "quit")];
/// Those of something to read.
pub(super) const ANY: [(&str, &str); 2] = [("n", "on"), ("q", "quit")];

const HELP: [&str; 5] = [
    "n, space, Enter, right, down, PageDown: on; at a question that measures.",
    "b, left, up, PageUp: back through what was shown. Nothing is measured.",
    "r: measure this act again.",
    "v: a show of hands, before it is measured.",
    "q: the end. Ctrl-C ends it also while something is measured.",
];

/// What is said of a key that leads nowhere: on one row of the narrowest window.
mod remarks {
    pub const LAST: &str = "The last screen: q ends, b goes back.";
    pub const FIRST: &str = "This is the first screen.";
    pub const NOT_AGAIN: &str = "A recording: nothing can run again.";
    pub const NOTHING_YET: &str = "Nothing has been measured here yet.";
    pub const TOO_LATE: &str = "Hands come before the measurement.";
    pub const TOO_EARLY: &str = "Hands go up at a question: n goes on.";
    pub const NO_KEY: &str = "None of the keys below. n goes on.";
    #[cfg(test)]
    pub const ALL: [&str; 7] = [LAST, FIRST, NOT_AGAIN, NOTHING_YET, TOO_LATE, TOO_EARLY, NO_KEY];
}

/// Where we are: a screen that can be found again in a window of another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    act: Option<usize>,
    part: Part,
    page: usize,
}

/// A presentation of one lab.
pub struct Show<'a> {
    stage: Stage<'a>,
    presenter: &'a mut dyn Presenter,
    palette: Palette,
    ahead: Ahead,
    first: usize,
    rounds: Vec<Option<Round>>,
    hands: Vec<Option<ShowOfHands>>,
    spot: Spot,
    remark: &'static str,
}

/// Whether to go on.
enum Turn {
    Stay,
    Quit,
}

impl<'a> Show<'a> {
    /// It begins with act `first`.
    pub fn new(
        stage: Stage<'a>,
        presenter: &'a mut dyn Presenter,
        palette: Palette,
        ahead: Ahead,
        first: usize,
    ) -> Show<'a> {
        let acts = stage.lab.acts.len();
        let spot = Spot { act: None, part: Part::Promise, page: 0 };
        let (rounds, hands) = (vec![None; acts], vec![None; acts]);
        Show { stage, presenter, palette, ahead, first, rounds, hands, spot, remark: "" }
    }

    /// Go through it until `q`, the end of input, or a signal.
    pub fn run(&mut self) -> Result {
        loop {
            let layout = self.presenter.layout();
            let slides = self.talk().slides(&layout);
            let at = self.find(&slides);
            self.spot = spot(&slides[at]);
            self.presenter.draw(&layout.rows(&slides[at].frame, self.remark, &KEYS))?;
            let act = slides[at].act.map(|act| self.stage.act(act).id());
            self.stage.store.at(self.stage.lab.card.slug, act);
            let Event::Key(key) = self.presenter.next() else { continue };
            self.remark = "";
            if matches!(self.turn(key, &slides, at)?, Turn::Quit) {
                return Ok(());
            }
        }
    }

    /// What was played, by act.
    pub fn into_rounds(self) -> Vec<Option<Round>> {
        self.rounds
    }

    fn talk(&self) -> Talk<'_> {
        Talk {
            lab: self.stage.lab,
            setting: self.stage.source.setting(),
            recorded: self.stage.source.recording().map(|replay| replay.label.as_str()),
            first: self.first,
            rounds: &self.rounds,
            hands: &self.hands,
        }
    }

    /// The screen where we are; its part's last one where the window has become so large that there are fewer.
    fn find(&self, slides: &[Slide]) -> usize {
        let same = |slide: &&Slide| (slide.act, slide.part) == (self.spot.act, self.spot.part);
        let here = slides.iter().rposition(|slide| same(&slide) && slide.page <= self.spot.page);
        // Measured again, a part may be missing: then the act's first one.
        here.or_else(|| slides.iter().position(|slide| slide.act == self.spot.act)).unwrap_or(0)
    }

    fn turn(&mut self, key: Key, slides: &[Slide], at: usize) -> Result<Turn> {
        let act = slides[at].act;
        match Wish::of(key) {
            Some(Wish::Next) => match (slides.get(at + 1), act) {
                (Some(next), _) => self.spot = spot(next),
                (None, Some(act)) => return self.play(act),
                (None, None) => self.remark = remarks::LAST,
            },
            Some(Wish::Back) if at > 0 => self.spot = spot(&slides[at - 1]),
            Some(Wish::Back) => self.remark = remarks::FIRST,
            Some(Wish::Again) => match act.filter(|act| self.rounds[*act].is_some()) {
                Some(_) if self.stage.source.recording().is_some() => {
                    self.remark = remarks::NOT_AGAIN;
                }
                Some(act) => return self.play(act),
                None => self.remark = remarks::NOTHING_YET,
            },
            Some(Wish::Hands) => match act {
                Some(act) if self.rounds[act].is_none() => return self.count_hands(act),
                Some(_) => self.remark = remarks::TOO_LATE,
                None => self.remark = remarks::TOO_EARLY,
            },
            Some(Wish::Help) => return self.help(act),
            Some(Wish::Quit) => return Ok(Turn::Quit),
            None => self.remark = remarks::NO_KEY,
        }
        Ok(Turn::Stay)
    }

    fn play(&mut self, act: usize) -> Result<Turn> {
        let before = self.rounds[act].as_ref().map(|round| round.prediction.clone());
        let prediction = before.or_else(|| self.ahead.answer(act).cloned()).unwrap_or(Prediction::Skipped);
        if self.stage.source.recording().is_none() {
            let head = self.talk().head(Some(act));
            measuring::begin(Measuring::new(self.palette, head, promise(&self.stage, act)));
        }
        let played = self.stage.play(act, prediction.clone());
        measuring::end();
        self.presenter.drop_typed();
        let round = match played {
            Ok(round) => round,
            Err(Unavailable::Interrupted) => return Err(Ending::Interrupted),
            Err(failed) => self.stage.without_evidence(act, prediction, failed.to_string()),
        };
        if let (End::Unavailable(reason), Some(Round { end: End::Revealed { .. }, .. })) =
            (&round.end, &self.rounds[act])
        {
            let text = [reason.clone(), "What was measured before stays.".to_owned()];
            return self.notice(Some(act), "It could not be measured again", &text);
        }
        self.rounds[act] = Some(round);
        let slides = self.talk().slides(&self.presenter.layout());
        let asked = [Part::Setup, Part::Question, Part::Hands];
        let told = slides.iter().find(|slide| slide.act == Some(act) && !asked.contains(&slide.part));
        self.spot = told.map_or(self.spot, spot);
        Ok(Turn::Stay)
    }

    fn help(&mut self, act: Option<usize>) -> Result<Turn> {
        let mut text: Vec<String> = HELP.map(str::to_owned).into();
        if let Some(act) = act {
            text.insert(0, format!("Hint: {}", self.talk().question(act).hint));
        }
        self.notice(act, "Keys", &text)
    }

    /// Something to read; any key leads back.
    fn notice(&mut self, act: Option<usize>, heading: &str, text: &[String]) -> Result<Turn> {
        let mut page = 0;
        loop {
            let layout = self.presenter.layout();
            let pages = notice_pages(heading, text, &layout);
            page = page.min(pages.len() - 1);
            let frame = Frame { lines: pages[page].clone(), ..self.talk().head(act) };
            self.presenter.draw(&layout.rows(&frame, "", &ANY))?;
            match self.presenter.next() {
                Event::Redraw => {}
                Event::Key(key) if Wish::of(key) == Some(Wish::Quit) => return Ok(Turn::Quit),
                Event::Key(_) if page + 1 < pages.len() => page += 1,
                Event::Key(_) => return Ok(Turn::Stay),
            }
        }
    }

    fn count_hands(&mut self, act: usize) -> Result<Turn> {
        let question = self.talk().question(act);
        let mut hands = self.hands[act].clone().unwrap_or_else(|| ShowOfHands::none(&question));
        let (mut at, last) = (0, hands.counts.len() - 1);
        loop {
            let layout = self.presenter.layout();
            let lines = question::typing(&question, &hands, at, &layout);
            let frame = Frame { lines, ..self.talk().head(Some(act)) };
            self.presenter.draw(&layout.rows(&frame, "", &TYPING))?;
            let Event::Key(key) = self.presenter.next() else { continue };
            match (key, Wish::of(key)) {
                (Key::Char(digit @ '0'..='9'), _) => {
                    hands.digit(at, u32::from(digit) - u32::from('0'));
                }
                (Key::Erase, _) => hands.erase(at),
                (Key::Escape, _) => return Ok(Turn::Stay),
                (_, Some(Wish::Quit)) => return Ok(Turn::Quit),
                (_, Some(Wish::Next)) if at < last => at += 1,
                (_, Some(Wish::Back)) => at = at.saturating_sub(1),
                (_, Some(Wish::Next | Wish::Hands)) => break,
                _ => {}
            }
        }
        self.hands[act] = (hands.all() > 0).then_some(hands);
        let part = if self.hands[act].is_some() { Part::Hands } else { Part::Question };
        self.spot = Spot { act: Some(act), part, page: 0 };
        Ok(Turn::Stay)
    }
}

fn spot(slide: &Slide) -> Spot {
    Spot { act: slide.act, part: slide.part, page: slide.page }
}

/// A notice as screens: its heading stands on the first.
pub(super) fn notice_pages(heading: &str, text: &[String], layout: &Layout) -> Vec<Vec<String>> {
    let canvas = layout.canvas();
    let mut lines = canvas.paint_all(Tone::Strong, canvas.wrap(heading, canvas.text()));
    lines.extend(text.iter().flat_map(|text| canvas.hang("", text, 2, canvas.text())));
    lines.chunks(layout.body()).map(|page| canvas.with_margin(page.to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layout::MIN_COLUMNS;
    use super::*;

    #[test]
    fn every_remark_fits_the_narrowest_window() {
        for remark in remarks::ALL {
            assert!(remark.len() <= MIN_COLUMNS - 2, "{remark}: {}", remark.len());
            let rows = Layout::of(MIN_COLUMNS, 12, Palette::Bare).rows(&Frame::default(), remark, &KEYS);
            assert_eq!(rows[10].trim(), remark);
        }
    }
}
