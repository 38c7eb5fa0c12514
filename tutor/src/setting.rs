//! The knobs of a run, checked: first against the lab's card, before anything is touched, then against the machine.

use crate::ending::{Ending, Result};
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
}

/// The knobs that were typed, each one possible for this lab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    size_bytes: Option<u64>,
    block_bytes: Option<u64>,
    trials: Option<u64>,
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
    })
}

fn value(
    card: &Card,
    name: &str,
    text: &str,
    parse: impl Fn(&str) -> std::result::Result<u64, String>,
) -> Result<u64> {
    let Some(knob) = card.knobs.iter().find(|knob| knob.name == name) else {
        let has: Vec<_> = card.knobs.iter().map(|knob| format!("--{}", knob.name)).collect();
        return Err(Ending::Usage(format!("lab {} has no --{name}; it has {}", card.number, has.join(", "))));
    };
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
    let knob = card.knobs.iter().find(|knob| knob.name == "size");
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
    Err(Ending::Usage(format!("--size {}: {free} are free in {place}; {takes}", shell_bytes(size))))
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
        (Some(room.disk_bytes), format!("free disk space in {place}")),
        (Some(room.memory_bytes), "memory available".to_owned()),
        (room.cgroup_bytes, "this cgroup's memory limit".to_owned()),
    ];
    let (bytes, of_what) = bounds
        .into_iter()
        .filter_map(|(bytes, of_what)| Some((bytes?, of_what)))
        .min_by_key(|(bytes, _)| *bytes)
        .expect("the disk is always a bound");
    let quarter = bytes / 4;
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
        None => Err(Ending::Failed(format!(
            "cannot run lab {}: it wants a quarter of the {of_what}, at least {}, and there are {}; make room, choose \
             another --dir, or ask for a --size",
            card.number,
            format_bytes(min),
            format_bytes(bytes),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const ROOM: Room = Room { disk_bytes: 1 << 40, memory_bytes: 1 << 40, cgroup_bytes: None };

    fn card() -> Card {
        Card {
            number: 3,
            slug: "fake",
            title: "",
            promise: "",
            minutes: 1,
            needs: &[],
            knobs: &[
                Knob { name: "size", min: 4 * MIB, max: 1 << 36, multiple_of: 4096 },
                Knob { name: "block", min: 512, max: 4 * MIB, multiple_of: 512 },
            ],
            default_size_bytes: 512 * MIB,
            default_block_bytes: 128 << 10,
            default_trials: 5,
        }
    }

    fn refused(typed: Typed<'_>) -> String {
        let ending = read(&card(), &typed).expect_err("impossible");
        assert_eq!(ending.code(), 2);
        ending.to_string()
    }

    #[test]
    fn impossible_values_are_refused_with_the_valid_range() {
        let size = |text| refused(Typed { size: Some(text), ..Typed::default() });
        assert_eq!(size("0"), "--size 0 is out of range; lab 3 takes 4M to 64G in multiples of 4K");
        assert_eq!(size("4097"), "--size 4097 is out of range; lab 3 takes 4M to 64G in multiples of 4K");
        assert!(size("9E").contains("too large"), "{}", size("9E"));
        assert!(size("banana").ends_with("; lab 3 takes 4M to 64G in multiples of 4K"), "{}", size("banana"));
        let block = refused(Typed { block: Some("7"), ..Typed::default() });
        assert_eq!(block, "--block 7 is out of range; lab 3 takes 512 to 4M in multiples of 512");
    }

    #[test]
    fn a_knob_that_the_lab_does_not_have_names_those_it_has() {
        let trials = refused(Typed { trials: Some("5"), ..Typed::default() });
        assert_eq!(trials, "lab 3 has no --trials; it has --size, --block");
    }

    #[test]
    fn the_default_shrinks_to_a_quarter_of_the_scarcest() {
        let planned = |room| plan(&card(), &Wanted::default(), &room, "/d").unwrap();
        assert_eq!(
            planned(ROOM),
            Planned {
                plan: Plan { size_bytes: 512 * MIB, block_bytes: 128 << 10, trials: 5 },
                smaller: None
            }
        );
        let disk = planned(Room { disk_bytes: 1000 * MIB, ..ROOM });
        assert_eq!(disk.plan.size_bytes, 128 * MIB);
        assert!(disk.smaller.unwrap().contains("free disk space in /d"));
        let cgroup = planned(Room { cgroup_bytes: Some(256 * MIB), ..ROOM });
        assert_eq!(cgroup.plan.size_bytes, 64 * MIB);
        assert!(cgroup.smaller.unwrap().contains("memory limit"));
        let just = planned(Room { memory_bytes: 28 * MIB, ..ROOM });
        assert_eq!(just.plan.size_bytes, 4 * MIB);
    }

    #[test]
    fn too_little_room_for_the_smallest_size_is_a_failure_with_what_to_do() {
        let room = Room { disk_bytes: 8 * MIB, ..ROOM };
        let ending = plan(&card(), &Wanted::default(), &room, "/d").unwrap_err();
        assert_eq!(ending.code(), 1);
        assert!(ending.to_string().contains("--dir"), "{ending}");
    }

    #[test]
    fn an_asked_size_has_to_fit_the_disk_but_not_the_memory() {
        let wanted = Wanted { size_bytes: Some(1 << 30), ..Wanted::default() };
        let small_memory = Room { memory_bytes: MIB, cgroup_bytes: Some(MIB), ..ROOM };
        assert_eq!(plan(&card(), &wanted, &small_memory, "/d").unwrap().plan.size_bytes, 1 << 30);
        let ending = plan(&card(), &wanted, &Room { disk_bytes: 1 << 30, ..ROOM }, "/d").unwrap_err();
        assert_eq!(ending.code(), 2);
        assert!(ending.to_string().contains("1 GiB are free in /d; lab 3 takes 4M to 921M"), "{ending}");
    }
}
