//! What read-around would fetch, from the touches alone.

use std::collections::BTreeSet;
use std::ops::Range;

/// Windows around touches, overlaps counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// How many there were: a touch of a page that an earlier window brought in makes none.
    pub count: u64,
    /// Pages in all of them together.
    pub pages: u64,
}

impl Windows {
    /// As do_sync_mmap_readahead() in mm/filemap.c does it: on a miss, `window_pages` pages from half a window before the
    /// page that was touched, cut at both ends of a file of `file_pages` pages. Where that is nothing, the page alone.
    pub fn around(touched: &[u64], window_pages: u64, file_pages: u64) -> Windows {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for page in touched {
            if ranges.iter().any(|range| range.contains(page)) {
                continue;
            }
            let start = page.saturating_sub(window_pages / 2);
            ranges
                .push(start..file_pages.min(start.saturating_add(window_pages)).max(page.saturating_add(1)));
        }
        let count = ranges.len() as u64;
        ranges.sort_by_key(|range| range.start);
        let mut end = 0;
        let mut pages = 0;
        for range in ranges {
            pages += range.end.saturating_sub(range.start.max(end));
            end = end.max(range.end);
        }
        Windows { count, pages }
    }
}

/// How many different pages these are.
pub fn distinct(pages: &[u64]) -> u64 {
    pages.iter().collect::<BTreeSet<_>>().len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_cut_at_the_ends_and_overlaps_counted_once() {
        let around = |touched: &[u64]| Windows::around(touched, 8, 100);
        assert_eq!(around(&[50]), Windows { count: 1, pages: 8 });
        assert_eq!(around(&[1]), Windows { count: 1, pages: 8 }, "it begins at the start instead");
        assert_eq!(around(&[99]), Windows { count: 1, pages: 5 }, "95 to 99");
        assert_eq!(around(&[50, 53]), Windows { count: 1, pages: 8 }, "46 to 53 were there already");
        assert_eq!(around(&[50, 54]), Windows { count: 2, pages: 12 });
        assert_eq!(around(&[]), Windows::default());
    }

    #[test]
    fn without_a_window_each_page_comes_alone() {
        assert_eq!(Windows::around(&[3, 9, 3], 0, 100), Windows { count: 2, pages: 2 });
        assert_eq!(Windows::around(&[3, 9], 1, 100), Windows { count: 2, pages: 2 });
        assert_eq!(distinct(&[3, 9, 3]), 2);
    }
}
