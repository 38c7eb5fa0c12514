//! `squeeze`: fill a memory limit with cache, then ask for memory, and say what gave. Only inside of a limit of its own.

use crate::pace::{Pace, parse};
use clap::Args;
use instruments::pages::page_bytes;
use instruments::proc::cgroup::{Account, MemoryCgroup, own};
use instruments::size::parse_bytes;
use instruments::{Unavailable, limit, open};
use lesson::workload::{Line, Target};
use memmap2::MmapMut;
use std::io::{self, Read, Write};
use std::time::Duration;

/// The arguments of `tutor run squeeze`.
#[derive(Args, Debug)]
pub struct Squeeze {
    #[command(flatten)]
    target: Target,
    /// How much of the file is read into the cache [default: all]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    cache: Option<u64>,
    /// How much memory is asked for, and written to
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    alloc: u64,
    /// Spread the writing over this time
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse)]
    over: Duration,
}

/// Run it. What is known before the memory is asked for is printed first: it may be the last that is heard.
pub fn run(args: Squeeze) -> Result<Line, Unavailable> {
    let cgroup = own().filter(limit::is_ours).ok_or_else(|| {
        Unavailable::failed(
            "take memory from the whole machine",
            "this program is meant for a memory limit of its own",
            "try `tutor run --limit 128M squeeze --size 96M --cold --alloc 96M`",
        )
    })?;
    let ready = args.target.ready()?;
    let want = args.cache.unwrap_or(ready.size_bytes).min(ready.size_bytes);
    let file = open::regular(&ready.path)?;
    let read = io::copy(&mut file.take(want), &mut io::sink())
        .map_err(|error| Unavailable::failed(format!("read {}", open::shown(&ready.path)), error, ""))?;
    let before = account(&cgroup)?;
    let line = Line::new("squeeze").with("cache_bytes", read).with("alloc_bytes", args.alloc);
    let line = told(
        line,
        ["before_charged_bytes", "before_file_bytes", "before_anon_bytes", "before_swap_bytes"],
        &before,
    );
    announce(&line)?;
    let (memory, error) = match take(args.alloc) {
        Ok(memory) => (Some(memory), "none".to_owned()),
        Err(error) => (
            None,
            error.raw_os_error().map_or_else(|| "other".to_owned(), instruments::other_process::error_name),
        ),
    };
    let memory = memory.map(|mut memory| {
        write_to_all(&mut memory, args.over);
        memory
    });
    let after = account(&cgroup)?;
    let line = told(
        line,
        ["after_charged_bytes", "after_file_bytes", "after_anon_bytes", "after_swap_bytes"],
        &after,
    );
    // Given back only now, when all has been counted.
    drop(memory);
    Ok(line.with("alloc_error", error))
}

fn account(cgroup: &MemoryCgroup) -> Result<Account, Unavailable> {
    cgroup.account().map_err(|error| Unavailable::failed("read what the memory limit holds", error, ""))
}

fn told(line: Line, [charged, file, anon, swap]: [&'static str; 4], account: &Account) -> Line {
    line.with(charged, account.charged_bytes)
        .with(file, account.file_bytes)
        .with(anon, account.anon_bytes)
        .with_known(swap, account.swap_bytes)
}

fn take(bytes: u64) -> io::Result<MmapMut> {
    MmapMut::map_anon(usize::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?)
}

/// Memory that nobody has written to is a promise only.
fn write_to_all(memory: &mut MmapMut, over: Duration) {
    let pace = Pace::new(over, memory.len() as u64);
    for (number, piece) in memory.chunks_mut(1 << 20).enumerate() {
        piece.iter_mut().step_by(page_bytes() as usize).for_each(|byte| *byte = 1);
        pace.wait((number as u64 + 1) << 20);
    }
}

fn announce(line: &Line) -> Result<(), Unavailable> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(|error| Unavailable::failed("say what comes next", error, ""))
}
