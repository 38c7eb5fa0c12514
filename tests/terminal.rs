//! The guided session on a terminal: every way out at every moment leaves the terminal as it was, and nothing else.

mod support;

use nix::sys::signal::Signal;
use std::thread::sleep;
use std::time::Duration;
use support::{Fixture, Terminal};

const WINDOWS: [(u16, u16); 4] = [(80, 24), (60, 20), (40, 15), (200, 60)];
const LAB_2: &str = "lab 2 --size 8M --trials 5";

/// A way to end a program from outside.
#[derive(Clone, Copy, Debug)]
enum Way {
    Key(&'static str),
    Signal(Signal),
}

const CTRL_C: Way = Way::Key("\x03");
const CTRL_D: Way = Way::Key("\x04");
const TERM: Way = Way::Signal(Signal::SIGTERM);
const HUP: Way = Way::Signal(Signal::SIGHUP);

impl Way {
    fn go(self, terminal: &mut Terminal) {
        match self {
            Way::Key(key) => terminal.keys(key),
            Way::Signal(signal) => terminal.signal(signal),
        }
    }

    /// The end of input is a way to say goodbye.
    fn code(self) -> u32 {
        if matches!(self, Way::Key("\x04")) { 0 } else { 130 }
    }
}

/// In every window, by every way: go to the place, leave, and look at what is left.
fn leave_from(place: impl Fn(&mut Terminal)) {
    for (columns, rows) in WINDOWS {
        for way in [CTRL_C, CTRL_D, TERM, HUP] {
            let Some(fixture) = Fixture::on_a_disk() else { return };
            let mut terminal = fixture.tutor(LAB_2).on_terminal(columns, rows);
            place(terminal.prompt());
            terminal.has_its_settings();
            way.go(&mut terminal);
            terminal.end().exits(way.code()).is_within(columns);
            fixture.nothing_left();
        }
    }
}

#[test]
fn from_the_first_page() {
    leave_from(|_| ());
}

#[test]
fn from_a_question() {
    leave_from(|terminal| {
        terminal.until_question();
    });
}

#[test]
fn from_a_reveal() {
    leave_from(|terminal| {
        terminal.until_question().answer("s");
    });
}

#[test]
fn while_it_measures() {
    for (moment, way) in (0..).zip([CTRL_C, TERM, HUP, CTRL_C, TERM, HUP, CTRL_C, TERM, CTRL_C]) {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let (columns, rows) = WINDOWS[moment % WINDOWS.len()];
        let words = "lab 3 --size 64M --step blocks";
        let mut terminal = fixture.tutor(words).on_terminal(columns, rows);
        terminal.prompt().until_question().line("s");
        // From the first moment, over writing the file, into the runs of the workloads.
        sleep(Duration::from_millis(20 << moment.min(7)));
        way.go(&mut terminal);
        terminal.end().exits(way.code()).is_within(columns);
        fixture.nothing_left();
    }
}

#[test]
fn keys_typed_while_it_measures_turn_no_page() {
    for keys in ["\r\r", "q\r", "\x04", &"x".repeat(400)] {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let mut terminal = fixture.tutor(LAB_2).on_terminal(80, 24);
        terminal.prompt().until_question().line("s");
        terminal.wait_for("Measuring").keys(keys);
        terminal.prompt();
        assert!(terminal.top().contains("act 1 of"), "{keys:?}: {}", terminal.shown());
        assert!(!terminal.is_question(), "{keys:?}: {}", terminal.shown());
        terminal.keys("\x04");
        let ended = terminal.end();
        assert!(ended.exits(0).text().contains("What you have done is kept"), "{}", ended.screen);
        fixture.nothing_left();
    }
}

#[test]
fn while_a_workload_runs_by_hand() {
    for way in [CTRL_C, TERM, HUP] {
        for moment_ms in [0, 100, 300] {
            let Some(fixture) = Fixture::on_a_disk() else { return };
            let words = "run cread --size 64M --cold --block 512";
            let mut terminal = fixture.tutor(words).on_terminal(80, 24);
            // Once its scratch directory is there, signals are watched. It may also have ended by itself.
            let begun = |terminal: &mut Terminal| !fixture.leftovers().is_empty() || terminal.has_ended();
            terminal.wait("scratch directory", begun);
            sleep(Duration::from_millis(moment_ms));
            if !terminal.has_ended() {
                way.go(&mut terminal);
            }
            let ended = terminal.end();
            assert!([Some(130), Some(0)].contains(&ended.code), "{:?}: {}", ended.code, ended.screen);
            fixture.nothing_left();
        }
    }
}

#[test]
fn when_the_window_is_closed() {
    for measuring in [false, true] {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let mut terminal = fixture.tutor("lab 3 --size 64M --step blocks").on_terminal(80, 24);
        terminal.prompt().until_question();
        if measuring {
            terminal.line("s");
            terminal.wait_for("Measuring");
            sleep(Duration::from_millis(300));
        }
        // A hangup is a signal and an end of input: whichever is seen first.
        let code = terminal.hang_up();
        assert!([Some(130), Some(0)].contains(&code), "{code:?}");
        fixture.nothing_left();
    }
}

#[test]
fn stopped_and_continued_it_goes_on() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    // A shell with job control: without one, nobody could continue what is stopped.
    let script = r#"set -m; "$0" "$@"; echo "code $?"; fg; echo "code $?"; fg; echo "code $?""#;
    let shell = fixture.program_with("sh", "-c").arg(script).arg(fixture.program());
    let mut terminal = shell.args(LAB_2.split(' ')).on_terminal(80, 24);
    terminal.prompt().keys("\x1a");
    terminal.wait_for("code 148").prompt();
    assert!(terminal.top().contains("Lab 2"), "the page is not shown again:\n{}", terminal.shown());
    terminal.answer("").until_question().line("s");
    terminal.wait_for("Measuring").keys("\x1a");
    terminal.wait_for("code 148").prompt();
    terminal.line("q");
    terminal.wait_for("code 0");
    terminal.end();
    fixture.nothing_left();
}

#[test]
fn every_page_fits_the_window_that_is_there_now() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let mut terminal = fixture.tutor("lab 2 --replay").on_terminal(80, 24);
    terminal.prompt();
    for (columns, rows) in [(60, 20), (200, 60), (40, 15), (80, 24), (60, 20), (40, 24)] {
        terminal.resize(columns, rows);
        terminal.answer(if terminal.is_question() { "s" } else { "" });
        let page = terminal.new_text();
        terminal.fits(columns);
        assert!(terminal.top().contains("Lab 2"), "the page's head has scrolled away: {page}");
    }
    terminal.line("q");
    terminal.end().exits(0);
}

#[test]
fn keys_do_what_they_say() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let mut terminal = fixture.tutor(LAB_2).on_terminal(80, 24);
    terminal.prompt();
    for (key, says) in [
        ("b", "This is the first page."),
        ("r", "Nothing has been run yet."),
        ("?", "Enter goes on."),
        ("xyzzy", "Enter goes on."),
        ("9999999999999999999999", "Enter goes on."),
    ] {
        assert!(terminal.answer(key).new_text().contains(says), "{key}: {}", terminal.shown());
    }
    terminal.answer("n").until_question();
    for (key, says) in [
        ("", "First say what you expect"),
        ("r", "Nothing is measured before"),
        ("?", "Where are the bytes when the write returns?"),
        ("banana", "banana"),
        ("\u{1b}[A\u{1b}[B", "[A"),
        (&"long".repeat(500), "long"),
    ] {
        assert!(terminal.answer(key).new_text().contains(says), "{key}: {}", terminal.shown());
        terminal.fits(80);
        assert_eq!(fixture.leftovers().len(), 1, "one scratch directory");
    }
    // The letter of an option answers; `<` goes back where b is an option.
    assert!(terminal.answer("<").new_text().contains("about 15 min"), "{}", terminal.shown());
    let reveal = terminal.answer("").until_question().answer("b").new_text();
    assert!(reveal.contains("act 1 of 4") && reveal.contains("Why"), "{reveal}");
    assert!(terminal.answer("xyzzy").new_text().contains("none of the keys"));
    let again = terminal.answer("r").new_text();
    assert!(again.contains("Measuring") && again.contains("act 1 of 4"), "{again}");
    let back = terminal.answer("b").new_text();
    assert!(back.contains("> b") || back.contains("5x"), "what was said is shown: {back}");
    terminal.line("q");
    let ended = terminal.end();
    ended.exits(0);
    fixture.nothing_left();
}

#[test]
fn remarks_do_not_push_the_question_out_of_the_window() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for (columns, rows) in [(80, 24), (60, 20)] {
        let mut terminal = fixture.tutor(LAB_2).on_terminal(columns, rows);
        terminal.prompt().until_question();
        let question = terminal.shown();
        let asked = question.lines().rfind(|line| line.trim_start().starts_with("a  ")).expect("an option");
        for key in ["", "r", "banana", "", "", "r", "banana", "", "", "", "", "", ""] {
            terminal.answer(key);
            assert!(terminal.shown().contains(asked), "{key}: {}", terminal.shown());
            let remarks = ["First say", "Nothing is measured", "banana"];
            let shown = terminal.shown();
            assert_eq!(remarks.iter().filter(|remark| shown.contains(**remark)).count(), 1, "{shown}");
        }
        terminal.line("q");
        terminal.end().exits(0);
    }
    fixture.nothing_left();
}

#[test]
fn reset_asks_and_can_be_left() {
    let fixture = Fixture::anywhere();
    for (way, code) in [(CTRL_C, 130), (TERM, 130), (HUP, 130)] {
        let mut terminal = fixture.tutor("reset --all").on_terminal(80, 24);
        terminal.wait_for("Type yes");
        way.go(&mut terminal);
        terminal.end().exits(code);
    }
    for (answer, says) in
        [("no\r", "Nothing was forgotten"), ("\r", "Nothing was forgotten"), ("yes\r", "Forgot 0")]
    {
        let mut terminal = fixture.tutor("reset --all").on_terminal(80, 24);
        terminal.wait_for("Type yes").keys(answer);
        let ended = terminal.end();
        assert!(ended.exits(0).text().contains(says), "{}", ended.screen);
    }
    let mut terminal = fixture.tutor("reset --all").on_terminal(80, 24);
    terminal.wait_for("Type yes").keys("\x04");
    let ended = terminal.end();
    assert!(ended.text().contains("Nothing was forgotten"), "{}", ended.screen);
    ended.exits(0);
    fixture.nothing_left();
}
