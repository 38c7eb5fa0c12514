//! Who took pages of the cache while an act measured: what the evidence proves, or that it cannot be told.

use crate::words::many;
use instruments::host::Damon;
use instruments::{Host, Meanwhile};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Pages of a file of ours were missing right after they had come, or the whole cache was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// How many were missing at the worst moment; 0 where only the drop itself was seen.
    pub missing_pages: u64,
    /// Who can have taken them; nobody where nothing tells.
    pub by: Vec<Taker>,
}

/// Somebody, with the count that gives them away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taker {
    /// The whole cache was dropped so many times.
    DropCaches(u64),
    /// Reclaim took none of them and nobody dropped the whole cache, so somebody evicted this file.
    Dontneed,
    /// The memory limit in which we live was met so many times.
    MemoryLimit(u64),
    /// The machine's memory was short: reclaim took so many pages, of all files.
    ShortMemory(u64),
    /// DAMON runs, and no other reclaim was counted.
    Damon,
}

/// Who took pages; None where all was quiet.
///
/// The shadows that reclaim leaves tell pages that were reclaimed from pages that were dropped; the counters tell for
/// whom. Where only mincore(2) answers there are no shadows, and all whose counters moved are named.
pub fn taken(meanwhile: &Meanwhile, host: &Host) -> Option<Taken> {
    if meanwhile.is_quiet() {
        return None;
    }
    let missing_pages = meanwhile.missing_pages;
    let (maybe_dropped, maybe_reclaimed) = match meanwhile.evicted_pages {
        Some(evicted) => (evicted < missing_pages, evicted > 0),
        None => (true, missing_pages > 0),
    };
    let some = |count: Option<u64>| count.filter(|count| *count > 0);
    let mut by = Vec::new();
    by.extend(
        some(meanwhile.cache_drops).filter(|_| maybe_dropped || missing_pages == 0).map(Taker::DropCaches),
    );
    if meanwhile.evicted_pages == Some(0) && meanwhile.cache_drops == Some(0) {
        by.push(Taker::Dontneed);
    }
    if maybe_reclaimed {
        let others = by.len();
        by.extend(some(meanwhile.limit_hits).map(Taker::MemoryLimit));
        by.extend(some(meanwhile.reclaimed_pages).map(Taker::ShortMemory));
        if by.len() == others && host.damon.as_ref().is_some_and(Damon::may_evict) {
            by.push(Taker::Damon);
        }
    }
    Some(Taken { missing_pages, by })
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.missing_pages {
            0 => f.write_str("Others disturbed the cache while this was measured.")?,
            1 => f.write_str("1 page was missing that had just come into memory.")?,
            pages => write!(f, "{} were missing that had just come into memory.", many(pages, "page"))?,
        }
        if self.by.len() > 1 {
            f.write_str(" More than one of these can have taken them:")?;
        }
        self.by.iter().try_for_each(|taker| write!(f, " {taker}"))?;
        if self.by.is_empty() {
            f.write_str(" Nothing here tells who took what was missing.")
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for Taker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Taker::DropCaches(times) => write!(
                f,
                "Somebody dropped this machine's whole page cache meanwhile, through drop_caches: {}.",
                many(*times, "time")
            ),
            Taker::Dontneed => f.write_str(
                "Reclaim took none of them, and nobody dropped the whole cache: somebody evicted this very file, as \
                 POSIX_FADV_DONTNEED does.",
            ),
            Taker::MemoryLimit(1) => {
                f.write_str("The memory limit of this process was met once meanwhile, and reclaim made room below it.")
            }
            Taker::MemoryLimit(times) => write!(
                f,
                "The memory limit of this process was met {} meanwhile, and reclaim made room below it.",
                many(*times, "time")
            ),
            Taker::ShortMemory(pages) => write!(
                f,
                "This machine's memory was short meanwhile: reclaim took {} of all files for others.",
                many(*pages, "page")
            ),
            Taker::Damon => f.write_str(
                "Reclaim took them, though no memory was short and no limit was met: DAMON runs here (a kernel thread, \
                 kdamond), which can page out what looks cold.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Meanwhile = Meanwhile {
        cache_drops: Some(0),
        reclaimed_pages: Some(0),
        limit_hits: Some(0),
        missing_pages: 0,
        evicted_pages: None,
    };

    fn by(meanwhile: &Meanwhile, damon: bool) -> Option<Vec<Taker>> {
        let damon = Damon { threads: u32::from(damon), actions: vec!["pageout".to_owned()] };
        taken(meanwhile, &Host { damon: Some(damon), ..Host::default() }).map(|taken| taken.by)
    }

    #[test]
    fn each_is_named_where_its_traces_are() {
        let dropped = Meanwhile { missing_pages: 9, evicted_pages: Some(0), ..QUIET };
        let reclaimed = Meanwhile { evicted_pages: Some(9), ..dropped.clone() };
        assert_eq!(by(&QUIET, true), None);
        assert_eq!(by(&dropped, true), Some(vec![Taker::Dontneed]));
        let drops = |meanwhile: &Meanwhile| Meanwhile { cache_drops: Some(4), ..meanwhile.clone() };
        assert_eq!(by(&drops(&dropped), true), Some(vec![Taker::DropCaches(4)]));
        assert_eq!(by(&drops(&QUIET), true), Some(vec![Taker::DropCaches(4)]), "with nothing missing");
        assert_eq!(by(&drops(&reclaimed), true), Some(vec![Taker::Damon]), "a drop leaves no shadow");
        assert_eq!(by(&reclaimed, false), Some(vec![]));
        let limit = Meanwhile { limit_hits: Some(2), ..reclaimed.clone() };
        assert_eq!(by(&limit, true), Some(vec![Taker::MemoryLimit(2)]));
        let short = Meanwhile { reclaimed_pages: Some(70), ..reclaimed };
        assert_eq!(by(&short, true), Some(vec![Taker::ShortMemory(70)]));
    }

    #[test]
    fn without_shadows_all_that_moved_are_named_and_nobody_is_accused() {
        let mincore = Meanwhile { missing_pages: 9, ..QUIET };
        assert_eq!(by(&mincore, false), Some(vec![]));
        let both = Meanwhile { cache_drops: Some(1), limit_hits: Some(2), ..mincore.clone() };
        assert_eq!(by(&both, true), Some(vec![Taker::DropCaches(1), Taker::MemoryLimit(2)]));
        let old = Meanwhile { cache_drops: None, evicted_pages: Some(0), ..mincore };
        assert_eq!(by(&old, false), Some(vec![]), "a kernel that does not count drops");
    }

    #[test]
    fn it_is_told_in_whole_sentences() {
        let told = |missing_pages, by: &[Taker]| Taken { missing_pages, by: by.to_vec() }.to_string();
        assert_eq!(
            told(12, &[]),
            "12 pages were missing that had just come into memory. Nothing here tells who took what was missing."
        );
        assert_eq!(
            told(0, &[Taker::DropCaches(1)]),
            "Others disturbed the cache while this was measured. Somebody dropped this machine's whole page cache \
             meanwhile, through drop_caches: 1 time."
        );
        let both = told(1, &[Taker::MemoryLimit(1), Taker::ShortMemory(5)]);
        assert!(both.starts_with("1 page was missing") && both.contains("More than one of these"), "{both}");
    }
}
