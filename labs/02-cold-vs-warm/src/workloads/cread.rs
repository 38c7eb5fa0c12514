//! `cread`: read a file from start to end in equal blocks, as `dd of=/dev/null` does, and say what it cost.

use clap::Args;
use instruments::Unavailable;
use instruments::buffer::Buffer;
use instruments::direct;
use instruments::resource_usage::Meter;
use instruments::size::parse_bytes;
use lesson::workload::{Line, Target, block_bytes};
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The arguments of `tutor run cread`.
#[derive(Args, Debug)]
pub struct Cread {
    #[command(flatten)]
    target: Target,
    /// How many bytes each read() asks for
    #[arg(long, value_name = "SIZE", default_value = "128K", value_parser = block_bytes)]
    block: u64,
    /// Stop after this many bytes
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    bytes: Option<u64>,
    /// Go past the page cache (O_DIRECT)
    #[arg(long)]
    direct: bool,
    /// Tell the kernel to expect random reads first (POSIX_FADV_RANDOM): no readahead
    #[arg(long)]
    random_advice: bool,
}

/// What a read loop did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Bytes read.
    pub bytes: u64,
    /// read() calls made, the one that finds the end among them.
    pub calls: u64,
}

/// Run it.
pub fn run(args: Cread) -> Result<Line, Unavailable> {
    let ready = args.target.ready()?;
    let (mut file, align_bytes) =
        if args.direct { open_direct(&ready.path, &args)? } else { (open(&ready.path)?, 1) };
    if args.random_advice {
        posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_RANDOM)
            .map_err(|error| failed("give advice about", &ready.path, error))?;
    }
    let mut buffer = Buffer::touched(args.block as usize);

    let meter = Meter::start();
    let result = read_through(&mut file, &mut buffer, args.bytes.unwrap_or(u64::MAX), align_bytes);
    let metered = meter.stop();

    let done = result.map_err(|error| failed("read", &ready.path, error))?;
    let per_second = u128::from(done.bytes) * 1_000_000_000 / u128::from(metered.elapsed_ns.max(1));
    Ok(Line::new("cread")
        .with("bytes", done.bytes)
        .with("calls", done.calls)
        .with("block_bytes", args.block)
        .with("elapsed_ns", metered.elapsed_ns)
        .with("bytes_per_second", per_second)
        .with_known("device_read_bytes", metered.device_read_bytes)
        .with("minor_faults", metered.minor_faults)
        .with("major_faults", metered.major_faults))
}

/// Read `file` into `buffer`, again and again, until the end or until `limit` bytes have come.
///
/// `align_bytes` is 1, or what O_DIRECT asks for: a short read that ends off the alignment is the end of the file,
/// and another read from there would be refused.
// ANCHOR: loop
pub fn read_through(file: &mut File, buffer: &mut [u8], limit: u64, align_bytes: u64) -> io::Result<Loop> {
    let mut done = Loop { bytes: 0, calls: 0 };
    while done.bytes < limit && done.bytes.is_multiple_of(align_bytes) {
        let want = usize::try_from(limit - done.bytes).map_or(buffer.len(), |left| left.min(buffer.len()));
        done.calls += 1;
        match file.read(&mut buffer[..want]) {
            Ok(0) => break,
            Ok(count) => done.bytes += count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}
// ANCHOR_END: loop

fn open(path: &Path) -> Result<File, Unavailable> {
    File::open(path).map_err(|error| failed("open", path, error))
}

fn open_direct(path: &Path, args: &Cread) -> Result<(File, u64), Unavailable> {
    let direct = direct::open(path).map_err(|error| {
        Unavailable::failed(
            format!("read {} with O_DIRECT", path.display()),
            error,
            "leave out --direct, or use a file on another filesystem",
        )
    })?;
    let align = direct.offset_align_bytes;
    for (name, bytes) in [("--block", Some(args.block)), ("--bytes", args.bytes)] {
        if let Some(bytes) = bytes.filter(|bytes| !bytes.is_multiple_of(align)) {
            return Err(Unavailable::failed(
                format!("use {name} {bytes} with --direct"),
                format!("O_DIRECT reads whole blocks of {align} bytes here"),
                format!("make it a multiple of {align}"),
            ));
        }
    }
    Ok((direct.file, align))
}

fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> Unavailable {
    Unavailable::failed(format!("{what} {}", path.display()), error, "")
}
