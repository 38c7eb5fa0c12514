//! What stands on top of every page: lab and act, a rule, and the label of a recorded session.

use super::Canvas;
use super::text::columns;
use super::theme::Tone;
use lesson::Card;

/// Which lab and act a screen belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The lab's card.
    pub card: &'a Card,
    /// The act's place, from 0.
    pub act_index: usize,
    /// How many acts the lab has.
    pub act_count: usize,
    /// The act's id.
    pub act_id: &'a str,
    /// The act's title.
    pub act_title: &'a str,
    /// For a replayed session: the label with the machine and the date.
    pub recorded: Option<&'a str>,
}

/// The same as text, for any screen.
#[derive(Clone, Debug)]
pub(super) struct Top {
    left: Vec<String>,
    right: String,
    stacked: bool,
    recorded: Vec<String>,
}

impl Top {
    /// The top of a screen of the lab as a whole.
    pub(super) fn of_lab(card: &Card, right: &str, recorded: Option<&str>, canvas: &Canvas) -> Top {
        Top::new(card, right, recorded, 3, canvas)
    }

    /// The top of an act's screen: on a terminal the recorded label has one line there, and the lab's first
    /// screen gives all of it.
    pub(super) fn of_act(head: &Head<'_>, canvas: &Canvas) -> Top {
        let act = format!("act {} of {}{}{}", head.act_index + 1, head.act_count, canvas.dot(), head.act_id);
        Top::new(head.card, &act, head.recorded, if canvas.plain { 3 } else { 1 }, canvas)
    }

    /// The top of a chapter's page.
    pub(super) fn of_chapter(title: &str, canvas: &Canvas) -> Top {
        let left = canvas.wrap(title, canvas.frame());
        Top { left, right: String::new(), stacked: false, recorded: Vec::new() }
    }

    /// Where the lab's title and `right` do not fit beside one another, each gets lines of its own: nothing is cut.
    fn new(card: &Card, right: &str, recorded: Option<&str>, label_lines: usize, canvas: &Canvas) -> Top {
        let width = canvas.frame();
        let right = canvas.fit(right, width);
        let left = canvas.one_line(&format!("Lab {}{}{}", card.number, canvas.dot(), card.title));
        let stacked = columns(&left) + 3 + columns(&right) > width;
        let left = canvas.wrap(&left, width);
        let recorded = recorded.map(|text| label(text, label_lines, canvas)).unwrap_or_default();
        Top { left, right, stacked, recorded }
    }

    /// Lines that it takes.
    pub(super) fn height(&self) -> usize {
        1 + self.left.len() + usize::from(self.stacked) + self.recorded.len()
    }

    /// Its lines on page `page` of `count`.
    pub(super) fn lines(&self, page: usize, count: usize, canvas: &Canvas) -> Vec<String> {
        let width = canvas.frame();
        let mut lines = canvas.paint_all(Tone::Strong, self.left.clone());
        let right = canvas.paint(Tone::Quiet, &self.right);
        match lines.last_mut() {
            Some(left) if !self.stacked => {
                let gap = width.saturating_sub(columns(&self.left[0]) + columns(&self.right));
                *left = format!("{left}{}{right}", " ".repeat(gap));
            }
            _ => lines.push(right),
        }
        lines.push(canvas.paint(Tone::Quiet, &rule(page, count, width, canvas)));
        lines.extend(self.recorded.iter().map(|line| canvas.paint(Tone::Alert, line)));
        lines
    }
}

/// A rule that says which page this is, where there are several.
fn rule(page: usize, count: usize, width: usize, canvas: &Canvas) -> String {
    let line = if canvas.plain { "-" } else { "─" };
    if count == 1 {
        return line.repeat(width);
    }
    let place = format!(" page {page} of {count}");
    line.repeat(width.saturating_sub(place.len())) + &place
}

/// The label of a recorded session, sure to begin with the word, on at most `most` lines: the lab's first screen has
/// all of it.
fn label(text: &str, most: usize, canvas: &Canvas) -> Vec<String> {
    let text = if text.starts_with("RECORDED") { text.to_owned() } else { format!("RECORDED {text}") };
    let mut lines = canvas.wrap(&text, canvas.frame());
    if lines.len() > most {
        let rest = lines.split_off(most - 1).join(" ");
        lines.push(canvas.fit_facts(&rest, canvas.frame()));
    }
    lines
}
