//! `willneed`: ask the kernel for a whole file, at once or in pieces, and say what that brought in.

use super::read::{self, Until, failed};
use super::settle;
use clap::Args;
use instruments::buffer::Buffer;
use instruments::readahead_hints::{Asker, Call};
use instruments::resource_usage::Meter;
use instruments::size::parse_bytes;
use instruments::{Unavailable, open};
use lesson::workload::{Line, Target, block_bytes};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::thread::sleep;
use std::time::Duration;

/// The arguments of `tutor run willneed`.
#[derive(Args, Debug)]
pub struct WillNeed {
    #[command(flatten)]
    target: Target,
    /// Ask in pieces of this size, one call for each; without it one call asks for all
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pieces: Option<u64>,
    /// Ask for no more than this many bytes of the file, from its start
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    bytes: Option<u64>,
    /// Which call asks: fadvise, madvise, readahead or populate
    #[arg(long, value_name = "CALL", default_value = "fadvise")]
    call: Call,
    /// Read the file from start to end afterwards
    #[arg(long)]
    then_read: bool,
    /// Sleep this many milliseconds between asking and reading
    #[arg(long, value_name = "MS", requires = "then_read", default_value_t = 0)]
    pause: u64,
    /// How many bytes each read() asks for
    #[arg(long, value_name = "SIZE", default_value = "128K", value_parser = block_bytes)]
    block: u64,
}

/// Run it.
pub fn run(args: WillNeed) -> Result<Line, Unavailable> {
    if !args.call.is_supported() {
        return Err(Unavailable::lacking(
            format!("ask with {}", args.call.name()),
            "MADV_POPULATE_READ, which came with Linux 5.14",
            "use another --call",
        ));
    }
    let ready = args.target.ready()?;
    let path = &ready.path;
    let file = open::regular(path)?;
    let asked_bytes = args.bytes.unwrap_or(u64::MAX).min(ready.size_bytes);
    let asker = Asker::new(&file, asked_bytes, args.call).map_err(|error| failed("map", path, error))?;
    let piece_bytes = args.pieces.unwrap_or(asked_bytes).max(1);
    let mut buffer = args.then_read.then(|| Buffer::touched(args.block as usize));

    let cpu_before = cpu_ns();
    let meter = Meter::start();
    let calls = asker.ask_all(piece_bytes);
    let metered = meter.stop();
    let cpu_ns = cpu_ns().saturating_sub(cpu_before);

    let calls = calls.map_err(|error| failed("ask for", path, error))?;
    let line = Line::new("willneed")
        .with("call", args.call.name())
        .with("calls", calls)
        .with("asked_bytes", asked_bytes)
        .with("piece_bytes", piece_bytes)
        .with("elapsed_ns", metered.elapsed_ns)
        .with("cpu_ns", cpu_ns)
        .with_known("device_read_bytes", metered.device_read_bytes);
    let line = match &mut buffer {
        None => line,
        Some(buffer) => {
            sleep(Duration::from_millis(args.pause));
            let meter = Meter::start();
            let done = read::through(&file, buffer, Until::END);
            let metered = meter.stop();
            let (bytes, _) = done.map_err(|error| failed("read", path, error))?;
            line.with("pause_ms", args.pause)
                .with("read_bytes", bytes)
                .with("read_elapsed_ns", metered.elapsed_ns)
                .with_known("read_device_bytes", metered.device_read_bytes)
        }
    };
    let settled = settle::wait(&file).map_err(|error| failed("count the resident pages of", path, error))?;
    let state = settled.state.known();
    Ok(line
        .with_known("pages", state.map(|state| state.pages))
        .with_known("resident_pages", state.map(|state| state.resident_pages))
        .with_known("evicted_pages", state.and_then(|state| state.evicted_pages))
        .with("changing_ns", settled.changing_ns)
        .with("looks", settled.looks))
}

/// Processor time of this process so far, nanoseconds. The kernel keeps the sum exact, not its split into user and
/// system.
fn cpu_ns() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process may always ask for its own usage");
    let sum = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    u64::try_from(sum).unwrap_or(0) * 1000
}
