//! Whole commands in pairs: prints figures, never fails for being slow. `cargo bench -p tutor` on a quiet machine.
//!
//! - a warm read by `tutor run cread` against `dd bs=128K` on the same file (should be at least 0.95 of dd's speed)
//! - counting the system calls of 200,000 one-byte reads against `strace -c` (should cost at most 0.7 of it)
//! - the time of `tutor list` (should be under 10 ms)

use instruments::sample::{Trial, interleave};
use instruments::scratch::Scratch;
use instruments::subject::{Watch, run};
use instruments::{Samples, size};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const TUTOR: &str = env!("CARGO_BIN_EXE_tutor");
const PAIRS: u32 = 9;
/// One run under strace can take half a minute in a virtual machine.
const COUNTED_PAIRS: u32 = 3;
const FILE_BYTES: u64 = 512 << 20;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    warm_read()?;
    counting()?;
    startup()
}

fn warm_read() -> Result<(), Failure> {
    let scratch = Scratch::create(None)?;
    let path = scratch.write("data", FILE_BYTES, &mut |_| {})?;
    let file = path.to_str().ok_or("an odd scratch path")?;
    let (input, read) = (format!("if={file}"), ["run", "cread", file, "--block", "128K"]);
    let dd = ["dd", &input, "of=/dev/null", "bs=128K"];
    // The first pass of each only settles the pages.
    cread_ns(&read)?;
    dd_ns(&dd)?;
    pair("warm read of 512 MiB: cread, dd", PAIRS, |arm| if arm == 0 { cread_ns(&read) } else { dd_ns(&dd) })
}

/// The loop's own time, as it prints it.
fn cread_ns(args: &[&str]) -> Result<f64, Failure> {
    let said = Command::new(TUTOR).args(args).output()?;
    let line = String::from_utf8(said.stdout)?;
    let ns = line.split_whitespace().find_map(|field| field.strip_prefix("elapsed_ns="));
    Ok(ns.ok_or("cread printed no elapsed_ns")?.parse()?)
}

/// dd's own time, as it prints it: `…, 0.0843 s, …`.
fn dd_ns(command: &[&str]) -> Result<f64, Failure> {
    let said = Command::new(command[0]).args(&command[1..]).env("LC_ALL", "C").output()?;
    let line = String::from_utf8(said.stderr)?;
    let seconds = line.split(", ").find_map(|part| part.strip_suffix(" s"));
    Ok(seconds.ok_or("dd printed no time")?.parse::<f64>()? * 1e9)
}

fn counting() -> Result<(), Failure> {
    let dd = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=200000"];
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        println!("counting: strace is not installed, so there is nothing to compare with");
        return Ok(());
    }
    let args: Vec<&OsStr> = dd[1..].iter().map(OsStr::new).collect();
    pair("200,000 one-byte reads, counted: tutor, strace -f -c", COUNTED_PAIRS, |arm| {
        let clock = Instant::now();
        if arm == 0 {
            run(Path::new(dd[0]), &args, Watch::Calls)?;
        } else {
            Command::new("strace").args(["-f", "-c"]).args(dd).stderr(Stdio::null()).status()?;
        }
        Ok(clock.elapsed().as_nanos() as f64)
    })
}

fn startup() -> Result<(), Failure> {
    pair("start: tutor list, true", PAIRS, |arm| {
        let program = if arm == 0 { TUTOR } else { "true" };
        let args: &[&str] = if arm == 0 { &["list"] } else { &[] };
        let clock = Instant::now();
        Command::new(program).args(args).stdout(Stdio::null()).status()?;
        Ok(clock.elapsed().as_nanos() as f64)
    })
}

/// Two arms in turn; prints both medians with their spread, and the ratio of the medians.
fn pair(what: &str, pairs: u32, mut trial: impl FnMut(usize) -> Result<f64, Failure>) -> Result<(), Failure> {
    let arms = interleave(2, pairs, |arm, _| trial(arm).map(Trial::Kept))?;
    let told = |arm: &Samples| {
        let (median, half) = arm.median().zip(arm.half_spread()).unwrap_or_default();
        format!("{} ±{}", size::format_ns(median), size::format_ns(half))
    };
    let ratio = arms[0].ratio_to(&arms[1]).map_or_else(|| "unknown".to_owned(), size::format_ratio);
    println!("{what}: {}, {}; first over second {ratio}", told(&arms[0]), told(&arms[1]));
    Ok(())
}
