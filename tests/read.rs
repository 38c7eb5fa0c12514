//! `tutor read`: the book in the terminal. Whole in a pipe, page by page where somebody sits there.

mod support;

use support::{Fixture, labs};

const WINDOWS: [(u16, u16); 3] = [(80, 24), (60, 20), (40, 15)];

/// The chapters, as the list has them: `tutor read 2`.
fn chapters(fixture: &Fixture) -> Vec<String> {
    let list = fixture.tutor("read").run().exits(0).out.clone();
    let named = list.lines().filter_map(|line| line.strip_prefix("tutor read "));
    named.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn every_chapter_is_printed_whole_into_a_pipe() {
    let fixture = Fixture::anywhere();
    let chapters = chapters(&fixture);
    assert!(chapters.len() > labs().len(), "{chapters:?}");
    for chapter in chapters {
        let ran = fixture.tutor(&format!("read {chapter}")).run();
        ran.exits(0).is_plain_text();
        assert!(ran.out.lines().count() > 20, "{chapter}: {ran:?}");
        // What only a browser understands, and what only mdBook does, is not for reading.
        for mark in ["<svg", "<details", "<figure", "{{#", "](http"] {
            assert!(!ran.out.contains(mark), "{chapter}: {mark}");
        }
    }
    fixture.nothing_left();
}

#[test]
fn a_lab_is_named_by_number_or_name_and_its_chapter_has_all_of_its_acts() {
    let fixture = Fixture::anywhere();
    for lab in labs() {
        let by_number = fixture.tutor(&format!("read {}", lab.number)).run();
        assert_eq!(by_number.exits(0).out, fixture.tutor(&format!("read {}", lab.slug)).run().out);
        for act in &lab.acts {
            let line = format!("tutor lab {} --step {act}", lab.number);
            assert!(by_number.out.contains(&line), "lab {}: {line}", lab.number);
        }
    }
}

#[test]
fn each_reveal_names_the_chapter_and_the_section() {
    let fixture = Fixture::anywhere();
    for lab in labs() {
        let shown = fixture.tutor(&format!("lab {} --no-predict --replay", lab.number)).run();
        for act in &lab.acts {
            let line = format!("tutor read {} - book: {}.html#{act}", lab.number, lab.slug);
            assert!(shown.exits(0).out.contains(&line), "{line}");
        }
    }
}

#[test]
fn a_person_turns_the_pages() {
    let fixture = Fixture::anywhere();
    for (columns, rows) in WINDOWS {
        let mut terminal = fixture.tutor("read 2").on_terminal(columns, rows);
        terminal.prompt();
        let first = terminal.top();
        let mut pages = 0;
        loop {
            pages += 1;
            assert!(pages < 200, "it does not come to an end");
            terminal.has_its_settings();
            if !terminal.asks_after("") {
                break;
            }
            assert_eq!(terminal.top(), first, "{columns}x{rows}: the page's head has scrolled away");
        }
        terminal.end().exits(0).is_within(columns);
        assert!(pages > 10, "{columns}x{rows}: {pages} pages");
    }
    fixture.nothing_left();
}

#[test]
fn keys_lead_back_to_a_page_and_out() {
    let fixture = Fixture::anywhere();
    let mut terminal = fixture.tutor("read 2").on_terminal(80, 24);
    terminal.prompt();
    terminal.answer("b");
    assert!(terminal.shown().contains("This is the first page."), "{}", terminal.shown());
    terminal.answer("3");
    assert!(terminal.shown().contains(" page 3 of "), "{}", terminal.shown());
    terminal.answer("b");
    assert!(terminal.shown().contains(" page 2 of "), "{}", terminal.shown());
    terminal.answer("what?");
    assert!(terminal.shown().contains("Enter goes on"), "{}", terminal.shown());
    assert!(!terminal.asks_after("q"));
    terminal.end().exits(0);
}

#[test]
fn what_there_is_not_is_refused_in_one_line() {
    let fixture = Fixture::anywhere();
    let ran = fixture.tutor("read 99").run();
    assert!(ran.refuses(2).contains("`tutor read` shows what there is"), "{ran:?}");
}
