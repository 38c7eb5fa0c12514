//! What this terminal can show: decided once from the environment; its size is asked for at each draw.

use crate::render::Canvas;
use console::Term;
use std::env;
use std::io::{IsTerminal, stderr, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

// Said once on the command line, and meant for everything that is shown, help and refusals included.
static PLAIN_WANTED: AtomicBool = AtomicBool::new(false);

/// Terminals that know no box drawing, or nothing at all.
const WITHOUT_BOXES: [&str; 7] = ["", "dumb", "unknown", "vt52", "vt100", "vt102", "emacs"];

/// How screens are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Colours, never as the only signal.
    pub colour: bool,
    /// Append-only text without box drawing.
    pub plain: bool,
    /// Each screen is drawn on a cleared terminal.
    pub clears: bool,
    /// Each page waits for a key: a person sits there.
    pub paged: bool,
    /// A progress bar may be drawn on stderr.
    pub bar: bool,
}

/// What the decision rests on.
#[derive(Clone, Debug, Default)]
struct Surroundings {
    stdin: bool,
    stdout: bool,
    stderr: bool,
    plain_wanted: bool,
    term: Option<String>,
    no_color: Option<String>,
    clicolor: Option<String>,
    clicolor_force: Option<String>,
    accessible: Option<String>,
    locale: Option<String>,
}

impl Capabilities {
    /// From now on everything is plain.
    pub fn want_plain() {
        PLAIN_WANTED.store(true, Ordering::Relaxed);
    }

    /// What the terminal of this process can show.
    pub fn here() -> Capabilities {
        let var = |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        // locale(7): the first of these that is not empty decides.
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(var).find(|value| !value.is_empty());
        let look = Capabilities::decide(&Surroundings {
            stdin: stdin().is_terminal(),
            stdout: stdout().is_terminal(),
            stderr: stderr().is_terminal(),
            plain_wanted: PLAIN_WANTED.load(Ordering::Relaxed),
            term: var("TERM"),
            no_color: var("NO_COLOR"),
            clicolor: var("CLICOLOR"),
            clicolor_force: var("CLICOLOR_FORCE"),
            accessible: var("ACCESSIBLE"),
            locale,
        });
        console::set_colors_enabled(look.colour);
        look
    }

    // https://no-color.org: set and not empty. https://bixense.com/clicolors: CLICOLOR_FORCE not 0 wins over a pipe,
    // CLICOLOR=0 says no. Who says no gets no escape at all, so also no clearing and no bar.
    fn decide(around: &Surroundings) -> Capabilities {
        let set = |value: &Option<String>| value.as_deref().is_some_and(|value| !value.is_empty());
        let forced = set(&around.clicolor_force) && around.clicolor_force.as_deref() != Some("0");
        let refused = set(&around.no_color) || (around.clicolor.as_deref() == Some("0") && !forced);
        let accessible = set(&around.accessible) && around.accessible.as_deref() != Some("0");
        let bare = around.term.as_deref().is_none_or(|term| WITHOUT_BOXES.contains(&term));
        let foreign = around.locale.as_deref().is_some_and(|locale| !is_utf8(locale));
        let wanted = around.plain_wanted || accessible || bare || foreign;
        let escapes = !wanted && !refused;
        let colour = escapes && (around.stdout || forced);
        // Who forces colour into a pipe wants what a terminal would show.
        let plain = wanted || !(around.stdout || colour);
        Capabilities {
            colour,
            plain,
            clears: escapes && around.stdout && around.stdin,
            paged: !plain && around.stdin && around.stdout,
            // `tutor lab 3 | cat` has a terminal behind it, too, but all of it is to be plain there.
            bar: escapes && around.stderr && !plain,
        }
    }

    /// A canvas of the terminal's size now, bounded to what still reads well.
    pub fn canvas(&self) -> Canvas {
        let (height, width) = Term::stdout().size_checked().unwrap_or((24, 80));
        Canvas {
            width: usize::from(width).clamp(40, 100),
            height: usize::from(height).max(12),
            colour: self.colour,
            plain: self.plain,
        }
    }
}

/// Whether a locale that somebody chose says UTF-8. Without a choice a terminal of today is assumed.
fn is_utf8(locale: &str) -> bool {
    let charset = locale.split('@').next().unwrap_or_default().to_ascii_lowercase();
    charset.contains("utf-8") || charset.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal() -> Surroundings {
        let term = Some("xterm-256color".to_owned());
        Surroundings { stdin: true, stdout: true, stderr: true, term, ..Surroundings::default() }
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn a_terminal_gets_everything() {
        let look = Capabilities::decide(&terminal());
        assert_eq!(look, Capabilities { colour: true, plain: false, clears: true, paged: true, bar: true });
    }

    #[test]
    fn a_pipe_a_dumb_terminal_and_plain_get_no_escape() {
        let pipe = Surroundings { stdout: false, ..terminal() };
        let dumb = Surroundings { term: some("dumb"), ..terminal() };
        let unset = Surroundings { term: None, ..terminal() };
        let plain = Surroundings { plain_wanted: true, clicolor_force: some("1"), ..terminal() };
        let accessible = Surroundings { accessible: some("1"), clicolor_force: some("1"), ..terminal() };
        let serial = Surroundings { term: some("vt100"), ..terminal() };
        let latin = Surroundings { locale: some("de_DE.ISO-8859-1"), ..terminal() };
        for around in [pipe, dumb, unset, plain, accessible, serial, latin] {
            let look = Capabilities::decide(&around);
            assert!(look.plain && !look.colour && !look.clears && !look.paged && !look.bar, "{around:?}");
        }
    }

    #[test]
    fn a_choice_of_utf8_or_none_keeps_everything() {
        for locale in [None, some("C.UTF-8"), some("en_US.utf8"), some("ca_ES.UTF-8@valencia")] {
            let around = Surroundings { locale, accessible: some("0"), ..terminal() };
            assert!(!Capabilities::decide(&around).plain, "{around:?}");
        }
    }

    #[test]
    fn no_color_and_clicolor_0_get_no_escape_but_keep_their_pages() {
        let no_color = Surroundings { no_color: some("1"), ..terminal() };
        let beats_force = Surroundings { clicolor_force: some("1"), ..no_color.clone() };
        let clicolor = Surroundings { clicolor: some("0"), ..terminal() };
        for around in [no_color, beats_force, clicolor] {
            let look = Capabilities::decide(&around);
            assert!(!look.colour && !look.clears && !look.bar && look.paged, "{around:?}");
        }
    }

    #[test]
    fn empty_no_color_means_nothing_and_force_reaches_a_pipe() {
        assert!(Capabilities::decide(&Surroundings { no_color: some(""), ..terminal() }).colour);
        let forced = Surroundings { stdout: false, clicolor_force: some("1"), ..terminal() };
        assert_eq!(
            Capabilities::decide(&forced),
            Capabilities { colour: true, plain: false, clears: false, paged: false, bar: true }
        );
        let zero = Surroundings { stdout: false, clicolor_force: some("0"), ..terminal() };
        assert!(!Capabilities::decide(&zero).colour);
    }

    #[test]
    fn piped_answers_are_never_made_to_turn_pages() {
        let look = Capabilities::decide(&Surroundings { stdin: false, ..terminal() });
        assert!(!look.paged && !look.clears && look.colour);
    }
}
