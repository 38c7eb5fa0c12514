//! The book itself: nothing is wrong with it, and it is built soon.

use book::{Project, check};
use std::time::{Duration, Instant};

#[test]
fn nothing_is_wrong_with_it() {
    let project = Project::here().expect("the course and its recordings can be read");
    let faults: Vec<String> = check::all(&project).iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn it_is_built_while_one_waits() {
    let project = Project::here().expect("the course and its recordings can be read");
    let place = tempfile::tempdir().expect("a temporary directory");
    let clock = Instant::now();
    book::build(&project, place.path()).expect("it can be built");
    assert!(clock.elapsed() < Duration::from_secs(10), "{:?}", clock.elapsed());
    for page in ["index.html", "print.html", "cold-vs-warm.html"] {
        assert!(place.path().join(page).exists(), "{page}");
    }
}
