//! Whatever a screen shows after `$` can be typed as it stands: it is understood, and does what it says.

mod support;

use std::collections::BTreeSet;
use support::{Fixture, LabCard, Ran, alone, has_or_skip, labs, skip};

/// Larger files than this say nothing more about whether a line can be typed.
const SIZE: &str = "4M";

/// These wait for what the machine does by itself, half a minute and longer: only whether they are understood is tried.
const PATIENT: [&str; 1] = ["flushwatch"];

/// All lines after `$` in a lab's recordings, in the order in which the learner meets them.
fn commands(fixture: &Fixture, lab: &LabCard) -> Vec<String> {
    let mut commands = Vec::new();
    for recording in lab.recordings() {
        let words = format!("lab {} --no-predict --replay", lab.number);
        let shown = fixture.tutor(&words).arg(recording).run();
        // A long line goes on below, as in any shell.
        let joined = shown.exits(0).out.replace("\\\n", "");
        let shown = joined.lines().filter_map(|line| line.split_once("$ "));
        commands.extend(shown.map(|(_, command)| command.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    assert!(commands.len() >= lab.acts.len(), "lab {}: {commands:?}", lab.number);
    commands
}

/// The same line with a small file. Where a memory limit stands beside the size, both belong together.
fn smaller(command: &str) -> String {
    if command.contains("--limit") {
        return command.to_owned();
    }
    let small = |text: &str| bytes(text) <= bytes(SIZE);
    let mut words: Vec<_> = command.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        if ["--size", "-s"].contains(&&*words[at - 1]) && !small(&words[at]) {
            SIZE.clone_into(&mut words[at]);
        }
    }
    words.join(" ")
}

/// `512M` as bytes, with binary units as in all commands here.
fn bytes(text: &str) -> u64 {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit {
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => 0,
    };
    digits.parse::<u64>().unwrap_or_else(|_| panic!("no size: {text}")) << shift
}

fn type_in(fixture: &Fixture, command: &str) -> Ran {
    let bin = fixture.program().parent().expect("it lies in a directory").display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    fixture.program_with("/bin/sh", "-c").arg(command).env("PATH", path).run()
}

#[test]
fn every_line_after_a_dollar_works_as_it_stands() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let mut typed = BTreeSet::new();
    for lab in labs() {
        for command in commands(&fixture, &lab).iter().map(|command| smaller(command)) {
            let tool = command.split(' ').next().unwrap_or_default().to_owned();
            if !typed.insert(command.clone()) || (tool != "tutor" && !has_or_skip(&[&tool])) {
                continue;
            }
            let _alone = alone();
            if PATIENT.iter().any(|name| command.contains(name)) {
                type_in(&fixture, &format!("{command} --help")).exits(0);
                continue;
            }
            let ran = type_in(&fixture, &command);
            if ran.code() == Some(1) && ran.complaints().len() == 1 && ran.err.contains(": needs ") {
                skip(format_args!("$ {command}: {}", ran.err.trim()));
                continue;
            }
            assert!(ran.code() == Some(0) || dies_as_it_shall(&ran), "$ {command}\n{ran:?}");
            if command.starts_with("tutor run ") {
                says_its_line(&command, &ran);
            }
            assert!(fixture.leftovers().is_empty(), "$ {command}\n{:?}", fixture.leftovers());
        }
    }
    assert!(typed.iter().filter(|command| command.starts_with("tutor run ")).count() > 20, "{typed:#?}");
    fixture.nothing_left();
}

/// Some show a death: of SIGBUS, as a shell tells it, or for want of memory in a limit.
fn dies_as_it_shall(ran: &Ran) -> bool {
    let out_of_memory = || ran.out.contains(" oom_kills=") && !ran.out.contains(" oom_kills=0");
    ran.code() == Some(128 + libc::SIGBUS) || (ran.code() == Some(1) && out_of_memory())
}

/// `[name] key=value …`, for people and for parsing; a memory limit has a line of its own.
#[track_caller]
fn says_its_line(command: &str, ran: &Ran) {
    assert!(!ran.out.is_empty(), "$ {command}\n{ran:?}");
    for line in ran.out.lines() {
        let name = line.strip_prefix('[').and_then(|line| line.split_once("] "));
        let (name, fields) = name.unwrap_or_else(|| panic!("$ {command}\n{ran:?}"));
        let known = name == "limit" || command.split(' ').any(|word| word == name);
        assert!(known && fields.split(' ').all(|field| field.contains('=')), "$ {command}\n{ran:?}");
    }
}

#[test]
fn every_command_in_the_readme_exists() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).expect("it is there");
    let fixture = Fixture::anywhere();
    // In code blocks a comment follows after two blanks.
    let in_blocks =
        readme.lines().filter(|line| line.starts_with("tutor ")).filter_map(|line| line.split("  ").next());
    let in_text = readme.split('`').skip(1).step_by(2).filter(|text| text.starts_with("tutor "));
    let commands: BTreeSet<_> = in_blocks.chain(in_text).map(str::trim).filter(|it| *it != "tutor").collect();
    assert!(commands.len() > 5, "{commands:?}");
    for command in commands {
        let words = command.trim_start_matches("tutor ").replace(" N", " 2");
        // Asked for its help, a command line is read and nothing is done; what is unknown is refused first.
        let ran = fixture.tutor(&words).arg("--help").run();
        assert_eq!(ran.code(), Some(0), "{command}: {ran:?}");
        let flags = words.split_whitespace().filter(|word| word.starts_with("--") && *word != "--help");
        for flag in flags {
            assert!(ran.out.contains(flag), "{command}: no {flag} in its help");
        }
    }
}
