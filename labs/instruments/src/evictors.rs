//! Who else takes pages out of the cache while an act measures, as far as the kernel tells.
//!
//! Reclaim leaves a shadow of each page that it takes, which cachestat(2) counts as evicted; POSIX_FADV_DONTNEED and
//! drop_caches leave none. `drop_pagecache` in /proc/vmstat counts writes to drop_caches, `pgsteal_kswapd` and
//! `pgsteal_direct` what reclaim took because the machine's memory was short, and a memory cgroup counts how often its
//! limit was met. DAMON's pageout moves none of these three. See mm/vmscan.c and mm/workingset.c (Linux 6.18).

use crate::proc::{self, Counters, cgroup};
use crate::residency::Residency;
use serde::{Deserialize, Serialize};

/// What others did to the cache meanwhile. A counter that this kernel does not have is None, never 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meanwhile {
    /// How often somebody dropped the page cache of the whole machine.
    pub cache_drops: Option<u64>,
    /// Pages that reclaim took because the machine's memory was short.
    pub reclaimed_pages: Option<u64>,
    /// How often the memory limit was met in which this process lives.
    pub limit_hits: Option<u64>,
    /// The most pages of a file of ours that were missing right after they had come.
    pub missing_pages: u64,
    /// How many of these reclaim had taken; None where only mincore(2) answers.
    pub evicted_pages: Option<u64>,
}

impl Meanwhile {
    /// Whether there is anything to tell.
    pub fn is_quiet(&self) -> bool {
        self.missing_pages == 0 && self.cache_drops.unwrap_or(0) == 0
    }
}

/// The counters at the start, and what was missing since.
#[derive(Debug)]
pub(crate) struct Watch {
    vmstat: Counters,
    limit_hits: Option<u64>,
    missing_pages: u64,
    evicted_pages: Option<u64>,
}

impl Watch {
    pub(crate) fn start() -> Watch {
        Watch {
            vmstat: proc::vmstat().unwrap_or_default(),
            limit_hits: limit_hits(),
            missing_pages: 0,
            evicted_pages: None,
        }
    }

    /// All of a file of ours should be in memory, and this is what is there of it.
    pub(crate) fn found(&mut self, state: &Residency) {
        self.missing(state.pages.saturating_sub(state.resident_pages), state.evicted_pages);
    }

    /// So many pages that had just come are missing; reclaim has taken so many of the file.
    pub(crate) fn missing(&mut self, pages: u64, evicted_pages: Option<u64>) {
        if pages > self.missing_pages {
            self.missing_pages = pages;
            self.evicted_pages = evicted_pages.map(|evicted| evicted.min(pages));
        }
    }

    pub(crate) fn until_now(&self) -> Meanwhile {
        let now = proc::vmstat().unwrap_or_default();
        let grown = |name: &str| now.grown_since(&self.vmstat, name);
        let limit_hits = limit_hits().zip(self.limit_hits).map(|(now, before)| now.saturating_sub(before));
        Meanwhile {
            cache_drops: grown("drop_pagecache"),
            reclaimed_pages: grown("pgsteal_kswapd").zip(grown("pgsteal_direct")).map(|(a, b)| a + b),
            limit_hits,
            missing_pages: self.missing_pages,
            evicted_pages: self.evicted_pages,
        }
    }
}

/// How often the limit of our own memory cgroup was met; None where there is no cgroup, or it does not tell.
fn limit_hits() -> Option<u64> {
    cgroup::own()?.account().ok()?.limit_hits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residency::Method;

    fn state(resident_pages: u64, evicted_pages: Option<u64>) -> Residency {
        Residency {
            pages: 100,
            resident_pages,
            dirty_pages: None,
            writeback_pages: None,
            evicted_pages,
            recently_evicted_pages: None,
            method: Method::Cachestat,
        }
    }

    #[test]
    fn the_worst_moment_is_kept_with_what_reclaim_had_of_it() {
        let mut watch = Watch::start();
        for found in [state(100, Some(40)), state(60, Some(70)), state(90, Some(0))] {
            watch.found(&found);
        }
        let meanwhile = watch.until_now();
        assert_eq!((meanwhile.missing_pages, meanwhile.evicted_pages), (40, Some(40)));
        assert!(!meanwhile.is_quiet());
    }

    #[test]
    fn where_nothing_is_missing_and_nobody_dropped_the_cache_there_is_nothing_to_tell() {
        let reclaim = Meanwhile { reclaimed_pages: Some(7), cache_drops: Some(0), ..Meanwhile::default() };
        assert!(reclaim.is_quiet() && Meanwhile::default().is_quiet());
        assert!(!Meanwhile { cache_drops: Some(1), ..Meanwhile::default() }.is_quiet());
    }
}
