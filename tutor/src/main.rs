//! The one binary of the course: guided labs and the instruments behind them.

#[allow(dead_code, unused_imports, reason = "the session that shows these screens is still being written")]
mod render;

fn main() {}
