//! Facts of good and of bad machines.

use super::*;
use crate::look::Look;
use crate::session::fake;
use std::path::PathBuf;

fn found() -> Found {
    let host = fake::setting().host;
    Found {
        host: Host { mem_available_bytes: 1 << 30, cachestat: true, ..host },
        scratch: Ok((PathBuf::from("/var/tmp"), 1 << 30)),
        counting: Ok(()),
        tools: vec![("dd", Some(PathBuf::from("/bin/dd"))), ("strace", None)],
        terminal: Some((80, 24)),
        look: Look { colour: true, plain: false, clears: true, paged: true, bar: true },
        state: Ok(PathBuf::from("/state/page-cache-tutor")),
    }
}

fn of_found(found: &Found) -> Vec<Fact> {
    let mut lab = fake::lab();
    lab.card.number = 3;
    of(found, &[lab])
}

fn named<'a>(facts: &'a [Fact], id: &str) -> &'a Fact {
    facts.iter().find(|fact| fact.id == id).unwrap()
}

#[test]
fn on_a_good_machine_only_what_is_missing_has_a_remedy() {
    let facts = of_found(&found());
    let remedies: Vec<_> = facts.iter().filter(|fact| fact.remedy.is_some()).map(|fact| &fact.name).collect();
    assert_eq!(remedies, ["strace"]);
    assert_eq!(named(&facts, "lab").value, "can run, with a file of 1 MiB");
}

#[test]
fn what_is_missing_says_what_to_do() {
    let mut bad = found();
    bad.scratch = Err("it is tmpfs; give --dir".to_owned());
    bad.host.cachestat = false;
    bad.counting = Err(Unavailable::lacking("count", "ptrace", "set ptrace_scope to 1"));
    bad.state = Err("HOME is not set".to_owned());
    let facts = of_found(&bad);
    for (id, remedy) in [
        ("scratch", "give --dir"),
        ("cachestat", "6.5"),
        ("count_calls", "ptrace_scope"),
        ("progress", "XDG_STATE_HOME"),
    ] {
        let fact = named(&facts, id);
        assert!(fact.remedy.as_deref().is_some_and(|text| text.contains(remedy)), "{fact:?}");
    }
}

#[test]
fn only_labs_that_exist_are_named() {
    assert!(of_found(&found()).iter().all(|fact| fact.labs == [3]));
}

#[test]
fn a_byte_limit_rules_over_its_ratio() {
    let mut host = found().host;
    host.dirty.background_ratio = 10;
    host.dirty.bytes = 1 << 20;
    assert_eq!(dirty(&host), "at 10% dirty; writers wait at 1 MiB");
}
