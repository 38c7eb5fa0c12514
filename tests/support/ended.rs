//! What a terminal saw until its program ended, and what can be said of it.

use unicode_width::UnicodeWidthStr;

/// What a terminal saw until its program ended.
pub struct Ended {
    /// The exit code; none where a signal killed it.
    pub code: Option<u32>,
    /// All that was written, as text, escapes included.
    pub raw: String,
    /// What stands on the screen.
    pub screen: String,
}

impl Ended {
    /// It ended with this exit code.
    #[track_caller]
    pub fn exits(&self, code: u32) -> &Self {
        assert_eq!(self.code, Some(code), "{}", self.screen);
        self
    }

    /// All that was written, without escapes.
    pub fn text(&self) -> String {
        console::strip_ansi_codes(&self.raw).into_owned()
    }

    /// No line is wider than so many columns.
    #[track_caller]
    pub fn is_within(&self, columns: u16) -> &Self {
        fits(&self.text(), columns);
        self
    }

    /// Not a single escape, nor any other control character but those that end lines.
    #[track_caller]
    pub fn has_no_escape(&self) -> &Self {
        let found = self.raw.chars().find(|letter| letter.is_control() && !['\n', '\r'].contains(letter));
        assert_eq!(found, None, "{:?}", self.raw);
        self
    }
}

/// No line of `text` is wider than so many columns.
#[track_caller]
pub(super) fn fits(text: &str, columns: u16) {
    // A progress bar returns to the line's start, and fills the line with blanks; a key comes after that.
    let words = |line: &str| line.trim_end_matches("^C").trim_end().width();
    let too_wide = text.split(['\n', '\r']).find(|line| words(line) > columns.into());
    assert_eq!(too_wide, None, "wider than {columns} columns");
}
