//! Output that is no terminal, or one that wants it plain; readers who leave; input that ends, or never does.

mod support;

use serde_json::Value;
use std::fs::File;
use std::io::Read;
use support::{Ended, Fixture, Ran, Terminal, alone};

/// Commands that measure nothing, one of every kind.
const QUIET: [&str; 12] = [
    "",
    "list",
    "list --json",
    "doctor",
    "doctor --json",
    "progress",
    "progress --json",
    "clean",
    "completions bash",
    "--help",
    "lab 2 --replay --json",
    "lab 2 --replay --no-predict",
];

#[test]
fn without_a_terminal_not_one_escape_is_written() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for words in QUIET {
        fixture.tutor(words).run().exits(0).is_plain_text();
    }
    fixture.tutor("lab 99 --json").run().is_plain_text();
    fixture.tutor("lab 2 --size 8M --no-predict").run().exits(0).is_plain_text();
}

#[test]
fn a_terminal_that_wants_none_gets_none() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let lab = "lab 2 --size 8M";
    for (name, value, words) in [
        ("NO_COLOR", "1", lab.to_owned()),
        ("TERM", "dumb", lab.to_owned()),
        ("TERM", "", lab.to_owned()),
        ("CLICOLOR", "0", lab.to_owned()),
        ("CLICOLOR_FORCE", "1", format!("{lab} --plain")),
        ("ACCESSIBLE", "1", lab.to_owned()),
        ("TERM", "vt100", lab.to_owned()),
        ("LC_ALL", "de_DE.ISO-8859-1", lab.to_owned()),
    ] {
        let mut terminal = fixture.tutor(&words).env(name, value).on_terminal(80, 24);
        // Without pages to turn, it begins with the question.
        terminal.prompt().until_question();
        // The measurement is the place for a progress bar.
        terminal.answer("s").line("q");
        terminal.end().exits(0).has_no_escape().is_within(80);
        let list = fixture.tutor("list").env(name, value);
        let ended = if words.contains("--plain") { continue } else { list.on_terminal(80, 24).end() };
        ended.exits(0).has_no_escape();
    }
    fixture.nothing_left();
}

#[test]
fn a_pipe_on_a_terminal_gets_none_either() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let _alone = alone();
    for words in ["lab 3 --size 8M", "lab 3 --replay", "", "list", "doctor"] {
        // Standard input and standard error stay on the terminal.
        let script = format!(r#""$0" {words} | cat"#);
        let shell = fixture.program_with("sh", "-c").arg(script).arg(fixture.program());
        let mut terminal = shell.on_terminal(80, 24);
        let mut measured = false;
        while terminal.asks_or_ends() {
            let asks = terminal.is_question();
            terminal.line(if asks {
                "s"
            } else if measured {
                "q"
            } else {
                ""
            });
            measured |= asks;
        }
        terminal.end().exits(0).has_no_escape().is_within(80);
    }
    fixture.nothing_left();
}

#[test]
fn plain_is_heard_by_every_command() {
    let fixture = Fixture::anywhere();
    for words in ["list", "doctor", "progress", "", "lab 2 --replay --no-predict", "--help"] {
        for (name, value, flag) in [("ACCESSIBLE", "1", ""), ("ACCESSIBLE", "0", " --plain")] {
            if words == "--help" && !flag.is_empty() {
                continue;
            }
            let command = fixture.tutor(&format!("{words}{flag}")).env(name, value);
            let ended = quit(command.on_terminal(80, 24));
            ended.exits(0).has_no_escape().is_within(80);
            let drawn = |c: char| ('\u{2500}'..='\u{25ff}').contains(&c);
            assert_eq!(ended.raw.chars().find(|c| drawn(*c)), None, "{words}: {}", ended.raw);
        }
    }
}

/// Skip and quit whatever it asks.
fn quit(mut terminal: Terminal) -> Ended {
    while terminal.asks_or_ends() {
        terminal.line("q");
    }
    terminal.end()
}

#[test]
fn colour_can_be_forced_into_a_pipe_but_not_into_json() {
    let fixture = Fixture::anywhere();
    let forced = |words: &str| fixture.tutor(words).env("CLICOLOR_FORCE", "1");
    assert!(forced("lab 2 --replay --no-predict").run().exits(0).out.contains('\u{1b}'));
    forced("lab 2 --replay --no-predict").env("NO_COLOR", "1").run().exits(0).is_plain_text();
    forced("lab 2 --replay --json").run().exits(0).is_plain_text().json();
}

#[test]
fn a_reader_who_leaves_ends_it_in_silence() {
    let fixture = Fixture::anywhere();
    for words in QUIET {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        is_silent(&fixture.tutor(words).output_to(writer).run());
    }
    let shell = fixture.program_with("sh", "-c").arg(r#""$0" list | head -1"#).arg(fixture.program()).run();
    assert_eq!((shell.exits(0).out.lines().count(), &*shell.err), (1, ""));
}

#[test]
fn a_reader_who_leaves_early_costs_only_the_rest() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let _alone = alone();
    for words in ["lab 2 --size 8M --json", "lab 2 --size 8M --no-predict"] {
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let running = fixture.tutor(words).output_to(writer).start();
        let mut first = [0; 10];
        reader.read_exact(&mut first).expect("something is said");
        drop(reader);
        is_silent(&running.wait());
        fixture.nothing_left();
    }
}

#[track_caller]
fn is_silent(ran: &Ran) {
    assert_eq!(ran.exits(0).complaints(), [""; 0], "{ran:?}");
}

#[test]
fn a_full_disk_behind_standard_output_is_told() {
    let fixture = Fixture::anywhere();
    for words in QUIET {
        let full = File::options().write(true).open("/dev/full").expect("Linux has one");
        let ran = fixture.tutor(words).output_to(full).run();
        assert!(ran.refuses(1).contains("standard output"), "{ran:?}");
    }
}

#[test]
fn closed_streams_change_nothing_but_what_is_heard() {
    let fixture = Fixture::anywhere();
    for (script, code) in [
        (r#""$0" list >&-"#, 0),
        (r#""$0" list 2>&-"#, 0),
        (r#""$0" lab 99 2>&-"#, 2),
        (r#""$0" lab 99 >&- 2>&-"#, 2),
        (r#""$0" lab 2 --replay <&-"#, 0),
        (r#""$0" lab 2 --replay </dev/null"#, 0),
    ] {
        let ran = fixture.program_with("sh", "-c").arg(script).arg(fixture.program()).run();
        assert_eq!(ran.code(), Some(code), "{script}: {ran:?}");
    }
    fixture.nothing_left();
}

#[test]
fn an_end_of_input_at_the_first_question_measures_nothing() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for words in ["lab 2", "lab 3"] {
        let ran = fixture.tutor(words).run();
        ran.exits(0).is_plain_text();
        assert!(ran.out.contains("act 1 of"), "{ran:?}");
        assert_eq!(ran.err, "", "nothing is measured");
        fixture.nothing_left();
    }
    assert!(!fixture.state("progress.json").exists());
}

#[test]
fn piped_answers_are_answers() {
    let fixture = Fixture::anywhere();
    let ran = fixture.tutor("lab 2 --replay").input("a\n\n25x\n\nskip\nq\n").run();
    ran.exits(0);
    assert!(ran.out.contains("You said a") || ran.out.contains("You said 1x"), "{ran:?}");
    let progress: Value = fixture.tutor("progress --json").run().exits(0).json();
    let acts = &progress["labs"]["cold-vs-warm"]["acts"];
    assert_eq!(acts["trap"][0]["prediction"], serde_json::json!({"choice": "1x"}));
    assert_eq!(acts["factor"][0]["prediction"], serde_json::json!({"quantity": 25.0}));
    assert_eq!(acts["proof"][0]["prediction"], "skipped");
}

#[test]
fn input_without_end_or_sense_is_given_up() {
    let fixture = Fixture::anywhere();
    let mut noise = vec![0; 100_000];
    File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut noise)).expect("Linux has one");
    let noise = String::from_utf8_lossy(&noise).into_owned();
    for input in
        ["xyzzy\n".repeat(100_000), "b\n".repeat(100_000), "?\n".repeat(100_000), "x".repeat(1 << 20), noise]
    {
        let ran = fixture.tutor("lab 3 --replay").input(&input).run();
        assert!(ran.out.len() < 400_000, "{} bytes for nothing", ran.out.len());
        ran.is_plain_text().refuses(2);
    }
}
