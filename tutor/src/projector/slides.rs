//! A lab as screens, one idea each: what has been reached so far, for a window of any size.

use super::layout::{Frame, Layout};
use super::paginate;
use super::show_of_hands::ShowOfHands;
use super::{question, reveal};
use crate::render::{self, Tone};
use crate::session::Round;
use instruments::size::format_bytes;
use lesson::{AnyAct, Card, Lab, Question, Setting};

/// What a screen is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The lab: its promise.
    Promise,
    /// The machine, the data.
    Machine,
    /// What is to come.
    Acts,
    /// What will be done in an act.
    Setup,
    /// What is asked.
    Question,
    /// What the class said.
    Hands,
    /// Why there is no answer.
    Unavailable,
    /// The answer, large.
    Outcome,
    /// The class beside the machine.
    Class,
    /// A figure, by its place.
    Figure(usize),
    /// A cause, by its place.
    Why(usize),
    /// What to keep in mind.
    Notes,
    /// Every option explained.
    Options,
    /// What to type, and where to read.
    More,
    /// All that came out.
    Summary,
}

/// A screen.
#[derive(Clone, Debug)]
pub struct Slide {
    /// The act's place, where it belongs to one.
    pub act: Option<usize>,
    /// What it is about.
    pub part: Part,
    /// Which of the part's screens, from 0.
    pub page: usize,
    /// What stands on it.
    pub frame: Frame,
}

/// All that screens are made from.
#[derive(Clone, Copy, Debug)]
pub struct Talk<'a> {
    /// The lab.
    pub lab: &'a Lab,
    /// The machine and the knobs.
    pub setting: &'a Setting,
    /// The label of a replayed session.
    pub recorded: Option<&'a str>,
    /// The act that it begins with.
    pub first: usize,
    /// What was played, by act.
    pub rounds: &'a [Option<Round>],
    /// What the class said, by act.
    pub hands: &'a [Option<ShowOfHands>],
}

/// A part's screens before they have a head: a heading, and blocks that should stay whole.
pub struct Draft {
    pub part: Part,
    pub heading: String,
    pub pages: Vec<Vec<String>>,
}

impl Draft {
    /// Blocks below a heading, which stands on each of the screens.
    pub fn of(part: Part, heading: &str, blocks: &[Vec<String>], layout: &Layout) -> Draft {
        let mut pages = paginate::pages(blocks, room_below(heading, layout));
        if pages.len() > 1 {
            pages = paginate::pages(blocks, room_of_several(heading, layout));
        }
        Draft { part, heading: heading.to_owned(), pages }
    }
}

/// What whoever sits at the back needs: letters as large as those of 16 rows. Nothing, where they are nearly so.
fn for_a_room(layout: &Layout) -> Vec<String> {
    let (canvas, rows) = (layout.canvas(), layout.rows);
    if rows <= 20 {
        return Vec::new();
    }
    let text = format!(
        "This window has {rows} rows. Before a room, make the letters larger until there are about 16: Ctrl and + in \
         most terminals."
    );
    canvas.wrap(&text, canvas.text())
}

/// The head of a lab as a whole.
pub fn of_lab(card: &Card) -> Frame {
    let left = format!("Lab {} · {}", card.number, card.title);
    Frame { left, right: format!("about {} min", card.minutes), ..Frame::default() }
}

/// A heading with its place among several screens.
fn numbered(heading: &str, place: &str) -> String {
    format!("{heading}  {place}")
}

/// Rows below a heading that stands on each of several screens.
pub fn room_of_several(heading: &str, layout: &Layout) -> usize {
    room_below(&numbered(heading, "9 of 9"), layout)
}

/// Rows below a heading and an empty line.
fn room_below(heading: &str, layout: &Layout) -> usize {
    let canvas = layout.canvas();
    let wrapped = canvas.wrap(heading, canvas.text());
    let above = if heading.is_empty() { 0 } else { wrapped.len() + 1 };
    layout.body().saturating_sub(above).max(1)
}

impl Talk<'_> {
    /// All screens that have been reached: those of each act that was played, and up to the first open question.
    pub fn slides(&self, layout: &Layout) -> Vec<Slide> {
        let mut slides = self.framed(None, self.recorded, self.opening(layout), layout);
        for act in self.first..self.lab.acts.len() {
            let round = self.rounds[act].as_ref();
            let question =
                round.map_or_else(|| self.act(act).question(self.setting), |round| round.question.clone());
            let hands = self.hands[act].as_ref();
            let asked = question::drafts(self.act(act).title(), &question, hands, layout);
            slides.extend(self.framed(Some(act), self.recorded, asked, layout));
            let Some(round) = round else { return slides };
            for (label, drafts) in reveal::drafts(round, hands, self.recorded, &self.book(act), layout) {
                slides.extend(self.framed(Some(act), label, drafts, layout));
            }
        }
        slides.extend(self.framed(None, self.recorded, vec![self.summary(layout)], layout));
        slides
    }

    /// The question of an act, as it is asked here.
    pub fn question(&self, act: usize) -> Question {
        self.act(act).question(self.setting)
    }

    fn act(&self, act: usize) -> &dyn AnyAct {
        self.lab.acts[act].as_ref()
    }

    /// The head of all screens of an act, or of the lab as a whole.
    pub fn head(&self, act: Option<usize>) -> Frame {
        let mut frame = Frame { label: self.recorded.map(str::to_owned), ..of_lab(&self.lab.card) };
        if let Some(at) = act {
            frame.right = format!("act {} of {} · {}", at + 1, self.lab.acts.len(), self.act(at).id());
        }
        frame
    }

    /// Where the book tells more.
    fn book(&self, act: usize) -> String {
        let card = &self.lab.card;
        format!("tutor read {} · book: {}.html#{}", card.number, card.slug, self.act(act).id())
    }

    fn framed(
        &self,
        act: Option<usize>,
        label: Option<&str>,
        drafts: Vec<Draft>,
        layout: &Layout,
    ) -> Vec<Slide> {
        let canvas = layout.canvas();
        let head = Frame { label: label.map(str::to_owned), ..self.head(act) };
        let mut slides = Vec::new();
        for draft in drafts {
            let count = draft.pages.len();
            for (page, body) in draft.pages.into_iter().enumerate() {
                let mut lines = Vec::new();
                if !draft.heading.is_empty() {
                    let place = format!("{} of {count}", page + 1);
                    let heading =
                        if count > 1 { numbered(&draft.heading, &place) } else { draft.heading.clone() };
                    lines = canvas.paint_all(Tone::Strong, canvas.wrap(&heading, canvas.text()));
                    lines.push(String::new());
                }
                lines.extend(body);
                let frame = Frame { lines: canvas.with_margin(lines), ..head.clone() };
                slides.push(Slide { act, part: draft.part, page, frame });
            }
        }
        slides
    }

    fn opening(&self, layout: &Layout) -> Vec<Draft> {
        let canvas = layout.canvas();
        let (card, plan) = (&self.lab.card, &self.setting.plan);
        let promise = vec![canvas.wrap(card.promise, canvas.text()), for_a_room(layout)];
        let mut facts = vec![
            canvas.labelled("Machine", &render::machine(&self.setting.host), 9),
            canvas.labelled("Data", &format!("a file of {}", format_bytes(plan.size_bytes)), 9),
        ];
        if card.knob("trials").is_some() {
            let trials = format!("{} a figure; ± is half the distance between their quartiles", plan.trials);
            facts.push(canvas.labelled("Trials", &trials, 9));
        }
        if !card.needs.is_empty() {
            facts.push(canvas.labelled("Needs", &card.needs_in_words(), 9));
        }
        let titles = self.lab.acts.iter().map(|act| act.title()).enumerate();
        let acts: Vec<String> = titles
            .flat_map(|(at, title)| canvas.hang(&format!("{}.", at + 1), title, 4, canvas.text()))
            .collect();
        vec![
            Draft::of(Part::Promise, card.title, &promise, layout),
            Draft::of(Part::Machine, "What it is measured on", &facts, layout),
            Draft::of(Part::Acts, "What is to come", &[acts], layout),
        ]
    }

    fn summary(&self, layout: &Layout) -> Draft {
        let canvas = layout.canvas();
        let played = self.lab.acts.iter().map(|act| act.title()).zip(self.rounds);
        let block = |(title, round): (&str, &Option<Round>)| {
            let round = round.as_ref()?;
            let mut lines = canvas.paint_all(Tone::Strong, canvas.wrap(title, canvas.text()));
            lines.extend(canvas.hang("", &reveal::in_a_line(round), 2, canvas.text()));
            Some(lines)
        };
        let blocks: Vec<_> = played.filter_map(block).collect();
        Draft::of(Part::Summary, "What came out", &blocks, layout)
    }
}
