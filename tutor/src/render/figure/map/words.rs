//! A residency map in words, for plain text.

use super::state::{State, total};
use crate::render::number::share;
use instruments::size::{format_bytes, format_count};
use lesson::figure::ResidencyMap;

/// Stretches that are named one by one.
const MAX_STRETCHES: usize = 12;

/// How many pages are what, and from where to where.
pub(super) fn sentences(map: &ResidencyMap) -> String {
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
