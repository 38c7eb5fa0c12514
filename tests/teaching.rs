//! What an instructor has beside the projector: notes that follow a session, and the schedule of a day.

mod support;

use support::{Fixture, labs};

const LAB: &str = "lab 2 --replay --projector";
const SESSION: &str = "session-cold-vs-warm.json";

#[test]
fn notes_without_a_session_say_so_and_hold_every_step() {
    let fixture = Fixture::anywhere();
    for lab in labs() {
        for words in [format!("notes {} --once", lab.number), format!("notes {}", lab.slug)] {
            let ran = fixture.tutor(&words).run();
            let text = &ran.exits(0).out;
            assert!(text.contains("No session of this lab runs"), "{text}");
            let places: Vec<_> = lab.acts.iter().map(|act| text.find(act.as_str())).collect();
            assert!(places.iter().all(Option::is_some), "{text}");
            assert_eq!(text.matches("Trap").count(), lab.acts.len(), "{text}");
        }
    }
    assert!(fixture.tutor("notes 99").run().refuses(2).contains("no lab `99`"));
    assert!(fixture.tutor("notes").run().refuses(2).contains("which lab?"));
}

#[test]
fn notes_follow_a_session_step_by_step() {
    let fixture = Fixture::anywhere();
    for (words, on, quit) in [(LAB, "n", "q"), ("lab 2 --replay", "\r", "q\r")] {
        let mut notes = fixture.tutor("notes 2").on_terminal(80, 40);
        notes.shows("No session of this lab runs");
        let mut session = fixture.tutor(words).on_terminal(80, 24);
        session.shows("Lab 2");
        notes.shows("First");
        notes.shows("trap");
        for (act, next) in [("trap", "factor"), ("factor", "proof")] {
            let mut pressed = 0;
            while !session.shown().contains(&format!("of 4 · {act}")) {
                pressed += 1;
                assert!(pressed < 60, "{act} is not reached:\n{}", session.shown());
                let before = session.shown();
                // A question on an ordinary line wants an answer.
                session.keys(if session.is_question() && on == "\r" { "s\r" } else { on });
                session.changes(&before);
            }
            notes.wait("the step and the next one", |notes| {
                let text = notes.shown();
                let line = |label: &str, act: &str| {
                    text.lines().any(|line| line.trim_start().starts_with(label) && line.contains(act))
                };
                line("Now", act) && line("Next", next) && text.contains("this step 0 min of 4 min")
            });
        }
        let once = fixture.tutor("notes 2").run();
        assert!(once.exits(0).out.contains("2 of 4"), "{once:?}");
        assert!(fixture.state(SESSION).exists());
        session.keys(quit);
        session.end().exits(0);
        assert!(!fixture.state(SESSION).exists(), "nothing is left to follow");
        notes.shows("No session of this lab runs");
        notes.keys("\x03");
        notes.end().exits(130);
        // The time that was really taken is kept.
        let day = fixture.tutor("schedule --json 2").run().exits(0).json();
        assert!(day["items"][0]["took_s"].is_u64(), "{day}");
        fixture.tutor("reset 2").input("yes\n").run().exits(0);
        fixture.nothing_left();
    }
}

#[test]
fn the_session_that_lives_is_followed_when_another_of_the_same_lab_has_ended() {
    let fixture = Fixture::anywhere();
    let is_followed = || !fixture.tutor("notes 2").run().exits(0).out.contains("No session of this lab runs");
    let mut first = fixture.tutor(LAB).on_terminal(60, 16);
    first.shows("Lab 2");
    first.wait("the session's file", |_| fixture.state(SESSION).exists());
    let mut second = fixture.tutor(LAB).on_terminal(60, 16);
    second.shows("Lab 2");
    second.keys("q");
    second.end().exits(0);
    let before = first.shown();
    first.keys("n");
    first.changes(&before);
    first.wait("the notes", |_| is_followed());
    fixture.tutor("clean").run().exits(0);
    assert!(is_followed(), "a session that runs stays");
    first.keys("q");
    first.end().exits(0);
    assert!(!fixture.state(SESSION).exists());
    fixture.nothing_left();
}

#[test]
fn notes_that_follow_say_how_to_end_them() {
    let fixture = Fixture::anywhere();
    let mut notes = fixture.tutor("notes 2").on_terminal(80, 40);
    notes.shows("Ctrl-C ends these notes.");
    notes.keys("\x03");
    notes.end().exits(130);
    assert!(!fixture.tutor("notes 2 --once").run().exits(0).out.contains("Ctrl-C"));
}

#[test]
fn a_session_that_is_killed_leaves_no_notes() {
    let fixture = Fixture::anywhere();
    for (signal, file_goes) in
        [(nix::sys::signal::Signal::SIGTERM, true), (nix::sys::signal::Signal::SIGKILL, false)]
    {
        let mut session = fixture.tutor(LAB).on_terminal(60, 16);
        session.shows("Lab 2");
        session.wait("the session's file", |_| fixture.state(SESSION).exists());
        session.signal(signal);
        session.wait("its end", |session| session.has_ended());
        assert_eq!(!fixture.state(SESSION).exists(), file_goes);
        assert!(fixture.tutor("notes 2").run().exits(0).out.contains("No session"), "{signal}");
    }
    fixture.tutor("clean").run().exits(0);
    assert!(!fixture.state(SESSION).exists());
}

#[test]
fn the_schedule_of_a_day_and_of_some_labs() {
    let fixture = Fixture::anywhere();
    let ran = fixture.tutor("schedule --start 9:00").run();
    let text = &ran.exits(0).out;
    assert!(text.contains("09:00") && text.contains("break") && text.contains("kernel-clock"), "{text}");
    let some = fixture.tutor("schedule 3 cold-vs-warm --start 13:30 --json").run().exits(0).json();
    let items = some["items"].as_array().expect("items");
    assert_eq!((items[0]["from"].as_str(), items[0]["lab"].as_u64()), (Some("13:30"), Some(3)));
    assert!(items.iter().any(|item| item["lab"] == 2) && items.iter().all(|item| item["lab"] != 1));
    for (words, says) in [
        ("schedule --start 25:00", "`25:00` is no time of the day"),
        ("schedule --start soon", "`soon` is no time of the day"),
        ("schedule --start 9:5", "two digits of minutes, such as 9:05"),
        ("schedule 1 2 fill-and-drain", "lab 1 is named twice"),
        ("schedule 99", "no lab `99`"),
    ] {
        assert!(fixture.tutor(words).run().refuses(2).contains(says), "{words}");
    }
}

#[test]
fn a_schedule_past_midnight_says_so() {
    let fixture = Fixture::anywhere();
    for (words, first) in [("schedule 1 --start 9", "09:00"), ("schedule 1 --start 9:05", "09:05")] {
        let ran = fixture.tutor(words).run();
        assert!(ran.exits(0).out.contains(first) && !ran.out.contains("next day"), "{ran:?}");
    }
    let late = fixture.tutor("schedule 1 2 --start 23:50").run();
    assert!(late.exits(0).out.contains("on it is the next day."), "{late:?}");
    let items = fixture.tutor("schedule 1 2 --start 23:50 --json").run().exits(0).json();
    let items = items["items"].as_array().expect("items").clone();
    assert!(items[0]["next_day"].is_null() && items[items.len() - 1]["next_day"] == true, "{items:?}");
}
