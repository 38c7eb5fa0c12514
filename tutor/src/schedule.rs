//! `tutor schedule`: a day in a workshop, from the planned minutes of each step, with breaks.

use crate::capabilities::Capabilities;
use crate::course;
use crate::document::SCHEMA;
use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::progress::{Progress, Store};
use crate::render;
use crate::state::State;
use clap::Args;
use lesson::Lab;
use lesson::figure::Table;
use serde::Serialize;

/// Nobody listens longer than this without a break.
const MOST_WITHOUT_BREAK: u32 = 60;
const BREAK: u32 = 15;
/// From then on the next break is lunch, for those who began in the morning.
const LUNCH_FROM: u32 = 11 * 60 + 45;
const LUNCH: u32 = 60;
const DAY: u32 = 24 * 60;
const NINE: u32 = 9 * 60;

/// The day, with breaks, from the planned minutes of each step
#[derive(Args, Debug)]
pub struct ScheduleArgs {
    /// Numbers or names of labs; all of them where none is given
    #[arg(value_name = "LABS")]
    labs: Vec<String>,
    /// When it begins
    #[arg(long, value_name = "HH:MM", default_value = "9:00")]
    start: String,
    /// How many times the minutes of one learner: with hands and discussion a class needs about three
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9))]
    pace: u32,
    /// One JSON document on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    pace: u32,
    items: Vec<Item>,
}

/// A stretch of the day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Item {
    from: String,
    to: String,
    /// It begins on the day after that on which the workshop began, or later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    next_day: bool,
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    lab: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<&'static str>,
    title: String,
    minutes: u32,
    /// What this step really took, the last time that somebody went through it at a terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    took_s: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Step,
    Break,
    Lunch,
}

/// `tutor schedule`
pub fn run(args: &ScheduleArgs, out: &mut Out) -> Result {
    let start = minutes(&args.start).ok_or_else(|| {
        let start = &args.start;
        Ending::Usage(format!(
            "`{start}` is no time of the day: give --start an hour, such as 9, or hours and two digits of minutes, \
             such as 9:05"
        ))
    })?;
    let labs = match args.labs.as_slice() {
        [] => course::labs(),
        some => some.iter().map(|lab| course::find(lab)).collect::<Result<_>>()?,
    };
    if let Some(twice) = labs.iter().enumerate().find_map(|(at, lab)| {
        let number = lab.card.number;
        labs[..at].iter().any(|before| before.card.number == number).then_some(number)
    }) {
        return Err(Ending::Usage(format!("lab {twice} is named twice: a day has each lab once")));
    }
    let store = Store::open(State::here());
    let items = day(&labs, start, args.pace, store.progress());
    if args.json {
        return out.json(&Document { schema: SCHEMA, pace: args.pace, items });
    }
    let row = |item: &Item| {
        let lab = item.lab.map(|lab| lab.to_string()).unwrap_or_default();
        let took = item.took_s.map(|seconds| seconds.div_ceil(60).to_string()).unwrap_or_default();
        let what = item.act.map_or(item.title.clone(), |act| format!("{act}: {}", item.title));
        vec![item.from.clone(), item.to.clone(), lab, what, item.minutes.to_string(), took]
    };
    let head = ["from", "to", "lab", "step", "min", "took"].map(str::to_owned).into();
    let rows = items.iter().map(row).collect();
    let canvas = Capabilities::here().canvas();
    out.lines(render::table(&Table { title: String::new(), head, rows }, &canvas))?;
    if let Some(late) = items.iter().find(|item| item.next_day || (item.to < item.from && item.to != "00:00"))
    {
        let from = if late.next_day { &late.from } else { "00:00" };
        out.line("")?;
        out.lines(render::paragraph(
            &format!("This goes past midnight: from {from} on it is the next day."),
            &canvas,
        ))?;
    }
    Ok(())
}

/// The day from nine o'clock as it is planned, a row for each lab and each break: for the book.
pub fn planned(labs: &[Lab], pace: u32) -> Table {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut lab_before = None;
    for item in day(labs, NINE, pace, &Progress::default()) {
        match (rows.last_mut(), item.act) {
            (Some(row), Some(act)) if item.lab == lab_before => {
                row[1].clone_from(&item.to);
                row[3] += &format!(", {act}");
            }
            (_, Some(act)) => {
                let number = item.lab.unwrap_or_default();
                rows.push(vec![item.from, item.to, format!("lab {number}"), act.to_owned()]);
            }
            (_, None) => rows.push(vec![item.from, item.to, item.title, String::new()]),
        }
        lab_before = item.lab;
    }
    Table { title: String::new(), head: ["from", "to", "what", "steps"].map(str::to_owned).into(), rows }
}

/// Steps one after the other. What is too long without a break has one before it: a lab that fits between two breaks is
/// not broken in two.
fn day(labs: &[Lab], start: u32, pace: u32, progress: &Progress) -> Vec<Item> {
    let of = |lab: &Lab| pace * lab.acts.iter().map(|act| act.notes().minutes).sum::<u32>();
    let mut left: u32 = labs.iter().map(of).sum();
    let (mut now, mut since_break, mut had_lunch) = (start, 0, start >= LUNCH_FROM);
    let mut items = Vec::new();
    for lab in labs {
        let whole = of(lab);
        for (at, act) in lab.acts.iter().enumerate() {
            let minutes = pace * act.notes().minutes;
            let next = if at == 0 && whole <= MOST_WITHOUT_BREAK { whole } else { minutes };
            let may_stop = at == 0 || whole > MOST_WITHOUT_BREAK;
            // Nobody comes back from lunch for a last hour.
            let lunch = !had_lunch && now >= LUNCH_FROM && may_stop && left > MOST_WITHOUT_BREAK;
            // Nor for a last step that is no longer than the break.
            let most = MOST_WITHOUT_BREAK + if left <= BREAK { BREAK } else { 0 };
            if since_break > 0 && (lunch || since_break + next > most) {
                let (kind, title, minutes) =
                    if lunch { (Kind::Lunch, "lunch", LUNCH) } else { (Kind::Break, "break", BREAK) };
                items.push(item(now, minutes, kind, title));
                now += minutes;
                (since_break, had_lunch) = (0, had_lunch || lunch);
            }
            items.push(Item {
                lab: Some(lab.card.number),
                act: Some(act.id()),
                took_s: progress.took_s(lab.card.slug, act.id()),
                ..item(now, minutes, Kind::Step, act.title())
            });
            now += minutes;
            since_break += minutes;
            left -= minutes;
        }
    }
    items
}

fn item(from: u32, minutes: u32, kind: Kind, title: &str) -> Item {
    let (from, to, next_day) = (clock(from), clock(from + minutes), from >= DAY);
    Item { from, to, next_day, kind, lab: None, act: None, title: title.to_owned(), minutes, took_s: None }
}

/// `09:05`
fn clock(minutes: u32) -> String {
    let minutes = minutes % DAY;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Minutes since midnight of `9:00`, `09:30`, `14`.
fn minutes(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once(':').unwrap_or((text, "00"));
    let number = |text: &str, digits: std::ops::RangeInclusive<usize>, below: u32| {
        let plain = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|number| plain && *number < below)
    };
    Some(number(hours, 1..=2, 24)? * 60 + number(minutes, 2..=2, 60)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_day_are_read_and_nothing_else() {
        for (text, wanted) in [("9:00", 540), ("09:30", 570), ("14", 840), ("0:00", 0), ("23:59", 1439)] {
            assert_eq!(minutes(text), Some(wanted), "{text}");
        }
        for text in ["", "24:00", "9:60", "9:5", "9:", ":30", "-1:00", "+9:00", "nine", "9:00:00", "009:00"] {
            assert_eq!(minutes(text), None, "{text}");
        }
    }

    #[test]
    fn a_planned_day_has_a_row_for_each_lab_and_names_its_steps() {
        let labs = course::labs();
        let rows = planned(&labs, 1).rows;
        assert!(rows.windows(2).all(|pair| pair[0][1] == pair[1][0]), "{rows:?}");
        let of_labs: Vec<_> = rows.iter().filter(|row| row[2].starts_with("lab ")).collect();
        for (row, lab) in of_labs.iter().zip(&labs) {
            assert_eq!(row[2], format!("lab {}", lab.card.number));
            assert_eq!(
                row[3].split(", ").collect::<Vec<_>>(),
                lab.acts.iter().map(|act| act.id()).collect::<Vec<_>>()
            );
        }
        assert_eq!(of_labs.len(), labs.len());
        assert!(rows.len() > labs.len(), "there are breaks");
    }

    #[test]
    fn a_day_has_every_step_in_order_without_a_gap_and_a_break_in_time() {
        let labs = course::labs();
        for (start, pace) in [(480, 1), (540, 1), (630, 1), (780, 1), (1380, 1), (540, 2), (540, 3), (540, 9)]
        {
            let day = day(&labs, start, pace, &Progress::default());
            assert!(day.windows(2).all(|pair| pair[0].to == pair[1].from), "{day:?}");
            let steps: Vec<_> = day.iter().filter_map(|item| item.act).collect();
            let wanted: Vec<_> = labs.iter().flat_map(|lab| lab.acts.iter().map(|act| act.id())).collect();
            assert_eq!(steps, wanted);
            let (mut worked, mut steps) = (0, 0);
            for item in &day {
                (worked, steps) =
                    if item.kind == Kind::Step { (worked + item.minutes, steps + 1) } else { (0, 0) };
                assert!(worked <= MOST_WITHOUT_BREAK + BREAK || steps == 1, "{item:?}");
            }
            let lunches: Vec<_> = day.iter().filter(|item| item.kind == Kind::Lunch).collect();
            assert!(
                lunches.len() <= 1 && lunches.iter().all(|lunch| lunch.from.as_str() >= "11:45"),
                "{day:?}"
            );
            let end = start + day.iter().map(|item| item.minutes).sum::<u32>();
            let over_noon = start < LUNCH_FROM && end > LUNCH_FROM + 2 * MOST_WITHOUT_BREAK + LUNCH;
            assert!(!over_noon || lunches.len() == 1, "from {start}, {pace}: {day:?}");
        }
    }

    #[test]
    fn a_slower_pace_takes_as_many_times_the_minutes_of_each_step() {
        let labs = course::labs();
        let steps = |pace| -> Vec<u32> {
            let day = day(&labs, NINE, pace, &Progress::default());
            day.iter().filter(|item| item.kind == Kind::Step).map(|item| item.minutes).collect()
        };
        assert_eq!(steps(3), steps(1).iter().map(|minutes| 3 * minutes).collect::<Vec<_>>());
    }
}
