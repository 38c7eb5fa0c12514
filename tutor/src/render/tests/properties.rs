//! What holds for any data: no line is wider than the window, no page higher, no word is lost, plain text is plain.

use super::samples;
use crate::render::text::{PLAIN_MARKS, columns};
use crate::render::{
    Canvas, Head, Page, SummaryRow, hint, intro, keys, map_frame, question, reveal, summary, table,
    unavailable,
};
use instruments::residency::{Bucket, Method};
use lesson::figure::{
    Axis, Bar, Bars, Curve, Mark, Point, ResidencyMap, Scale, Series, Span, Table, Timeline,
};
use lesson::{
    Ask, Cause, Caveat, Choice, Figure, Outcome, Prediction, Quantity, Question, Reveal, Unit, Verdict,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Words, long paths, other scripts, wide characters, and what must never reach a terminal.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,9}( [a-z0-9,.]{1,12}){0,25}",
        1 => "/[a-z_/.-]{1,120}",
        1 => "[\\x1b\\r\\n\\ta-zé中█▏·–“≥😀\u{301}\u{200d}±µ ]{0,60}",
        1 => ".{0,40}",
        1 => Just(String::new()),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.0..1e12, 2 => 0.0..10.0, 1 => Just(0.0), 1 => proptest::num::f64::ANY]
}

/// Up to the pages of the largest possible file.
fn pages() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..5000_u64, 1 => 0..1_u64 << 43]
}

fn bucket() -> impl Strategy<Value = Bucket> {
    let known = || proptest::option::weighted(0.9, pages());
    (pages(), pages(), known(), known(), known(), known()).prop_map(
        |(pages, resident, dirty_pages, writeback_pages, evicted_pages, recently_evicted_pages)| Bucket {
            pages,
            resident_pages: resident.min(pages),
            dirty_pages,
            writeback_pages,
            evicted_pages,
            recently_evicted_pages,
            method: Method::Cachestat,
        },
    )
}

fn map() -> impl Strategy<Value = ResidencyMap> {
    (text(), any::<u64>(), vec(bucket(), 0..300)).prop_map(|(title, size_bytes, buckets)| ResidencyMap {
        title,
        size_bytes,
        page_bytes: 4096,
        buckets,
    })
}

fn a_table() -> impl Strategy<Value = Table> {
    (text(), 1..6_usize, 0..12_usize).prop_flat_map(|(title, columns, rows)| {
        (Just(title), vec(text(), columns), vec(vec(text(), columns), rows))
            .prop_map(|(title, head, rows)| Table { title, head, rows })
    })
}

fn curve() -> impl Strategy<Value = Curve> {
    let scale = select(vec![
        Scale::Bytes,
        Scale::Nanoseconds,
        Scale::Ratio,
        Scale::Number,
        Scale::BytesPerSecond,
        Scale::Percent,
    ]);
    let axis = move || {
        (text(), scale.clone(), any::<bool>()).prop_map(|(label, scale, log)| Axis { label, scale, log })
    };
    let point =
        (number(), number(), number(), number()).prop_map(|(x, y, low, high)| Point { x, y, low, high });
    let series = (text(), vec(point, 0..20)).prop_map(|(name, points)| Series { name, points });
    let mark = (number(), text()).prop_map(|(x, label)| Mark { x, label });
    (text(), axis(), axis(), vec(series, 0..8), vec(mark, 0..3))
        .prop_map(|(title, x, y, series, marks)| Curve { title, x, y, series, marks })
}

fn figure() -> impl Strategy<Value = Figure> {
    let bar = (text(), number(), text(), text()).prop_map(|(label, value, text, note)| Bar {
        label,
        value,
        text,
        note,
    });
    let bars = (text(), vec(bar, 0..6)).prop_map(|(title, bars)| Figure::Bars(Bars { title, bars }));
    let span = (any::<u64>(), any::<u64>(), text(), text())
        .prop_map(|(start_ns, length_ns, label, note)| Span { start_ns, length_ns, label, note });
    let timeline =
        (text(), vec(span, 0..6)).prop_map(|(title, spans)| Figure::Timeline(Timeline { title, spans }));
    prop_oneof![
        bars,
        timeline,
        a_table().prop_map(Figure::Table),
        curve().prop_map(Figure::Curve),
        map().prop_map(Figure::ResidencyMap),
    ]
}

fn a_question() -> impl Strategy<Value = Question> {
    let option = (text(), text()).prop_map(|(text, explanation)| (text, explanation));
    let choice = vec(option, 3..6).prop_map(|options| {
        let choice = |(at, (text, explanation)): (usize, (String, String))| Choice {
            id: at.to_string(),
            text,
            explanation,
        };
        Ask::Choice(options.into_iter().enumerate().map(choice).collect())
    });
    let unit =
        prop_oneof![Just(Unit::Ratio), Just(Unit::Percent), Just(Unit::Bytes), text().prop_map(Unit::Count),];
    let quantity = (unit, text()).prop_map(|(unit, example)| {
        Ask::Quantity(Quantity { unit, example, hit_factor: 1.25, near_factor: 2.0 })
    });
    let answer = prop_oneof![choice, quantity];
    (text(), vec(text(), 0..3), text(), answer, text())
        .prop_map(|(setup, commands, ask, answer, hint)| Question { setup, commands, ask, answer, hint })
}

fn a_reveal() -> impl Strategy<Value = Reveal> {
    let outcome = prop_oneof![
        number().prop_map(Outcome::Quantity),
        (0..5_u32).prop_map(|id| Outcome::Choice(id.to_string())),
        text().prop_map(Outcome::Undecided),
    ];
    let cause = text().prop_map(|text| Cause { id: "cause".into(), text });
    let lists = (vec(figure(), 0..3), vec(cause, 0..4), vec(text().prop_map(Caveat::Other), 0..4));
    (outcome, text(), lists, vec(text(), 0..3), vec(text(), 0..3)).prop_map(
        |(outcome, sentence, (figures, causes, caveats), try_next, sources)| Reveal {
            outcome,
            sentence,
            figures,
            causes,
            caveats,
            try_next,
            sources,
        },
    )
}

fn a_prediction() -> impl Strategy<Value = Option<Prediction>> {
    proptest::option::of(prop_oneof![
        number().prop_map(Prediction::Quantity),
        (0..5_u32).prop_map(|id| Prediction::Choice(id.to_string())),
        Just(Prediction::Skipped),
    ])
}

fn canvas() -> impl Strategy<Value = Canvas> {
    let width = prop_oneof![select(vec![40_usize, 60, 80, 100, 200]), 40..200_usize];
    (width, 15..50_usize, any::<bool>(), any::<bool>()).prop_map(|(width, height, colour, plain)| Canvas {
        width,
        height,
        colour,
        plain,
    })
}

/// What every line must be.
fn fits(lines: &[String], canvas: &Canvas) -> Result<(), TestCaseError> {
    for line in lines {
        let bare = console::strip_ansi_codes(line);
        prop_assert!(columns(&bare) <= canvas.width, "{} columns: {line:?}", columns(&bare));
        prop_assert!(bare.chars().all(|c| !c.is_control()), "a control character: {line:?}");
        prop_assert_eq!(bare.trim_end(), &*bare);
        if !canvas.colour || canvas.plain {
            prop_assert!(!line.contains('\x1b'), "an escape: {:?}", line);
        }
        if canvas.plain {
            let allowed = |c: char| c.is_ascii() || c.is_alphanumeric() || PLAIN_MARKS.contains(c);
            prop_assert!(line.chars().all(allowed), "not plain: {line:?}");
        }
    }
    Ok(())
}

fn all_fit(pages: &[Page], recorded: Option<&str>, canvas: &Canvas) -> Result<(), TestCaseError> {
    prop_assert!(!pages.is_empty());
    for page in pages {
        prop_assert!(page.len() <= canvas.height - 2, "{} lines: {page:#?}", page.len());
        if recorded.is_some() {
            prop_assert!(page.iter().any(|line| line.contains("RECORDED")), "no label: {page:#?}");
        }
        fits(page, canvas)?;
    }
    Ok(())
}

const VERDICTS: [Verdict; 4] = [Verdict::Hit, Verdict::Near, Verdict::Miss, Verdict::None];

fn head<'a>(card: &'a lesson::Card, recorded: Option<&'a str>) -> Head<'a> {
    Head { card, act_index: 0, act_count: 4, act_id: "factor", act_title: "Cold against warm", recorded }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_screen_fits(
        asked in a_question(),
        shown in a_reveal(),
        said in a_prediction(),
        verdict in select(VERDICTS.to_vec()),
        label in proptest::option::of(text()),
        reason in text(),
        canvas in canvas(),
    ) {
        let card = samples::card();
        let recorded = label.as_deref();
        let head = head(&card, recorded);
        all_fit(&reveal(&head, &asked, said.as_ref(), verdict, &shown, &canvas), recorded, &canvas)?;
        all_fit(&question(&head, &asked, &canvas), recorded, &canvas)?;
        all_fit(&unavailable(&head, &asked, &reason, recorded.is_some(), &canvas), recorded, &canvas)?;
        all_fit(&intro(&card, &samples::acts(), &samples::setting(), recorded, &canvas), recorded, &canvas)?;
        fits(&hint(&asked, &canvas), &canvas)?;
        let row = |outcome| SummaryRow {
            act_id: &reason,
            act_title: &asked.ask,
            question: &asked,
            prediction: said.as_ref(),
            outcome,
            verdict,
        };
        let rows = [row(Ok(&shown.outcome)), row(Err(&reason)), row(Ok(&shown.outcome))];
        all_fit(&summary(&card, &rows, recorded, &canvas), recorded, &canvas)?;
    }

    #[test]
    fn what_is_shown_by_itself_fits(
        shown in a_table(),
        map in map(),
        key in vec((text(), text()), 0..8),
        canvas in canvas(),
    ) {
        fits(&table(&shown, &canvas), &canvas)?;
        fits(&map_frame(&map, &canvas), &canvas)?;
        let pairs: Vec<(&str, &str)> = key.iter().map(|(key, what)| (key.as_str(), what.as_str())).collect();
        fits(&[keys(&pairs, &canvas)], &canvas)?;
    }

    #[test]
    fn a_live_map_keeps_its_height(full in vec(bucket(), 1..300), canvas in canvas()) {
        let frame = |buckets: Vec<Bucket>| {
            let map = ResidencyMap { title: "data".into(), size_bytes: 1 << 30, page_bytes: 4096, buckets };
            map_frame(&map, &Canvas { plain: false, ..canvas }).len()
        };
        let known = |bucket: &Bucket, resident_pages| Bucket {
            resident_pages,
            dirty_pages: Some(bucket.dirty_pages.unwrap_or(0)),
            writeback_pages: Some(0),
            recently_evicted_pages: Some(0),
            ..*bucket
        };
        let empty: Vec<Bucket> = full.iter().map(|bucket| known(bucket, 0)).collect();
        let full: Vec<Bucket> = full.iter().map(|bucket| known(bucket, bucket.pages)).collect();
        prop_assert_eq!(frame(empty), frame(full));
    }

    #[test]
    fn no_word_is_lost(lengths in vec(1..60_usize, 12), chosen in 0..4_usize, canvas in canvas()) {
        let mut count = 0;
        let mut text = |words: usize| {
            let words: Vec<String> = (count..count + words).map(|at| format!("w{at}w")).collect();
            count += words.len();
            words.join(" ")
        };
        let mut texts: Vec<String> = lengths.iter().map(|words| text(*words)).collect();
        let mut next = || texts.pop().unwrap_or_default();
        let mut option = |id: &str| Choice { id: id.into(), text: next(), explanation: next() };
        let options = ["0", "1", "2"].map(&mut option).to_vec();
        let asked = Question {
            setup: String::new(),
            commands: Vec::new(),
            ask: String::new(),
            answer: Ask::Choice(options),
            hint: String::new(),
        };
        let shown = Reveal {
            outcome: Outcome::Undecided(String::new()),
            sentence: next(),
            figures: vec![Figure::Curve(samples::curve())],
            causes: vec![Cause { id: "a".into(), text: next() }, Cause { id: "b".into(), text: next() }],
            caveats: vec![Caveat::Other(next())],
            try_next: vec![next()],
            sources: vec![next()],
        };
        let card = samples::card();
        let said = Prediction::Choice(chosen.to_string());
        let canvas = Canvas { colour: false, ..canvas };
        let pages = reveal(&head(&card, None), &asked, Some(&said), Verdict::None, &shown, &canvas);
        let shown: String = pages.concat().join(" ");
        for at in 0..count {
            prop_assert!(shown.contains(&format!("w{at}w")), "w{at}w is missing: {pages:#?}");
        }
    }
}
