//! Every lab at its smallest size beside a neighbour that spoils it on purpose: it ends in order, leaves nothing, and
//! claims nothing that its own evidence contradicts.
//!
//! TUTOR_SPOILED_RUNS says how often each lab runs beside each neighbour. Where it is not set, each neighbour has two labs,
//! once, so that all labs and all neighbours have their turn in a few minutes. TUTOR_SPOILED_KEEP names a directory that
//! keeps the documents.

mod support;

use lesson::testing::claims;
use std::fs;
use support::{Fixture, LabCard, Neighbour, alone, labs};

/// How often each lab runs; None for the short way.
fn runs() -> Option<u32> {
    let runs = std::env::var("TUTOR_SPOILED_RUNS").ok()?;
    Some(runs.parse().expect("TUTOR_SPOILED_RUNS is a number"))
}

/// Whether this lab has its turn beside this neighbour when time is short: two labs each, and every lab once.
fn has_its_turn(neighbour: Neighbour, lab: u64) -> bool {
    match neighbour {
        Neighbour::Evicts => [1, 3].contains(&lab),
        Neighbour::DropsCaches => [2, 4].contains(&lab),
        Neighbour::Dirties => [5, 7].contains(&lab),
        Neighbour::HoldsLocked => [6, 7].contains(&lab),
        Neighbour::Burns => [3, 5].contains(&lab),
    }
}

/// The labs beside this neighbour. All that is wrong is told, not only the first.
fn labs_beside(neighbour: Neighbour) {
    let mut wrong = Vec::new();
    for lab in labs().into_iter().filter(|lab| runs().is_some() || has_its_turn(neighbour, lab.number)) {
        for run in 1..=runs().unwrap_or(1) {
            let Some(fixture) = Fixture::on_a_disk() else { return };
            let _alone = alone();
            let Some(beside) = neighbour.beside(&fixture) else { return };
            let found = wrong_in(&lab, &fixture, neighbour, run);
            drop(beside);
            fixture.nothing_left();
            wrong.extend(found.into_iter().map(|what| format!("lab {} run {run}: {what}", lab.number)));
        }
    }
    assert!(wrong.is_empty(), "beside a neighbour that spoils ({neighbour:?}):\n{}", wrong.join("\n"));
}

fn wrong_in(lab: &LabCard, fixture: &Fixture, neighbour: Neighbour, run: u32) -> Vec<String> {
    let ran = fixture.tutor(&format!("lab {} --json --no-predict {}", lab.number, lab.smallest)).run();
    if let Some(dir) = std::env::var_os("TUTOR_SPOILED_KEEP") {
        let kept = std::path::Path::new(&dir).join(format!("{neighbour:?}-{}-{run}.json", lab.number));
        fs::write(kept, &ran.out).expect("TUTOR_SPOILED_KEEP is a directory");
    }
    if ran.code() != Some(0) {
        return vec![format!("exit {:?}, signal {:?}: {}", ran.code(), ran.signal(), ran.err.trim())];
    }
    let document = ran.json();
    let mut wrong = claims::contradictions(&document);
    if neighbour == Neighbour::DropsCaches {
        wrong.extend(does_not_name_the_switch(&document));
    }
    wrong
}

/// The kernel counts who drops caches (drop_pagecache of /proc/vmstat): where trials were thrown away for missing pages,
/// the lab has to say so.
fn does_not_name_the_switch(document: &serde_json::Value) -> Option<String> {
    let acts = document["acts"].as_array().expect("acts");
    let told = |list: &str, wanted: &dyn Fn(&serde_json::Value) -> bool| {
        acts.iter().filter_map(|act| act[list].as_array()).flatten().any(wanted)
    };
    let says =
        |entry: &serde_json::Value, words: &str| entry["text"].as_str().is_some_and(|it| it.contains(words));
    let missed = told("caveats", &|caveat| {
        caveat["id"] == "discarded"
            && (says(caveat, "although all was resident") || says(caveat, "were resident"))
    });
    let named = told("caveats", &|caveat| caveat["id"] == "pages_taken" && says(caveat, "drop_caches"))
        || told("causes", &|cause| says(cause, "drop_caches"));
    (missed && !named)
        .then(|| "trials were thrown away for missing pages, and nobody names drop_caches".to_owned())
}

/// What a recorded machine is said to have shown is true, too.
#[test]
fn no_recording_is_contradicted_by_its_evidence() {
    let fixture = Fixture::anywhere();
    let mut wrong = Vec::new();
    for lab in labs() {
        for file in lab.recordings() {
            let words = format!("lab {} --json --no-predict --replay", lab.number);
            let document = fixture.tutor(&words).arg(&file).run().exits(0).json();
            let name = file.file_stem().unwrap_or_default().display().to_string();
            let found = claims::contradictions(&document);
            wrong.extend(found.into_iter().map(|what| format!("lab {} {name}: {what}", lab.number)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_act_is_checked_or_left_out_for_a_reason() {
    for lab in labs() {
        for act in &lab.acts {
            assert!(claims::is_accounted_for(&lab.slug, act), "lab {}: {act}", lab.number);
        }
    }
}

#[test]
fn one_that_evicts() {
    labs_beside(Neighbour::Evicts);
}

#[test]
fn one_that_drops_caches() {
    labs_beside(Neighbour::DropsCaches);
}

#[test]
fn one_that_dirties() {
    labs_beside(Neighbour::Dirties);
}

#[test]
fn one_that_holds_all_locked() {
    labs_beside(Neighbour::HoldsLocked);
}

#[test]
fn one_that_burns() {
    labs_beside(Neighbour::Burns);
}
