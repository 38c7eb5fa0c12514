//! Snapshots of every figure and every screen, and what holds for any data.

mod figures;
mod properties;
mod samples;
mod screens;
mod tables;
mod words;

use super::{Canvas, Page};

/// A large terminal window without colour.
const WIDE: Canvas = Canvas { width: 80, height: 24, colour: false, plain: false };
/// A small one.
const SMALL: Canvas = Canvas { width: 60, height: 20, colour: false, plain: false };
/// A pipe.
const PLAIN: Canvas = Canvas { width: 80, height: 10_000, colour: false, plain: true };
/// With colour.
const COLOUR: Canvas = Canvas { width: 80, height: 24, colour: true, plain: false };

/// The three forms without colour.
const FORMS: [(&str, Canvas); 3] = [("80x24", WIDE), ("60x20", SMALL), ("plain", PLAIN)];

/// Compare with `snapshots/NAME.snap`; escapes are made visible.
fn snap(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text.replace('\x1b', "␛")));
}

/// A frame around each page, so that a reader of the snapshot sees the window.
fn framed(pages: &[Page], canvas: &Canvas) -> String {
    let lines = if canvas.plain { 0 } else { canvas.height - 2 };
    let page = |page: &Page| {
        let mut page = page.clone();
        page.resize(page.len().max(lines), String::new());
        format!("{}\n", page.join("\n"))
    };
    pages.iter().map(page).collect::<Vec<_>>().join(&format!("{}\n", "=".repeat(canvas.width)))
}
