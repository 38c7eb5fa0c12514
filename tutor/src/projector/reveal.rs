//! The screens after a measurement: the answer large, the class beside it, figures, causes, notes, options.

use super::big;
use super::layout::Layout;
use super::paginate;
use super::pictures;
use super::question;
use super::show_of_hands::{self, ShowOfHands};
use super::slides::{Draft, Part};
use crate::render::{self, Tone};
use crate::session::{End, Round};
use lesson::{Ask, Choice, Outcome, Prediction, Question, Reveal, Verdict};

/// What one machine said to one question.
struct Revealed<'a> {
    question: &'a Question,
    prediction: &'a Prediction,
    verdict: Verdict,
    reveal: &'a Reveal,
    recorded: bool,
    hands: Option<&'a ShowOfHands>,
    book: &'a str,
}

/// All of an act's, in groups with the label that each needs.
pub fn drafts<'a>(
    round: &'a Round,
    hands: Option<&ShowOfHands>,
    label: Option<&'a str>,
    book: &str,
    layout: &Layout,
) -> Vec<(Option<&'a str>, Vec<Draft>)> {
    let prediction = &round.prediction;
    match (&round.end, round.recorded.as_deref()) {
        (End::Revealed { reveal, verdict, .. }, _) => {
            let question = &round.question;
            let recorded = label.is_some();
            let told = Revealed { question, prediction, verdict: *verdict, reveal, recorded, hands, book };
            vec![(label, told.drafts(layout))]
        }
        (End::Unavailable(reason), recorded) => {
            let refused = unavailable(reason, label.is_some(), recorded.is_some(), layout);
            let instead = recorded.map(|it| {
                // Hands were raised for the question that was asked here.
                let hands = hands.filter(|_| it.question.ask == round.question.ask);
                let (question, verdict) = (&it.question, it.verdict);
                let told = Revealed {
                    question,
                    prediction,
                    verdict,
                    reveal: &it.reveal,
                    recorded: true,
                    hands,
                    book,
                };
                (Some(it.label.as_str()), told.drafts(layout))
            });
            std::iter::once((label, vec![refused])).chain(instead).collect()
        }
    }
}

/// What came out of an act, for the list at the end.
pub fn in_a_line(round: &Round) -> String {
    match (&round.end, round.recorded.as_deref()) {
        (End::Revealed { reveal, .. }, _) => reveal.sentence.clone(),
        (End::Unavailable(_), Some(recorded)) => {
            format!("Not measured here. {}: {}", recorded.label, recorded.reveal.sentence)
        }
        (End::Unavailable(reason), None) => format!("Not measured: {reason}"),
    }
}

fn unavailable(reason: &str, replayed: bool, instead: bool, layout: &Layout) -> Draft {
    let canvas = layout.canvas();
    let heading =
        if replayed { "Not measured on the recorded machine" } else { "It could not be measured here" };
    let next = match (instead, replayed) {
        (true, _) => "Another machine could. n shows what was recorded there; r tries again here.",
        (false, true) => "The other acts go on.",
        (false, false) => "r tries again; n goes on.",
    };
    let blocks = [canvas.wrap(&render::as_sentence(reason), canvas.text()), canvas.wrap(next, canvas.text())];
    Draft::of(Part::Unavailable, heading, &blocks, layout)
}

impl Revealed<'_> {
    fn drafts(&self, layout: &Layout) -> Vec<Draft> {
        let mut drafts = vec![self.outcome(layout)];
        let machine = show_of_hands::answer_of(&self.reveal.outcome, self.question);
        drafts.extend(
            self.hands.map(|hands| question::class(Part::Class, self.question, hands, machine, layout)),
        );
        let figures = self.reveal.figures.iter().enumerate();
        drafts.extend(figures.map(|(at, figure)| pictures::draft(at, figure, layout)));
        let canvas = layout.canvas();
        // People misread bars: where there is room, the sentence stands below the figure that it is about.
        let sentence = canvas.paint_all(Tone::Strong, canvas.wrap(&self.reveal.sentence, canvas.text()));
        let key = drafts.iter_mut().find(|it| it.part == Part::Figure(0) && it.heading.is_empty());
        if let Some([only]) = key.map(|draft| draft.pages.as_mut_slice())
            && only.len() + 1 + sentence.len() <= layout.body()
        {
            only.push(String::new());
            only.extend(sentence);
        }
        let count = self.reveal.causes.len();
        for (at, cause) in self.reveal.causes.iter().enumerate() {
            let text = canvas.wrap(&cause.text, canvas.text());
            let heading = if count > 1 { format!("Why, {} of {count}", at + 1) } else { "Why".to_owned() };
            drafts.push(Draft::of(Part::Why(at), &heading, &[text], layout));
        }
        let note = |text: String| canvas.wrap(&text, canvas.text());
        let notes: Vec<_> = self.reveal.caveats.iter().map(ToString::to_string).map(note).collect();
        drafts.push(Draft::of(Part::Notes, "Keep in mind", &notes, layout));
        drafts.extend(self.options(layout));
        drafts.push(self.more(layout));
        drafts.retain(|draft| !draft.pages.is_empty());
        drafts
    }

    /// The figure as large as fits above its sentence, within the upper two thirds.
    fn outcome(&self, layout: &Layout) -> Draft {
        let canvas = layout.canvas();
        let told = self.sentences(layout);
        let (text, unit) = figure(&self.reveal.outcome, self.question);
        let beside = match &self.reveal.outcome {
            Outcome::Choice(_) => 30,
            _ => 0,
        };
        let rows = layout.upper().min(layout.body().saturating_sub(told.len() + 1)).max(5);
        let scale = big::scale(&text, canvas.inner() - beside, rows).unwrap_or(1);
        let mark = if canvas.plain { '#' } else { '█' };
        let large = big::lines(&text, scale, mark)
            .unwrap_or_else(|| canvas.paint_all(Tone::Strong, canvas.wrap(&text, canvas.text())));
        let large = canvas.paint_all(Tone::Label, large);
        let lines = beside_it(large, &unit, layout);
        let height = lines.len();
        let mut pages = paginate::pages(&[lines, told.clone()], layout.body());
        if pages.len() > 1 {
            // Not all of the sentences fit below the figure: as many lines as do, and the rest on the next screen.
            let whole = pages[0].len() + 1;
            let (here, rest) = told.split_at(layout.body().saturating_sub(whole).min(told.len()));
            pages.truncate(1);
            pages[0].push(String::new());
            pages[0].extend(here.iter().cloned());
            pages.extend(paginate::pages(&[rest.to_vec()], layout.body()));
        }
        if pages.len() == 1 && pages[0].len() < layout.body() && height < layout.upper() {
            pages[0].insert(0, String::new());
        }
        Draft { part: Part::Outcome, heading: String::new(), pages }
    }

    fn sentences(&self, layout: &Layout) -> Vec<String> {
        let canvas = layout.canvas();
        let mut lines = canvas.paint_all(Tone::Strong, canvas.wrap(&self.reveal.sentence, canvas.text()));
        let judged = render::judged(
            self.recorded,
            self.question,
            Some(self.prediction),
            self.verdict,
            &self.reveal.outcome,
        );
        lines.extend(judged.into_iter().flat_map(|text| canvas.wrap(&text, canvas.text())));
        if let (Some(hands), Some(at)) =
            (self.hands, show_of_hands::answer_of(&self.reveal.outcome, self.question))
        {
            let (count, all) = (hands.counts[at], hands.all());
            let said = match &self.question.answer {
                Ask::Choice(_) => format!("Of the class, {count} of {all} said so."),
                Ask::Quantity(_) => {
                    let band = &show_of_hands::answers(self.question)[at].name;
                    format!("Of the class, {count} of {all} said {band}.")
                }
            };
            lines.extend(canvas.wrap(&said, canvas.text()));
        }
        lines
    }

    fn options(&self, layout: &Layout) -> Option<Draft> {
        let Ask::Choice(options) = &self.question.answer else { return None };
        let canvas = layout.canvas();
        let machine = if self.recorded { "the recorded machine" } else { "this machine" };
        let arrow = if canvas.plain { "<-" } else { "◂" };
        let block = |(at, option): (usize, &Choice)| {
            let mut lines = render::option_lines(at, &option.text, &canvas);
            if self.reveal.outcome == Outcome::Choice(option.id.clone()) {
                lines.push(canvas.paint(Tone::Good, &format!("     {arrow} {machine}")));
            }
            lines.extend(canvas.hang("", &option.explanation, 5, canvas.text()));
            lines
        };
        let blocks: Vec<_> = options.iter().enumerate().map(block).collect();
        Some(Draft::of(Part::Options, "The answers, one by one", &blocks, layout))
    }

    fn more(&self, layout: &Layout) -> Draft {
        let canvas = layout.canvas();
        let line = |line: &String| canvas.command(line, 0, canvas.inner());
        let mut blocks = vec![canvas.wrap(self.book, canvas.text())];
        blocks.extend(self.reveal.try_next.iter().map(line));
        if !self.reveal.sources.is_empty() {
            let sources = format!("See {}.", self.reveal.sources.join("; "));
            blocks.push(canvas.wrap(&sources, canvas.text()));
        }
        Draft::of(Part::More, "To see more", &blocks, layout)
    }
}

/// What is shown large, and what stands beside it as text.
fn figure(outcome: &Outcome, question: &Question) -> (String, String) {
    let text = render::outcome_text(outcome, question);
    match outcome {
        Outcome::Undecided(_) => ("?".to_owned(), "no verdict".to_owned()),
        Outcome::Choice(_) => {
            let chosen = show_of_hands::answer_of(outcome, question)
                .map(|at| show_of_hands::answers(question).swap_remove(at));
            chosen.map_or((text, String::new()), |answer| (answer.name, answer.text))
        }
        Outcome::Quantity(_) => match text.split_once(' ') {
            // What is counted, unless it is a unit such as MiB, which has its glyphs.
            Some((number, things)) if big::lines(&text, 1, '#').is_none() => {
                (number.to_owned(), things.to_owned())
            }
            _ => (text, String::new()),
        },
    }
}

/// `text` at the right of what is large where there is room for it, below it otherwise.
fn beside_it(large: Vec<String>, text: &str, layout: &Layout) -> Vec<String> {
    let canvas = layout.canvas();
    let wide = large.iter().map(|line| console::measure_text_width(line)).max().unwrap_or(0);
    let room = canvas.inner().saturating_sub(wide + 3).min(canvas.text());
    let lines = canvas.wrap(text, room.max(4));
    if room < 12 || lines.len() > large.len() {
        return [large, canvas.wrap(text, canvas.text())].concat();
    }
    let top = (large.len() - lines.len()) / 2;
    let at = |(row, line): (usize, String)| match row.checked_sub(top).and_then(|row| lines.get(row)) {
        Some(text) => {
            let gap = " ".repeat(wide + 3 - console::measure_text_width(&line));
            format!("{line}{gap}{}", canvas.paint(Tone::Strong, text))
        }
        None => line,
    };
    large.into_iter().enumerate().map(at).collect()
}
