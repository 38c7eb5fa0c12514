//! Sentences, numbers and command lines, word by word.

use super::{PLAIN, WIDE, samples};
use crate::render::{Canvas, Head, number, verdict};
use lesson::figure::Scale;
use lesson::{Outcome, Prediction, Verdict};

fn said(
    prediction: Option<Prediction>,
    verdict: Verdict,
    outcome: &Outcome,
    recorded: Option<&str>,
) -> String {
    let card = samples::card();
    let head = Head { card: &card, act_index: 0, act_count: 1, act_id: "a", act_title: "A", recorded };
    let question = match prediction {
        Some(Prediction::Choice(_)) => samples::faults(),
        _ => samples::factor(),
    };
    verdict::sentence(head.recorded.is_some(), &question, prediction.as_ref(), verdict, outcome)
        .unwrap_or_default()
}

#[test]
fn a_prediction_is_judged_in_one_kind_sentence() {
    let (number, measured) = (Prediction::Quantity, Outcome::Quantity(5.77));
    let choice = |id: &str| Some(Prediction::Choice(id.into()));
    let folios = Outcome::Choice("large-folios".into());
    let tie = Outcome::Undecided("the spreads overlap".into());
    let all = [
        said(Some(number(6.0)), Verdict::Hit, &measured, None),
        said(Some(number(5.77)), Verdict::Hit, &measured, None),
        said(Some(number(0.0)), Verdict::Hit, &Outcome::Quantity(0.0), None),
        said(Some(number(10.0)), Verdict::Near, &measured, None),
        said(Some(number(100.0)), Verdict::Miss, &measured, None),
        said(Some(number(0.5)), Verdict::Miss, &measured, None),
        said(Some(number(0.0)), Verdict::Miss, &measured, None),
        said(Some(number(5.0)), Verdict::None, &tie, None),
        said(choice("large-folios"), Verdict::Hit, &folios, None),
        said(choice("none"), Verdict::Miss, &folios, None),
        said(choice("none"), Verdict::Miss, &folios, Some("RECORDED")),
        said(Some(Prediction::Skipped), Verdict::None, &measured, None),
        said(None, Verdict::None, &measured, None),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    You said 6x: a hit, within 25% of what was measured.
    You said 5.77x: exactly right.
    You said 0x: exactly right.
    You said 10x: near, within a factor of two.
    You said 100x: a miss this time, too high by a factor of 17.3.
    You said 0.5x: a miss this time, too low by a factor of 11.5.
    You said 0x: a miss this time.
    You said 5x; this machine did not decide.
    You said c (a few hundred): a hit.
    You said d (none: the file is in memory); this machine's answer is c (a few hundred): a miss this time.
    You said d (none: the file is in memory); the recorded machine's answer is c (a few hundred): a miss this time.
    "#);
}

#[test]
fn values_keep_three_digits_and_ticks_only_what_they_need() {
    let all = [
        number::tick(Scale::Nanoseconds, 1e6),
        number::tick(Scale::Nanoseconds, 2.5e9),
        number::tick(Scale::Bytes, 4096.0),
        number::tick(Scale::BytesPerSecond, 1.5 * f64::from(1 << 30)),
        number::tick(Scale::Percent, 12.5),
        number::tick(Scale::Ratio, 25.0),
        number::tick(Scale::Number, 131_072.0),
        number::scaled(Scale::Nanoseconds, 1e300),
        number::scaled(Scale::Bytes, f64::NAN),
        number::count(0.25),
    ];
    insta::assert_snapshot!(all.join(" | "), @r#"
    1 ms | 2.5 s | 4 KiB | 1.5 GiB/s | 12.5% | 25x | 131,072 | 1.00e300 ns | unknown | 0.25
    "#);
}

#[test]
fn only_all_is_a_hundred_percent_and_only_nothing_is_none() {
    let shares = [(0, 0), (0, 9), (1, 131_072), (1, 3), (131_071, 131_072), (9, 9)];
    let all = shares.map(|(part, whole)| number::share(part, whole));
    insta::assert_snapshot!(all.join(" | "), @r#"
    0% | 0% | <0.01% | 33.3% | >99.9% | 100%
    "#);
}

#[test]
fn a_long_command_goes_on_as_a_shell_reads_it() {
    let command = "tutor run cread /srv/a/rather/deep/place/for/a/file/of/512/mebibytes.bin --block 128K";
    let lines = |canvas: Canvas, width| canvas.command(command, 2, width).join("\n");
    insta::assert_snapshot!([lines(WIDE, 78), lines(WIDE, 38), lines(PLAIN, 38)].join("\n\n"), @r#"
      $ tutor run cread /srv/a/rather/deep/place/for/a/file/of/512/mebibytes.bin \
          --block 128K

      $ tutor run cread \
          /srv/a/rather/deep/place/for/\
    a/file/of/512/mebibytes.bin --block \
          128K

      $ tutor run cread \
          /srv/a/rather/deep/place/for/\
    a/file/of/512/mebibytes.bin --block \
          128K
    "#);
}

#[test]
fn text_loses_what_would_move_the_cursor_and_plain_text_what_is_not_read() {
    let text = "a\x1b[31mb\r“warm” 381 ms ±12 → 5 µs ≥ █ naïve 中";
    insta::assert_snapshot!([WIDE.one_line(text), PLAIN.one_line(text)].join("\n"), @r#"
    a [31mb “warm” 381 ms ±12 → 5 µs ≥ █ naïve 中
    a [31mb "warm" 381 ms ±12 -> 5 µs >= ? naïve 中
    "#);
}
