//! One defence against one trouble: a child's run, and its fate.

use crate::ended::{Death, run_to_death};
use crate::workloads::defend::{Against, How};
use instruments::size::format_count;
use instruments::{Bench, Unavailable};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};

/// One child's fate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// The defence.
    pub how: How,
    /// What the other process did.
    pub against: Against,
    /// What the other process was told when it cut the file (`none` where it could), or when the disk was full.
    pub strike_error: String,
    /// Pages of the file.
    pub pages: u64,
    /// The page that came next after the strike, counted from 0.
    pub at_page: u64,
    /// How it died; None where it lived to the end.
    pub death: Option<Death>,
    /// Pages read as they had been written, or stored and found in the file; None after a death.
    pub done_pages: Option<u64>,
    /// Why it stopped by itself, such as `end_of_file`; `none` where it went through all pages; None after a death.
    pub stopped_by: Option<String>,
    /// Pages of zeros that a handler put in; None after a death.
    pub replaced_pages: Option<u64>,
}

/// As on the command line.
pub(super) fn word(how: How) -> &'static str {
    match how {
        How::Check => "check",
        How::Handler => "handler",
        How::Copy => "copy",
        How::Seal => "seal",
        How::Reserve => "reserve",
    }
}

/// In a few words.
pub(super) fn name(how: How) -> &'static str {
    match how {
        How::Check => "check first",
        How::Handler => "SIGBUS handler",
        How::Copy => "copy with read()",
        How::Seal => "sealed memfd",
        How::Reserve => "fallocate()",
    }
}

/// Run one child.
pub(super) fn run(
    bench: &mut Bench<'_>,
    how: How,
    against: Against,
    place: &[OsString],
) -> Result<Trial, Unavailable> {
    let against_word = match against {
        Against::Cut => "cut",
        Against::Full => "full",
    };
    let mut args = vec![OsStr::new(word(how)), OsStr::new("--against"), OsStr::new(against_word)];
    args.extend(place.iter().map(OsString::as_os_str));
    let (run, death) = run_to_death(bench, "defend", &args)?;
    bench.done(1)?;
    let lived = death.is_none();
    let count = |key| if lived { run.u64(key).map(Some) } else { Ok(None) };
    Ok(Trial {
        how,
        against,
        strike_error: run.text("strike_error")?.to_owned(),
        pages: run.u64("pages")?,
        at_page: run.u64("at_bytes")? / run.u64("page_bytes")?.max(1),
        done_pages: count("done_pages")?,
        replaced_pages: count("replaced_pages")?,
        stopped_by: if lived { Some(run.text("stopped_by")?.to_owned()) } else { None },
        death,
    })
}

impl Trial {
    /// Whether the other process did what it was there for; a seal is there to be told no.
    pub(super) fn was_struck(&self) -> bool {
        match (self.against, self.how) {
            (Against::Cut, How::Seal) => matches!(self.strike_error.as_str(), "none" | "EPERM"),
            (Against::Cut, _) => self.strike_error == "none",
            (Against::Full, _) => self.strike_error == "ENOSPC",
        }
    }

    /// Killed at the page where the strike had left nothing.
    pub(super) fn was_killed_by_it(&self) -> bool {
        self.was_struck() && self.death.as_ref().is_some_and(|death| death.is_missing_page(self.at_page))
    }

    /// Pages that a survivor has, of how many.
    pub(super) fn stored(&self) -> Option<(u64, u64)> {
        self.done_pages.filter(|_| self.was_struck()).map(|done| (done, self.pages))
    }
}

/// What became of it, short enough for a table.
pub(super) fn fate(trial: &Trial) -> String {
    if !trial.was_struck() {
        return format!("not struck ({})", trial.strike_error);
    }
    if let Some(death) = &trial.death {
        return match death.page {
            Some(page) if death.signal == "SIGBUS" => format!("dead at page {page}"),
            _ => format!("dead: {}", death.short()),
        };
    }
    let done = trial.done_pages.map_or_else(|| "unknown".to_owned(), format_count);
    let done = format!("{done} of {}", format_count(trial.pages));
    match (trial.against, trial.stopped_by.as_deref()) {
        (_, Some("end_of_file")) => format!("{done}, end"),
        (_, Some(error)) if error != "none" => format!("{done}, {error}"),
        (Against::Cut, _) if trial.replaced_pages.unwrap_or(0) > 0 => format!("{done}, zeros"),
        (Against::Full, _) if trial.replaced_pages.unwrap_or(0) > 0 => format!("{done}, rest lost"),
        _ => done,
    }
}
