//! The progress bar while something is measured. Only stderr, never a hidden cursor, on a terminal only.

use crate::look::Look;
use crate::render;
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
            bar.set_style(style(units));
            bar.set_message(what.to_owned());
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

fn style(units: u64) -> ProgressStyle {
    let template = if units == 0 { " {msg}{prefix}" } else { " {msg}  {bar:30} {percent:>3}%{prefix}" };
    ProgressStyle::with_template(template)
        .expect("the template is a constant that a test tries")
        .progress_chars("━━ ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_templates_are_understood() {
        super::style(0);
        super::style(1);
    }
}
