//! Keys as a terminal sends them, one at a time: letters, and the sequences of arrows and of a presenter's clicker.

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter, a digit, a blank, a mark.
    Char(char),
    /// Enter.
    Enter,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// Also a clicker's.
    PageUp,
    /// Also a clicker's.
    PageDown,
    /// Backspace or Delete.
    Erase,
    /// Escape by itself.
    Escape,
    /// Ctrl-D: the end of input.
    End,
    /// Anything that means nothing here.
    Other,
}

/// What a key asks for, where nothing is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Go on.
    Next,
    /// Go back.
    Back,
    /// Measure again.
    Again,
    /// A show of hands.
    Hands,
    /// What the keys do, and a hint.
    Help,
    /// Leave.
    Quit,
}

impl Wish {
    /// What `key` asks for.
    pub fn of(key: Key) -> Option<Wish> {
        Some(match key {
            Key::Enter | Key::Down | Key::Right | Key::PageDown | Key::Char(' ' | 'n' | 'N') => Wish::Next,
            Key::Up | Key::Left | Key::PageUp | Key::Char('b' | 'B' | '<') => Wish::Back,
            Key::Char('r' | 'R') => Wish::Again,
            Key::Char('v' | 'V') => Wish::Hands,
            Key::Char('?') => Wish::Help,
            Key::Char('q' | 'Q') | Key::End => Wish::Quit,
            Key::Erase | Key::Escape | Key::Char(_) | Key::Other => return None,
        })
    }
}

/// The first key in `bytes` and how many of them it takes; None where a sequence has begun and not ended. `complete`:
/// nothing more comes, so that an Escape stands for itself.
pub fn first(bytes: &[u8], complete: bool) -> Option<(Key, usize)> {
    let key = match *bytes.first()? {
        0x1b => return sequence(bytes, complete),
        b'\r' | b'\n' => Key::Enter,
        0x04 => Key::End,
        0x08 | 0x7f => Key::Erase,
        byte @ 0x20..=0x7e => Key::Char(char::from(byte)),
        _ => Key::Other,
    };
    Some((key, 1))
}

/// Sequences of ECMA-48 (`ESC [ parameters letter`), and those of a keypad in application mode (`ESC O letter`).
fn sequence(bytes: &[u8], complete: bool) -> Option<(Key, usize)> {
    let unfinished = || complete.then_some((Key::Escape, bytes.len()));
    let Some(second) = bytes.get(1) else { return unfinished() };
    let start = match second {
        b'[' | b'O' => 2,
        _ => return Some((Key::Escape, 1)),
    };
    let Some(length) = bytes[start..].iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
        return unfinished();
    };
    let end = start + length;
    // A modifier (`;5`) does not make it another key here.
    let number = bytes[start..end].split(|byte| *byte == b';').next().unwrap_or_default();
    let key = match (bytes[end], number) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', _) => Key::Right,
        (b'D', _) => Key::Left,
        (b'M', b"") if *second == b'O' => Key::Enter,
        (b'~', b"3") => Key::Erase,
        (b'~', b"5") => Key::PageUp,
        (b'~', b"6") => Key::PageDown,
        _ => Key::Other,
    };
    Some((key, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Key> {
        let (mut keys, mut rest) = (Vec::new(), bytes);
        while let Some((key, taken)) = first(rest, true) {
            keys.push(key);
            rest = &rest[taken..];
        }
        keys
    }

    #[test]
    fn a_clicker_arrows_and_letters_are_read_one_by_one() {
        let keys = all(b"\x1b[6~\x1b[5~\x1b[C\x1bOD\x1b[1;5An \r\x7f\x04");
        let wanted = [
            Key::PageDown,
            Key::PageUp,
            Key::Right,
            Key::Left,
            Key::Up,
            Key::Char('n'),
            Key::Char(' '),
            Key::Enter,
            Key::Erase,
            Key::End,
        ];
        assert_eq!(keys, wanted);
    }

    #[test]
    fn a_sequence_that_comes_in_two_pieces_is_waited_for_and_escape_is_not_for_ever() {
        assert_eq!(first(b"\x1b", false), None);
        assert_eq!(first(b"\x1b[", false), None);
        assert_eq!(first(b"\x1b[6", false), None);
        assert_eq!(first(b"\x1b", true), Some((Key::Escape, 1)));
        assert_eq!(first(b"\x1bn", false), Some((Key::Escape, 1)));
        assert_eq!(all(b"\x1b[200~\xc3\xa9\x1b[99;1H"), [Key::Other, Key::Other, Key::Other, Key::Other]);
    }

    #[test]
    fn both_directions_have_every_key_that_a_presenter_may_have() {
        for key in all(b"n \x1b[C\x1b[B\x1b[6~\r") {
            assert_eq!(Wish::of(key), Some(Wish::Next), "{key:?}");
        }
        for key in all(b"b\x1b[D\x1b[A\x1b[5~") {
            assert_eq!(Wish::of(key), Some(Wish::Back), "{key:?}");
        }
        assert_eq!(Wish::of(Key::Escape), None);
    }
}
