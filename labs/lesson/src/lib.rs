//! What a lab is made of. Pure types and rules: no clock, no kernel, no terminal.
//!
//! Data flows one way: an [`Act`] asks a [`Question`], measures typed evidence on the instruments' bench, and turns
//! the evidence into a [`Reveal`]; renderers draw the reveal's [`Figure`]s. [`AnyAct`] is the seam where evidence
//! becomes JSON, and where record and replay sit, once, for all labs.

pub mod act;
pub mod answer;
pub mod arms;
pub mod card;
pub mod caveat;
pub mod figure;
pub mod nearest;
pub mod notes;
pub mod question;
pub mod recording;
pub mod reveal;
pub mod taken;
#[cfg(feature = "testing")]
pub mod testing;
pub mod words;
pub mod workload;

pub use act::{Act, AnyAct, EvidenceError, Setting};
pub use answer::{Prediction, Verdict, verdict};
pub use card::{Card, Knob, Lab};
pub use caveat::Caveat;
pub use figure::Figure;
pub use notes::Notes;
pub use question::{Ask, Choice, Quantity, Question, Unit};
pub use recording::Recording;
pub use reveal::{Cause, Outcome, Reveal};
pub use workload::Workload;
