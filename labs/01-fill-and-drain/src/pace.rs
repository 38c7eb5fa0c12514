//! Do a piece of work slowly enough to be watched.

use instruments::{Unavailable, interrupt};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a watched fill, drain or refill takes.
pub const WATCHED: Duration = Duration::from_millis(1500);

/// Sleeping longer than this at a time would keep an interruption waiting.
const NAP: Duration = Duration::from_millis(50);

/// Spreads work over a time; over no time at all it never waits.
#[derive(Debug)]
pub struct Pace {
    started: Instant,
    over: Duration,
    total: u64,
}

impl Pace {
    /// `total` units of work over this time.
    pub fn new(over: Duration, total: u64) -> Pace {
        Pace { started: Instant::now(), over, total }
    }

    /// Wait until `done` units may be done.
    pub fn wait(&self, done: u64) {
        let due = self.over.mul_f64((done as f64 / self.total.max(1) as f64).min(1.0));
        while let Some(left) = due.checked_sub(self.started.elapsed()).filter(|left| !left.is_zero()) {
            if interrupt::requested() {
                return;
            }
            sleep(left.min(NAP));
        }
    }
}

/// Do nothing for so long, unless an interruption comes.
pub fn rest(time: Duration) -> Result<(), Unavailable> {
    Pace::new(time, 1).wait(1);
    interrupt::check()
}

/// A time as typed after `--over`, such as `2s` or `500ms`.
pub fn parse(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_secs(600);
    match humantime::parse_duration(text) {
        Ok(time) if time <= LONGEST => Ok(time),
        Ok(_) => Err("that is longer than ten minutes".to_owned()),
        Err(why) => Err(format!("{why}; try 2s")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_spread_and_no_time_is_no_wait() {
        let started = Instant::now();
        let pace = Pace::new(Duration::from_millis(60), 3);
        pace.wait(1);
        assert!(started.elapsed() >= Duration::from_millis(20));
        pace.wait(99);
        assert!(started.elapsed() >= Duration::from_millis(60));
        Pace::new(Duration::ZERO, 0).wait(7);
    }

    #[test]
    fn a_time_is_understood_or_refused_in_one_line() {
        assert_eq!(parse("500ms"), Ok(Duration::from_millis(500)));
        for text in ["", "2", "soon", "3h"] {
            assert_eq!(parse(text).expect_err(text).lines().count(), 1);
        }
    }
}
