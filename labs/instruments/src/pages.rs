//! The page size of the running kernel: read, never assumed.

use std::sync::LazyLock;

static PAGE_BYTES: LazyLock<u64> = LazyLock::new(|| {
    // SAFETY: sysconf reads a constant of the running system and touches no memory of ours.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes)
        .ok()
        .filter(|bytes| bytes.is_power_of_two())
        .expect("Linux always knows its page size")
});

/// Bytes in a page: 4096 on most machines, 16384 or 65536 on some aarch64 ones. See sysconf(3).
pub fn page_bytes() -> u64 {
    *PAGE_BYTES
}

/// How many pages hold `bytes` bytes; a partial last page counts as one.
pub fn pages_for(bytes: u64) -> u64 {
    bytes.div_ceil(page_bytes())
}

/// Bytes in a huge page of the page table's next level, such as 2 MiB; None where the kernel was built without
/// transparent huge pages. See the kernel's admin-guide/mm/transhuge, `hpage_pmd_size`.
pub fn huge_page_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_last_page_counts() {
        let page = page_bytes();
        assert_eq!(pages_for(0), 0);
        assert_eq!(pages_for(1), 1);
        assert_eq!(pages_for(page), 1);
        assert_eq!(pages_for(page + 1), 2);
        assert_eq!(pages_for(u64::MAX), u64::MAX / page + 1);
    }
}
