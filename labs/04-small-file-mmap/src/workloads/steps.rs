//! A clock read after each step of a round, and what the reading itself costs.

use std::time::Instant;

/// Nanoseconds of each of `N` steps, added up over all rounds. Each holds the cost of one clock reading a round.
#[derive(Clone, Copy, Debug)]
pub struct Steps<const N: usize> {
    last: Instant,
    sums_ns: [u64; N],
}

impl<const N: usize> Steps<N> {
    /// The first step begins now.
    pub fn start() -> Steps<N> {
        Steps { last: Instant::now(), sums_ns: [0; N] }
    }

    /// Step `step` ends now, and the next begins.
    pub fn end_of(&mut self, step: usize) {
        let now = Instant::now();
        self.sums_ns[step] += now.duration_since(self.last).as_nanos() as u64;
        self.last = now;
    }

    /// The sums.
    pub fn sums_ns(&self) -> [u64; N] {
        self.sums_ns
    }
}

/// What it costs to end `times` steps in which nothing is done, nanoseconds.
pub fn clocks_ns(times: u64) -> u64 {
    let mut nothing = Steps::<1>::start();
    (0..times).for_each(|_| nothing.end_of(0));
    nothing.sums_ns()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_share_out_the_whole_time() {
        let before = Instant::now();
        let mut steps = Steps::<2>::start();
        for _ in 0..100 {
            steps.end_of(0);
            steps.end_of(1);
        }
        let [first, second] = steps.sums_ns();
        assert!(u128::from(first + second) <= before.elapsed().as_nanos());
    }
}
