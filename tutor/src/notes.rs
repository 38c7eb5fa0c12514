//! `tutor notes`: what an instructor says at each step, beside a session that runs in another terminal.

use crate::capabilities::Capabilities;
use crate::course;
use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::render::{self, Canvas, Tone};
use crate::state::State;
use crate::timing::{self, Now};
use console::Term;
use instruments::interrupt;
use lesson::{AnyAct, Lab};
use std::io::{IsTerminal, stdout};
use std::thread;
use std::time::Duration;

/// So often it looks where the session is.
const EVERY: Duration = Duration::from_millis(300);
/// Where labelled text begins.
const INDENT: usize = 8;

/// `tutor notes`
pub fn run(lab: Option<&str>, once: bool, out: &mut Out) -> Result {
    let lab = lab.map_or_else(|| Err(course::which("notes")), course::find)?;
    let (state, look) = (State::here(), Capabilities::here());
    let once = once || !stdout().is_terminal();
    let mut shown = Vec::new();
    loop {
        let now = timing::read(&state, lab.card.slug);
        let canvas = look.canvas();
        let mut lines = lines(&lab, now.as_ref(), once, timing::seconds(), &canvas);
        if !once {
            lines.extend(
                [vec![String::new()], render::paragraph("Ctrl-C ends these notes.", &canvas)].concat(),
            );
        }
        if lines != shown {
            draw(&lines, look.clears && !once, out)?;
            shown = lines;
        }
        if once {
            return Ok(());
        }
        thread::sleep(EVERY);
        interrupt::check()?;
    }
}

fn draw(lines: &[String], clears: bool, out: &mut Out) -> Result {
    if clears {
        Term::stdout().clear_screen().map_err(|error| Ending::failed("clear the terminal", error))?;
    } else {
        out.line("")?;
    }
    out.lines(lines)?;
    out.flush()
}

/// The notes at this moment: the step where the session is and the next one; without a session all of them where
/// they are printed once, and the first step's where they wait for it.
fn lines(lab: &Lab, now: Option<&Now>, once: bool, at_s: u64, canvas: &Canvas) -> Vec<String> {
    let card = &lab.card;
    let mut lines = canvas.paint_all(
        Tone::Strong,
        canvas.wrap(&format!("Lab {}{}{}", card.number, canvas.dot(), card.title), canvas.text()),
    );
    let Some(now) = now else {
        let said = format!("No session of this lab runs. `tutor lab {}` is followed here.", card.number);
        lines.extend(canvas.wrap(&said, canvas.text()));
        let shown = if once { lab.acts.len() } else { 1 };
        lines.extend(
            (0..shown).flat_map(|act| [vec![String::new()], step(lab, act, "Step", canvas)].concat()),
        );
        return canvas.with_margin(lines);
    };
    let at = now.act.as_deref().and_then(|id| lab.acts.iter().position(|act| act.id() == id));
    lines.extend(canvas.wrap(&elapsed(lab, now, at, at_s), canvas.text()));
    lines.push(String::new());
    lines.extend(step(lab, at.unwrap_or(0), if at.is_some() { "Now" } else { "First" }, canvas));
    lines.push(String::new());
    match lab.acts.get(at.unwrap_or(0) + 1) {
        Some(next) => {
            lines.extend(canvas.labelled("Next", &named(next.as_ref(), canvas), INDENT));
            lines.extend(canvas.hang("", next.notes().say, INDENT, canvas.text()));
        }
        None => lines.extend(canvas.labelled("Next", "the end of this lab", INDENT)),
    }
    canvas.with_margin(lines)
}

/// `9 min of 15 min; this step 3 min of 4 min.`
fn elapsed(lab: &Lab, now: &Now, at: Option<usize>, at_s: u64) -> String {
    let all = at_s.saturating_sub(now.begun_s) / 60;
    let whole = format!("{all} min of {} min", lab.card.minutes);
    let Some(act) = at.map(|at| &lab.acts[at]) else { return whole + "." };
    let before = now.took_s.get(act.id()).copied().unwrap_or(0);
    let here = (before + at_s.saturating_sub(now.act_since_s)) / 60;
    let planned = act.notes().minutes;
    let said = format!("{whole}; this step {here} min of {planned} min");
    // What can be done about it: every step stands by itself, and its chapter can be read afterwards.
    let late = format!(
        ", longer than planned. Go on with n, and leave the rest to the chapter: `tutor read {}`.",
        lab.card.number
    );
    if here > u64::from(planned) { said + &late } else { said + "." }
}

fn named(act: &dyn AnyAct, canvas: &Canvas) -> String {
    format!("{}{}{} ({} min)", act.id(), canvas.dot(), act.title(), act.notes().minutes)
}

fn step(lab: &Lab, at: usize, label: &str, canvas: &Canvas) -> Vec<String> {
    let act = lab.acts[at].as_ref();
    let notes = act.notes();
    let name = format!("{} of {}{}{}", at + 1, lab.acts.len(), canvas.dot(), named(act, canvas));
    let parts = [
        (label, name.as_str()),
        ("Say", notes.say),
        ("Trap", notes.trap),
        ("Asked", notes.asked),
        ("Answer", notes.answer),
    ];
    parts.iter().flat_map(|(label, text)| canvas.labelled(label, text, INDENT)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fake;
    use std::collections::BTreeMap;

    const CANVAS: Canvas = Canvas { width: 60, height: 24, colour: false, plain: false };

    fn now(act: Option<&str>) -> Now {
        let act = act.map(str::to_owned);
        let took_s = BTreeMap::from([("guess".to_owned(), 60)]);
        Now { schema: 1, pid: 1, process_start_ticks: 1, begun_s: 1000, act, act_since_s: 1200, took_s }
    }

    #[test]
    fn this_step_the_next_one_and_the_time() {
        let shown = |act| lines(&fake::lab(), Some(&now(act)), false, 1330, &CANVAS).join("\n");
        insta::assert_snapshot!([shown(None), shown(Some("pick")), shown(Some("guess"))].join("\n\n──\n"));
    }

    #[test]
    fn without_a_session_it_says_so_and_begins_at_the_start() {
        let shown = |once| lines(&fake::lab(), None, once, 0, &CANVAS).join("\n");
        insta::assert_snapshot!([shown(false), shown(true)].join("\n\n──\n"));
    }

    #[test]
    fn the_steps_of_every_lab_take_as_long_as_its_card_says_and_their_notes_hold_no_figure() {
        for lab in course::labs() {
            let minutes: u32 = lab.acts.iter().map(|act| act.notes().minutes).sum();
            assert_eq!(minutes, lab.card.minutes, "{}", lab.card.slug);
            for act in &lab.acts {
                let notes = act.notes();
                for text in [notes.say, notes.trap, notes.asked, notes.answer] {
                    let sentence = text.len() > 12 && text.ends_with(['.', '?']) && text.is_ascii();
                    let figure = text.chars().any(|letter| letter.is_ascii_digit());
                    assert!(sentence && !figure, "{}: {text}", act.id());
                }
                assert!(notes.asked.ends_with('?'), "{}: {}", act.id(), notes.asked);
            }
        }
    }
}
