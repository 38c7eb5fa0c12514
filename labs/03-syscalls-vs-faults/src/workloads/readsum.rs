//! `readsum`: read a file block by block and add up its bytes, with the same loop that `mmapsum` uses.

use clap::Args;
use instruments::adding::sum;
use instruments::buffer::Buffer;
use instruments::resource_usage::{Meter, Metered};
use instruments::size::parse_bytes;
use instruments::{Unavailable, open};
use lesson::Workload;
use lesson::workload::{Line, Target, block_bytes};
use std::io::{self, Read};
use std::path::Path;

/// What `tutor run readsum` takes.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    how: How,
}

/// How to read.
#[derive(Args, Clone, Copy, Debug)]
pub struct How {
    /// Ask read() for this much at a time
    #[arg(long, value_name = "SIZE", default_value = "128K", value_parser = block_bytes)]
    pub block: u64,
    /// Read only the first bytes of the file
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub bytes: Option<u64>,
    /// Read into memory that nobody has touched yet
    #[arg(long)]
    pub untouched: bool,
}

/// What was read, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Bytes read.
    pub bytes: u64,
    /// read() calls, the one that found the end included.
    pub calls: u64,
    /// The sum of all bytes.
    pub sum: u64,
    /// From before open to after close.
    pub cost: Metered,
}

/// The workload.
pub fn workload() -> Workload {
    Workload::new("readsum", "Read a file block by block and add up its bytes", run)
}

fn run(arguments: Arguments) -> Result<Line, Unavailable> {
    let ready = arguments.target.ready()?;
    let looked = look(&ready.path, arguments.how)
        .map_err(|error| Unavailable::failed(format!("read {}", open::shown(&ready.path)), error, ""))?;
    Ok(Line::new("readsum")
        .with("bytes", looked.bytes)
        .with("calls", looked.calls)
        .with("block_bytes", arguments.how.block)
        .with("sum", looked.sum)
        .with("elapsed_ns", looked.cost.elapsed_ns)
        .with_known("device_read_bytes", looked.cost.device_read_bytes)
        .with("minor_faults", looked.cost.minor_faults)
        .with("major_faults", looked.cost.major_faults))
}

// ANCHOR: look
/// Open, read until the end, close: all of it between the marks. The buffer is made before them.
pub fn look(path: &Path, how: How) -> io::Result<Looked> {
    let block = usize::try_from(how.block).map_err(io::Error::other)?;
    let mut buffer = if how.untouched { Buffer::untouched(block) } else { Buffer::touched(block) };
    let (mut bytes, mut calls, mut total) = (0, 0, 0);

    let meter = Meter::start();
    let mut file = open::at_once(path)?;
    loop {
        let left = how.bytes.map_or(how.block, |end| (end - bytes).min(how.block));
        if left == 0 {
            break;
        }
        calls += 1;
        let count = match file.read(&mut buffer[..left as usize]) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        bytes += count as u64;
        total += sum(&buffer[..count]);
    }
    drop(file);
    Ok(Looked { bytes, calls, sum: total, cost: meter.stop() })
}
// ANCHOR_END: look
