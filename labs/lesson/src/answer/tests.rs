//! What learners type, and how near it was.

use super::*;
use proptest::prelude::*;

fn question(answer: Ask) -> Question {
    Question { setup: String::new(), commands: Vec::new(), ask: String::new(), answer, hint: String::new() }
}

fn choice() -> Question {
    let option = |id: &str| Choice { id: id.into(), text: id.into(), explanation: id.into() };
    question(Ask::Choice(vec![option("one-a-page"), option("25x"), option("none")]))
}

fn quantity(unit: Unit, example: &str) -> Question {
    question(Ask::Quantity(Quantity { unit, example: example.into(), hit_factor: 1.25, near_factor: 2.0 }))
}

fn ratio() -> Question {
    quantity(Unit::Ratio, "10x")
}

fn percent() -> Question {
    quantity(Unit::Percent, "30%")
}

fn bytes() -> Question {
    quantity(Unit::Bytes, "64M")
}

fn faults() -> Question {
    quantity(Unit::Count("minor faults".into()), "4k")
}

fn number(text: &str, question: &Question) -> f64 {
    match Prediction::parse(text, question) {
        Ok(Prediction::Quantity(number)) => number,
        other => panic!("{text:?} was read as {other:?}"),
    }
}

fn refusal(text: &str, question: &Question) -> String {
    let refusal = Prediction::parse(text, question).expect_err(text);
    assert!(!refusal.contains('\n') && refusal.len() < 200, "{refusal:?}");
    refusal
}

#[test]
fn a_choice_by_letter_number_or_id() {
    let meant = |text| Prediction::parse(text, &choice());
    for text in ["a", "A", " a ", "a)", "a.", "1", "1.", "one-a-page", "One-A-Page"] {
        assert_eq!(meant(text), Ok(Prediction::Choice("one-a-page".into())), "{text:?}");
    }
    for text in ["b", "2", "25x"] {
        assert_eq!(meant(text), Ok(Prediction::Choice("25x".into())), "{text:?}");
    }
    for text in ["d", "z", "0", "4", "-1", "25", "ab", "é", "99999999999999999999"] {
        assert_eq!(
            refusal(text, &choice()),
            format!("`{text}` is not one of the answers: type a letter from a to c, or skip")
        );
    }
    assert_eq!(refusal("", &choice()), "nothing was typed: type a letter from a to c, or skip");
}

#[test]
fn skipping_is_an_answer_to_anything() {
    for question in [choice(), ratio(), percent(), bytes(), faults()] {
        for text in ["skip", "SKIP", "s", " s "] {
            assert_eq!(Prediction::parse(text, &question), Ok(Prediction::Skipped));
        }
    }
}

#[test]
fn numbers_as_people_write_them() {
    for text in ["25x", "25", "25.0", "25 x", "25X", "25×", "25 times", "025"] {
        assert_eq!(number(text, &ratio()), 25.0, "{text:?}");
    }
    assert_eq!(number("0.5x", &ratio()), 0.5);
    assert_eq!(number(".5", &ratio()), 0.5);
    assert_eq!(number("1kx", &ratio()), 1000.0);
    for text in ["30%", "30", "30 %", "30 percent"] {
        assert_eq!(number(text, &percent()), 30.0, "{text:?}");
    }
    for text in ["131,072", "131072", "131072 minor faults", "131,072 faults", "131.072k", "131.072 k faults"]
    {
        assert_eq!(number(text, &faults()), 131_072.0, "{text:?}");
    }
    assert_eq!(number("4k", &faults()), 4000.0);
    assert_eq!(number("1.5M", &faults()), 1.5e6);
    assert_eq!(number("4k", &bytes()), 4096.0);
    for text in ["512 MiB", "512M", "536,870,912", "536870912 bytes", "0.5G"] {
        assert_eq!(number(text, &bytes()), 536_870_912.0, "{text:?}");
    }
    for question in [percent(), bytes(), faults()] {
        assert_eq!(number("0", &question), 0.0);
    }
}

#[test]
fn what_is_not_understood_is_answered_with_what_would_be() {
    assert_eq!(
        refusal("abc", &ratio()),
        "`abc` is not a number that fits here: type a ratio such as 10x, or skip"
    );
    assert_eq!(
        refusal("101%", &percent()),
        "`101%` is more than all of it: type a share from 0% to 100%, such as 30%, or skip"
    );
    assert_eq!(
        refusal("9E", &bytes()),
        "`9E` is not a size that a file can have: type a size such as 64M, or skip"
    );
    assert_eq!(
        refusal("12 apples", &faults()),
        "`12 apples` is not a number that fits here: type a number of minor faults such as 4k, or skip"
    );
    assert_eq!(
        refusal("-3", &faults()),
        "`-3` is below zero: type a number of minor faults such as 4k, or skip"
    );
    assert_eq!(refusal("  ", &ratio()), "nothing was typed: type a ratio such as 10x, or skip");
}

#[test]
fn commas_mark_thousands_and_nothing_else() {
    for text in ["1,5", "1,5x", ",5", "1,,000", "1000,000", "12,34", "1,000,", "1.000,5", ","] {
        assert!(refusal(text, &ratio()).contains("comma"), "{text:?}");
    }
    assert_eq!(number("1,000x", &ratio()), 1000.0);
    assert!(refusal("1,5G", &bytes()).contains("comma"));
}

#[test]
fn never_infinite_and_never_not_a_number() {
    let digits = "9".repeat(400);
    for text in
        ["inf", "infinity", "NaN", "nan", "∞", "1e400", "1e5", "+5", ".", "..", "1.2.3", "x", "k", &digits]
    {
        for question in [ratio(), percent(), bytes(), faults()] {
            refusal(text, &question);
        }
    }
    assert!(refusal(&digits, &ratio()).contains("is too large"));
}

#[test]
fn a_chosen_option_hits_or_misses() {
    let said = |id: &str| Some(Prediction::Choice(id.into()));
    let was = Outcome::Choice("none".into());
    assert_eq!(verdict(said("none").as_ref(), &was, &choice()), Verdict::Hit);
    assert_eq!(verdict(said("25x").as_ref(), &was, &choice()), Verdict::Miss);
}

#[test]
fn a_number_is_judged_by_its_factor_in_both_directions() {
    let judged = |said, was| verdict(Some(&Prediction::Quantity(said)), &Outcome::Quantity(was), &ratio());
    for (said, was, verdict) in [
        (10.0, 10.0, Verdict::Hit),
        (12.5, 10.0, Verdict::Hit),
        (8.0, 10.0, Verdict::Hit),
        (12.6, 10.0, Verdict::Near),
        (7.9, 10.0, Verdict::Near),
        (20.0, 10.0, Verdict::Near),
        (5.0, 10.0, Verdict::Near),
        (20.1, 10.0, Verdict::Miss),
        (4.9, 10.0, Verdict::Miss),
        (0.375, 0.3, Verdict::Hit),
        (0.0, 0.0, Verdict::Hit),
        (0.0, 0.001, Verdict::Miss),
        (0.001, 0.0, Verdict::Miss),
        (1.0, -1.0, Verdict::Miss),
        (1.0, f64::INFINITY, Verdict::None),
        (1.0, f64::NAN, Verdict::None),
    ] {
        assert_eq!(judged(said, was), verdict, "{said} against {was}");
    }
}

#[test]
fn nothing_is_judged_without_both_sides() {
    let ten = Outcome::Quantity(10.0);
    assert_eq!(verdict(None, &ten, &ratio()), Verdict::None);
    assert_eq!(verdict(Some(&Prediction::Skipped), &ten, &ratio()), Verdict::None);
    let said = Prediction::Quantity(10.0);
    assert_eq!(verdict(Some(&said), &Outcome::Undecided("a tie".into()), &ratio()), Verdict::None);
    assert_eq!(verdict(Some(&said), &Outcome::Choice("none".into()), &choice()), Verdict::None);
}

proptest! {
    #[test]
    fn whatever_is_typed_is_a_finite_number_or_one_line(text in "\\PC{0,40}|[0-9.,kmGx% -]{1,12}") {
        for question in [choice(), ratio(), percent(), bytes(), faults()] {
            match Prediction::parse(&text, &question) {
                Ok(Prediction::Quantity(number)) => prop_assert!(number.is_finite() && number >= 0.0),
                Ok(_) => {}
                Err(line) => prop_assert!(!line.contains('\n') && !line.is_empty()),
            }
        }
    }
}

#[test]
fn nothing_is_an_answer_to_everything_but_a_ratio() {
    for text in ["0", "0x", "0.0x", "0 times", "0k"] {
        assert_eq!(
            refusal(text, &ratio()),
            format!("`{text}` is not more than 0: type a ratio such as 10x, or skip")
        );
    }
    assert_eq!(number("0.001x", &ratio()), 0.001);
    assert_eq!(number("0%", &percent()), 0.0);
    assert_eq!(number("0", &bytes()), 0.0);
    assert_eq!(number("0", &faults()), 0.0);
}
