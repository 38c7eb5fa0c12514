//! Machines that differ: other filesystems, a full disk, a memory limit, an older kernel. Each gets a true explanation
//! or a clear refusal.

mod support;

use instruments::mapped_by_other::by_another_process;
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::time::Duration;
use support::{
    Disk, Fixture, MemoryLimit, Ran, Regime, act, alone, keeps_the_contract, labs, nearly_all, skip,
};

const MIB: u64 = 1 << 20;

/// Lab 2 whole, and of lab 3 the acts that count, in a place; the documents of both.
fn measured(disk: Disk) -> Option<(Value, Value)> {
    let regime = Regime::on(disk)?;
    let _alone = alone();
    let ran = regime.run("lab 2 --size 8M --json --no-predict", "")?;
    assert_eq!(ran.exits(0).complaints(), [""; 0]);
    let two = ran.json();
    keeps_the_contract(&two, &labs()[1]);
    let counting = "s\n\n".repeat(4);
    regime.run("lab 3 --size 64M --record three", &counting)?.exits(0);
    let three = regime.fixture().tutor("lab 3 --json --replay three").run().exits(0).json();
    Some((two, three))
}

/// The relations that hold wherever the page cache works.
fn hold(two: &Value, three: &Value, kind: &str) {
    assert_eq!(two["host"]["filesystem"]["kind"], kind);
    for pass in act(two, "trap")["evidence"]["first"].as_array().expect("passes") {
        let before = &pass["before"]["known"];
        assert!(nearly_all(&before["resident_pages"], &before["pages"]), "{pass}");
    }
    let proof = act(two, "proof");
    assert!(proof["outcome"]["choice"] == "none" || proof["outcome"]["undecided"].is_string(), "{proof}");
    let reads = act(three, "reads");
    assert_eq!(reads["evidence"]["workload_calls"], 64 * MIB / (128 << 10) + 1, "{reads}");
    assert!(act(three, "folios")["evidence"].is_object(), "{three}");
}

#[test]
fn xfs() {
    if let Some((two, three)) = measured(Disk::Image("xfs", "400M")) {
        hold(&two, &three, "xfs");
        is_told_of_the_cache_below(&two);
    }
}

#[test]
fn btrfs() {
    if let Some((two, three)) = measured(Disk::Image("btrfs", "400M")) {
        hold(&two, &three, "btrfs");
        is_told_of_the_cache_below(&two);
    }
}

/// A filesystem in a file has a second cache below it: that of the file.
#[track_caller]
fn is_told_of_the_cache_below(document: &Value) {
    let caveats = act(document, "factor")["caveats"].as_array().expect("caveats").clone();
    let told = caveats.iter().find(|caveat| caveat["id"] == "cache_below");
    assert!(
        told.is_some_and(|told| told["text"].as_str().is_some_and(|text| text.contains("loop"))),
        "{caveats:?}"
    );
}

#[test]
fn a_loop_device_whose_file_is_in_memory_is_named() {
    let Some(regime) = Regime::on(Disk::Image("ext4", "96M")) else { return };
    let _alone = alone();
    let Some(ran) = regime.run("lab 2 --size 8M --json --no-predict", "") else { return };
    let document = ran.exits(0).json();
    keeps_the_contract(&document, &labs()[1]);
    let factor = act(&document, "factor");
    let cold = factor["evidence"]["cold"].as_array().expect("passes");
    let below = factor["evidence"]["below"].as_array().expect("a look at the file below");
    assert_eq!(cold.len(), below.len(), "{factor}");
    let all_was_there = below.iter().zip(cold).all(|(below, cold)| {
        let (before, after) = (&below["before"]["known"], &below["after"]["known"]);
        before["resident_pages"].as_u64() >= cold["before"]["known"]["pages"].as_u64()
            && before["resident_pages"].is_u64()
            && before == after
            && cold["before"]["known"]["resident_pages"] == 0
            && cold["device_read_bytes"].as_u64().is_some_and(|bytes| bytes >= 8 * MIB)
    });
    if !all_was_there {
        return skip("the file below did not stay in memory, or nobody can tell");
    }
    let causes = factor["causes"].as_array().expect("causes");
    let named = causes.iter().find(|cause| cause["id"] == "cache-below-held-it");
    let text = named.and_then(|cause| cause["text"].as_str()).unwrap_or_else(|| panic!("{factor}"));
    assert!(text.contains("the file behind the loop device had at least "), "{text}");
}

#[test]
fn a_loop_device_that_reads_past_the_cache_is_not_blamed_on_it() {
    let Some(regime) = Regime::on(Disk::Image("ext4", "96M")) else { return };
    let _alone = alone();
    // What the kernel says of it afterwards decides: some disks refuse.
    let script = r#"device=$(losetup -n -O NAME -j image)
        losetup --direct-io=on "$device"
        cat "/sys/block/${device#/dev/}/loop/dio" >past
        "$0" "$@" --dir place"#;
    let Some(ran) = regime.script(script, "lab 2 --size 8M --json --no-predict", "") else { return };
    if std::fs::read_to_string(regime.fixture().file("past")).is_ok_and(|past| past.trim() != "1") {
        return skip("this loop device cannot read its file with O_DIRECT");
    }
    let document = ran.exits(0).json();
    let factor = act(&document, "factor");
    assert!(factor["evidence"]["below"].is_null(), "no cache of that file's lies below: {factor}");
    assert!(!factor["causes"].to_string().contains("cache-below-held-it"), "{factor}");
}

#[test]
fn an_overlay_on_a_disk() {
    if let Some((two, three)) = measured(Disk::Overlay) {
        hold(&two, &three, "overlay");
        let before = &act(&two, "factor")["evidence"]["cold"][0]["before"]["known"];
        assert_eq!(before["method"], "mincore", "cachestat counts nothing on an overlay: {before}");
    }
}

#[track_caller]
fn is_refused(disk: Disk, words: &str, code: i32, why: &str) {
    let Some(regime) = Regime::on(disk) else { return };
    for form in ["", "--json"] {
        let Some(ran) = regime.run(&format!("{words} {form}"), "") else { return };
        let line = ran.refuses(code);
        assert!(line.contains(why), "{line}");
    }
}

#[test]
fn an_overlay_in_memory_is_refused() {
    is_refused(Disk::OverlayInMemory, "lab 2 --size 8M", 1, "stays in memory");
}

#[test]
fn on_a_tmpfs_lab_7_says_what_it_found_there() {
    // A huge page fits where it is 2 MiB.
    for options in ["size=64M", "size=64M,huge=always"] {
        let Some(regime) = Regime::on(Disk::Tmpfs(options)) else { return };
        let Some(ran) = regime.run("lab 7 --size 2M --json --no-predict", "") else { return };
        let document = ran.exits(0).json();
        keeps_the_contract(&document, &labs()[6]);
        assert_eq!(document["host"]["filesystem"]["kind"], "tmpfs");
        says_what_it_found(&document);
    }
    is_refused(Disk::Tmpfs("size=64M"), "lab 2 --size 8M", 1, "tmpfs");
}

/// What lab 7 says of a store and of a load past the end is what its evidence has.
#[track_caller]
fn says_what_it_found(seven: &Value) {
    let says = |of: &Value, id: &str| {
        of["causes"].as_array().expect("causes").iter().find(|cause| cause["id"] == id).cloned()
    };
    let tail = act(seven, "tail");
    let store = &tail["evidence"]["store"];
    let came_back = store["regrown_value"] == store["stored_value"];
    assert_eq!(tail["evidence"]["ended"]["value"] == 0, tail["outcome"]["choice"] == "zero", "{tail}");
    assert_eq!(says(tail, "store-came-back").is_some(), came_back, "{tail}");
    assert_eq!(says(tail, "store-lost").is_some(), store.is_object() && !came_back, "{tail}");

    let next = act(seven, "shrink-mmap");
    let places = next["evidence"]["places"].as_array().expect("places");
    let choice = match places[0]["shrunk"]["ended"]["killed"]["signal"].as_str() {
        Some(signal) => signal.to_lowercase(),
        None => "zeros".to_owned(),
    };
    assert_eq!(next["outcome"]["choice"], choice, "{next}");
    let gave_zero = |place: &&Value| {
        ["never_longer", "shrunk"].iter().any(|history| place[*history]["ended"]["value"] == 0)
    };
    let told = says(next, "folio-past-the-end").map(|cause| cause["text"].to_string());
    let found = places.iter().find(gave_zero).map(|place| place["name"].as_str().expect("a name"));
    assert_eq!(told.is_some(), found.is_some(), "{next}");
    assert!(told.zip(found).is_none_or(|(text, name)| text.contains(&format!("On {name}, "))), "{next}");
}

#[test]
fn a_read_only_disk_is_refused() {
    is_refused(Disk::ReadOnly("ext4", "32M"), "lab 2 --size 8M", 1, "read-only");
}

#[test]
fn a_disk_that_is_too_small_is_refused() {
    is_refused(Disk::Image("ext4", "24M"), "lab 2", 1, "a quarter");
    is_refused(Disk::Image("ext4", "24M"), "lab 3", 1, "a quarter");
    is_refused(Disk::Image("ext4", "24M"), "lab 2 --size 64M", 1, "lab 2 takes 8M to ");
}

#[test]
fn a_disk_that_fills_up_meanwhile_ends_it_in_order() {
    let Some(regime) = Regime::on(Disk::Image("ext4", "96M")) else { return };
    // Somebody takes all that is left as soon as the tutor has found its place, and room in it, and writes.
    let script = r#""$0" "$@" --dir place & tutor=$!
        until ls place/page-cache-tutor-*/just-written >/dev/null 2>&1; do
            kill -0 $tutor || break
        done
        cat /dev/zero >place/lost+found/all 2>/dev/null
        wait $tutor"#;
    for words in ["lab 2 --size 64M --json --no-predict", "lab 2 --size 64M --no-predict"] {
        let Some(ran) = regime.script(script, words, "") else { return };
        let line = ran.refuses(1);
        assert!(line.starts_with("tutor: cannot write ") && line.contains("--dir"), "{line}");
    }
}

#[test]
fn a_memory_limit_below_the_file_is_named() {
    let Some(limit) = MemoryLimit::of(64 * MIB) else { return };
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let _alone = alone();
    let ran = limit.run(&fixture, "lab 2 --size 128M --json --no-predict", "");
    assert_eq!(ran.exits(0).complaints(), [""; 0]);
    let document = ran.json();
    keeps_the_contract(&document, &labs()[1]);
    let factor = act(&document, "factor");
    let text = factor.to_string();
    assert!(text.contains("64 MiB"), "the limit is named: {text}");
    assert!(factor["outcome"]["value"].is_null(), "there was no warm run to compare with: {factor}");
    fixture.nothing_left();
}

#[test]
fn a_memory_limit_shrinks_the_default() {
    let Some(limit) = MemoryLimit::of(512 * MIB) else { return };
    let Some(fixture) = Fixture::on_a_disk() else { return };
    // At the first question it ends.
    let ran = limit.run(&fixture, "lab 3", "");
    assert!(ran.exits(0).out.contains("a file of 128 MiB"), "{ran:?}");
    let ran = limit.run(&fixture, "lab 3 --size 1G", "");
    assert!(
        ran.exits(0).out.contains("a file of 1 GiB"),
        "what was asked for is the learner's business: {ran:?}"
    );
    fixture.nothing_left();
}

#[test]
fn labs_1_and_2_measure_in_a_small_memory_limit() {
    let Some(limit) = MemoryLimit::of(64 * MIB) else { return };
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let _alone = alone();
    for lab in &labs()[..2] {
        let ran = limit.run(&fixture, &format!("lab {} --json --no-predict", lab.number), "");
        assert_eq!(ran.exits(0).complaints(), [""; 0]);
        let document = ran.json();
        keeps_the_contract(&document, lab);
        assert_eq!(document["plan"]["size_bytes"], 16 * MIB);
    }
    fixture.nothing_left();
}

#[test]
fn in_a_memory_limit_that_no_lab_fits_into_it_is_refused() {
    let Some(limit) = MemoryLimit::of(48 * MIB) else { return };
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for form in ["", "--json"] {
        let ran = limit.run(&fixture, &format!("lab 3 {form}"), "");
        assert!(ran.refuses(1).contains("memory limit"), "{ran:?}");
    }
    fixture.nothing_left();
}

#[test]
fn a_file_that_somebody_holds_spoils_acts_and_not_the_lab() {
    for number in [1, 6] {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let _alone = alone();
        let words = format!("lab {number} --size 16M --json --no-predict");
        let mut running = fixture.tutor(&words).start();
        let data = loop {
            assert!(!running.has_ended(), "it ended without a data file");
            if let Some(file) = data_file(&fixture.scratch()) {
                break file;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let held = by_another_process(&data).expect("a child can map it");
        let ran = running.wait();
        drop(held);
        let document = ran.exits(0).json();
        keeps_the_contract(&document, &labs()[number - 1]);
        let acts = document["acts"].as_array().expect("acts");
        let held = |act: &&Value| act["reason"].as_str().is_some_and(|why| why.contains("mapped by process"));
        assert!(acts.iter().any(|act| held(&act)), "{document}");
        assert!(
            acts.iter().all(|act| act["status"] == "measured" || act["reason"].is_string()),
            "{document}"
        );
        fixture.nothing_left();
    }
}

/// A lab's data file, once it is whole.
fn data_file(scratch: &Path) -> Option<File> {
    let inside = std::fs::read_dir(scratch).ok()?.flatten().next()?.path();
    let file = File::open(inside.join("16M.bin")).ok()?;
    (file.metadata().ok()?.len() == 16 * MIB).then_some(file)
}

#[test]
fn a_kernel_without_cachestat_measures_by_mincore() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let _alone = alone();
    let run = |words: &str, input: &str| -> Ran {
        instruments::testing::without_cachestat(|| fixture.tutor(words).input(input).run())
    };
    let ran = run("lab 2 --size 8M --json --no-predict", "");
    assert_eq!(ran.exits(0).complaints(), [""; 0]);
    let two = ran.json();
    keeps_the_contract(&two, &labs()[1]);
    assert_eq!(two["host"]["cachestat"], false);
    let before = &act(&two, "factor")["evidence"]["cold"][0]["before"]["known"];
    assert_eq!((&before["method"], &before["resident_pages"]), (&"mincore".into(), &0.into()));
    assert!(before["dirty_pages"].is_null(), "mincore knows nothing of that: {before}");
    run("lab 3 --size 64M --record three", &"s\n\n".repeat(4)).exits(0);
    let three = fixture.tutor("lab 3 --json --replay three").run().exits(0).json();
    hold(&two, &three, two["host"]["filesystem"]["kind"].as_str().expect("a kind"));
    let ran = run("run residency --size 1M --warm", "");
    assert!(ran.exits(0).out.contains("asked=mincore"), "{ran:?}");
    fixture.nothing_left();
}
