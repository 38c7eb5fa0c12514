//! The projector on a terminal: single keys, a screen of its own, and every way out of it.

mod support;

use nix::sys::signal::Signal;
use std::thread::sleep;
use std::time::Duration;
use support::{Fixture, Terminal};

const LIVE: &str = "lab 2 --size 8M --trials 5 --projector --step trap";
const LONG: &str = "lab 3 --size 64M --step blocks --projector";
const ASKS: &str = "How much faster is the second read";
const WINDOWS: [(u16, u16); 4] = [(60, 16), (100, 30), (40, 15), (200, 60)];

/// A way to end it.
#[derive(Clone, Copy, Debug)]
enum Way {
    Key(&'static str),
    Signal(Signal),
}

const WAYS: [(Way, u32); 5] = [
    (Way::Key("q"), 0),
    (Way::Key("\x04"), 0),
    (Way::Key("\x03"), 130),
    (Way::Signal(Signal::SIGTERM), 130),
    (Way::Signal(Signal::SIGHUP), 130),
];

impl Way {
    fn go(self, terminal: &mut Terminal) {
        match self {
            Way::Key(key) => terminal.keys(key),
            Way::Signal(signal) => terminal.signal(signal),
        }
    }
}

/// Press a key until this is shown.
#[track_caller]
fn until(terminal: &mut Terminal, key: &str, text: &str) {
    terminal.projects();
    for _ in 0..30 {
        if terminal.shown().contains(text) {
            return;
        }
        let before = terminal.shown();
        terminal.keys(key);
        terminal.changes(&before);
    }
    panic!("no {text:?} after 30 keys:\n{}", terminal.shown());
}

#[test]
fn by_every_way_from_a_question_and_a_reveal() {
    for (columns, rows) in WINDOWS {
        for (way, code) in WAYS {
            for reveal in [false, true] {
                let Some(fixture) = Fixture::on_a_disk() else { return };
                let mut terminal = fixture.tutor(LIVE).on_terminal(columns, rows);
                until(&mut terminal, " ", ASKS);
                if reveal {
                    terminal.keys(" ");
                    terminal.shows("The first read took");
                }
                assert!(terminal.is_taken(), "{}", terminal.shown());
                way.go(&mut terminal);
                let ended = terminal.end();
                ended.exits(code);
                assert_eq!(ended.text().contains("What you have done is kept"), reveal && code == 0);
                fixture.nothing_left();
            }
        }
    }
}

#[test]
fn while_it_measures() {
    for (moment, (way, code)) in (0..).zip([&WAYS[2..], &WAYS[2..], &WAYS[2..]].concat()) {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let (columns, rows) = WINDOWS[moment % 2];
        let mut terminal = fixture.tutor(LONG).on_terminal(columns, rows);
        until(&mut terminal, "n", "How much longer");
        terminal.keys("n");
        terminal.shows("Measuring");
        sleep(Duration::from_millis(20 << moment.min(6)));
        way.go(&mut terminal);
        terminal.end().exits(code);
        fixture.nothing_left();
    }
}

#[test]
fn when_the_window_is_closed() {
    for measuring in [false, true] {
        let Some(fixture) = Fixture::on_a_disk() else { return };
        let mut terminal = fixture.tutor(LONG).on_terminal(80, 24);
        until(&mut terminal, "n", "How much longer");
        if measuring {
            terminal.keys("n");
            terminal.shows("Measuring");
        }
        let code = terminal.hang_up();
        assert!([Some(130), Some(0)].contains(&code), "{code:?}");
        fixture.nothing_left();
    }
}

/// With a shell that says when it is stopped, and brings it back at the next line.
fn in_a_shell(fixture: &Fixture, words: &str) -> Terminal {
    let script = r#"set -m; "$0" "$@"; code=$?
        while [ $code = 147 ]; do echo "stopped"; read line; fg >/dev/null; code=$?; done; echo "code $code""#;
    let shell = fixture.program_with("sh", "-c").arg(script).arg(fixture.program());
    shell.args(words.split(' ')).on_terminal(60, 16)
}

#[test]
fn stopped_anywhere_it_gives_the_terminal_back_and_goes_on() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let mut terminal = in_a_shell(&fixture, LIVE);
    let stop = |terminal: &mut Terminal, then: &str| {
        terminal.keys("\x1a");
        terminal.wait_for("stopped");
        terminal.has_its_settings();
        assert!(!terminal.is_taken(), "{}", terminal.shown());
        terminal.line("");
        terminal.shows(then);
        assert!(terminal.is_taken());
    };
    until(&mut terminal, " ", ASKS);
    stop(&mut terminal, ASKS);
    terminal.keys(" ");
    terminal.shows("Measuring");
    stop(&mut terminal, "Lab 2");
    terminal.shows("The first read took");
    stop(&mut terminal, "The first read took");
    terminal.keys("q");
    terminal.wait_for("code 0");
    terminal.end();
    fixture.nothing_left();
}

/// Ctrl-Z throws away what was typed just before it: who was about to read that must not wait for it.
#[test]
fn a_key_just_before_a_stop_does_not_hold_it_up() {
    let fixture = Fixture::anywhere();
    let mut terminal = in_a_shell(&fixture, "lab 2 --replay --projector");
    terminal.projects();
    for _ in 0..300 {
        terminal.keys("x");
        terminal.keys("\x1a");
        terminal.wait_for("stopped").line("");
        terminal.projects();
    }
    terminal.keys("q");
    terminal.wait_for("code 0");
    terminal.end();
}

#[test]
fn keys_of_a_clicker_go_through_and_back_without_measuring_again() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let mut terminal = fixture.tutor(LIVE).on_terminal(60, 16);
    until(&mut terminal, "\x1b[6~", ASKS);
    // Pressed twice out of impatience, it measures once and turns no screen that nobody has seen.
    terminal.keys("\x1b[6~\x1b[6~");
    terminal.shows("The first read took");
    let told = terminal.shown();
    terminal.keys("\x1b[5~");
    terminal.shows(ASKS);
    terminal.keys("\x1b[6~");
    terminal.shows("The first read took");
    assert_eq!(terminal.shown(), told, "nothing was measured again");
    until(&mut terminal, " ", "act 2 of 4");
    until(&mut terminal, "\x1b[D", ASKS);
    until(&mut terminal, "\x1b[C", "The first read took");
    assert_eq!(terminal.shown(), told);
    terminal.keys("r");
    terminal.wait_for("Measuring");
    terminal.shows("The first read took");
    terminal.keys("q");
    terminal.end().exits(0);
    fixture.nothing_left();
}

#[test]
fn another_size_of_the_window_is_drawn_at_once() {
    let fixture = Fixture::anywhere();
    let mut terminal = fixture.tutor("lab 2 --replay --projector").on_terminal(60, 16);
    until(&mut terminal, "n", "a ratio of");
    for (columns, rows) in [(100, 30), (60, 16), (200, 60), (80, 24), (30, 8), (60, 16)] {
        terminal.resize(columns, rows);
        terminal.wait("the keys in the last row", |terminal| {
            let rows_now: Vec<_> = terminal.all_rows();
            rows_now[usize::from(rows) - 1].starts_with(" n ") && rows_now[0].contains("Lab 2")
        });
    }
    terminal.keys("q");
    terminal.end().exits(0);
}

#[test]
fn colours_are_explicit_and_no_color_has_none() {
    let fixture = Fixture::anywhere();
    let raw = |dark: &str, variable: (&'static str, &str)| {
        let words = format!("lab 2 --replay --projector {dark}");
        let mut terminal = fixture.tutor(&words).env(variable.0, variable.1).on_terminal(60, 16);
        until(&mut terminal, "n", "a ratio of");
        terminal.keys("q");
        let ended = terminal.end();
        ended.exits(0);
        ended.raw
    };
    let (light, dark) = (raw("", ("TERM", "xterm")), raw("--dark", ("TERM", "xterm")));
    assert!(light.contains("38;5;16;48;5;231m") && !light.contains("38;5;231;48;5;16m"));
    assert!(dark.contains("38;5;231;48;5;16m") && !dark.contains("38;5;16;48;5;231m"));
    let bare = raw("", ("NO_COLOR", "1"));
    assert!(!bare.contains("48;5;") && !bare.contains("38;5;") && bare.contains("\x1b[?1049h"));
    let dumb = raw("", ("TERM", "dumb"));
    assert!(!dumb.contains('\x1b'), "{dumb:?}");
}

#[test]
fn without_a_terminal_or_with_another_form_it_is_refused() {
    let fixture = Fixture::anywhere();
    for (words, says) in [
        ("lab 2 --projector", "--projector needs a terminal"),
        ("lab 2 --projector --json", "cannot be used with"),
        ("lab 2 --projector --plain", "cannot be used with"),
        ("lab 2 --dark", "--projector"),
    ] {
        let line = fixture.tutor(words).run().refuses(2).to_owned();
        assert!(line.contains(says), "{words}: {line}");
    }
    fixture.nothing_left();
}

#[test]
fn a_stop_that_nobody_would_end_is_none_and_a_continue_draws_again() {
    let fixture = Fixture::anywhere();
    let mut terminal = fixture.tutor("lab 2 --replay --projector").on_terminal(60, 16);
    until(&mut terminal, "n", "a ratio of");
    let shown = terminal.shown();
    // Nobody watches it as a shell does: the kernel would not stop it by default, either.
    terminal.signal(Signal::SIGTSTP);
    terminal.keys("b");
    terminal.changes(&shown);
    terminal.keys("n");
    terminal.shows("a ratio of");
    terminal.signal(Signal::SIGSTOP);
    terminal.keys("");
    terminal.signal(Signal::SIGCONT);
    terminal.wait_for("a ratio of");
    assert!(terminal.is_taken());
    terminal.keys("q");
    terminal.end().exits(0);
}

#[test]
fn where_nothing_can_be_measured_it_offers_a_recording_and_labels_it() {
    let fixture = Fixture::anywhere();
    for term in ["xterm-256color", "dumb"] {
        let start = |words: &str| {
            let command = fixture.tutor("lab 2 --projector --dir /proc/self").args(words.split_whitespace());
            let mut terminal = command.env("TERM", term).on_terminal(60, 16);
            terminal.shows("It cannot be measured here");
            terminal.shows("n show the recording, labelled");
            terminal
        };
        for (key, code) in [("q", 1), ("\x04", 1), ("\x03", 130)] {
            let mut terminal = start("");
            terminal.keys(key);
            let ended = terminal.end();
            let text = ended.exits(code).text().split_whitespace().collect::<Vec<_>>().join(" ");
            let told = text.contains("`tutor lab 2 --projector --replay` shows");
            assert_eq!(told, code == 1, "{text}");
        }
        let mut terminal = start("--record kept.json");
        terminal.keys("n");
        terminal.shows("RECORDED 20");
        until(&mut terminal, "n", ASKS);
        terminal.keys("q");
        let ended = terminal.end();
        let text = ended.exits(0).text();
        assert!(!text.contains("is kept"), "nothing was done here: {text}");
        assert!(!fixture.file("kept.json").exists(), "nothing was measured");
    }
    fixture.nothing_left();
}

#[test]
fn the_offer_of_a_recording_can_be_resized_and_stopped() {
    let fixture = Fixture::anywhere();
    let mut terminal = fixture.tutor("lab 1 --projector --dir /proc/self").on_terminal(60, 16);
    terminal.shows("It cannot be measured here");
    terminal.signal(nix::sys::signal::Signal::SIGTERM);
    terminal.wait("its end", |terminal| terminal.has_ended());
    terminal.end().exits(130);
    let mut narrow = fixture.tutor("lab 1 --projector --dir /proc/self").on_terminal(40, 12);
    narrow.shows("It cannot be measured here");
    narrow.keys("zb");
    // However many screens the reason takes.
    until(&mut narrow, "n", "RECORDED 20");
    narrow.keys("q");
    narrow.end().exits(0);
    fixture.nothing_left();
}

#[test]
fn knobs_answers_given_ahead_and_a_record_work_with_it() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let file = fixture.file("kept.json");
    let words = format!("{LIVE} --predict a --record {}", file.display());
    let mut terminal = fixture.tutor(&words).on_terminal(60, 16);
    until(&mut terminal, "n", ASKS);
    terminal.keys("n");
    terminal.shows("You said a");
    terminal.keys("q");
    terminal.end().exits(0);
    let shown =
        fixture.tutor("lab 2 --json --no-predict --step trap --replay").arg(&file).run().exits(0).json();
    assert_eq!(shown["acts"][0]["status"], "recorded", "{shown}");
    let refused = fixture.tutor("lab 2 --projector --size 1").on_terminal(60, 16);
    let ended = refused.end();
    assert!(ended.exits(2).text().contains("--size"), "{}", ended.screen);
    fixture.nothing_left();
}
