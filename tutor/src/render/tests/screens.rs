//! Every screen, in every form.

use super::{COLOUR, FORMS, framed, samples, snap};
use crate::render::{Canvas, Head, SummaryRow, hint, intro, keys, question, reveal, summary, unavailable};
use lesson::{Card, Outcome, Prediction, Reveal, Verdict};

fn head<'a>(card: &'a Card, recorded: Option<&'a str>) -> Head<'a> {
    Head { card, act_index: 1, act_count: 4, act_id: "factor", act_title: "Cold against warm", recorded }
}

fn quantity(shown: &Reveal, canvas: &Canvas) -> String {
    let (card, said) = (samples::card(), Prediction::Quantity(10.0));
    let pages = reveal(&head(&card, None), &samples::factor(), Some(&said), Verdict::Near, shown, canvas);
    framed(&pages, canvas)
}

fn choice(shown: &Reveal, recorded: Option<&str>, canvas: &Canvas) -> String {
    let (card, said) = (samples::card(), Prediction::Choice("one-a-page".into()));
    let head = head(&card, recorded);
    framed(&reveal(&head, &samples::faults(), Some(&said), Verdict::Miss, shown, canvas), canvas)
}

fn questions(canvas: &Canvas) -> String {
    let card = samples::card();
    let pages = [
        question(&head(&card, None), &samples::factor(), canvas),
        question(&head(&card, Some(samples::RECORDED)), &samples::faults(), canvas),
        vec![hint(&samples::factor(), canvas)],
    ];
    framed(&pages.concat(), canvas)
}

fn intros(canvas: &Canvas) -> String {
    let live = intro(&samples::card(), &samples::acts(), &samples::setting(), None, canvas);
    let replayed =
        intro(&samples::card(), &samples::acts(), &samples::setting(), Some(samples::RECORDED), canvas);
    framed(&[live, replayed].concat(), canvas)
}

fn summaries(canvas: &Canvas) -> String {
    let (factor, faults) = (samples::factor(), samples::faults());
    let (ten, hundred, skipped) =
        (Prediction::Quantity(10.0), Prediction::Quantity(100.0), Prediction::Skipped);
    let one_a_page = Prediction::Choice("one-a-page".into());
    let (measured, chosen) = (Outcome::Quantity(5.77), Outcome::Choice("large-folios".into()));
    let titles = samples::acts();
    let row = |at: usize, question, prediction, outcome, verdict| SummaryRow {
        act_id: titles[at].0,
        act_title: titles[at].1,
        question,
        prediction,
        outcome,
        verdict,
    };
    let rows = [
        row(0, &factor, Some(&ten), Ok(&measured), Verdict::Near),
        row(1, &faults, Some(&one_a_page), Ok(&chosen), Verdict::Miss),
        row(2, &factor, Some(&skipped), Ok(&measured), Verdict::None),
        row(
            3,
            &factor,
            Some(&hundred),
            Err("cannot open the file with O_DIRECT: needs a filesystem that supports it"),
            Verdict::None,
        ),
    ];
    framed(&summary(&samples::card(), &rows, None, canvas), canvas)
}

fn refused(canvas: &Canvas) -> String {
    let card = samples::card();
    let reason = "cannot count the system calls of cread: needs ptrace, which this container forbids; \
                  run it with --cap-add=SYS_PTRACE";
    framed(&unavailable(&head(&card, None), &samples::faults(), reason, false, canvas), canvas)
}

#[test]
fn screens_without_colour() {
    for (form, canvas) in FORMS {
        snap(&format!("intro_{form}"), &intros(&canvas));
        snap(&format!("question_{form}"), &questions(&canvas));
        snap(&format!("reveal_quantity_{form}"), &quantity(&samples::factor_reveal(), &canvas));
        snap(&format!("reveal_curve_{form}"), &quantity(&samples::curve_reveal(), &canvas));
        snap(&format!("reveal_choice_{form}"), &choice(&samples::faults_reveal(), None, &canvas));
        let rich = choice(&samples::rich_reveal(), Some(samples::RECORDED), &canvas);
        snap(&format!("reveal_rich_recorded_{form}"), &rich);
        snap(&format!("summary_{form}"), &summaries(&canvas));
        snap(&format!("unavailable_{form}"), &refused(&canvas));
    }
}

#[test]
fn screens_with_colour() {
    let all = [
        quantity(&samples::curve_reveal(), &COLOUR),
        choice(&samples::faults_reveal(), Some(samples::RECORDED), &COLOUR),
        questions(&COLOUR),
        summaries(&COLOUR),
    ];
    snap("screens_colour", &all.join(""));
}

#[test]
fn the_key_line_in_narrowing_windows() {
    let all = [("n", "next"), ("b", "back"), ("r", "run again"), ("?", "hint"), ("q", "quit")];
    let line = |width| keys(&all, &Canvas { width, ..super::WIDE });
    snap("keys", &[80, 48, 40, 24].map(line).join("\n"));
}
