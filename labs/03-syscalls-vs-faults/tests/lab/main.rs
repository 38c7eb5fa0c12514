//! Lab 3 from evidence on: what it asks, and what it says to recorded and to contradictory evidence.

mod contradictions;
mod questions;
mod recordings;
mod told;
