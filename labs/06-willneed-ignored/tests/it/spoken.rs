//! A reveal as the learner reads it, without its figures: for snapshots.

use lesson::{Outcome, Reveal};
use std::fmt::Write;

/// Outcome, sentence, causes and caveats, a line each.
pub fn spoken(reveal: &Reveal) -> String {
    let mut text = String::new();
    let outcome = match &reveal.outcome {
        Outcome::Choice(id) => format!("choice {id}"),
        Outcome::Quantity(value) => format!("quantity {value:.3}"),
        Outcome::Undecided(why) => format!("undecided: {why}"),
    };
    let mut line = |name: &str, said: &str| writeln!(text, "{name:8} {said}").expect("a String takes all");
    line("outcome", &outcome);
    line("sentence", &reveal.sentence);
    for cause in &reveal.causes {
        line("cause", &format!("[{}] {}", cause.id, cause.text));
    }
    for caveat in &reveal.caveats {
        line("caveat", &caveat.to_string());
    }
    text
}

/// The ids of a reveal's causes.
pub fn causes(reveal: &Reveal) -> Vec<&str> {
    reveal.causes.iter().map(|cause| &*cause.id).collect()
}
