//! Figures in words.

use crate::ended::Ended;
use lesson::Choice;

/// `'A'` for a letter, the number for anything else: 0 is told from the digit.
pub fn byte(value: u8) -> String {
    if value.is_ascii_alphabetic() { format!("'{}'", char::from(value)) } else { value.to_string() }
}

/// What a touch came to, short enough for a table.
pub fn ended(ended: &Ended) -> String {
    match ended {
        Ended::Value(value) => format!("{}, no signal", byte(*value)),
        Ended::Killed(death) => death.short(),
    }
}

/// An option of a question.
pub fn option(id: &str, text: &str, explanation: &str) -> Choice {
    Choice { id: id.to_owned(), text: text.to_owned(), explanation: explanation.to_owned() }
}

/// A row of a table.
pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Why nothing can be said where the file was not cut as it should have been; None where it was.
pub fn not_cut(cut_error: &str) -> Option<String> {
    (cut_error != "none").then(|| format!("the other process could not cut the file ({cut_error})"))
}
