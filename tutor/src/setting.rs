//! The knobs of a run, checked: first against the lab's card, before anything is touched, then against the machine.

use crate::exit::{Ending, Result};
use instruments::size::{format_bytes, parse_bytes, shell_bytes};
use instruments::{Host, Plan};
use lesson::{Card, Knob};

/// The knobs as typed; None where the lab's own value is wanted.
#[derive(Clone, Debug, Default)]
pub struct Typed<'a> {
    /// --size
    pub size: Option<&'a str>,
    /// --block
    pub block: Option<&'a str>,
    /// --trials
    pub trials: Option<&'a str>,
    /// --patient
    pub patient: bool,
}

/// The knobs that were typed, each one possible for this lab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    size_bytes: Option<u64>,
    block_bytes: Option<u64>,
    trials: Option<u64>,
    patient: bool,
}

impl Wanted {
    /// Whether the learner has time to watch what takes the kernel half a minute.
    pub fn patient(&self) -> bool {
        self.patient
    }
}

/// What the machine has.
#[derive(Clone, Debug)]
pub struct Room {
    /// Free for this user where the scratch files go.
    pub disk_bytes: u64,
    /// MemAvailable.
    pub memory_bytes: u64,
    /// The limit of our memory cgroup.
    pub cgroup_bytes: Option<u64>,
}

impl Room {
    /// Of this host, with so much free disk.
    pub fn of(host: &Host, disk_bytes: u64) -> Room {
        let cgroup_bytes = host.cgroup.as_ref().and_then(|cgroup| cgroup.limit_bytes);
        Room { disk_bytes, memory_bytes: host.mem_available_bytes, cgroup_bytes }
    }
}

/// A plan, and why its file is smaller than the lab's default, where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What the lab runs with.
    pub plan: Plan,
    /// The reason, as it stands after "because".
    pub smaller: Option<String>,
}

/// Read the knobs; what this lab does not have or cannot honour is a usage error with what it can.
pub fn read(card: &Card, typed: &Typed<'_>) -> Result<Wanted> {
    let bytes = |name, text: Option<&str>| text.map(|text| value(card, name, text, parse_bytes)).transpose();
    let number = |text: &str| text.trim().parse().map_err(|_| "not a whole number".to_owned());
    Ok(Wanted {
        size_bytes: bytes("size", typed.size)?,
        block_bytes: bytes("block", typed.block)?,
        trials: typed.trials.map(|text| value(card, "trials", text, number)).transpose()?,
        patient: typed.patient && knob(card, "patient").map(|_| true)?,
    })
}

fn knob<'a>(card: &'a Card, name: &str) -> Result<&'a Knob> {
    card.knob(name).ok_or_else(|| {
        let has: Vec<_> = card.knobs.iter().map(|knob| format!("--{}", knob.name)).collect();
        Ending::Usage(format!("lab {} has no --{name}; it has {}", card.number, has.join(", ")))
    })
}

fn value(
    card: &Card,
    name: &str,
    text: &str,
    parse: impl Fn(&str) -> std::result::Result<u64, String>,
) -> Result<u64> {
    let knob = knob(card, name)?;
    let range = range(knob, knob.max);
    let refused = |what: String| Ending::Usage(format!("{what}; lab {} takes {range}", card.number));
    let value = parse(text).map_err(|why| refused(format!("--{name}: {why}")))?;
    let possible = (knob.min..=knob.max).contains(&value) && value.is_multiple_of(knob.multiple_of);
    if possible { Ok(value) } else { Err(refused(format!("--{name} {text} is out of range"))) }
}

fn range(knob: &Knob, max: u64) -> String {
    let show = |value: u64| if knob.name == "trials" { value.to_string() } else { shell_bytes(value) };
    let step = if knob.multiple_of > 1 {
        format!(" in multiples of {}", show(knob.multiple_of))
    } else {
        String::new()
    };
    format!("{} to {}{step}", show(knob.min), show(max))
}

/// Fit the plan into the room that there is: the default size takes at most a quarter of the free disk and of the
/// memory; a size that was asked for has to fit the disk, and is otherwise the learner's own business.
pub fn plan(card: &Card, wanted: &Wanted, room: &Room, place: &str) -> Result<Planned> {
    let knob = card.knob("size");
    let (size_bytes, smaller) = match wanted.size_bytes {
        Some(size) => (asked_size(card, knob, size, room, place)?, smaller_by_wish(card, size)),
        None => default_size(card, knob, room, place)?,
    };
    let trials = wanted.trials.unwrap_or(card.default_trials.into());
    let plan = Plan {
        size_bytes,
        block_bytes: wanted.block_bytes.unwrap_or(card.default_block_bytes),
        trials: u32::try_from(trials).unwrap_or(u32::MAX),
    };
    Ok(Planned { plan, smaller })
}

fn asked_size(card: &Card, knob: Option<&Knob>, size: u64, room: &Room, place: &str) -> Result<u64> {
    // A filesystem that is filled to its last block measures something else, and harms others.
    let most = room.disk_bytes / 10 * 9;
    if size <= most {
        return Ok(size);
    }
    let free = format_bytes(room.disk_bytes);
    let step = knob.map_or(1, |knob| knob.multiple_of).max(1 << 20);
    let takes = match knob {
        Some(knob) if knob.min <= most => {
            format!("lab {} takes {} here", card.number, range(knob, most / step * step))
        }
        _ => "there is too little room for this lab: free some, or choose another --dir".to_owned(),
    };
    Err(Ending::Failed(format!(
        "--size {} does not fit: {free} are free in {place}; {takes}",
        shell_bytes(size)
    )))
}

fn smaller_by_wish(card: &Card, size: u64) -> Option<String> {
    (size < card.default_size_bytes).then(|| {
        format!(
            "{} was asked for, and {} is usual",
            format_bytes(size),
            format_bytes(card.default_size_bytes)
        )
    })
}

fn default_size(card: &Card, knob: Option<&Knob>, room: &Room, place: &str) -> Result<(u64, Option<String>)> {
    let (min, step) = knob.map_or((1, 1), |knob| (knob.min, knob.multiple_of.max(1)));
    let bounds = [
        (Some(room.disk_bytes), format!("free disk space in {place}"), format!("that are free in {place}")),
        (Some(room.memory_bytes), "memory available".to_owned(), "of memory that are available".to_owned()),
        (
            room.cgroup_bytes,
            "this cgroup's memory limit".to_owned(),
            "of this cgroup's memory limit".to_owned(),
        ),
    ];
    let bounds: Vec<_> =
        bounds.into_iter().filter_map(|(bytes, of_what, in_all)| Some((bytes?, of_what, in_all))).collect();
    let (bytes, of_what, in_all) =
        bounds.iter().min_by_key(|(bytes, ..)| *bytes).expect("the disk is always a bound");
    let (bytes, quarter) = (*bytes, bytes / 4);
    if quarter >= card.default_size_bytes {
        return Ok((card.default_size_bytes, None));
    }
    // A power of two where there is one: figures stay easy to read.
    let round = if quarter == 0 { 0 } else { 1 << quarter.ilog2() };
    let size =
        [round, quarter / step * step].into_iter().find(|size| *size >= min && size.is_multiple_of(step));
    let have = format!("{} {of_what}", format_bytes(bytes));
    match size {
        Some(size) => Ok((size, Some(format!("it takes at most a quarter of the {have}")))),
        None => {
            // Half of what there is leaves room for what else a lab writes and maps.
            let would_do = knob.is_some() && bounds.iter().all(|(bytes, ..)| min <= bytes / 2);
            let advice = if would_do {
                format!("`--size {}` would do", shell_bytes(min))
            } else {
                "make room, or choose another --dir".to_owned()
            };
            Err(Ending::Failed(format!(
                "cannot run lab {}: a quarter of the {} {in_all} is less than the {} that it needs; {advice}",
                card.number,
                format_bytes(bytes),
                format_bytes(min),
            )))
        }
    }
}

#[cfg(test)]
mod tests;
