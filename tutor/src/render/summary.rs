//! The last screen of a lab: each act, what you said, what this machine did.

use super::head::Top;
use super::page::{Block, pages};
use super::text::columns;
use super::theme::Tone;
use super::verdict::{outcome_text, prediction_text, tone, word};
use super::{Canvas, Page};
use lesson::{Card, Outcome, Prediction, Question, Verdict};

/// One act of the session.
#[derive(Clone, Copy, Debug)]
pub struct SummaryRow<'a> {
    /// The act's id.
    pub act_id: &'a str,
    /// The act's title.
    pub act_title: &'a str,
    /// What was asked: gives unit and options.
    pub question: &'a Question,
    /// What was predicted.
    pub prediction: Option<&'a Prediction>,
    /// What this machine did, or why that is not known.
    pub outcome: Result<&'a Outcome, &'a str>,
    /// How near the prediction was.
    pub verdict: Verdict,
}

/// The summary of a session; `recorded` is the label of a replayed one.
pub fn summary(card: &Card, rows: &[SummaryRow<'_>], recorded: Option<&str>, canvas: &Canvas) -> Vec<Page> {
    let top = Top::of_lab(card, "summary", recorded, canvas);
    let tally = Block::new(canvas.paint_all(Tone::Strong, canvas.wrap(&tally(rows), canvas.text())));
    let acts = rows.iter().map(|row| Block::new(act(row, recorded, canvas)));
    pages(&top, std::iter::once(tally).chain(acts).collect(), canvas)
}

fn act(row: &SummaryRow<'_>, recorded: Option<&str>, canvas: &Canvas) -> Vec<String> {
    let width = canvas.text();
    let verdict = word(row.verdict);
    // The verdict stands beside the name's first line.
    let name = canvas.wrap(&format!("{}{}{}", row.act_id, canvas.dot(), row.act_title), width - 6);
    let gap = " ".repeat(width - columns(&name[0]) - columns(verdict));
    let mut lines = canvas.paint_all(Tone::Strong, name);
    lines[0] += &format!("{gap}{}", canvas.paint(tone(row.verdict), verdict));
    let mut pair =
        |label: &str, text: &str| lines.extend(canvas.hang(&format!("  {label}"), text, 16, width));
    match row.prediction {
        Some(Prediction::Skipped) | None => {}
        Some(prediction) => pair("you said", &prediction_text(prediction, row.question)),
    }
    match row.outcome {
        Ok(outcome) => pair(
            if recorded.is_some() { "recorded" } else { "this machine" },
            &outcome_text(outcome, row.question),
        ),
        Err(reason) => pair("not measured", reason),
    }
    lines
}

/// `Of 4 predictions: 2 hits, 1 near, 1 miss.`
fn tally(rows: &[SummaryRow<'_>]) -> String {
    let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let (hits, near, misses) = (count(Verdict::Hit), count(Verdict::Near), count(Verdict::Miss));
    let plural =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let all = hits + near + misses;
    if all == 0 {
        return String::new();
    }
    format!(
        "Of {}: {}, {near} near, {}.",
        plural(all, "prediction", "predictions"),
        plural(hits, "hit", "hits"),
        plural(misses, "miss", "misses")
    )
}
