//! The programs that this lab runs as children, and the learner by hand.

pub mod hinted;
mod read;
pub mod settle;
pub mod willneed;
