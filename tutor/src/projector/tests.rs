//! Every screen of every lab from its recordings, in windows of all sizes; a presentation from key to key.

mod keys;

use super::layout::Layout;
use super::palette::Palette;
use super::show_of_hands::ShowOfHands;
use super::slides::{Part, Slide, Talk};
use crate::progress::Store;
use crate::session::{Replay, Round, Source, Stage};
use crate::state::State;
use console::measure_text_width;
use lesson::{Lab, Outcome, Prediction, Recording};

const FOR_A_ROOM: (usize, usize) = (60, 16);
const WINDOWS: [(usize, usize); 7] =
    [FOR_A_ROOM, (40, 15), (40, 12), (80, 24), (100, 30), (132, 43), (200, 60)];

/// A whole presentation of a recording, with a class that answered everything in every way.
struct Played {
    lab: Lab,
    replay: Replay,
    rounds: Vec<Option<Round>>,
    hands: Vec<Option<ShowOfHands>>,
}

impl Played {
    fn of(lab: Lab, json: &str) -> Played {
        let mut replay = Replay::new(Recording::parse(json, lab.card.slug).expect("a recording"));
        let place = tempfile::tempdir().unwrap();
        let mut store = Store::open(State::at(place.path()));
        let mut stage = Stage { lab: &lab, source: &mut replay, store: &mut store };
        let acts = 0..lab.acts.len();
        let play = |act| Some(stage.play(act, Prediction::Skipped).expect("a recording has no failures"));
        let rounds: Vec<_> = acts.map(play).collect();
        let hands = rounds.iter().flatten().map(|round| {
            let mut hands = ShowOfHands::none(&round.question);
            hands.counts.iter_mut().zip([7, 12, 0, 3, 5, 1]).for_each(|(count, said)| *count = said);
            Some(hands)
        });
        let hands = hands.collect();
        Played { lab, replay, rounds, hands }
    }

    fn slides(&self, layout: &Layout) -> Vec<Slide> {
        let (setting, recorded) = (self.replay.setting(), Some(self.replay.label.as_str()));
        let (lab, rounds, hands) = (&self.lab, &self.rounds, &self.hands);
        Talk { lab, setting, recorded, first: 0, rounds, hands }.slides(layout)
    }
}

/// The small windows for every recording, the others for some.
fn windows(recording: usize) -> impl Iterator<Item = (usize, usize)> {
    WINDOWS.into_iter().filter(move |window| *window <= FOR_A_ROOM || recording.is_multiple_of(8))
}

#[test]
fn every_screen_fits_and_nothing_is_cut() {
    let mut seen = 0;
    for number in crate::course::labs().iter().map(|lab| lab.card.number) {
        let lab = || crate::course::find(&number.to_string()).unwrap();
        for (at, (_, json)) in crate::course::recordings(&lab()).iter().enumerate() {
            let played = Played::of(lab(), json);
            for (columns, rows) in windows(at) {
                let layout = Layout::of(columns, rows, Palette::Light);
                for slide in played.slides(&layout) {
                    let lines = &slide.frame.lines;
                    let shown = || {
                        format!("{columns}x{rows} {:?} {:?}:\n{}", slide.act, slide.part, lines.join("\n"))
                    };
                    assert!(!lines.is_empty() && lines.len() <= layout.body(), "{}", shown());
                    assert!(lines.iter().all(|line| measure_text_width(line) < columns), "{}", shown());
                    assert!(!lines.iter().any(|line| line.contains('…')), "{}", shown());
                    let drawn = layout.rows(&slide.frame, "", &[("n", "next")]);
                    assert_eq!(drawn.len(), rows);
                    assert!(drawn.iter().all(|row| measure_text_width(row) == columns));
                    assert!(drawn[1].contains("RECORDED 20") && !drawn[0].contains('…'), "{:?}", &drawn[..2]);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1000, "{seen} screens");
}

#[test]
fn counts_are_typed_in_windows_of_all_sizes() {
    for lab in crate::course::labs() {
        let json = lab.recordings[0].1;
        let played = Played::of(lab, json);
        for (round, hands) in played.rounds.iter().flatten().zip(played.hands.iter().flatten()) {
            for (columns, rows) in WINDOWS {
                let layout = Layout::of(columns, rows, Palette::Bare);
                for at in 0..hands.counts.len() {
                    let lines = super::question::typing(&round.question, hands, at, &layout);
                    let shown = || format!("{columns}x{rows}:\n{}", lines.join("\n"));
                    assert!(lines.len() <= layout.body(), "{}", shown());
                    assert!(lines.iter().all(|line| measure_text_width(line) < columns), "{}", shown());
                    let typed = lines.iter().filter(|line| line.trim_start().starts_with("> ")).count();
                    assert_eq!(typed, 1, "{}", shown());
                }
            }
        }
    }
}

#[test]
fn the_answer_stands_large_in_the_upper_two_thirds() {
    for number in crate::course::labs().iter().map(|lab| lab.card.number) {
        let lab = || crate::course::find(&number.to_string()).unwrap();
        for (at, (_, json)) in crate::course::recordings(&lab()).iter().enumerate() {
            let played = Played::of(lab(), json);
            for (columns, rows) in windows(at) {
                let layout = Layout::of(columns, rows, Palette::Bare);
                let slides = played.slides(&layout);
                let outcomes = slides.iter().filter(|slide| (slide.part, slide.page) == (Part::Outcome, 0));
                for slide in outcomes {
                    let drawn = layout.rows(&slide.frame, "", &[]);
                    let large: Vec<_> = (0..rows).filter(|row| drawn[*row].contains('█')).collect();
                    let outcome = match &played.rounds[slide.act.unwrap()].as_ref().unwrap().end {
                        crate::session::End::Revealed { reveal, .. } => reveal.outcome.clone(),
                        crate::session::End::Unavailable(reason) => Outcome::Undecided(reason.clone()),
                    };
                    let (first, last) = (large.first(), large.last());
                    let height = large.last().zip(first).map_or(0, |(last, first)| last + 1 - first);
                    assert!(height >= 5, "{outcome:?} is not large:\n{}", drawn.join("\n"));
                    assert!(first >= Some(&2) && last < Some(&(rows * 2 / 3)), "{}", drawn.join("\n"));
                }
            }
        }
    }
}

#[test]
fn what_the_room_sees() {
    for lab in crate::course::labs() {
        let number = lab.card.number;
        let json = lab.recordings[0].1;
        let played = Played::of(lab, json);
        let layout = Layout::of(FOR_A_ROOM.0, FOR_A_ROOM.1, Palette::Bare);
        let screens = played.slides(&layout).into_iter().map(|slide| {
            let rows = layout.rows(&slide.frame, "", &super::show::KEYS);
            let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
            format!("── {:?}\n{}\n", slide.part, rows.join("\n"))
        });
        insta::assert_snapshot!(format!("lab-{number}"), screens.collect::<String>());
    }
}

#[test]
fn a_dumb_terminal_gets_ascii_and_no_escape() {
    let lab = crate::course::find("2").unwrap();
    let json = lab.recordings[0].1;
    let played = Played::of(lab, json);
    let layout = Layout::of(60, 16, Palette::Dumb);
    for slide in played.slides(&layout) {
        for row in layout.rows(&slide.frame, "A remark.", &super::show::KEYS) {
            let odd = row.chars().find(|c| !(c.is_ascii_graphic() || *c == ' ' || "µ±×°§½¼¾".contains(*c)));
            assert_eq!(odd, None, "{row}");
        }
    }
}
