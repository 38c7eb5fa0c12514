//! The progress bar while something is measured. Only stderr, never a hidden cursor, on a terminal only.

use crate::look::Look;
use crate::render;
use console::{measure_text_width, truncate_str};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use instruments::bench::Progress;
use instruments::residency::Bucket;
use lesson::figure::ResidencyMap;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

// The signal thread has to take the bar down, too.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Progress of a measurement: a bar with a live residency map below it on a terminal, one line a stretch elsewhere.
#[derive(Debug)]
pub struct Bar {
    look: Look,
    last: String,
}

impl Bar {
    /// Nothing is drawn before the first stretch of work.
    pub fn new(look: Look) -> Bar {
        Bar { look, last: String::new() }
    }
}

impl Progress for Bar {
    fn begin(&mut self, what: &str, units: u64) {
        if self.look.bar {
            let bar = ProgressBar::with_draw_target(Some(units), ProgressDrawTarget::stderr());
            let (what, style) = fit(what, units, self.look.canvas().width);
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
            let frame = render::map_frame(&figure, &self.look.canvas());
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

/// The words and the bar in one line of so many columns: the bar gives way first, then the words.
fn fit(what: &str, units: u64, width: usize) -> (String, ProgressStyle) {
    // A margin, two blanks before the bar, one and ` 42%` after it.
    let (around, most, least) = if units == 0 { (1, 0, 0) } else { (8, 30, 10) };
    let room = width.saturating_sub(around);
    let what = truncate_str(what, room.saturating_sub(least), "…").into_owned();
    let bar = room.saturating_sub(measure_text_width(&what)).min(most);
    let template = if units == 0 {
        " {msg}{prefix}".to_owned()
    } else {
        format!(" {{msg}}  {{bar:{bar}}} {{percent:>3}}%{{prefix}}")
    };
    let style = ProgressStyle::with_template(&template).expect("a test tries the templates");
    (what, style.progress_chars("━━ "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_bar_share_the_line() {
        let words = |what: &str, units, width| fit(what, units, width).0;
        assert_eq!(words("write the data file", 5, 80), "write the data file");
        let long = "counting the page faults of a mapping and of two read() loops";
        assert_eq!(words(long, 5, 80), long);
        assert_eq!(words(long, 5, 40), "counting the page fau…");
        assert_eq!(measure_text_width(&words(long, 0, 60)), 59);
    }
}
