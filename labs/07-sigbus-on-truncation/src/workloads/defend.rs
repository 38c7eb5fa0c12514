//! `defend`: one of five defences, against a file that another process cuts short, or a disk that another process
//! fills. Each goes through a file page by page; in the middle, where it hurts most, the other process strikes.

use super::place::{Place, mount, on_tmpfs};
use super::{NEW, OLD, announce, cut, error_name, failed, fill, parse_size};
use clap::{Args, ValueEnum};
use instruments::pages::page_bytes;
use instruments::raw_map::RawMap;
use instruments::sigbus::Rescue;
use instruments::{Unavailable, memfd, other_process};
use lesson::workload::Line;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Before each touch, ask whether the file is long enough, or the disk has room
    Check,
    /// A SIGBUS handler that puts a page of zeros where there is none
    Handler,
    /// No mapping: copy with read() and write()
    Copy,
    /// The file is a memfd, sealed against shrinking
    Seal,
    /// fallocate() the whole file first
    Reserve,
}

/// What the other process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// It cuts the file to a quarter
    Cut,
    /// It fills the disk, a small one of this run's own
    Full,
}

/// The arguments of `tutor run defend`.
#[derive(Args, Debug)]
pub struct Defend {
    /// The defence
    how: How,
    /// What the other process does
    #[arg(long, value_enum, default_value_t = Against::Cut)]
    against: Against,
    /// Size of the file that is cut
    #[arg(long = "size", value_name = "SIZE", default_value = "1M", value_parser = parse_size)]
    length: u64,
    #[command(flatten)]
    place: Place,
}

/// Run it.
pub fn run(args: Defend) -> Result<Line, Unavailable> {
    match args.against {
        Against::Cut => against_cut(&args),
        Against::Full if args.place.is_given() => Err(Unavailable::failed(
            "fill a disk of your choice",
            "only a small one of this run's own is ever filled",
            "leave --dir and --own-tmpfs away",
        )),
        Against::Full => against_full(args.how),
    }
}

/// A disk, and a file on it, small enough to be filled in a moment on any page size.
const DISK_PAGES: u64 = 64;
const FILE_PAGES: u64 = 8;

/// What a walk through the pages came to.
struct Walk {
    line: Line,
    done: u64,
    stopped_by: String,
}

/// One page's visit: done, not done, or a reason to stop, named.
enum Visit {
    Done,
    Missed,
    Stop(String),
}

/// Visit page after page. `ready` may stop the walk before a page; between it and the visit of the middle page,
/// `strike` comes, and what is known by then is printed.
fn walk(
    mut line: Line,
    pages: u64,
    mut ready: impl FnMut(u64) -> io::Result<Option<String>>,
    strike: impl Fn(Line) -> Result<Line, Unavailable>,
    mut visit: impl FnMut(u64) -> io::Result<Visit>,
) -> Result<Walk, Unavailable> {
    let mut done = 0;
    for index in 0..pages {
        if let Some(stopped_by) = ready(index).map_err(|why| failed("look before the touch", why))? {
            return Ok(Walk { line, done, stopped_by });
        }
        if index == pages / 2 {
            line = strike(line)?;
            announce(&line)?;
        }
        match visit(index).map_err(|why| failed("visit a page", why))? {
            Visit::Done => done += 1,
            Visit::Missed => {}
            Visit::Stop(stopped_by) => return Ok(Walk { line, done, stopped_by }),
        }
    }
    Ok(Walk { line, done, stopped_by: "none".to_owned() })
}

/// Count the pages whose first byte is the file's; in the middle the file loses three quarters.
fn against_cut(args: &Defend) -> Result<Line, Unavailable> {
    let page = page_bytes();
    let pages = args.length / page;
    if pages < 4 {
        let why = format!("it must have four pages of {page} bytes at least");
        return Err(Unavailable::failed(
            format!("cut a file of {} bytes", args.length),
            why,
            "give a larger --size",
        ));
    }
    let (size, keep) = (pages * page, pages / 4 * page);
    let mut file = match args.how {
        How::Seal => memfd::create().map_err(|why| failed("make a memfd", why))?,
        _ => args.place.file()?,
    };
    fill(&mut file, size)?;
    match args.how {
        How::Seal => memfd::seal_against_shrinking(&file).map_err(|why| failed("seal the memfd", why))?,
        How::Reserve => {
            other_process::reserve(&file, size).map_err(|why| failed("fallocate the file", why))?
        }
        How::Check | How::Handler | How::Copy => {}
    }
    let line = start(args.how, args.against, pages).with("size_bytes", size).with("kept_bytes", keep);
    let strike = |line: Line| {
        let other = cut(&file, keep)?;
        Ok(line.with("struck_by_pid", other.pid).with("strike_error", other.error_name()))
    };

    if args.how == How::Copy {
        let mut buffer = vec![0; page as usize];
        let visit = |index| {
            let count = file.read_at(&mut buffer, index * page)?;
            Ok(if count == buffer.len() { Visit::Done } else { Visit::Stop("end_of_file".to_owned()) })
        };
        let walk = walk(line, pages, |_| Ok(None), strike, visit)?;
        return Ok(end(walk, None));
    }

    let map = RawMap::shared(&file, size).map_err(|why| failed("map the file", why))?;
    let line = line.with("base", format!("{:#x}", map.base()));
    let rescue = rescue(args.how, &map)?;
    // ANCHOR: check
    let long_enough = |index| {
        let enough = args.how != How::Check || file.metadata()?.len() > index * page;
        Ok((!enough).then(|| "length".to_owned()))
    };
    let visit = |index| Ok(if map.load(index * page) == OLD { Visit::Done } else { Visit::Missed });
    // ANCHOR_END: check
    let walk = walk(line, pages, long_enough, strike, visit)?;
    Ok(end(walk, rescue))
}

/// Store a byte into each page of a file that has no room on the disk yet; in the middle the disk becomes full.
fn against_full(how: How) -> Result<Line, Unavailable> {
    if how == How::Seal {
        let why = "a memfd lies on no disk that another process could fill";
        return Err(Unavailable::failed("try seal against a full disk", why, "try it against a cut"));
    }
    let page = page_bytes();
    let size = FILE_PAGES * page;
    mount(DISK_PAGES * page, false)?;
    let (file, filler) = (on_tmpfs()?, on_tmpfs()?);
    file.set_len(size).map_err(|why| failed("make a file of one hole", why))?;
    if how == How::Reserve {
        other_process::reserve(&file, size).map_err(|why| failed("fallocate the file", why))?;
    }
    let line = start(how, Against::Full, FILE_PAGES).with("size_bytes", size);
    let strike = |line: Line| {
        let other =
            other_process::fill(&filler).map_err(|why| failed("let another process fill the disk", why))?;
        Ok(line.with("struck_by_pid", other.pid).with("strike_error", other.error_name()))
    };

    let (walk, rescue_end) = if how == How::Copy {
        let visit = |index| {
            let write = file.write_at(&[NEW], index * page);
            Ok(if write.is_ok() { Visit::Done } else { Visit::Stop(error_name(&write)) })
        };
        (walk(line, FILE_PAGES, |_| Ok(None), strike, visit)?, None)
    } else {
        let map = RawMap::shared(&file, size).map_err(|why| failed("map the file", why))?;
        let line = line.with("base", format!("{:#x}", map.base()));
        let rescue = rescue(how, &map)?;
        let room = |_| {
            let enough = how != How::Check || other_process::free_bytes(&file)? >= page;
            Ok((!enough).then(|| "room".to_owned()))
        };
        let visit = |index| {
            map.store(index * page, NEW);
            Ok(Visit::Done)
        };
        let walk = walk(line, FILE_PAGES, room, strike, visit)?;
        (walk, rescue.map(|rescue| replaced(&rescue)))
    };
    // What was stored counts only where the file has it.
    let has = |index: &u64| matches!(byte_at(&file, index * page), Ok(NEW));
    let done = (0..FILE_PAGES).filter(has).count() as u64;
    Ok(finish(Walk { done, ..walk }, rescue_end))
}

fn byte_at(file: &File, offset: u64) -> io::Result<u8> {
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset)?;
    Ok(byte[0])
}

fn rescue(how: How, map: &RawMap) -> Result<Option<Rescue<'_>>, Unavailable> {
    let install = || Rescue::over(map).map_err(|why| failed("install a SIGBUS handler", why));
    (how == How::Handler).then(install).transpose()
}

fn start(how: How, against: Against, pages: u64) -> Line {
    let name = |value: Option<clap::builder::PossibleValue>| {
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    Line::new("defend")
        .with("how", name(how.to_possible_value()))
        .with("against", name(against.to_possible_value()))
        .with("pid", std::process::id())
        .with("page_bytes", page_bytes())
        .with("pages", pages)
        .with("at_bytes", pages / 2 * page_bytes())
}

fn replaced(rescue: &Rescue<'_>) -> (u64, Option<u64>) {
    (rescue.replaced_pages(), rescue.first_offset())
}

fn end(walk: Walk, rescue: Option<Rescue<'_>>) -> Line {
    finish(walk, rescue.map(|rescue| replaced(&rescue)))
}

fn finish(walk: Walk, rescued: Option<(u64, Option<u64>)>) -> Line {
    let line = walk.line.with("done_pages", walk.done).with("stopped_by", walk.stopped_by);
    match rescued {
        Some((pages, first)) => line.with("replaced_pages", pages).with_known("first_replaced_bytes", first),
        None => line.with("replaced_pages", 0),
    }
}
