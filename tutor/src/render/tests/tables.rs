//! Every table of every recording in narrow windows: no cell is left one word a line.

use super::{PLAIN, SMALL};
use crate::course;
use crate::render::{Canvas, table};
use crate::session::{Replay, Source};
use lesson::figure::Table;
use lesson::{Figure, Lab, Recording};

#[test]
fn no_cell_stands_one_word_a_line() {
    let (mut seen, mut wrapped) = (0, 0);
    for lab in &course::labs() {
        for (_, json) in course::recordings(lab) {
            for (whole, width) in tables(lab, &json).iter().flat_map(|it| [(it, 60), (it, 40)]) {
                for (table, form) in pieces(whole).flat_map(|it| [(it.clone(), SMALL), (it, PLAIN)]) {
                    let lines = self::table(&table, &Canvas { width, ..form });
                    for cell in table.rows.iter().flatten().filter(|cell| cell.contains(' ')) {
                        let shown = || format!("{cell:?} in a window of {width}:\n{}", lines.join("\n"));
                        assert!(!stands_one_word_a_line(cell, &lines), "{}", shown());
                        wrapped += usize::from(!lines.iter().any(|line| line.contains(cell.as_str())));
                    }
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1000 && wrapped > 1000, "{seen} tables, {wrapped} cells of several lines");
}

#[test]
fn one_word_a_line_is_seen_in_any_column() {
    let lines =
        ["file       before", "the         4,096  so", "mapped             to", "one                say"];
    let lines = lines.map(str::to_owned);
    assert!(stands_one_word_a_line("the mapped one", &lines) && stands_one_word_a_line("so to say", &lines));
    assert!(!stands_one_word_a_line("mapped one by", &lines) && !stands_one_word_a_line("the one", &lines));
}

/// What the acts show of one recording.
fn tables(lab: &Lab, json: &str) -> Vec<Table> {
    let replay = Replay::new(Recording::parse(json, lab.card.slug).expect("a recording"));
    let reveal =
        |evidence, act: &dyn lesson::AnyAct| act.reveal(evidence, replay.setting()).expect("a reveal");
    let acts = lab.acts.iter().filter_map(|act| Some(reveal(replay.evidence_of(act.id())?, act.as_ref())));
    let table = |figure| if let Figure::Table(table) = figure { Some(table) } else { None };
    acts.flat_map(|reveal| reveal.figures).filter_map(table).collect()
}

/// The whole, and all rows that may stand together where a projector's screen cuts it.
fn pieces(table: &Table) -> impl Iterator<Item = Table> {
    let count = table.rows.len();
    let runs = (0..count).flat_map(move |from| (from + 1..=count).map(move |to| from..to));
    runs.map(|run| Table { rows: table.rows[run].to_vec(), ..table.clone() })
}

/// Whether each word of `cell` has a line by itself, one below the other. Columns have two spaces between them.
fn stands_one_word_a_line(cell: &str, lines: &[String]) -> bool {
    let words: Vec<&str> = cell.split_whitespace().collect();
    let stands = |line: &str, column: usize, word: &str| {
        let at = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
        let (before, rest) = line.split_at(at);
        let alone = rest.strip_prefix(word).is_some_and(|after| after.is_empty() || after.starts_with("  "));
        alone && (before.trim().is_empty() || before.ends_with("  "))
    };
    lines.windows(words.len()).any(|lines| {
        let mut columns = lines[0].match_indices(words[0]).map(|(at, _)| lines[0][..at].chars().count());
        columns.any(|column| words.iter().zip(lines).all(|(word, line)| stands(line, column, word)))
    })
}
