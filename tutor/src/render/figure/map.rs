//! Residency maps: a file from its first page to its last, one glyph for each stretch.

mod state;
mod words;

use super::{indented, room, titled};
use crate::render::Canvas;
use crate::render::number::share;
use crate::render::text::{columns, pad, pad_left};
use instruments::residency::Bucket;
use instruments::size::{format_bytes, format_count};
use lesson::figure::ResidencyMap;
use state::{State, shade, total};

/// Rows of cells, so that map and legend leave room for words.
const MAX_ROWS: usize = 4;
/// Columns of an offset such as `1,020 MiB`.
const LONGEST_OFFSET: usize = 9;

/// What the legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Legend {
    /// What there is to be seen.
    Used,
    /// Everything, so that every frame of the same file has as many lines.
    Whole,
}

pub(super) fn draw(map: &ResidencyMap, legend: Legend, canvas: &Canvas) -> Vec<String> {
    let mut lines = titled(&map.title, canvas);
    if canvas.plain {
        lines.extend(canvas.wrap(&words::sentences(map), canvas.text()));
    } else {
        lines.extend(indented(cells(map, canvas), canvas));
        lines.extend(indented(explained(map, legend, canvas), canvas));
    }
    lines
}

/// The cells in rows, each row beginning with its offset; below the last one the size of a cell and of the file.
fn cells(map: &ResidencyMap, canvas: &Canvas) -> Vec<String> {
    if map.buckets.is_empty() {
        return vec!["no pages: the file is empty".to_owned()];
    }
    let left = LONGEST_OFFSET;
    let room = room_for_cells(canvas);
    let merged = merged(map, canvas);
    let per_row = per_row(merged.len(), room);
    let repeat = (room / per_row).max(1);
    let offset = |pages: u64| format_bytes(pages.saturating_mul(map.page_bytes).min(map.size_bytes));
    let mut start = 0_u64;
    let mut lines = Vec::new();
    for row in merged.chunks(per_row) {
        let drawn: String = row.chunk_by(same_state).map(|run| painted(run, repeat, canvas)).collect();
        lines.push(format!("{} {drawn}", pad_left(&offset(start), left)));
        start = row.iter().fold(start, |sum, bucket| sum.saturating_add(bucket.pages));
    }
    let glyphs = if repeat == 1 { "a glyph is".to_owned() } else { format!("{repeat} glyphs are") };
    let each = format!("{glyphs} {}", offset(merged[0].pages));
    let end = format_bytes(map.size_bytes);
    let each = if columns(&each) + 1 + columns(&end) <= room { each } else { String::new() };
    let gap = (per_row * repeat).saturating_sub(columns(&each) + columns(&end)).max(1);
    lines.push(format!("{}{each}{}{end}", " ".repeat(left + 1), " ".repeat(gap)));
    lines
}

/// Columns beside the offsets.
fn room_for_cells(canvas: &Canvas) -> usize {
    room(canvas).saturating_sub(LONGEST_OFFSET + 1).max(8)
}

/// As many buckets as there is room for: neighbours together where there are more.
fn merged(map: &ResidencyMap, canvas: &Canvas) -> Vec<Bucket> {
    let merge = map.buckets.len().div_ceil(room_for_cells(canvas) * MAX_ROWS).max(1);
    map.buckets.chunks(merge).map(total).collect()
}

/// Cells in a row: rows of equal length where they can be had, so that offsets are round.
fn per_row(cells: usize, room: usize) -> usize {
    let fewest = cells.div_ceil(room);
    let even = (fewest..=MAX_ROWS).find(|rows| cells.is_multiple_of(*rows));
    cells.div_ceil(even.unwrap_or(fewest))
}

fn same_state(a: &Bucket, b: &Bucket) -> bool {
    State::of(a) == State::of(b)
}

/// The glyphs of buckets in one state.
fn painted(run: &[Bucket], repeat: usize, canvas: &Canvas) -> String {
    let state = State::of(&run[0]);
    let glyph = |bucket| if state == State::Clean { shade(bucket) } else { state.glyph() };
    let glyphs: String = run.iter().map(|bucket| glyph(bucket).repeat(repeat)).collect();
    canvas.paint(state.tone(), &glyphs)
}

/// Glyph, word, pages and share of the states, in one or two columns; in a very narrow window with the figures below the
/// word.
fn explained(map: &ResidencyMap, legend: Legend, canvas: &Canvas) -> Vec<String> {
    let total = total(&map.buckets);
    let digits = columns(&format_count(total.pages));
    let width = 16 + 1 + digits + 6 + 2 + 7 + 2;
    let fits = width <= room(canvas);
    let whole = legend == Legend::Whole;
    let entry = |state: State| {
        let count = state.pages(&total).filter(|pages| whole || *pages > 0)?;
        let pages = pad_left(&format_count(count), digits);
        let figures = format!("{pages} pages  {}", pad_left(&share(count, total.pages), 7));
        let glyph = canvas.paint(state.tone(), state.glyph());
        Some(if fits {
            vec![format!("{glyph} {} {figures}", pad(state.name(), 16))]
        } else {
            vec![format!("{glyph} {}", state.name()), format!("  {figures}")]
        })
    };
    let mut entries: Vec<String> = State::ALL.into_iter().filter_map(entry).flatten().collect();
    let partly = |bucket: &Bucket| (1..bucket.pages).contains(&bucket.resident_pages);
    if whole || merged(map, canvas).iter().any(partly) {
        entries.push("▓▒░ partly: from ¾, from ¼, less".to_owned());
    }
    let per_line = if width * 2 + 4 <= room(canvas) { 2 } else { 1 };
    entries.chunks(per_line).map(|chunk| chunk.join("    ")).collect()
}
