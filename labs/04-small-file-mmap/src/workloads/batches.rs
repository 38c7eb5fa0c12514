//! The same round again and again, timed in batches.
//!
//! Whoever shares the processor interrupts a run of tens of milliseconds many times, and the mean holds all of these
//! interruptions. A batch is shorter than the turns that programs get, so most batches are not interrupted: the one in
//! the middle speaks for all.

use instruments::resource_usage::{Meter, Metered};
use std::io;
use std::time::Instant;

/// So many batches make a run, where it has as many rounds.
const BATCHES: u64 = 200;

/// A run: its cost as a whole, and the batch whose time lies in the middle.
#[derive(Clone, Copy, Debug)]
pub struct Timed<const N: usize> {
    /// All rounds together.
    pub cost: Metered,
    /// The batch in the middle.
    pub batch: Batch<N>,
}

/// Some rounds, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Batch<const N: usize> {
    /// How many rounds.
    pub times: u64,
    /// From the start of the first to the end of the last, nanoseconds.
    pub elapsed_ns: u64,
    /// The same for each step of a round, where the clock was read after each. One reading a round is part of it.
    pub steps_ns: [u64; N],
}

/// Do `round` `times` times. It calls what it is given after each of its `N` steps; only if `clocked`, that reads the
/// clock.
pub fn run<const N: usize>(
    times: u64,
    clocked: bool,
    mut round: impl FnMut(&mut dyn FnMut(usize)) -> io::Result<()>,
) -> io::Result<Timed<N>> {
    let batch_times = (times / BATCHES).max(1);
    let nothing = Batch { times: batch_times, elapsed_ns: 0, steps_ns: [0; N] };
    // Made and touched before the clock starts. A rest too small for a batch is done and not timed.
    let mut batches = vec![nothing; (times / batch_times) as usize];
    let meter = Meter::start();
    for batch in &mut batches {
        let start = Instant::now();
        let mut last = start;
        for _ in 0..batch.times {
            if clocked {
                round(&mut |step| {
                    let now = Instant::now();
                    batch.steps_ns[step] += nanoseconds(last, now);
                    last = now;
                })?;
            } else {
                round(&mut |_| ())?;
            }
        }
        batch.elapsed_ns = nanoseconds(start, Instant::now());
    }
    for _ in 0..times % batch_times {
        round(&mut |_| ())?;
    }
    let cost = meter.stop();
    Ok(Timed { cost, batch: middle(batches) })
}

/// What the clock itself costs in a batch of so many rounds, for each step that ends with a reading; nanoseconds.
pub fn clocks_ns(batch_times: u64) -> io::Result<u64> {
    let timed = run::<1>(batch_times * BATCHES, true, |after| {
        after(0);
        Ok(())
    })?;
    Ok(timed.batch.steps_ns[0])
}

fn middle<const N: usize>(mut batches: Vec<Batch<N>>) -> Batch<N> {
    batches.sort_by_key(|batch| batch.elapsed_ns);
    batches[batches.len() / 2]
}

fn nanoseconds(from: Instant, to: Instant) -> u64 {
    u64::try_from(to.duration_since(from).as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_is_done_and_the_steps_lie_within_their_batch() {
        for times in [1, 199, 200, 1001] {
            let mut rounds = 0;
            let timed = run::<2>(times, true, |after| {
                rounds += 1;
                after(0);
                after(1);
                Ok(())
            });
            let batch = timed.expect("nothing can fail").batch;
            assert_eq!((rounds, batch.times), (times, (times / BATCHES).max(1)));
            assert!(batch.steps_ns.iter().sum::<u64>() <= batch.elapsed_ns);
        }
    }

    #[test]
    fn an_error_ends_it() {
        let mut rounds = 0;
        let ended = run::<1>(10, false, |_| {
            rounds += 1;
            if rounds == 3 { Err(io::Error::other("enough")) } else { Ok(()) }
        });
        assert!(ended.is_err() && rounds == 3);
    }

    #[test]
    fn the_middle_batch_is_that_of_the_middle_time() {
        let batch = |elapsed_ns| Batch { times: 1, elapsed_ns, steps_ns: [elapsed_ns] };
        assert_eq!(middle([9, 1, 100, 5, 3].map(batch).to_vec()).elapsed_ns, 5);
    }
}
