//! Count entries in the stretch in which they fall, and give the numbers their names.

use super::filter::Entry;
use super::{Calls, Counts};
use std::collections::BTreeMap;
use syscalls::Sysno;

/// What calls of another numbering are counted under.
const FOREIGN_NAME: &str = "other_abi";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stretch {
    #[default]
    Startup,
    Workload,
    Teardown,
}

/// A count that goes on.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    stretch: Stretch,
    marked: bool,
    entries: [BTreeMap<Entry, u64>; 3],
}

impl Tally {
    /// One more stop at an entry.
    pub(crate) fn count(&mut self, entry: Entry) {
        match entry {
            Entry::Start => {
                self.stretch = Stretch::Workload;
                self.marked = true;
            }
            Entry::End => self.stretch = Stretch::Teardown,
            Entry::Number(_) | Entry::Foreign => {
                *self.entries[self.stretch as usize].entry(entry).or_default() += 1;
            }
        }
    }

    /// The counts by name.
    pub(crate) fn finish(self) -> Calls {
        let [startup, workload, teardown] = self.entries.map(|entries| named(&entries));
        Calls { startup, workload, teardown, marked: self.marked }
    }
}

fn named(entries: &BTreeMap<Entry, u64>) -> Counts {
    entries.iter().filter_map(|(entry, count)| Some((name(*entry)?, *count))).collect()
}

/// None for what is not counted: marks, and the two calls that never return, which `strace -c` leaves out too.
fn name(entry: Entry) -> Option<String> {
    match entry {
        Entry::Number(number) => match Sysno::new(usize::from(number)) {
            Some(Sysno::exit | Sysno::exit_group) => None,
            Some(call) => Some(call.name().to_owned()),
            None => Some(format!("syscall_{number}")),
        },
        Entry::Foreign => Some(FOREIGN_NAME.to_owned()),
        Entry::Start | Entry::End => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(call: Sysno) -> Entry {
        Entry::Number(call as u16)
    }

    #[test]
    fn marks_part_the_stretches_and_are_not_counted() {
        let mut tally = Tally::default();
        let calls = [
            number(Sysno::mmap),
            Entry::Start,
            number(Sysno::read),
            number(Sysno::read),
            Entry::End,
            number(Sysno::write),
        ];
        calls.into_iter().for_each(|entry| tally.count(entry));
        let calls = tally.finish();
        assert!(calls.marked);
        assert_eq!(calls.startup, Counts::from([("mmap".into(), 1)]));
        assert_eq!(calls.workload, Counts::from([("read".into(), 2)]));
        assert_eq!(calls.teardown, Counts::from([("write".into(), 1)]));
    }

    #[test]
    fn without_a_mark_all_is_startup() {
        let mut tally = Tally::default();
        tally.count(number(Sysno::read));
        let calls = tally.finish();
        assert!(!calls.marked);
        assert_eq!((calls.total("read"), calls.workload_total()), (1, 0));
    }

    #[test]
    fn several_metered_stretches_add_up() {
        let mut tally = Tally::default();
        for entry in [Entry::Start, number(Sysno::read), Entry::End].repeat(2) {
            tally.count(entry);
        }
        assert_eq!(tally.finish().workload_of("read"), 2);
    }

    #[test]
    fn what_has_no_name_is_counted_all_the_same() {
        let mut tally = Tally::default();
        tally.count(Entry::Number(60_000));
        tally.count(Entry::Foreign);
        let expected = Counts::from([("syscall_60000".into(), 1), (FOREIGN_NAME.into(), 1)]);
        assert_eq!(tally.finish().startup, expected);
    }

    #[test]
    fn calls_that_never_return_are_left_out() {
        let mut tally = Tally::default();
        tally.count(number(Sysno::exit));
        tally.count(number(Sysno::exit_group));
        assert_eq!(tally.finish(), Calls::default());
    }
}
