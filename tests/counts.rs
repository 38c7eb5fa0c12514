//! Cross-checks: what the course counts against what other tools and the kernel itself count of the same program.

mod support;

use instruments::testing::undisturbed;
use lesson::{Act, Setting};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use support::{Fixture, act, alone, has_or_skip, skip};
use syscalls_vs_faults::reads::Reads;

const MIB: u64 = 1 << 20;

/// What strace counts of `tutor run WORDS`, by system call.
fn strace(fixture: &Fixture, filter: &[&str], words: &str) -> BTreeMap<String, u64> {
    let table = fixture.file("strace");
    let command = fixture.program_with("strace", "-f -c").args(filter).arg("-o").arg(&table);
    command.arg(fixture.program()).args(words.split_whitespace()).run().exits(0);
    calls(&table)
}

/// The calls in the table that strace -c wrote.
fn calls(table: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(table).expect("strace has written it");
    // % time, seconds, usecs/call, calls, errors (may be missing), name
    let row = |line: &str| {
        let columns: Vec<_> = line.split_whitespace().collect();
        Some(((*columns.last()?).to_owned(), columns.get(3)?.parse().ok()?))
    };
    text.lines().filter_map(row).filter(|(name, _)| name != "total").collect()
}

/// A file with data that has reached the disk.
fn file(fixture: &Fixture, bytes: u64) -> PathBuf {
    let path = fixture.file("data");
    std::fs::write(&path, vec![7; usize::try_from(bytes).expect("it fits")]).expect("there is room");
    std::fs::File::open(&path).and_then(|file| file.sync_all()).expect("it reaches the disk");
    path
}

#[test]
fn system_calls_agree_with_strace_to_the_call() {
    let Some(fixture) = Fixture::on_a_disk().filter(|_| has_or_skip(&["strace"])) else { return };
    let _alone = alone();
    let document = fixture.tutor("lab 3 --json --no-predict --size 64M").run().exits(0).json();
    let path = file(&fixture, 64 * MIB);
    let (reads, mmap) = (act(&document, "reads"), act(&document, "mmap-calls"));
    if reads["status"] == "unavailable" {
        return skip(&reads["reason"]);
    }

    let cread = format!("run cread {} --block 128K", path.display());
    let counted = strace(&fixture, &["-e", "trace=read"], &cread);
    let parts =
        ["startup_calls", "workload_calls", "teardown_calls"].map(|part| number(&reads["evidence"][part]));
    assert_eq!(parts.iter().sum::<u64>(), counted["read"], "{parts:?}");
    assert!(parts[0] > 0, "the loader's own reads are reported apart: {parts:?}");

    for (words, figure) in said_by_hand(&document) {
        let mut words = words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let program = words.remove(0);
        let table = fixture.file("by-hand");
        if program == "strace" {
            let tutor = words.iter().position(|word| word == "tutor").expect("the program that is traced");
            words[tutor] = fixture.program().to_str().expect("a plain name").to_owned();
            words.splice(0..0, ["-o".to_owned(), table.to_str().expect("a plain name").to_owned()]);
        }
        fixture.program_with(&program, "").args(&words).run().exits(0);
        if program == "strace" {
            assert_eq!(calls(&table)["read"], figure, "the line that is shown gives the figure that is told");
        }
    }

    let mut counted = strace(&fixture, &[], &format!("run mmapsum {} --touch", path.display()));
    // The two marks around the workload are calls as well, but of the counting, and not of the work.
    assert_eq!(counted.remove("prctl"), Some(2));
    assert_eq!(total(&mmap["evidence"]["mmap"]), counted);
}

/// The lines that act `reads` shows for doing it by hand, up to the one with strace, each with the figure that its
/// sentence tells of the whole program.
fn said_by_hand(document: &Value) -> Vec<(String, u64)> {
    let reads = act(document, "reads");
    let evidence = serde_json::from_value(reads["evidence"].clone()).expect("evidence of this act");
    let setting = Setting {
        host: serde_json::from_value(document["host"].clone()).expect("a host"),
        plan: serde_json::from_value(document["plan"].clone()).expect("a plan"),
    };
    let lines = Reads.reveal(&evidence, &setting).try_next;
    let strace = lines.iter().position(|line| line.starts_with("strace ")).expect("a line with strace");
    let sentence = reads["sentence"].as_str().expect("a sentence");
    let (_, figure) =
        sentence.split_once("given the name of a file, made ").expect("the whole program's figure");
    let digits =
        figure.chars().take_while(|letter| *letter != ' ').filter(char::is_ascii_digit).collect::<String>();
    let figure = digits.parse().expect("a number");
    lines[..=strace].iter().map(|line| (line.clone(), figure)).collect()
}

/// All three stretches together, by name.
fn total(calls: &Value) -> BTreeMap<String, u64> {
    let mut total = BTreeMap::new();
    for stretch in ["startup", "workload", "teardown"] {
        for (name, count) in calls[stretch].as_object().expect("counts by name") {
            *total.entry(name.clone()).or_default() += number(count);
        }
    }
    total
}

#[test]
fn residency_agrees_with_fincore_and_vmtouch() {
    undisturbed(|| {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let tools: Vec<_> = ["fincore", "vmtouch"].into_iter().filter(|tool| has_or_skip(&[tool])).collect();
        let path = file(&fixture, 8 * MIB);
        let run = |words: &str| fixture.tutor(&format!("run {words}")).arg(&path).run().exits(0).out.clone();
        for (state, steps) in [
            ("warm", &["residency"][..]),
            ("cold", &["evict"]),
            ("a part", &["evict", "cread --random-advice --bytes 1M"]),
        ] {
            steps.iter().for_each(|step| drop(run(step)));
            let ours = field(&run("residency"), "resident_pages");
            match state {
                "warm" => assert_eq!(ours, 8 * MIB / page_bytes()),
                "cold" => assert_eq!(ours, 0),
                _ => assert_eq!(ours, MIB / page_bytes()),
            }
            for tool in &tools {
                assert_eq!(ask(&fixture, tool, &path), ours, "{tool}, {state}");
            }
        }
    });
}

/// Resident pages, as another tool says.
fn ask(fixture: &Fixture, tool: &str, path: &Path) -> u64 {
    if tool == "fincore" {
        let ran = fixture.program_with(tool, "--noheadings --raw --output PAGES").arg(path).run();
        return ran.exits(0).out.trim().parse().expect("a number of pages");
    }
    // Resident Pages: 256/2048  1M/8M  12.5%
    let ran = fixture.program_with(tool, "").arg(path).run();
    let (_, rest) = ran.exits(0).out.split_once("Resident Pages: ").expect("vmtouch's own words");
    rest.split('/').next().and_then(|pages| pages.parse().ok()).expect("a number of pages")
}

#[test]
fn bytes_from_the_device_agree_with_the_kernels_account_of_the_process() {
    undisturbed(|| {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let path = file(&fixture, 32 * MIB);
        let _alone = alone();
        for (state, least, most) in [("--cold", 32 * MIB, 33 * MIB), ("--warm", 0, 0)] {
            let run = || fixture.tutor("run cread").arg(&path).arg(state).run();
            // The program itself has to be in memory, or its own pages would be among those counted.
            run();
            let before = blocks_read_by_children();
            let ran = run();
            let account = (blocks_read_by_children() - before) * 512;
            let line = &ran.exits(0).out;
            if line.contains("device_read_bytes=unknown") {
                return skip("this kernel does not count what a device delivers to a process");
            }
            let ours = field(line, "device_read_bytes");
            assert!((least..=most).contains(&ours), "{state}: {line}");
            // The kernel's account is of the whole life of the process: pages of the program may have left memory again.
            assert!((ours..ours + 8 * MIB).contains(&account), "{state}: {account} by the kernel, {line}");
        }
    });
}

/// ru_inblock of all children that have been waited for, in units of 512 bytes. See getrusage(2).
fn blocks_read_by_children() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("it always answers");
    usage.block_reads().try_into().expect("not negative")
}

fn page_bytes() -> u64 {
    let bytes = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).ok().flatten();
    bytes.and_then(|bytes| bytes.try_into().ok()).expect("there are pages")
}

/// A figure of a workload's line, such as `pages=256`.
fn field(line: &str, key: &str) -> u64 {
    let value = line.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {key} in {line}"))
}

#[track_caller]
fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("not a number: {value}"))
}
