//! The map of a file: from its start to its end, row by row, how much of each stretch is in the cache.

use super::layout::{Hold, LINE, Layout, WIDTH};
use instruments::residency::Bucket;
use instruments::size::format_bytes;
use lesson::figure::ResidencyMap;

const CELL: f64 = 12.0;
const GAP: f64 = 1.0;

/// What stands for a stretch: its fill, how much of the cell it takes, and what it is called.
fn look(bucket: &Bucket) -> (&'static str, f64, &'static str) {
    let busy = bucket.dirty_pages.unwrap_or(0);
    let writing = bucket.writeback_pages.unwrap_or(0);
    let share = bucket.resident_pages as f64 / bucket.pages.max(1) as f64;
    let evicted = bucket.evicted_pages.unwrap_or(0);
    if bucket.resident_pages == 0 && evicted > 0 {
        ("evicted", 0.4, "evicted")
    } else if bucket.resident_pages == 0 {
        ("absent", 1.0, "absent")
    } else if busy.saturating_mul(2) >= bucket.resident_pages {
        ("dirty", share, "dirty")
    } else if writing.saturating_mul(2) >= bucket.resident_pages {
        ("writeback", share, "in writeback")
    } else {
        ("resident", share, "resident")
    }
}

/// All stretches, then the legend of what there is.
pub fn draw(map: &ResidencyMap, layout: &mut Layout) {
    let across = (WIDTH / CELL) as usize;
    let top = 2.0;
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (at, bucket) in map.buckets.iter().enumerate() {
        let (class, share, name) = look(bucket);
        if !seen.contains(&(class, name)) {
            seen.push((class, name));
        }
        let (x, y) = ((at % across) as f64 * CELL, top + (at / across) as f64 * CELL);
        cell(layout, x, y, class, share);
    }
    let rows = map.buckets.len().div_ceil(across).max(1);
    layout.bottom = top + rows as f64 * CELL;
    let y = layout.bottom + LINE - 2.0;
    layout.text(0.0, y, Hold::Start, "quiet", "start");
    let end = format!("{} in {} stretches", format_bytes(map.size_bytes), map.buckets.len());
    layout.text(WIDTH, y, Hold::End, "quiet", &end);
    let mut x = 0.0;
    let y = layout.bottom + LINE - 2.0;
    for (class, name) in seen {
        cell(layout, x, y - 10.0, class, if class == "evicted" { 0.4 } else { 1.0 });
        layout.text(x + CELL + 4.0, y, Hold::Start, "", name);
        x += CELL + 14.0 + super::layout::width(name);
    }
}

/// Filled from below by how much is resident, so that colour is not the only signal.
fn cell(layout: &mut Layout, x: f64, y: f64, class: &str, share: f64) {
    let side = CELL - GAP;
    layout.rect(x, y, side, side, "ground");
    if class != "absent" {
        let height = (side * share).max(1.5);
        layout.rect(x, y + side - height, side, height, class);
    }
}
