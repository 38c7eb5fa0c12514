//! The few colours, all in one place. Without colour it emits nothing but the text.

use console::Style;

/// What a piece of text is, which decides its colour. None is the only sign of anything: each also has a word, a
/// place or a glyph of its own. Only colours that keep their contrast on light and on dark backgrounds are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// What the learner should read first.
    Strong,
    /// Secondary: rules, axes, units.
    Quiet,
    /// Why, Note, More; keys and letters.
    Label,
    /// A hit; resident.
    Good,
    /// Near.
    Near,
    /// A miss, and what asks for attention: the recorded label, dirty pages.
    Alert,
    /// Bars and the first series of a curve.
    Ink,
}

/// `text` in this tone.
pub(super) fn paint(colour: bool, tone: Tone, text: &str) -> String {
    if !colour || text.is_empty() {
        return text.to_owned();
    }
    let style = match tone {
        Tone::Strong => Style::new().bold(),
        Tone::Quiet => Style::new().dim(),
        Tone::Label => Style::new().cyan().bold(),
        Tone::Good => Style::new().green(),
        Tone::Near | Tone::Ink => Style::new().cyan(),
        Tone::Alert => Style::new().magenta(),
    };
    style.force_styling(true).apply_to(text).to_string()
}
