//! The keys of a session: a letter and Enter, on an ordinary line.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// `n`, or just Enter.
    Next,
    /// `<`, or `b` where that is no answer.
    Back,
    /// `r`
    Again,
    /// `?`
    Hint,
    /// `q`, or the end of input.
    Quit,
}

impl Key {
    /// The key that was typed.
    pub fn read(text: &str) -> Option<Key> {
        Some(match text.to_lowercase().as_str() {
            "" | "n" | "next" => Key::Next,
            "b" | "<" | "back" => Key::Back,
            "r" | "again" | "run again" => Key::Again,
            "?" | "hint" | "help" => Key::Hint,
            "q" | "quit" | "exit" => Key::Quit,
            _ => return None,
        })
    }
}

/// The key line; `b_answers` where the letter b names an option.
pub fn line(asks: bool, b_answers: bool) -> Vec<(&'static str, &'static str)> {
    let back = if b_answers { "<" } else { "b" };
    let keys = [("n", "next"), (back, "back"), ("r", "run again"), ("?", "hint"), ("q", "quit")];
    asks.then_some(("s", "skip")).into_iter().chain(keys).collect()
}

/// The key line of the lab's card, where nothing can be run again yet and no page stands before the first.
pub fn on_card(first_page: bool) -> Vec<(&'static str, &'static str)> {
    let unused = if first_page { &["b", "r"][..] } else { &["r"] };
    line(false, false).into_iter().filter(|(key, _)| !unused.contains(key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_words_and_enter_are_understood_in_any_case() {
        assert_eq!(Key::read(""), Some(Key::Next));
        assert_eq!(Key::read("Q"), Some(Key::Quit));
        assert_eq!(Key::read("<"), Some(Key::Back));
        assert_eq!(Key::read("25x"), None);
    }

    #[test]
    fn every_key_that_is_shown_is_understood() {
        for (key, _) in line(false, false).into_iter().chain(line(true, true).into_iter().skip(1)) {
            assert!(Key::read(key).is_some(), "{key}");
        }
    }

    #[test]
    fn the_card_shows_the_keys_that_lead_somewhere_from_there() {
        let shown = |first| on_card(first).iter().map(|(key, _)| *key).collect::<Vec<_>>();
        assert_eq!(shown(true), ["n", "?", "q"]);
        assert_eq!(shown(false), ["n", "b", "?", "q"]);
    }
}
