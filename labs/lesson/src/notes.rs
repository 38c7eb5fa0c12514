//! What an instructor says around an act, and how long it takes in a room.

/// Words for whoever teaches. True on every machine, so without a measured figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notes {
    /// Planned minutes, with predicting and talking. All acts of a lab take as long as its card says.
    pub minutes: u32,
    /// What to say before the question.
    pub say: &'static str,
    /// The wrong turn that many will take, and how to let them take it.
    pub trap: &'static str,
    /// The question that someone will ask.
    pub asked: &'static str,
    /// What to answer.
    pub answer: &'static str,
}
