//! Recordings through the real binary: every one, in every form, in windows of all sizes; always labelled as one.

mod support;

use std::path::Path;
use support::{Fixture, LabCard, keeps_the_contract, labs};
use unicode_width::UnicodeWidthStr;

const WINDOWS: [(u16, u16); 3] = [(80, 24), (60, 20), (40, 15)];

/// Every recording of every lab.
fn each(mut check: impl FnMut(&Fixture, &LabCard, &Path)) {
    for lab in labs() {
        let fixture = Fixture::anywhere();
        for recording in lab.recordings() {
            check(&fixture, &lab, &recording);
        }
        fixture.nothing_left();
    }
}

/// The day on which it was recorded.
fn day(recording: &Path) -> String {
    let text = std::fs::read_to_string(recording).expect("it can be read");
    let recording: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    recording["recorded_on"].as_str().expect("a day").to_owned()
}

#[test]
fn as_a_document() {
    each(|fixture, lab, recording| {
        let ran = fixture.tutor(&format!("lab {} --json --replay", lab.number)).arg(recording).run();
        assert_eq!(ran.exits(0).err, "", "{ran:?}");
        let document = ran.json();
        keeps_the_contract(&document, lab);
        assert_eq!(document["source"], "recorded");
        assert_eq!(document["recorded_on"], day(recording));
    });
}

#[test]
fn as_plain_text_in_windows_of_all_sizes() {
    // The terminal is one for the output only: nobody turns pages, so all of them come.
    let script = r#"for recording in "$@"; do "$0" lab "$LAB" --plain --no-predict --replay "$recording" </dev/null; done"#;
    for lab in labs() {
        for (columns, rows) in WINDOWS {
            let fixture = Fixture::anywhere();
            let shell = fixture.program_with("sh", "-c").arg(script).arg(fixture.program());
            let shell = shell.args(lab.recordings()).env("LAB", lab.number.to_string());
            let ended = shell.on_terminal(columns, rows).end();
            ended.exits(0).has_no_escape().is_within(columns);
            is_labelled_throughout(&lab, &ended.text().replace('\r', ""), columns);
        }
    }
}

/// The head of each page, its first line with the lab's number, is followed by the label.
#[track_caller]
fn is_labelled_throughout(lab: &LabCard, text: &str, columns: u16) {
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let head = format!("Lab {} ", lab.number);
    let heads = lines.iter().enumerate().filter(|(_, line)| line.starts_with(&head));
    let mut pages = 0;
    for (at, line) in heads {
        let label = lines[at..].iter().take(5).find(|line| line.starts_with("RECORDED 20"));
        assert!(
            label.is_some_and(|label| columns < 60 || label.contains("Linux ")),
            "{line}: {:?}",
            &lines[at..][..5]
        );
        pages += 1;
    }
    assert!(pages > lab.acts.len(), "{pages} pages");
}

#[test]
fn on_a_terminal_page_by_page() {
    let fixture = Fixture::anywhere();
    for lab in labs() {
        for (columns, rows) in WINDOWS {
            let words = format!("lab {} --replay --step {}", lab.number, lab.acts[0]);
            let mut terminal = fixture.tutor(&words).on_terminal(columns, rows);
            let mut screens = Vec::new();
            let mut asked = terminal.prompt().is_question();
            loop {
                assert!(screens.len() < 200, "it does not come to an end");
                let page = terminal.new_text();
                assert!(page.contains("RECORDED 20"), "{page}");
                assert!(
                    terminal.top().contains(&format!("Lab {} ", lab.number)),
                    "{columns}x{rows}: the page's head has scrolled away: {page}"
                );
                terminal.has_its_settings();
                screens.push(terminal.shown());
                if !terminal.asks_after(if asked { "s" } else { "" }) {
                    break;
                }
                asked = terminal.is_question();
            }
            terminal.end().exits(0).is_within(columns);
            assert!(screens.len() >= 2 * lab.acts.len(), "{} pages", screens.len());
            let between = format!("\n{}\n", "·".repeat(columns.into()));
            insta::assert_snapshot!(format!("lab-{}-{columns}x{rows}", lab.number), screens.join(&between));
        }
    }
    fixture.nothing_left();
}

#[test]
fn what_the_learner_reads() {
    let fixture = Fixture::anywhere();
    for lab in labs() {
        let ran = fixture.tutor(&format!("lab {} --replay --no-predict", lab.number)).run();
        assert!(ran.exits(0).out.lines().all(|line| line.width() <= 80), "{ran:?}");
        insta::assert_snapshot!(format!("lab-{}", lab.number), ran.out);
    }
}

#[test]
fn what_a_screen_reader_reads_in_a_narrow_window() {
    let fixture = Fixture::anywhere();
    for lab in labs() {
        let script = format!(r#"ACCESSIBLE=1 "$0" lab {} --replay --no-predict </dev/null"#, lab.number);
        let shell = fixture.program_with("sh", "-c").arg(script).arg(fixture.program());
        let ended = shell.on_terminal(40, 15).end();
        ended.exits(0).has_no_escape().is_within(40);
        // The end of it is the lab's summary, with a line for each act.
        let text = ended.text().replace('\r', "");
        let summary = text.split("summary").last().unwrap_or_default();
        assert!(
            text.contains("summary") && lab.acts.iter().all(|act| summary.contains(act.as_str())),
            "{text}"
        );
        insta::assert_snapshot!(format!("lab-{}-40", lab.number), text);
    }
}
