//! `dontneed`: one POSIX_FADV_DONTNEED for each of four files: a clean one, one just written, one that another process has
//! mapped, one in memory. Then what held each of them is let go, and the call made again.

use clap::Args;
use instruments::residency::{self, Residency};
use instruments::scratch::Scratch;
use instruments::size::parse_bytes;
use instruments::{Reading, Unavailable, mapped_by_other, memfd, open, state};
use lesson::workload::Line;
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use nix::unistd::fdatasync;
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// Four files of this size are made, one of them in memory.
const LARGEST_BYTES: u64 = 64 << 20;

/// The arguments of `tutor run dontneed`.
#[derive(Args, Debug)]
pub struct DontNeed {
    /// Size of each file; all are removed afterwards
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    size: u64,
    /// Where they go [default: a real disk]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

fn size(text: &str) -> Result<u64, String> {
    match parse_bytes(text)? {
        bytes @ 1..=LARGEST_BYTES => Ok(bytes),
        _ => Err("each file may have from 1 B to 64 MiB".to_owned()),
    }
}

/// Run it.
pub fn run(args: DontNeed) -> Result<Line, Unavailable> {
    let scratch = Scratch::create(args.dir.as_deref())?;
    let on_disk = |name: &str| {
        let path = scratch.write(name, args.size, &mut |_| ())?;
        Ok::<_, Unavailable>((open::regular(&path)?, path))
    };
    let (clean, path) = on_disk("clean")?;
    sync(&clean)?;
    state::make_warm(&clean, &path)?;
    let clean = Tried::once(&clean)?;

    let (mapped_file, path) = on_disk("mapped")?;
    sync(&mapped_file)?;
    state::make_warm(&mapped_file, &path)?;
    let holder = mapped_by_other::by_another_process(&mapped_file)
        .map_err(|error| failed("let another process map a file", error))?;
    let mut mapped = Tried::once(&mapped_file)?;
    drop(holder);
    mapped.again_pages = mapped.again(&mapped_file)?;

    let (written_file, _) = on_disk("written")?;
    let mut written = Tried::once(&written_file)?;
    sync(&written_file)?;
    written.again_pages = written.again(&written_file)?;

    let memory_file = in_memory(args.size)?;
    let mut memory = Tried::once(&memory_file)?;
    sync(&memory_file)?;
    memory.again_pages = memory.again(&memory_file)?;

    Ok(Line::new("dontneed")
        .with("bytes", args.size)
        .with("pages", clean.before.pages)
        .with("clean_before_pages", clean.before.resident_pages)
        .with("clean_after_pages", clean.after.resident_pages)
        .with("written_before_pages", written.before.resident_pages)
        .with_known("written_dirty_pages", written.before.dirty_pages)
        .with("written_after_pages", written.after.resident_pages)
        .with("written_synced_pages", written.again_pages)
        .with("mapped_before_pages", mapped.before.resident_pages)
        .with("mapped_after_pages", mapped.after.resident_pages)
        .with("mapped_unmapped_pages", mapped.again_pages)
        .with("memory_before_pages", memory.before.resident_pages)
        .with("memory_after_pages", memory.after.resident_pages)
        .with("memory_synced_pages", memory.again_pages))
}

/// A file's pages before and after one call, and after another one later.
struct Tried {
    before: Residency,
    after: Residency,
    again_pages: u64,
}

impl Tried {
    fn once(file: &File) -> Result<Tried, Unavailable> {
        let before = count(file)?;
        advise(file)?;
        Ok(Tried { before, after: count(file)?, again_pages: 0 })
    }

    fn again(&self, file: &File) -> Result<u64, Unavailable> {
        advise(file)?;
        count(file).map(|now| now.resident_pages)
    }
}

fn count(file: &File) -> Result<Residency, Unavailable> {
    match residency::of_file(file) {
        Ok(Reading::Known(state)) => Ok(state),
        Ok(Reading::Unknown(why)) => Err(Unavailable::lacking(
            "count the pages of a file",
            format!("a kernel that tells ({why})"),
            "use a directory on a local disk",
        )),
        Err(error) => Err(failed("count the pages of a file", error)),
    }
}

fn advise(file: &File) -> Result<(), Unavailable> {
    posix_fadvise(file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED)
        .map_err(|errno| failed("advise DONTNEED", errno.into()))
}

fn sync(file: &File) -> Result<(), Unavailable> {
    fdatasync(file).map_err(|errno| failed("write a file to the disk", errno.into()))
}

/// A file without a disk: the kernel's own tmpfs, where /dev/shm lies, too.
fn in_memory(bytes: u64) -> Result<File, Unavailable> {
    let make = || {
        let mut file = memfd::create()?;
        io::copy(&mut io::Read::take(io::repeat(1), bytes), &mut file)?;
        Ok(file)
    };
    make().map_err(|error| failed("make a file in memory", error))
}

fn failed(what: &str, error: io::Error) -> Unavailable {
    Unavailable::failed(what, error, "")
}
