//! Counters by name: /proc/vmstat, and the memory.stat of a cgroup.

use std::collections::BTreeMap;

/// Counters by the kernel's own names. What a kernel does not have is absent, never 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters(BTreeMap<String, u64>);

impl Counters {
    /// Parse lines of `name value`, also with a colon after the name and a unit after the value, which is left out. A
    /// line that is not of this kind is no counter.
    pub fn parse(text: &str) -> Counters {
        let counter = |line: &str| {
            let mut words = line.split_whitespace();
            let name = words.next()?.trim_end_matches(':');
            Some((name.to_owned(), words.next()?.parse().ok()?))
        };
        Counters(text.lines().filter_map(counter).collect())
    }

    /// The counter of this name, where this kernel has it.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    /// How far a counter went since `before`; None where either lacks it, or where it fell.
    pub fn grown_since(&self, before: &Counters, name: &str) -> Option<u64> {
        self.get(name)?.checked_sub(before.get(name)?)
    }
}

/// /proc/vmstat now: events since boot in the whole system (`pgmajfault`, `workingset_refault_file`), and pages by
/// state now (`nr_dirty`). See proc_vmstat(5).
pub fn vmstat() -> std::io::Result<Counters> {
    std::fs::read_to_string("/proc/vmstat").map(|text| Counters::parse(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_an_old_and_a_new_kernel() {
        let old = Counters::parse("nr_dirty 12\nworkingset_refault 501\npgmajfault 2803\n");
        let new = Counters::parse("nr_dirty 0\nworkingset_refault_file 396843\npgmajfault 2900\n");
        assert_eq!(old.get("nr_dirty"), Some(12));
        assert_eq!(
            (old.get("workingset_refault_file"), new.get("workingset_refault_file")),
            (None, Some(396_843))
        );
        assert_eq!(new.grown_since(&old, "pgmajfault"), Some(97));
        assert_eq!(new.grown_since(&old, "nr_dirty"), None, "it fell");
        assert_eq!(new.grown_since(&old, "workingset_refault_file"), None, "the old kernel has none");
    }

    #[test]
    fn what_is_not_a_counter_is_left_out() {
        let counters =
            Counters::parse("\nalone\nname: 7 kB\nnegative -1\nword value\nbig 18446744073709551615\n");
        assert_eq!(counters.get("name"), Some(7));
        assert_eq!(counters.get("big"), Some(u64::MAX));
        assert_eq!(["alone", "negative", "word", ""].map(|name| counters.get(name)), [None; 4]);
    }

    #[test]
    fn this_kernel_counts_faults() {
        let faults = |counters: Counters| counters.get("pgfault").expect("every kernel counts faults");
        let before = faults(vmstat().expect("it can be read"));
        assert!(before > 0);
        assert!(faults(vmstat().expect("it can be read")) >= before);
    }
}
