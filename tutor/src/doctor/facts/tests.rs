//! Facts of good and of bad machines.

use super::*;
use crate::capabilities::Capabilities;
use crate::doctor::tool::Tool;
use crate::session::fake;
use instruments::Host;
use std::path::PathBuf;

fn found() -> Findings {
    let mut host = fake::setting().host;
    host.privileges.user_namespaces = true;
    Findings {
        host: Host { mem_available_bytes: 1 << 30, cachestat: true, ..host },
        scratch: Ok((PathBuf::from("/var/tmp"), 1 << 30)),
        counting: Ok(()),
        tools: vec![
            ("dd", Some(Tool { path: PathBuf::from("/bin/dd"), version: Some("9.1".to_owned()) })),
            ("strace", None),
        ],
        terminal: Some((80, 24)),
        look: Capabilities { colour: true, plain: false, clears: true, paged: true, bar: true },
        state: Ok(PathBuf::from("/state/page-cache-tutor")),
    }
}

fn of_found(found: &Findings) -> Vec<Fact> {
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
    let facts = of_found(&found());
    assert!(facts.iter().all(|fact| fact.labs == [3] || fact.labs.is_empty()), "{facts:?}");
    assert_eq!(named(&facts, "perf_event_paranoid").labs_text(), "none");
    let text = |labs: &[u32]| Fact { labs: labs.to_vec(), ..facts[0].clone() }.labs_text();
    assert_eq!([text(&[1, 2, 3, 6]), text(&[2, 3]), text(&[2, 4])], ["1-3, 6", "2, 3", "2, 4"]);
}

#[test]
fn a_byte_limit_rules_over_its_ratio() {
    let mut host = found().host;
    host.dirty.background_ratio = 10;
    host.dirty.bytes = 1 << 20;
    assert_eq!(dirty(&host), "at 10% dirty; writers pause from midway to 1 MiB");
}

#[test]
fn damon_is_named_with_what_it_does_as_far_as_that_is_known() {
    let told = |damon| {
        let mut found = found();
        found.host.damon = damon;
        named(&of_found(&found), "damon").clone()
    };
    let running = |actions: &[&str]| {
        let actions = actions.iter().map(|action| (*action).to_owned()).collect();
        Some(instruments::host::Damon { threads: 1, actions })
    };
    let evicting = told(running(&["pageout"]));
    assert!(
        evicting.value.contains("pageout") && evicting.remedy.is_some_and(|text| text.starts_with("nothing"))
    );
    assert!(told(running(&[])).value.contains("only root"));
    for quiet in [running(&["stat"]), Some(instruments::host::Damon::default()), None] {
        assert_eq!(told(quiet).remedy, None);
    }
    assert!(told(None).value.starts_with("unknown"));
}

#[test]
fn what_is_not_known_is_said_to_be_unknown() {
    let mut nothing = found();
    nothing.host = Host { device: None, ..Host::default() };
    let facts = of_found(&nothing);
    for id in ["filesystem", "read_ahead", "huge_pages", "shmem_huge_pages", "lru_gen", "perf_event_paranoid"]
    {
        assert_eq!(named(&facts, id).value, "unknown", "{id}");
    }
}
