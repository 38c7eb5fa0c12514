//! The screen while something is measured: what runs, how long it is expected to take, a bar, a live map.

use super::layout::{Frame, Layout};
use super::palette::Palette;
use super::terminal;
use crate::render::{self, Tone};
use instruments::bench::Progress;
use instruments::residency::Bucket;
use lesson::figure::ResidencyMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// More frames a second than this only cost time.
const BETWEEN_FRAMES: Duration = Duration::from_millis(100);

const KEYS: [(&str, &str); 1] = [("Ctrl-C", "ends it; nothing is left behind")];

// The thread that watches the window draws it, too.
static NOW: Mutex<Option<Measuring>> = Mutex::new(None);

/// What is measured now.
#[derive(Debug)]
pub struct Measuring {
    palette: Palette,
    frame: Frame,
    promise: String,
    what: String,
    units: u64,
    done: u64,
    map: Vec<Bucket>,
    drawn: Option<Instant>,
}

impl Measuring {
    /// `frame` has the head; `promise` says how long it may take.
    pub fn new(palette: Palette, frame: Frame, promise: String) -> Measuring {
        let what = String::new();
        Measuring { palette, frame, promise, what, units: 0, done: 0, map: Vec::new(), drawn: None }
    }

    /// The rows in this layout.
    pub fn rows(&self, layout: &Layout) -> Vec<String> {
        let canvas = layout.canvas();
        let heading = canvas.wrap(&format!("Measuring: {}", self.promise), canvas.text());
        let mut runs = canvas.wrap(&self.what, canvas.text());
        if self.units > 0 {
            runs.push(canvas.paint(Tone::Ink, &bar(self.done, self.units, layout)));
        }
        let blocks = [canvas.paint_all(Tone::Strong, heading), runs, self.drawn_map(layout)];
        // A small window has no empty line to give away.
        let airy = blocks.join(&String::new());
        let mut lines = if airy.len() <= layout.body() { airy } else { blocks.concat() };
        lines.truncate(layout.body());
        layout.rows(&Frame { lines: canvas.with_margin(lines), ..self.frame.clone() }, "", &KEYS)
    }

    fn drawn_map(&self, layout: &Layout) -> Vec<String> {
        if self.map.is_empty() {
            return Vec::new();
        }
        let page_bytes = instruments::pages::page_bytes();
        let figure = ResidencyMap {
            title: String::new(),
            size_bytes: self.map.iter().map(|bucket| bucket.pages).sum::<u64>() * page_bytes,
            page_bytes,
            buckets: self.map.clone(),
        };
        render::drawn(&lesson::Figure::ResidencyMap(figure), &layout.canvas())
    }
}

/// `██████░░░░░░  48%`, with marks that a dumb terminal has, too.
fn bar(done: u64, units: u64, layout: &Layout) -> String {
    let canvas = layout.canvas();
    let width = canvas.text().min(50) - 6;
    let share = done.min(units) as f64 / units as f64;
    let full = (share * width as f64).floor() as usize;
    let (on, off) = if canvas.plain { ("#", ".") } else { ("█", "░") };
    format!("{}{} {:>3.0}%", on.repeat(full), off.repeat(width - full), (share * 100.0).floor())
}

/// This is measured from now on.
pub fn begin(measuring: Measuring) {
    *now() = Some(measuring);
    redraw();
}

/// Nothing is measured any more.
pub fn end() {
    *now() = None;
}

/// Draw it again, if something is measured.
pub fn redraw() {
    let mut now = now();
    let Some(measuring) = now.as_mut() else { return };
    measuring.drawn = Some(Instant::now());
    let layout = Layout::here(measuring.palette);
    // Nobody can be told while it is measured; the next screen meets the same trouble, and tells.
    let _ = terminal::draw(&measuring.rows(&layout));
}

/// Progress on that screen.
#[derive(Debug)]
pub struct Shown;

impl Shown {
    fn change(change: impl FnOnce(&mut Measuring)) -> bool {
        let mut now = now();
        let Some(measuring) = now.as_mut() else { return false };
        change(measuring);
        // Where nothing can be drawn over, a frame for each stretch of work is enough.
        measuring.palette != Palette::Dumb
            && measuring.drawn.is_none_or(|drawn| drawn.elapsed() >= BETWEEN_FRAMES)
    }
}

impl Progress for Shown {
    fn begin(&mut self, what: &str, units: u64) {
        Shown::change(|now| (now.what, now.units, now.done) = (what.to_owned(), units, 0));
        redraw();
    }

    fn done(&mut self, units: u64) {
        if Shown::change(|now| now.done = now.done.saturating_add(units)) {
            redraw();
        }
    }

    fn map(&mut self, buckets: &[Bucket]) {
        if Shown::change(|now| now.map = buckets.to_vec()) {
            redraw();
        }
    }

    fn end(&mut self) {
        Shown::change(|now| (now.units, now.map) = (0, Vec::new()));
    }
}

fn now() -> MutexGuard<'static, Option<Measuring>> {
    NOW.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_runs_how_long_and_how_far_and_fits_the_smallest_window() {
        let mut now = Measuring::new(Palette::Bare, Frame::default(), "about 8 s on an SSD".to_owned());
        (now.what, now.units, now.done) = ("read the file cold and warm".to_owned(), 10, 5);
        let bucket = |resident_pages| Bucket {
            pages: 64,
            resident_pages,
            dirty_pages: Some(resident_pages / 2),
            writeback_pages: Some(0),
            evicted_pages: Some(0),
            recently_evicted_pages: Some(0),
            method: instruments::residency::Method::Cachestat,
        };
        now.map = (0..256).map(|at| bucket(at % 64)).collect();
        let rows = now.rows(&Layout::of(60, 16, Palette::Bare));
        assert_eq!(rows.len(), 16);
        insta::assert_snapshot!(rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n"));
    }
}
