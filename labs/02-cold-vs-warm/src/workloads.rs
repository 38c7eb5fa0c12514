//! The programs that this lab runs as children, and the learner by hand.

pub mod cread;
pub mod evict;
pub mod residency;
