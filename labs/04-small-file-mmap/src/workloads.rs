//! The programs of this lab, each also there as `tutor run NAME`.

pub mod looks;
pub mod openmap;
pub mod openread;
pub mod scatter;
pub mod steps;

use clap::Args;
use instruments::meter::Metered;
use lesson::Workload;
use lesson::workload::{Line, Target};

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
    /// Read the clock after each step, too
    #[arg(long)]
    steps: bool,
}

/// What all the workloads say about their cost, at the end of their lines.
fn costs(line: Line, times: u64, cost: &Metered) -> Line {
    line.with("elapsed_ns", cost.elapsed_ns)
        .with("ns_each", cost.elapsed_ns / times)
        .with_known("device_read_bytes", cost.device_read_bytes)
        .with("minor_faults", cost.minor_faults)
        .with("major_faults", cost.major_faults)
}
