//! /proc/zoneinfo: free pages that /proc/meminfo does not count, and how exact its counters are.

use crate::pages::page_bytes;

/// Free pages that the processors keep on lists of their own, so as not to wait for each other; bytes. No line of
/// /proc/meminfo counts them: not MemFree, not MemAvailable. From Linux 6.7 on such a list may grow to an eighth of the
/// memory, and is emptied over many seconds (`nr_pcp_high` and `decay_pcp_high` in mm/page_alloc.c). None where the file
/// cannot be read.
pub fn percpu_free_bytes() -> Option<u64> {
    sum_of("count:")
}

/// By how much a counter of pages may be off at most, bytes: each processor keeps so many pages' worth of changes to itself
/// before it adds them to the system's (`vm stats threshold`, mm/vmstat.c). None where the file cannot be read.
pub fn counter_grain_bytes() -> Option<u64> {
    sum_of("vm stats threshold:")
}

fn sum_of(label: &str) -> Option<u64> {
    let pages = sum_in(&std::fs::read_to_string("/proc/zoneinfo").ok()?, label)?;
    pages.checked_mul(page_bytes())
}

/// The sum of the lines with this label, one a zone and processor; None where there is none.
fn sum_in(text: &str, label: &str) -> Option<u64> {
    let counts = text.lines().filter_map(|line| line.trim().strip_prefix(label));
    counts.map(|count| count.trim().parse::<u64>().ok()).reduce(|a, b| a?.checked_add(b?))?
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZONEINFO: &str = "\
Node 0, zone   Normal
  pages free     1544
        boost    0
        present  2097152
        managed  2043137
  pagesets
    cpu: 0
              count:    10236
              high:     19257
              batch:    63
  vm stats threshold: 36
    cpu: 1
              count:    4
              high:     10081
              batch:    63
  vm stats threshold: 36
  node_unreclaimable:  0
  start_pfn:           1048576
Node 0, zone  Movable
  pages free     0
";

    #[test]
    fn counts_of_all_processors_add_up() {
        assert_eq!(sum_in(ZONEINFO, "count:"), Some(10_240));
        assert_eq!(sum_in(ZONEINFO, "vm stats threshold:"), Some(72));
        assert_eq!(sum_in("Node 0, zone  Movable\n  pages free     0\n", "count:"), None);
        assert_eq!(sum_in("  count: many\n", "count:"), None);
    }
}
