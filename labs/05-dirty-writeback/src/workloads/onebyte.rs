//! `onebyte`: change one byte of a file that is clean and all in the cache, and count the pages that are dirty then; in
//! a few places, one after the other.

use super::count::System;
use super::made::{Made, Place};
use clap::{Args, ValueEnum};
use instruments::fill::Fill;
use instruments::pages::{page_bytes, pages_for};
use instruments::raw_map::RawMap;
use instruments::{Reading, Unavailable, interrupt, residency};
use lesson::workload::Line;
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The arguments of `tutor run onebyte`.
#[derive(Args, Debug)]
pub struct OneByte {
    #[command(flatten)]
    place: Place,
    /// How the file came into the cache: written in large pieces, read with readahead, or a page at a time
    #[arg(long, value_name = "HOW", default_value = "write")]
    cached: Cached,
    /// How the byte is changed: a store into a mapping, or a write() call
    #[arg(long, value_name = "HOW", default_value = "store")]
    by: By,
    /// In how many places of the file
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    places: u64,
}

/// How the file came into the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cached {
    /// As a write left it.
    Write,
    /// By an ordinary read, with readahead.
    Read,
    /// Without readahead, each page by itself.
    Pages,
}

/// How the byte is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// A store into a shared mapping.
    Store,
    /// pwrite(2).
    Write,
}

/// What one changed byte did.
struct Changed {
    page: u64,
    dirty_pages: Option<u64>,
    first_dirty_page: Option<u64>,
    last_dirty_page: Option<u64>,
    device_bytes: Option<u64>,
}

/// Change a byte, count, sync; in each place.
pub fn run(args: OneByte) -> Result<Line, Unavailable> {
    let made = args.place.clean()?;
    match args.cached {
        Cached::Write => {}
        Cached::Read => Fill::Read.prepare(&made.file, &made.path)?,
        Cached::Pages => Fill::Pages.prepare(&made.file, &made.path)?,
    }
    let map = RawMap::shared(&made.file, made.bytes).map_err(|error| made.failed("map", error))?;
    let mut all = Vec::new();
    for place in 0..args.places.min(pages_for(made.bytes)) {
        interrupt::check()?;
        let offset = made.bytes / args.places * place + made.bytes / args.places / 2;
        let changed =
            change(&made, &map, args.by, offset).map_err(|error| made.failed("change a byte of", error))?;
        all.push(changed);
    }
    let name = |value: &dyn Fn() -> Option<clap::builder::PossibleValue>| {
        value().map_or_else(String::new, |value| value.get_name().to_owned())
    };
    Ok(Line::new("onebyte")
        .with("bytes", made.bytes)
        .with("pages", pages_for(made.bytes))
        .with("cached", name(&|| args.cached.to_possible_value()))
        .with("by", name(&|| args.by.to_possible_value()))
        .with("at_page", list(&all, |changed| Some(changed.page)))
        .with("dirty_pages", list(&all, |changed| changed.dirty_pages))
        .with("first_dirty_page", list(&all, |changed| changed.first_dirty_page))
        .with("last_dirty_page", list(&all, |changed| changed.last_dirty_page))
        .with("device_write_bytes", list(&all, |changed| changed.device_bytes)))
}

/// Other writers only ever add to what the disk takes, so the least of several places says the most.
fn change(made: &Made, map: &RawMap, by: By, offset: u64) -> io::Result<Changed> {
    made.file.sync_data()?;
    let before = System::now(made.device.as_deref())?;
    let changed = !map.load(offset);
    match by {
        By::Store => map.store(offset, changed),
        By::Write => made.file.write_all_at(&[changed], offset)?,
    }
    let dirty = dirty_pages(&made.file)?;
    made.file.sync_data()?;
    let written = System::now(made.device.as_deref())?.written_since(&before);
    let dirty = dirty.as_deref();
    Ok(Changed {
        page: offset / page_bytes(),
        dirty_pages: dirty.map(|dirty| dirty.len() as u64),
        first_dirty_page: dirty.and_then(|dirty| dirty.first().copied()),
        last_dirty_page: dirty.and_then(|dirty| dirty.last().copied()),
        device_bytes: written,
    })
}

/// Which pages of the file are dirty or being written now; None where the kernel does not tell.
fn dirty_pages(file: &File) -> io::Result<Option<Vec<u64>>> {
    let pages = pages_for(file.metadata()?.len());
    let Reading::Known(each) = residency::map(file, pages as usize)? else { return Ok(None) };
    let mut dirty = Vec::new();
    for (page, state) in (0..).zip(each) {
        match (state.dirty_pages, state.writeback_pages) {
            (Some(0), Some(0)) => {}
            (Some(_), Some(_)) => dirty.push(page),
            _ => return Ok(None),
        }
    }
    Ok(Some(dirty))
}

/// One figure of each place, `unknown` where there is none, with commas between.
fn list(all: &[Changed], figure: impl Fn(&Changed) -> Option<u64>) -> impl Display {
    let texts: Vec<String> = all
        .iter()
        .map(|changed| figure(changed).map_or_else(|| "unknown".to_owned(), |figure| figure.to_string()))
        .collect();
    texts.join(",")
}
