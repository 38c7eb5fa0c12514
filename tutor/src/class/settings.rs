//! The machines and knobs of a class, as the lab's questions want them; nothing that a file claims is trusted.

use super::file::Machine;
use super::gather::printable;
use instruments::host::{Device, DirtySettings, Filesystem};
use instruments::size::format_bytes;
use instruments::{Host, Plan};
use lesson::{AnyAct, Ask, Card, Setting};
use std::collections::BTreeSet;

/// The kernel's own clock where nobody has set another: 30 s and 5 s (mm/page-writeback.c, Linux 6.18).
const EXPIRE_CENTISECS: u64 = 3000;
const WRITEBACK_CENTISECS: u64 = 500;
/// An hour: no clock of a real machine is slower.
const MAX_CENTISECS: u64 = 360_000;

/// What this machine was asked with: its facts within what machines have, its knobs within what the lab has.
pub fn setting(card: &Card, machine: &Machine, plan: Option<&Plan>) -> Setting {
    let sane = |kb: Option<u64>| kb.map(|kb| kb.clamp(0, 64 << 10));
    let device = sane(machine.read_ahead_kb).zip(sane(machine.max_sectors_kb));
    let clock = |given: Option<u64>, usual: u64| given.map_or(usual, |value| value.min(MAX_CENTISECS));
    let is_page = machine.page_bytes.is_power_of_two() && (4 << 10..=64 << 10).contains(&machine.page_bytes);
    let host = Host {
        page_bytes: if is_page { machine.page_bytes } else { 4096 },
        cpus: machine.cpus.clamp(1, 4096),
        mem_total_bytes: 8 << 30,
        mem_available_bytes: 4 << 30,
        cachestat: machine.cachestat,
        filesystem: Filesystem { kind: printable(&machine.filesystem), ..Filesystem::default() },
        device: device.map(|(read_ahead_kb, max_sectors_kb)| Device {
            read_ahead_kb,
            max_sectors_kb,
            own_bdi: machine.own_bdi,
            ..Device::default()
        }),
        dirty: DirtySettings {
            expire_centisecs: clock(machine.dirty_expire_centisecs, EXPIRE_CENTISECS),
            writeback_centisecs: clock(machine.dirty_writeback_centisecs, WRITEBACK_CENTISECS),
            ..DirtySettings::default()
        },
        ..Host::default()
    };
    Setting { host, plan: self::plan(card, plan) }
}

fn plan(card: &Card, plan: Option<&Plan>) -> Plan {
    let possible = |name: &str, value: Option<u64>| {
        let knob = card.knob(name)?;
        let fits =
            |value: &u64| (knob.min..=knob.max).contains(value) && value.is_multiple_of(knob.multiple_of);
        value.filter(fits)
    };
    let trials = possible("trials", plan.map(|plan| plan.trials.into()));
    Plan {
        size_bytes: possible("size", plan.map(|plan| plan.size_bytes)).unwrap_or(card.default_size_bytes),
        block_bytes: possible("block", plan.map(|plan| plan.block_bytes)).unwrap_or(card.default_block_bytes),
        trials: trials.and_then(|trials| trials.try_into().ok()).unwrap_or(card.default_trials),
    }
}

/// `sizes from 64 MiB to 512 MiB`, where a class was not asked with the same.
pub fn knobs(card: &Card, settings: &[Setting]) -> Option<String> {
    let range = |name: &str, what: &str, of: fn(&Plan) -> u64| {
        card.knob(name)?;
        let values: BTreeSet<u64> = settings.iter().map(|setting| of(&setting.plan)).collect();
        let (least, greatest) = (values.first()?, values.last()?);
        (least < greatest)
            .then(|| format!("{what} from {} to {}", format_bytes(*least), format_bytes(*greatest)))
    };
    let ranges =
        [range("size", "sizes", |plan| plan.size_bytes), range("block", "blocks", |plan| plan.block_bytes)];
    let told: Vec<String> = ranges.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The ids of every option that an act can have, on whatever machine, with whatever size; none where it asks for a number.
pub type Options = Option<BTreeSet<String>>;

/// Those of this act.
pub fn options(card: &Card, act: &dyn AnyAct) -> Options {
    let knob = card.knob("size");
    let sizes =
        knob.map_or(vec![card.default_size_bytes], |it| vec![it.min, card.default_size_bytes, it.max]);
    let mut ids = BTreeSet::new();
    for page_bytes in [4 << 10, 16 << 10, 64 << 10] {
        for (kb, own_bdi) in [None, Some(0), Some(16), Some(64), Some(128), Some(512), Some(4096)]
            .map(|kb| [(kb, false), (kb, true)])
            .concat()
        {
            for size_bytes in &sizes {
                let machine = Machine {
                    page_bytes,
                    read_ahead_kb: kb,
                    max_sectors_kb: kb,
                    own_bdi,
                    ..Machine::default()
                };
                let plan = Plan { size_bytes: *size_bytes, ..plan(card, None) };
                match act.question(&setting(card, &machine, Some(&plan))).answer {
                    Ask::Choice(options) => ids.extend(options.into_iter().map(|option| option.id)),
                    Ask::Quantity(_) => return None,
                }
            }
        }
    }
    Some(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course;
    use lesson::Recording;

    /// What a class is said to have been asked is what each learner was asked.
    #[test]
    fn every_recorded_machine_is_asked_the_same_from_its_export() {
        for lab in course::labs() {
            for (name, json) in course::recordings(&lab) {
                let own = Recording::parse(&json, lab.card.slug).unwrap().setting;
                let exported = setting(&lab.card, &Machine::of(&own.host), Some(&own.plan));
                for act in &lab.acts {
                    let (was, told) = (act.question(&own), act.question(&exported));
                    assert_eq!((was.ask, was.answer), (told.ask, told.answer), "{name}: {}", act.id());
                }
            }
        }
    }

    #[test]
    fn any_machine_that_a_file_can_claim_has_questions() {
        for lab in course::labs() {
            for page_bytes in [0, 1, 4096, 65_536, u64::MAX] {
                for kb in [None, Some(0), Some(1), Some(128), Some(4097), Some(u64::MAX)] {
                    let machine =
                        Machine { page_bytes, read_ahead_kb: kb, max_sectors_kb: kb, ..Machine::default() };
                    let plan = Plan { size_bytes: page_bytes, block_bytes: page_bytes, trials: 0 };
                    let setting = setting(&lab.card, &machine, Some(&plan));
                    for act in &lab.acts {
                        assert!(!act.question(&setting).ask.is_empty(), "{}", act.id());
                    }
                }
            }
        }
    }
}
