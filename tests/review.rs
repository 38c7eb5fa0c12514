//! `tutor review`: one page of Markdown, of what is kept about a lab.

mod support;

use support::{Fixture, labs};

#[test]
fn what_was_done_and_what_was_not() {
    let fixture = Fixture::anywhere();
    fixture.tutor("lab 2 --replay").input("b\n\n25x\nq\n").run().exits(0);
    let page = fixture.tutor("review 2").run().exits(0).is_plain_text().out.clone();
    let title = page.lines().next().expect("a title");
    assert!(title.starts_with("# Lab 2: "), "{page}");
    for said in ["- You said: b (", "- You said: 25x", "RECORDED 20", "Why:", "Not done yet."] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert_eq!(page, fixture.tutor("review cold-vs-warm").run().exits(0).out, "the name does as well");
    fixture.nothing_left();
}

#[test]
fn of_every_lab_before_and_after() {
    let fixture = Fixture::anywhere();
    for lab in labs() {
        let review = || fixture.tutor(&format!("review {}", lab.number)).run().exits(0).out.clone();
        let before = review();
        assert!(before.contains("is done yet"), "{before}");
        assert_eq!(before.matches("Not done yet.").count(), lab.acts.len(), "{before}");
        fixture.tutor(&format!("lab {} --replay --json", lab.number)).run().exits(0);
        let after = review();
        assert_eq!(after.matches("- You said: nothing").count(), lab.acts.len(), "{after}");
        assert_eq!(after.matches("- A recording of another machine").count(), lab.acts.len(), "{after}");
        let headings = after.lines().filter(|line| line.starts_with('#')).count();
        assert_eq!(headings, 1 + lab.acts.len(), "{after}");
    }
}

#[test]
fn an_unknown_lab_is_refused() {
    let fixture = Fixture::anywhere();
    for words in ["review 99", "review nothing", "review"] {
        let ran = fixture.tutor(words).run();
        assert!(ran.refuses(2).contains("2 cold-vs-warm"), "{ran:?}");
    }
}
