//! The spread of outcomes by kind of machine: disk, machine, filesystem, kernel.

use super::class_question::ClassQuestion;
use super::count::Measured;
use super::file::{Came, Machine};
use super::gather::printable;
use serde::Serialize;
use std::collections::BTreeMap;

/// One way to tell machines apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachineGroups {
    /// disk, machine, filesystem, kernel.
    pub by: &'static str,
    /// Its groups, the largest first; kernels by their version.
    pub groups: Vec<Group>,
}

/// Machines that are alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// How many decided.
    pub machines: usize,
    /// What came out, in words: `a 3, c 1`, or `5x (2x to 9x)`.
    pub outcomes: String,
    #[serde(skip)]
    pub(super) came: Vec<Came>,
}

/// What machines have in common, as one of them says it.
type Name = fn(&Machine) -> String;

/// All ways, each with at least one group; `measured` are the machines that decided.
pub fn of(measured: &[Measured<'_>], asked: &ClassQuestion) -> Vec<MachineGroups> {
    let ways: [(&str, Name); 4] = [
        ("disk", |machine| machine.disk.clone()),
        ("machine", machine_kind),
        ("filesystem", |machine| machine.filesystem.clone()),
        ("kernel", kernel),
    ];
    let mut kinds: Vec<_> = ways
        .into_iter()
        .map(|(by, name)| MachineGroups { by, groups: groups(measured, asked, name) })
        .collect();
    // Versions have an order of their own, which tells more than how many have each.
    for kind in kinds.iter_mut().filter(|kind| kind.by == "kernel") {
        kind.groups.sort_by_key(|group| version(&group.name));
    }
    kinds
}

/// The numbers in `Linux 6.18`, in their order.
fn version(name: &str) -> Vec<u64> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

fn groups(measured: &[Measured<'_>], asked: &ClassQuestion, name: Name) -> Vec<Group> {
    let mut by_name: BTreeMap<String, Vec<Came>> = BTreeMap::new();
    for it in measured {
        let name = printable(&name(it.machine));
        let name = if name.trim().is_empty() { "unknown".to_owned() } else { name };
        by_name.entry(name).or_default().push(it.came.clone());
    }
    let group = |(name, came): (String, Vec<Came>)| Group {
        name,
        machines: came.len(),
        outcomes: summary(&came, asked),
        came,
    };
    let mut groups: Vec<Group> = by_name.into_iter().map(group).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.machines));
    groups
}

fn machine_kind(machine: &Machine) -> String {
    match (&machine.virtual_machine, &machine.container) {
        (Some(name), None) => format!("virtual machine ({name})"),
        (Some(name), Some(inside)) => format!("container ({inside}) in a virtual machine ({name})"),
        (None, Some(inside)) => format!("container ({inside})"),
        (None, None) => "neither virtual machine nor container seen".to_owned(),
    }
}

/// `Linux 6.18`: what comes behind it seldom matters.
fn kernel(machine: &Machine) -> String {
    let version: Vec<&str> = machine.kernel.split('.').take(2).collect();
    format!("Linux {}", version.join("."))
}

/// What came out of several machines, in few words.
pub fn summary(came: &[Came], asked: &ClassQuestion) -> String {
    let mut values = values(came);
    if let (Some(least), Some(greatest)) = (values.first().copied(), values.last().copied()) {
        let middle = asked.quantity(median(&mut values));
        let (least, greatest) = (asked.quantity(least), asked.quantity(greatest));
        return if least == greatest { middle } else { format!("{middle} ({least} to {greatest})") };
    }
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    for word in came.iter().filter_map(|it| asked.short(it)) {
        *words.entry(word).or_default() += 1;
    }
    words.iter().map(|(word, count)| format!("{word} {count}")).collect::<Vec<_>>().join(", ")
}

/// The quantities among them, in order.
pub fn values(came: &[Came]) -> Vec<f64> {
    let quantity = |it: &Came| if let Came::Quantity(value) = it { Some(*value) } else { None };
    let mut values: Vec<f64> = came.iter().filter_map(quantity).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The value in the middle; of an even number the lower of the two, so that it is one that was seen.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}
