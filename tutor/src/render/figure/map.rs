//! Residency maps: a file from its first page to its last, one glyph for each stretch.

use super::super::Canvas;
use super::super::number::share;
use super::super::text::{columns, pad, pad_left};
use super::super::theme::Tone;
use super::{indented, room, titled};
use instruments::residency::Bucket;
use instruments::size::{format_bytes, format_count};
use lesson::figure::ResidencyMap;

/// Rows of cells, so that map and legend leave room for words.
const MAX_ROWS: usize = 4;
/// Stretches that a plain description names one by one.
const MAX_STRETCHES: usize = 12;

/// What a page is, for the course's five words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Clean,
    Dirty,
    Writeback,
    Evicted,
    Absent,
}

impl State {
    const ALL: [State; 5] = [State::Clean, State::Dirty, State::Writeback, State::Evicted, State::Absent];

    fn name(self) -> &'static str {
        match self {
            State::Clean => "resident",
            State::Dirty => "dirty",
            State::Writeback => "writeback",
            State::Evicted => "recently evicted",
            State::Absent => "absent",
        }
    }

    fn glyph(self) -> &'static str {
        match self {
            State::Clean => "█",
            State::Dirty => "◆",
            State::Writeback => "▲",
            State::Evicted => "×",
            State::Absent => "·",
        }
    }

    fn tone(self) -> Tone {
        match self {
            State::Clean => Tone::Good,
            State::Dirty => Tone::Alert,
            State::Writeback => Tone::Ink,
            State::Evicted => Tone::Strong,
            State::Absent => Tone::Quiet,
        }
    }

    /// Pages of this state; None where nobody counts them. Dirty and writeback pages are resident too: "resident"
    /// here are the others.
    fn pages(self, bucket: &Bucket) -> Option<u64> {
        let busy = bucket.dirty_pages.unwrap_or(0).saturating_add(bucket.writeback_pages.unwrap_or(0));
        let gone = bucket.pages.saturating_sub(bucket.resident_pages);
        match self {
            State::Clean => Some(bucket.resident_pages.saturating_sub(busy)),
            State::Dirty => bucket.dirty_pages,
            State::Writeback => bucket.writeback_pages,
            State::Evicted => bucket.recently_evicted_pages.map(|pages| pages.min(gone)),
            State::Absent => Some(gone - bucket.recently_evicted_pages.unwrap_or(0).min(gone)),
        }
    }

    /// What most pages of a bucket are. A bucket with resident pages is shown as such, and by shade how full it is,
    /// unless more of it was evicted.
    fn of(bucket: &Bucket) -> State {
        let pages = |state: State| state.pages(bucket).unwrap_or(0);
        let of = |states: &[State]| {
            states.iter().copied().rev().max_by_key(|state| pages(*state)).unwrap_or(State::Absent)
        };
        if bucket.resident_pages > pages(State::Evicted) {
            of(&[State::Dirty, State::Writeback, State::Clean])
        } else {
            of(&[State::Evicted, State::Absent])
        }
    }
}

pub(super) fn draw(map: &ResidencyMap, canvas: &Canvas) -> Vec<String> {
    let mut lines = titled(&map.title, canvas);
    if canvas.plain {
        lines.extend(canvas.wrap(&sentences(map), canvas.text()));
    } else {
        lines.extend(indented(cells(map, canvas), canvas));
        lines.extend(indented(legend(&total(&map.buckets), canvas), canvas));
    }
    lines
}

/// Several buckets as one.
fn total(buckets: &[Bucket]) -> Bucket {
    let add = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
    let none = Bucket {
        pages: 0,
        resident_pages: 0,
        dirty_pages: Some(0),
        writeback_pages: Some(0),
        evicted_pages: Some(0),
        recently_evicted_pages: Some(0),
        method: instruments::residency::Method::Cachestat,
    };
    buckets.iter().fold(none, |a, b| Bucket {
        pages: a.pages.saturating_add(b.pages),
        resident_pages: a.resident_pages.saturating_add(b.resident_pages),
        dirty_pages: add(a.dirty_pages, b.dirty_pages),
        writeback_pages: add(a.writeback_pages, b.writeback_pages),
        evicted_pages: add(a.evicted_pages, b.evicted_pages),
        recently_evicted_pages: add(a.recently_evicted_pages, b.recently_evicted_pages),
        method: b.method,
    })
}

/// The cells in rows, each row beginning with its offset, the last one ending with the file's size.
fn cells(map: &ResidencyMap, canvas: &Canvas) -> Vec<String> {
    if map.buckets.is_empty() {
        return vec!["an empty file: no pages".to_owned()];
    }
    let end = format_bytes(map.size_bytes);
    let offset_width = columns(&end).max(8);
    let room = room(canvas).saturating_sub(offset_width + columns(&end) + 2).max(8);
    let merge = map.buckets.len().div_ceil(room * MAX_ROWS);
    let merged: Vec<Bucket> = map.buckets.chunks(merge).map(total).collect();
    let rows = merged.len().div_ceil(room);
    let per_row = merged.len().div_ceil(rows);
    let repeat = (room / per_row).max(1);
    let mut offset_pages = 0_u64;
    let mut lines = Vec::new();
    for row in merged.chunks(per_row) {
        let offset = format_bytes(offset_pages.saturating_mul(map.page_bytes).min(map.size_bytes));
        let drawn: String = row.iter().map(|bucket| cell(bucket, repeat, canvas)).collect();
        lines.push(format!("{} {drawn}", canvas.paint(Tone::Quiet, &pad_left(&offset, offset_width))));
        offset_pages = row.iter().fold(offset_pages, |sum, bucket| sum.saturating_add(bucket.pages));
    }
    if let Some(last) = lines.last_mut() {
        *last = format!("{last} {}", canvas.paint(Tone::Quiet, &end));
    }
    lines
}

fn cell(bucket: &Bucket, repeat: usize, canvas: &Canvas) -> String {
    let state = State::of(bucket);
    let glyph = match state {
        State::Clean => shade(bucket),
        state => state.glyph(),
    };
    canvas.paint(state.tone(), &glyph.repeat(repeat))
}

/// How full a bucket is.
fn shade(bucket: &Bucket) -> &'static str {
    let quarter = |n: u64| u128::from(bucket.resident_pages) * 4 >= u128::from(bucket.pages) * u128::from(n);
    if bucket.resident_pages >= bucket.pages {
        "█"
    } else if quarter(3) {
        "▓"
    } else if quarter(1) {
        "▒"
    } else {
        "░"
    }
}

/// Glyph, word, pages and share of every state that is counted here, in one or two columns.
fn legend(total: &Bucket, canvas: &Canvas) -> Vec<String> {
    let digits = columns(&format_count(total.pages));
    let entry = |state: State| {
        let pages = state.pages(total)?;
        let text = format!(
            "{} {} pages  {}",
            pad(state.name(), 16),
            pad_left(&format_count(pages), digits),
            pad_left(&share(pages, total.pages), 7)
        );
        let width = columns(&text) + 2;
        Some((width, format!("{} {text}", canvas.paint(state.tone(), state.glyph()))))
    };
    let mut entries: Vec<(usize, String)> = State::ALL.into_iter().filter_map(entry).collect();
    let width = entries.first().map_or(0, |(width, _)| *width);
    let shades = "▓▒░ partly resident: ¾, ¼, less";
    entries.push((columns(shades), shades.to_owned()));
    let per_line = if width * 2 + 4 <= room(canvas) { 2 } else { 1 };
    let line = |chunk: &[(usize, String)]| {
        let cells: Vec<&str> = chunk.iter().map(|(_, text)| text.as_str()).collect();
        cells.join("    ")
    };
    entries.chunks(per_line).map(line).collect()
}

fn sentences(map: &ResidencyMap) -> String {
    let total = total(&map.buckets);
    let count = |state: State| {
        let pages = state.pages(&total)?;
        (pages > 0)
            .then(|| format!("{} {} ({})", format_count(pages), state.name(), share(pages, total.pages)))
    };
    let counts: Vec<String> = State::ALL.into_iter().filter_map(count).collect();
    let counts = if counts.is_empty() { "none".to_owned() } else { counts.join(", ") };
    format!(
        "Of {} pages ({}): {counts}. {}",
        format_count(total.pages),
        format_bytes(map.size_bytes),
        stretches(map)
    )
}

/// `From 0 B to 8 MiB: resident. From 8 MiB to 256 MiB: absent.`
fn stretches(map: &ResidencyMap) -> String {
    let mut found: Vec<(u64, u64, State)> = Vec::new();
    let mut page = 0_u64;
    for bucket in &map.buckets {
        let next = page.saturating_add(bucket.pages);
        match found.last_mut() {
            Some((_, end, state)) if *state == State::of(bucket) => *end = next,
            _ => found.push((page, next, State::of(bucket))),
        }
        page = next;
    }
    let offset = |page: u64| format_bytes(page.saturating_mul(map.page_bytes).min(map.size_bytes));
    let named = found.iter().take(MAX_STRETCHES);
    let mut text: Vec<String> = named
        .map(|(start, end, state)| format!("From {} to {}: {}.", offset(*start), offset(*end), state.name()))
        .collect();
    if found.len() > MAX_STRETCHES {
        text.push(format!("Then {} further changes.", format_count((found.len() - MAX_STRETCHES) as u64)));
    }
    text.join(" ")
}
