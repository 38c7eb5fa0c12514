//! What stands on top of every page: lab and act, a rule, and the label of a recorded session.

use super::Canvas;
use super::text::columns;
use super::theme::Tone;
use lesson::Card;

/// A lab's title is not cut shorter than this.
const MIN_TITLE: usize = 24;

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
    left: String,
    right: String,
    stacked: bool,
    recorded: Vec<String>,
}

impl Top {
    /// The top of a screen of the lab as a whole. In a small window the lab's title is cut short, as long as it can
    /// still be known by what is left; then `right` gets a line of its own.
    pub(super) fn of_lab(card: &Card, right: &str, recorded: Option<&str>, canvas: &Canvas) -> Top {
        let width = canvas.frame();
        let right = canvas.fit(right, width);
        let beside = width.saturating_sub(columns(&right) + 3);
        let stacked = beside < MIN_TITLE;
        let left = format!("Lab {}{}{}", card.number, canvas.dot(), card.title);
        let left = canvas.fit(&left, if stacked { width } else { beside });
        Top {
            left,
            right,
            stacked,
            recorded: recorded.map(|label| label_lines(label, canvas)).unwrap_or_default(),
        }
    }

    /// The top of an act's screen.
    pub(super) fn of_act(head: &Head<'_>, canvas: &Canvas) -> Top {
        let act = format!("act {} of {}{}{}", head.act_index + 1, head.act_count, canvas.dot(), head.act_id);
        Top::of_lab(head.card, &act, head.recorded, canvas)
    }

    /// Lines that it takes.
    pub(super) fn height(&self) -> usize {
        2 + usize::from(self.stacked) + self.recorded.len()
    }

    /// Its lines on page `page` of `count`.
    pub(super) fn lines(&self, page: usize, count: usize, canvas: &Canvas) -> Vec<String> {
        let width = canvas.frame();
        let left = canvas.paint(Tone::Strong, &self.left);
        let right = canvas.paint(Tone::Quiet, &self.right);
        let mut lines = if self.stacked {
            vec![left, right]
        } else {
            let gap = width - columns(&self.left) - columns(&self.right);
            vec![format!("{left}{}{right}", " ".repeat(gap))]
        };
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

/// The recorded label, which stands on every page: at most two lines.
fn label_lines(label: &str, canvas: &Canvas) -> Vec<String> {
    let mut lines = canvas.wrap(&recorded_label(label), canvas.frame());
    if lines.len() > 2 {
        let rest = lines.split_off(1).join(" ");
        lines.push(canvas.fit(&rest, canvas.frame()));
    }
    lines
}

/// The label, sure to begin with the word.
pub(super) fn recorded_label(label: &str) -> String {
    if label.starts_with("RECORDED") { label.to_owned() } else { format!("RECORDED {label}") }
}
