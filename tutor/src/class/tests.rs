//! Exported files of made-up learners, damaged ones, and what is counted of them.

use super::count::{Counted, questions};
use super::export::labs;
use super::file::{Answer, Came, Export, KIND, Machine, SCHEMA};
use super::gather::understand;
use super::invalid_entries::Known;
use super::{html, text};
use crate::progress::Progress;
use crate::render::Canvas;
use crate::session::fake;
use instruments::Plan;
use lesson::{Lab, Prediction, Verdict};

const CANVAS: Canvas = Canvas { width: 80, height: 24, colour: false, plain: true };

fn answer(prediction: Prediction, outcome: Came) -> Answer {
    let on = "2026-11-30".to_owned();
    Answer { on, recorded: false, prediction, plan: None, outcome: Some(outcome), verdict: Verdict::Miss }
}

fn choice(said: &str, was: &str) -> Answer {
    answer(Prediction::Choice(said.to_owned()), Came::Choice(was.to_owned()))
}

fn export(number: u64, filesystem: &str, pick: Vec<Answer>, guess: Vec<Answer>) -> Export {
    let acts = [("pick".to_owned(), pick), ("guess".to_owned(), guess)];
    Export {
        schema: SCHEMA,
        kind: KIND.to_owned(),
        tutor: "0.1.0".to_owned(),
        learner: format!("{number:016x}"),
        exported_on: "2026-11-30".to_owned(),
        machine: Machine {
            kernel: "6.18.3".to_owned(),
            filesystem: filesystem.to_owned(),
            disk: "a virtual disk (virtio)".to_owned(),
            ..Machine::default()
        },
        labs: [("fake".to_owned(), acts.into())].into(),
    }
}

/// Four who expect "one" and ten times; ext4 shows two and 2x, btrfs three and 40x.
fn class() -> Vec<Export> {
    let guess = |was| vec![answer(Prediction::Quantity(10.0), Came::Quantity(was))];
    vec![
        export(1, "ext4", vec![choice("one", "two")], guess(2.0)),
        export(2, "ext4", vec![choice("one", "two"), choice("two", "two")], guess(2.1)),
        export(3, "btrfs", vec![choice("one", "three")], guess(40.0)),
        export(4, "ext4", vec![choice("three", "two")], guess(2.0)),
    ]
}

fn counted(exports: &[Export]) -> Vec<Counted> {
    counted_of(&[fake::lab()], exports)
}

fn counted_of(labs: &[Lab], exports: &[Export]) -> Vec<Counted> {
    questions(labs, &Known::of(labs), exports)
}

#[test]
fn the_first_prediction_counts_and_the_last_measurement() {
    let pick = &counted(&class())[0];
    let rows: Vec<_> = pick.answers.iter().map(|row| (row.predicted, row.measured)).collect();
    assert_eq!(rows, [(3, 0), (0, 3), (1, 1)]);
    let again = vec![choice("one", "two"), choice("two", "three")];
    let pick = &counted(&[export(1, "ext4", again, vec![])])[0];
    let rows: Vec<_> = pick.answers.iter().map(|row| (row.predicted, row.measured)).collect();
    assert_eq!(rows, [(1, 0), (0, 0), (0, 1)]);
}

#[test]
fn a_recording_is_no_machine_of_the_class() {
    let recorded = Answer { recorded: true, ..choice("one", "two") };
    let pick = &counted(&[export(1, "ext4", vec![recorded], vec![])])[0];
    assert_eq!((pick.predicted, pick.measured, pick.recorded), (1, 0, 1));
    assert!(pick.surprises.is_empty(), "{pick:?}");
}

#[test]
fn what_surprises_is_said_with_its_numbers() {
    let lines = text::lines(4, &counted(&class()), &CANVAS).join("\n");
    insta::assert_snapshot!("class", lines);
}

#[test]
fn where_all_were_right_nothing_surprises() {
    let right = |number| export(number, "ext4", vec![choice("two", "two")], vec![]);
    let counted = counted(&[right(1), right(2), right(3)]);
    assert!(counted.iter().all(|question| question.surprises.is_empty()), "{counted:?}");
    assert!(text::lines(3, &counted, &CANVAS).join(" ").contains("No surprise"));
}

#[test]
fn predictions_that_are_wrong_in_different_ways_are_a_surprise_too() {
    let three = ["one", "three", "one", "three", "one", "two"];
    let class: Vec<Export> =
        (0..6).map(|at| export(at, "ext4", vec![choice(three[at as usize], "two")], vec![])).collect();
    let pick = &counted(&class)[0];
    assert_eq!((pick.judged, pick.agreed), (6, 1));
    assert!(pick.surprises[0].starts_with("1 of 6 predicted what their machine showed"), "{pick:?}");
    // Half of them is no surprise, and one less is.
    let class = |right: u64| -> Vec<Export> {
        (0..6)
            .map(|at| export(at, "ext4", vec![choice(if at < right { "two" } else { "one" }, "two")], vec![]))
            .collect()
    };
    assert!(counted(&class(3))[0].surprises.is_empty());
    assert!(!counted(&class(2))[0].surprises.is_empty());
}

#[test]
fn a_prediction_is_held_beside_its_own_machine_and_else_beside_the_others() {
    let own = |number, was: &str| export(number, "ext4", vec![choice(was, was)], vec![]);
    let mut class = vec![own(1, "one"), own(2, "two"), own(3, "three")];
    let pick = &counted(&class)[0];
    assert_eq!((pick.judged, pick.agreed), (3, 3));
    assert!(pick.surprises.iter().any(|text| text.starts_with("The machines disagree")), "{pick:?}");
    class.extend([own(4, "two"), own(5, "two")]);
    let only_said = |said: &str| Answer { outcome: None, ..choice(said, "") };
    class.push(export(6, "ext4", vec![only_said("two")], vec![]));
    class.push(export(7, "ext4", vec![only_said("three")], vec![]));
    let pick = &counted(&class)[0];
    assert_eq!((pick.judged, pick.agreed), (7, 6), "two is what most machines showed");
}

#[test]
fn few_predictions_and_none_are_told_apart_from_no_surprise() {
    let said = |exports: &[Export]| text::lines(1, &counted(exports), &CANVAS).join(" ");
    let one = said(&[export(1, "ext4", vec![choice("one", "two")], vec![])]);
    assert!(one.contains("Too few predictions to tell") && !one.contains("No surprise"), "{one}");
    let skipped = |number| {
        export(number, "ext4", vec![answer(Prediction::Skipped, Came::Choice("two".to_owned()))], vec![])
    };
    let class = [skipped(1), skipped(2), skipped(3)];
    let none = said(&class);
    assert!(none.contains("Nobody predicted anything") && !none.contains("No surprise"), "{none}");
    assert!(none.contains("3 machines") && !none.contains("said so"), "outcomes are shown: {none}");
    let page = html::page(3, &counted(&class));
    assert!(page.contains("class=\"shown\"") && !page.contains("class=\"said\""), "{page}");
    let nothing = [Answer { outcome: None, ..answer(Prediction::Skipped, Came::Undecided) }];
    let page = html::page(1, &counted(&[export(1, "ext4", nothing.to_vec(), vec![])]));
    assert!(page.contains("nobody predicted, 1 skipped") && !page.contains("class=\"chart\""), "{page}");
}

#[test]
fn the_greatest_surprise_comes_first() {
    let class = |number: u64| {
        let said = if number < 2 { "two" } else { "one" };
        let guess = answer(Prediction::Quantity(10.0), Came::Quantity(2.0));
        export(number, "ext4", vec![choice(said, "two")], vec![guess])
    };
    let counted = counted(&(0..8).map(class).collect::<Vec<_>>());
    let discuss = super::discuss::of(&counted).worth_discussing;
    assert!(discuss[0].starts_with("lab 7 guess: 0 of 8"), "{discuss:?}");
    assert!(discuss[1].starts_with("lab 7 pick: 2 of 8"), "{discuss:?}");
}

#[test]
fn a_question_is_told_as_it_was_asked() {
    let lab = &crate::course::labs()[1];
    let proof = |number: u64, mib: u64| {
        let plan = Some(Plan { size_bytes: mib << 20, block_bytes: 128 << 10, trials: 5 });
        let answer = Answer { plan, ..answer(Prediction::Skipped, Came::Undecided) };
        let labs = [(lab.card.slug.to_owned(), [("proof".to_owned(), vec![answer])].into())].into();
        Export { labs, ..export(number, "ext4", vec![], vec![]) }
    };
    let ask = |exports: &[Export]| counted_of(&crate::course::labs(), exports)[0].ask.clone();
    assert!(ask(&[proof(1, 64), proof(2, 64)]).contains("How many of the 64 MiB does"));
    let several = ask(&[proof(1, 512), proof(2, 64)]);
    assert!(several.contains("of the 64 to 512 MiB does"), "{several}");
    assert!(several.ends_with("(sizes from 64 MiB to 512 MiB)"), "{several}");
}

#[test]
fn kernels_stand_in_the_order_of_their_versions() {
    let with = |number, kernel: &str| {
        let export = export(number, "ext4", vec![choice("two", "two")], vec![]);
        Export { machine: Machine { kernel: kernel.to_owned(), ..export.machine.clone() }, ..export }
    };
    let counted = counted(&[with(1, "6.18.2"), with(2, "6.18.1"), with(3, "6.8.0"), with(4, "5.10.1")]);
    let kernels = &counted[0].by_kind[3];
    let names: Vec<_> = kernels.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!((kernels.by, names), ("kernel", vec!["Linux 5.10", "Linux 6.8", "Linux 6.18"]));
}

#[test]
fn machines_that_stay_silent_are_worth_a_word() {
    let silent =
        |number| export(number, "ext4", vec![answer(Prediction::Skipped, Came::Unavailable)], vec![]);
    let mut exports = class();
    exports.extend([silent(5), silent(6)]);
    let pick = &counted(&exports)[0];
    assert_eq!((pick.skipped, pick.unavailable), (2, 2));
    assert!(pick.surprises.iter().any(|text| text.starts_with("2 of 6 machines could not")), "{pick:?}");
}

#[test]
fn what_this_version_does_not_know_is_named_and_the_rest_counts() {
    let mut invalid = export(
        1,
        "ext4",
        vec![
            choice("nine\u{7}", "two"),
            answer(Prediction::Quantity(1.0), Came::Undecided),
            answer(Prediction::Skipped, Came::Undecided),
        ],
        vec![],
    );
    invalid.labs.insert("quantum\u{1b}[2J".to_owned(), [].into());
    let labs = [fake::lab()];
    let found = Known::of(&labs).invalid_entries(&invalid);
    assert!(found.any);
    assert_eq!(found.unknown.into_iter().collect::<Vec<_>>(), ["lab `quantum?[2J`"]);
    let damaged: Vec<_> = found.damaged.into_iter().collect();
    assert_eq!(damaged, ["`nine?` in act pick of lab 7", "a number in act pick of lab 7"]);
    let pick = &counted(&[invalid])[0];
    assert_eq!((pick.answers.len(), pick.skipped, pick.predicted), (3, 1, 0), "no row of its own: {pick:?}");
}

#[test]
fn nothing_of_a_file_reaches_the_page_or_the_terminal_as_it_is() {
    let mut exports = class();
    exports[0].machine.filesystem = "<script>alert('x')</script>\u{1b}[2J\u{202e}\n".to_owned();
    let counted = counted(&exports);
    let page = html::page(4, &counted);
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;alert(&#39;x&#39;)"), "{page}");
    let lines = text::lines(4, &counted, &CANVAS).concat();
    for shown in [page.replace('\n', ""), lines] {
        assert!(shown.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{shown:?}");
    }
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let page = html::page(4, &counted(&class()));
    for outside in ["http", "src=", "href=", "url(", "@import", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("prefers-color-scheme:dark") && page.matches("<svg class=\"chart\"").count() == 2);
    let opened =
        |tag: &str| page.matches(&format!("<{tag}")).count() - page.matches(&format!("</{tag}>")).count();
    assert_eq!(["section", "svg", "ul", "table", "text"].map(opened), [0; 5], "{page}");
}

#[test]
fn a_file_that_is_written_can_be_read_and_one_that_is_damaged_cannot() {
    let json = serde_json::to_string(&class()[0]).unwrap();
    assert_eq!(understand(json.as_bytes()).unwrap(), class()[0]);
    let refused = |from: &str, to: &str| understand(json.replacen(from, to, 1).as_bytes()).unwrap_err();
    for (from, to, why) in [
        ("\"schema\":1", "\"schema\":2", "schema 2, from a newer tutor"),
        ("\"schema\":1", "\"schema\":\"1\"", "no schema number"),
        (KIND, "another export", "no export of this tutor"),
        ("{\"quantity\":10.0}", "{\"quantity\":-1}", "a quantity below zero"),
        ("{\"quantity\":10.0}", "{\"quantity\":1e999}", "out of range"),
        ("{\"quantity\":10.0}", "{\"quantity\":NaN}", "not JSON"),
        ("{\"quantity\":10.0}", "{\"quantity\":null}", "damaged"),
        ("0000000000000001", "../../etc/passwd", "`learner`"),
        ("\"labs\":{", "\"labs\":[{", "not JSON"),
        ("\"cpus\":0", "\"cpus\":-3", "damaged"),
    ] {
        let said = refused(from, to);
        assert!(said.contains(why), "{to}: {said}");
    }
    assert!(understand(&json.as_bytes()[..json.len() / 2]).unwrap_err().contains("ends too early"));
    assert!(understand(&vec![b'['; 100_000]).unwrap_err().contains("not JSON"), "it is not nested for ever");
    assert!(labs(&Progress::default()).is_empty());
}
