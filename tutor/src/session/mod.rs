//! The guided session: predict, measure, reveal, act by act.
//!
//! - [`place`]: the way through a lab; [`pages`]: what each place shows; [`turns`]: what can be done there.
//! - [`stage`]: one act played; [`source`]: where its evidence comes from, this machine or a recording.
//! - [`screen`], [`keys`], [`ahead`]: the learner's side, typed now or given ahead.

mod ahead;
#[cfg(test)]
pub mod fake;
mod keys;
mod pages;
mod place;
mod recorded;
mod screen;
mod source;
mod stage;
#[cfg(test)]
mod tests;
mod turns;

pub use ahead::Ahead;
pub use keys::Key;
pub use recorded::Recorded;
pub use screen::Screen;
pub use source::{Live, Replay, Source};
pub use stage::{End, Round, Stage};

use crate::exit::Result;
use instruments::size::format_bytes;
use lesson::Prediction;
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

/// Which of a place's pages is shown.
#[derive(Clone, Copy)]
struct Sheet {
    first: bool,
    last: bool,
}

/// Where to go from a page.
enum Turn {
    Forward,
    Back,
    /// A page that has just come to be: its act was played, or chosen.
    To(Place),
    Quit,
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
            let at = place.act().map(|act| self.stage.act(act).id());
            self.stage.store.at(self.stage.lab.card.slug, at);
            let sheet = Sheet { first: page == 0, last: page + 1 == pages.len() };
            match self.turn(place, sheet)? {
                Turn::Forward if !sheet.last => page += 1,
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

    fn play(&mut self, act: usize, prediction: Prediction) -> Result<Turn> {
        if self.stage.source.recording().is_none() {
            let promise = promise(&self.stage, act);
            self.screen.say([String::new(), format!("Measuring: {promise}")])?;
        }
        self.rounds[act] = Some(self.stage.play(act, prediction)?);
        // An Enter out of impatience must not turn the page that nobody has seen.
        self.screen.drop_typed();
        if !self.screen.is_paged() {
            self.screen.say([""])?;
        }
        Ok(Turn::To(Place::Reveal(act)))
    }

    fn leave(&mut self, place: Place) -> Result {
        let played = self.rounds.iter().any(Option::is_some);
        if !played && self.screen.has_ended() {
            let what = if self.stage.source.recording().is_some() { "shown" } else { "measured" };
            self.screen
                .say([format!("End of input: nothing was {what}. `--no-predict` runs without questions.")])?;
        }
        if played && place != Place::Summary && self.stage.store.keeps() {
            let number = self.stage.lab.card.number;
            self.screen
                .say([format!("What you have done is kept: `tutor lab {number}` goes on from there.")])?;
        }
        Ok(())
    }
}

/// How long a measurement may take.
pub fn promise(stage: &Stage<'_>, act: usize) -> String {
    let source = &stage.source;
    let patient = stage.act(act).patient_seconds(source.setting());
    if let Some(seconds) = patient.filter(|_| source.is_patient()) {
        return format!("up to {seconds} s. Ctrl-C ends it; nothing is left behind.");
    }
    let (card, seconds) = (&stage.lab.card, stage.act(act).seconds());
    if card.knob("size").is_none() {
        return format!("about {seconds} s on an SSD.");
    }
    // Acts say how long they take at the usual size. A larger file takes longer in proportion, at most; of a smaller one
    // it is only known that it takes no longer.
    let (size, usual) = (source.setting().plan.size_bytes, card.default_size_bytes.max(1));
    let seconds = (u64::from(seconds) * size).div_ceil(usual).max(seconds.into());
    let about = if size < usual { "at most about" } else { "about" };
    format!("{about} {seconds} s with {} on an SSD.", format_bytes(size))
}

/// The first act that is not done, where some are and some are not.
fn where_it_stopped(stage: &Stage<'_>) -> Option<usize> {
    let progress = stage.store.progress();
    let done: Vec<_> =
        stage.lab.acts.iter().map(|act| progress.is_done(stage.lab.card.slug, act.id())).collect();
    if done.contains(&true) { done.iter().position(|done| !done) } else { None }
}
