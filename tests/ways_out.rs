//! A matrix: every window, shell and way out, at every kind of moment, with pages and on the projector. The terminal's
//! settings are the same before and after, the cursor is there, no file stays, and the exit code says how it ended.

mod support;

use nix::sys::signal::{Signal, kill};
use std::fs;
use std::thread::sleep;
use std::time::Duration;
use support::{Fixture, Terminal, has_or_skip};

/// A window, and how the lab uses it.
#[derive(Clone, Copy, Debug)]
struct Window {
    columns: u16,
    rows: u16,
    projector: bool,
}

const WINDOWS: [Window; 5] = [
    Window { columns: 80, rows: 24, projector: false },
    Window { columns: 60, rows: 20, projector: false },
    Window { columns: 60, rows: 16, projector: true },
    Window { columns: 40, rows: 15, projector: false },
    Window { columns: 200, rows: 60, projector: false },
];

/// No editing of lines by the shell: it would change the settings by itself.
const SHELLS: [(&str, &str); 2] = [("bash", "--norc --noprofile --noediting -i"), ("dash", "-i")];
const SHELL_PROMPT: &str = "sh$ ";
const LAB: &str = "lab 2 --size 8M --trials 5";

/// A way out, or one that comes back.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    CtrlC,
    CtrlD,
    Term,
    Hup,
    StopAndBack,
    Resize,
}

const WAYS: [Way; 6] = [Way::CtrlC, Way::CtrlD, Way::Term, Way::Hup, Way::StopAndBack, Way::Resize];

/// A moment of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    Card,
    Question,
    /// A show of hands is typed.
    Hands,
    Reveal,
    Measuring,
    Confirmation,
    /// A page of the book.
    Reading,
}

impl Moment {
    fn words(self, projector: bool) -> String {
        let words = match self {
            Moment::Confirmation => "reset --all",
            Moment::Reading => "read 2",
            Moment::Measuring => "lab 2 --size 32M --trials 5 --step factor",
            _ => LAB,
        };
        format!("{words}{}", if projector { " --projector" } else { "" })
    }

    /// Whether there is such a moment in this window.
    fn is_in(self, window: Window) -> bool {
        match self {
            Moment::Hands => window.projector,
            Moment::Confirmation | Moment::Reading => !window.projector,
            _ => true,
        }
    }

    /// Go there, page by page.
    fn reach(self, terminal: &mut Terminal) {
        match self {
            Moment::Card | Moment::Reading => {
                terminal.prompt();
            }
            Moment::Question => {
                terminal.prompt().until_question();
            }
            Moment::Reveal => {
                terminal.prompt().until_question().answer("s");
            }
            Moment::Measuring => {
                terminal.prompt().until_question().line("s");
                terminal.wait_for("Measuring");
                sleep(Duration::from_millis(100));
            }
            Moment::Confirmation => {
                terminal.wait_for("Type yes: ");
            }
            Moment::Hands => unreachable!("hands are raised before a projector"),
        }
    }

    /// Go there, key by key.
    fn reach_on_projector(self, terminal: &mut Terminal) {
        terminal.projects();
        if self == Moment::Card {
            return;
        }
        // Of the first act, whichever it is.
        for _ in 0..10 {
            if terminal.shown().contains("act ") {
                break;
            }
            let before = terminal.shown();
            terminal.keys("n");
            terminal.changes(&before);
        }
        terminal.shows("act ").keys("v");
        // The question, with a count for each of its options.
        terminal.shows("How many hands?").keys("7");
        match self {
            Moment::Hands => {}
            Moment::Question => {
                terminal.keys("v");
                terminal.shows("What the class says");
                terminal.keys("b");
                terminal.projects();
            }
            _ => {
                terminal.keys("v");
                terminal.shows("What the class says");
                terminal.keys("n");
                terminal.wait_for("Measuring");
                if self == Moment::Reveal {
                    terminal.projects();
                } else {
                    sleep(Duration::from_millis(100));
                }
            }
        }
    }

    /// It asks again what it asked, or goes on to ask something; then say no more.
    fn goes_on(self, terminal: &mut Terminal, projector: bool) {
        match self {
            Moment::Confirmation => terminal.line("no"),
            Moment::Hands => terminal.shows("How many hands?").keys("q"),
            _ if projector => terminal.projects().keys("q"),
            _ => terminal.prompt().line("q"),
        }
    }
}

impl Way {
    /// Go this way, and give the exit code that it should lead to.
    fn go(self, moment: Moment, terminal: &mut Terminal, window: Window) -> u32 {
        let job = terminal.foreground();
        match self {
            Way::CtrlC => terminal.keys("\x03"),
            Way::Term => kill(job, Signal::SIGTERM).expect("it runs"),
            Way::Hup => kill(job, Signal::SIGHUP).expect("it runs"),
            Way::CtrlD => {
                terminal.keys("\x04");
                // What is typed while it measures is forgotten.
                if moment == Moment::Measuring {
                    moment.goes_on(terminal, window.projector);
                }
                return 0;
            }
            Way::StopAndBack => {
                terminal.keys("\x1a");
                terminal.wait_for(SHELL_PROMPT).line("fg");
                terminal.wait_for("tutor");
                moment.goes_on(terminal, window.projector);
                return 0;
            }
            Way::Resize => {
                resize(moment, terminal, window);
                return 0;
            }
        }
        130
    }
}

/// Another size, and on to the end.
fn resize(moment: Moment, terminal: &mut Terminal, window: Window) {
    let (columns, rows) = if window.columns == 40 { (80, 24) } else { (40, 15) };
    terminal.keys("");
    terminal.resize(columns, rows);
    if window.projector {
        moment.goes_on(terminal, true);
    } else if moment == Moment::Measuring || moment == Moment::Confirmation {
        moment.goes_on(terminal, false);
    } else {
        // The next page is drawn for the new window.
        terminal.answer(if moment == Moment::Question { "<" } else { "" });
        terminal.fits(columns);
        terminal.line("q");
    }
}

/// All windows, shells and ways at this moment.
fn all(moment: Moment) {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    for (shell, options) in SHELLS.into_iter().filter(|(shell, _)| has_or_skip(&[shell])) {
        for window in WINDOWS.into_iter().filter(|window| moment.is_in(*window)) {
            for way in WAYS {
                one(&fixture, (shell, options), window, way, moment);
            }
        }
    }
}

fn one(fixture: &Fixture, (shell, options): (&str, &str), window: Window, way: Way, moment: Moment) {
    let case = format!("{shell} {window:?} {way:?} {moment:?}");
    let command = fixture.program_with(shell, options).env("PS1", SHELL_PROMPT).env("ENV", "");
    let mut terminal = command.on_terminal(window.columns, window.rows);
    terminal.wait_for(SHELL_PROMPT).line("stty -g >before");
    let line = format!("{} {}", fixture.program().display(), moment.words(window.projector));
    terminal.wait_for(SHELL_PROMPT).line(&line);
    if window.projector {
        moment.reach_on_projector(&mut terminal);
    } else {
        moment.reach(&mut terminal);
    }
    assert_eq!(terminal.is_taken(), window.projector, "{case}");
    let code = way.go(moment, &mut terminal, window);
    terminal.wait_for(SHELL_PROMPT).line("echo \"code $?.\"; stty -g >after");
    terminal.wait_for(&format!("code {code}.")).wait_for(&format!(".\r\n{SHELL_PROMPT}"));
    let settings = |name: &str| fs::read_to_string(fixture.file(name)).expect("stty has written it");
    assert_eq!(settings("before"), settings("after"), "{case}: the settings are others");
    assert!(settings("before").contains(':'), "{case}: stty says nothing");
    terminal.line("exit 0");
    terminal.end().exits(0);
    assert!(fixture.leftovers().is_empty(), "{case}: files are left: {:?}", fixture.leftovers());
    fixture.nothing_left();
}

#[test]
fn at_the_first_page() {
    all(Moment::Card);
}

#[test]
fn at_a_question() {
    all(Moment::Question);
}

#[test]
fn at_a_show_of_hands() {
    all(Moment::Hands);
}

#[test]
fn at_a_reveal() {
    all(Moment::Reveal);
}

#[test]
fn at_a_confirmation() {
    all(Moment::Confirmation);
}

#[test]
fn at_a_page_of_the_book() {
    all(Moment::Reading);
}

#[test]
fn while_it_measures() {
    all(Moment::Measuring);
}

/// Nothing that is drawn anew is wider than the narrowest window: whatever a terminal does with wide lines when it gets
/// narrower, there are none.
#[test]
fn what_moves_fits_the_narrowest_window() {
    let Some(fixture) = Fixture::on_a_disk() else { return };
    let mut terminal = fixture.tutor("lab 3 --size 64M --step blocks").on_terminal(200, 60);
    terminal.prompt().until_question().line("s");
    terminal.prompt();
    let text = terminal.new_text();
    let moving = text.split_once("on an SSD.").expect("it says how long it takes").1;
    let moving = moving.split_once("act 1 of").or_else(|| moving.split_once("Lab 3")).expect("the reveal").0;
    let bar = moving.split(['\r', '\n']).filter(|line| line.contains('━') || line.contains('%'));
    assert!(bar.clone().next().is_some(), "no bar was drawn: {moving:?}");
    for line in bar {
        // The blanks that fill it up count, too.
        assert!(line.chars().count() <= 40, "{line:?}");
    }
    terminal.line("q");
    terminal.end().exits(0);
    fixture.nothing_left();
}
