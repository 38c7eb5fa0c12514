//! DAMON: a thread of the kernel that watches memory, and may evict cold file pages all the time; no counter of reclaim
//! moves then. See Documentation/admin-guide/mm/damon/usage.rst of the kernel.

use super::Damon;
use super::tree::Tree;

/// Its own directory in /sys, for root only.
const ADMIN: &str = "sys/kernel/mm/damon/admin/kdamonds";

/// What runs; None where nothing tells, as in a container that sees its own processes only.
pub(super) fn of(tree: &Tree) -> Option<Damon> {
    let comms: Vec<String> = tree
        .entries("proc")
        .iter()
        .filter(|entry| {
            entry.file_name().is_some_and(|name| name.as_encoded_bytes().iter().all(u8::is_ascii_digit))
        })
        .filter_map(|process| tree.text(process.join("comm")))
        .collect();
    let (switched_on, actions) = schemes(tree);
    match threads(comms.iter().map(String::as_str)) {
        Some(threads) => Some(Damon { threads, actions }),
        None if switched_on > 0 => Some(Damon { threads: switched_on, actions }),
        None => None,
    }
}

/// How many of these names of processes are DAMON's; None where the kernel's threads are not among them at all.
fn threads<'a>(comms: impl Iterator<Item = &'a str>) -> Option<u32> {
    let (mut threads, mut sees_kernel) = (0, false);
    for comm in comms {
        sees_kernel |= comm == "kthreadd";
        let number = comm.strip_prefix("kdamond.");
        threads +=
            u32::from(number.is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit())));
    }
    (sees_kernel || threads > 0).then_some(threads)
}

/// How many are switched on, and what they do with the pages that they find: `pageout`, `stat`, …, each once. Nothing
/// where it may not be read.
fn schemes(tree: &Tree) -> (u32, Vec<String>) {
    let mut on = 0;
    let mut actions = Vec::new();
    for kdamond in tree.entries(ADMIN) {
        if tree.text(kdamond.join("state")).as_deref() != Some("on") {
            continue;
        }
        on += 1;
        for context in tree.entries(kdamond.join("contexts")) {
            let schemes = tree.entries(context.join("schemes"));
            actions.extend(schemes.iter().filter_map(|scheme| tree.text(scheme.join("action"))));
        }
    }
    actions.sort();
    actions.dedup();
    (on, actions)
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake::Fake;
    use super::*;

    /// As a virtual machine with Linux 6.18 showed it to root.
    const RUNNING: [(&str, &str); 9] = [
        ("proc/1/comm", "systemd\n"),
        ("proc/2/comm", "kthreadd\n"),
        ("proc/77/comm", "kdamond.0\n"),
        ("proc/self/comm", "tutor\n"),
        ("sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds", "1\n"),
        ("sys/kernel/mm/damon/admin/kdamonds/0/state", "on\n"),
        ("sys/kernel/mm/damon/admin/kdamonds/0/contexts/nr_contexts", "1\n"),
        ("sys/kernel/mm/damon/admin/kdamonds/0/contexts/0/schemes/nr_schemes", "1\n"),
        ("sys/kernel/mm/damon/admin/kdamonds/0/contexts/0/schemes/0/action", "pageout\n"),
    ];

    fn found(files: &[(&str, &str)]) -> Option<Damon> {
        of(&Fake::new(files).tree)
    }

    #[test]
    fn root_sees_thread_and_action_and_others_the_thread() {
        assert_eq!(found(&RUNNING), Some(Damon { threads: 1, actions: vec!["pageout".into()] }));
        assert_eq!(found(&RUNNING[..4]), Some(Damon { threads: 1, actions: vec![] }));
    }

    #[test]
    fn none_is_known_only_where_threads_of_the_kernel_can_be_seen() {
        assert_eq!(found(&RUNNING[..2]), Some(Damon::default()));
        assert_eq!(found(&RUNNING[..1]), None);
        assert_eq!(found(&[]), None);
        let inside: Vec<_> = [&RUNNING[..1], &RUNNING[4..]].concat();
        assert_eq!(found(&inside).map(|damon| damon.threads), Some(1), "its directory tells, too");
    }

    #[test]
    fn what_is_switched_off_does_nothing_and_what_is_called_alike_is_another() {
        let mut off = RUNNING;
        (off[2].1, off[5].1) = ("kdamond.x\n", "off\n");
        assert_eq!(found(&off), Some(Damon::default()));
    }
}
