//! The lab's own tests: what each cause says, what contradictory evidence gets to hear, what is asked.

mod causes;
mod contradictions;
mod questions;
