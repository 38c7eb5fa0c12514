//! The progress bar while something is measured. Only stderr, never a hidden cursor, on a terminal only.

mod narrow;

use crate::capabilities::Capabilities;
use crate::render::{self, Canvas};
use console::measure_text_width;
use indicatif::{ProgressBar, ProgressStyle};
use instruments::bench::Progress;
use instruments::residency::Bucket;
use lesson::figure::ResidencyMap;
use narrow::{COLUMNS, Narrow};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

// The signal thread has to take the bar down, too.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Progress of a measurement: a bar with a live residency map below it on a terminal, one line a stretch elsewhere.
#[derive(Debug)]
pub struct Bar {
    look: Capabilities,
    last: String,
}

impl Bar {
    /// Nothing is drawn before the first stretch of work.
    pub fn new(look: Capabilities) -> Bar {
        Bar { look, last: String::new() }
    }
}

impl Progress for Bar {
    fn begin(&mut self, what: &str, units: u64) {
        if self.look.bar {
            let bar = ProgressBar::with_draw_target(Some(units), Narrow::target());
            let (what, style) = fit(what, units, COLUMNS);
            bar.set_style(style);
            bar.set_message(what);
            bar.tick();
            show(Some(bar));
        } else if self.last != what {
            let _ = writeln!(io::stderr(), "  {what} ...");
        }
        what.clone_into(&mut self.last);
    }

    fn done(&mut self, units: u64) {
        with_bar(|bar| bar.inc(units));
    }

    fn map(&mut self, buckets: &[Bucket]) {
        let page_bytes = instruments::pages::page_bytes();
        with_bar(|bar| {
            let figure = ResidencyMap {
                title: String::new(),
                size_bytes: buckets.iter().map(|bucket| bucket.pages).sum::<u64>() * page_bytes,
                page_bytes,
                buckets: buckets.to_vec(),
            };
            let frame = render::map_frame(&figure, &Canvas { width: COLUMNS, ..self.look.canvas() });
            bar.set_prefix(frame.iter().map(|line| format!("\n{line}")).collect::<String>());
        });
    }

    fn end(&mut self) {
        take_down();
    }
}

/// Remove the bar, where there is one: the cursor is then where the bar began.
pub fn take_down() {
    show(None);
}

fn show(next: Option<ProgressBar>) {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bar) = std::mem::replace(&mut *shown, next) {
        bar.finish_and_clear();
    }
}

fn with_bar(draw: impl FnOnce(&ProgressBar)) {
    if let Some(bar) = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        draw(bar);
    }
}

/// The words and the bar: beside one another in so many columns, or the bar below the words.
fn fit(what: &str, units: u64, width: usize) -> (String, ProgressStyle) {
    // A margin, two blanks before the bar, one and ` 42%` after it, and a column to spare.
    let (around, most, least) = (9, 30, 10);
    let beside = width.saturating_sub(around + measure_text_width(what));
    let lines = textwrap::wrap(what, width.saturating_sub(2));
    let template = if units == 0 {
        " {msg}{prefix}".to_owned()
    } else if beside >= least {
        format!(" {{msg}}  {{bar:{}}} {{percent:>3}}%{{prefix}}", beside.min(most))
    } else {
        format!(" {{msg}}\n {{bar:{most}}} {{percent:>3}}%{{prefix}}")
    };
    let style = ProgressStyle::with_template(&template).expect("a test tries the templates");
    (lines.join("\n "), style.progress_chars("━━ "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_bar_share_the_line() {
        let words = |what: &str, units, width| fit(what, units, width).0;
        assert_eq!(words("write it", 5, 40), "write it");
        let long = "counting the page faults of a mapping and of two read() loops";
        for units in [0, 5] {
            assert_eq!(
                words(long, units, 40),
                "counting the page faults of a mapping\n and of two read() loops"
            );
        }
    }
}
