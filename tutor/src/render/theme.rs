//! The few colours, all in one place. Without colour it emits nothing but the text.

use console::Style;

/// What a piece of text is, which decides its colour. None is the only sign of anything: each also has a word, a
/// place or a glyph of its own. Only colours that keep their contrast on light and on dark backgrounds are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
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

/// `text` in this tone; spaces at its end stay outside, so that they can be trimmed.
pub fn paint(colour: bool, tone: Tone, text: &str) -> String {
    let (text, spaces) = text.split_at(text.trim_end().len());
    if !colour || text.is_empty() {
        return format!("{text}{spaces}");
    }
    let style = match tone {
        Tone::Strong => Style::new().bold(),
        Tone::Quiet => Style::new().dim(),
        Tone::Label => Style::new().cyan().bold(),
        Tone::Good => Style::new().green(),
        Tone::Near | Tone::Ink => Style::new().cyan(),
        Tone::Alert => Style::new().magenta(),
    };
    format!("{}{spaces}", style.force_styling(true).apply_to(text))
}
