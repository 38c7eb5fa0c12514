//! The programs of this lab, each also there as `tutor run NAME`.

pub mod batches;
pub mod looks;
pub mod openmap;
pub mod openread;
pub mod scatter;

use batches::{Timed, clocks_ns};
use clap::Args;
use instruments::resource_usage::Metered;
use lesson::Workload;
use lesson::workload::{Line, Target};
use std::io;

/// All of them.
pub fn all() -> Vec<Workload> {
    vec![openread::workload(), openmap::workload(), looks::workload(), scatter::workload()]
}

/// What [`openread`] and [`openmap`] both take.
#[derive(Args, Clone, Debug)]
pub struct Again {
    #[command(flatten)]
    target: Target,
    /// How many times all of it is done
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    times: u64,
    /// Add up all bytes, instead of looking at one byte of each page
    #[arg(long)]
    sum: bool,
    /// Read the clock after each step, too; the figures are those of a batch, clocks_ns is to be taken off each
    #[arg(long)]
    steps: bool,
}

impl Again {
    /// The line of a run: its cost, the batch in the middle, and of that its steps, named in `keys`, where they were
    /// asked for.
    fn line<const N: usize>(
        &self,
        name: &'static str,
        bytes: u64,
        timed: &Timed<N>,
        keys: [&'static str; N],
    ) -> io::Result<Line> {
        let batch = &timed.batch;
        let line = in_batches(Line::new(name).with("times", self.times).with("bytes", bytes), timed);
        if !self.steps {
            return Ok(line);
        }
        let steps = keys.into_iter().zip(batch.steps_ns);
        let line = steps.fold(line, |line, (key, ns)| line.with(key, ns));
        Ok(line.with("clocks_ns", clocks_ns(batch.times)?))
    }
}

/// The cost of what was done in batches, at the end of a line.
fn in_batches<const N: usize>(line: Line, timed: &Timed<N>) -> Line {
    let batch = &timed.batch;
    costs(line, batch.elapsed_ns / batch.times, &timed.cost)
        .with("batch_times", batch.times)
        .with("batch_ns", batch.elapsed_ns)
}

/// What all the workloads say about their cost, at the end of their lines.
fn costs(line: Line, ns_each: u64, cost: &Metered) -> Line {
    line.with("elapsed_ns", cost.elapsed_ns)
        .with("ns_each", ns_each)
        .with_known("device_read_bytes", cost.device_read_bytes)
        .with("minor_faults", cost.minor_faults)
        .with("major_faults", cost.major_faults)
}
