//! Where the file is cut, and which bytes are looked at then.

use lesson::Setting;
use serde::{Deserialize, Serialize};

/// A file, what another process leaves of it, and the pages in which that is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Size of the file, and of its mapping.
    pub size_bytes: u64,
    /// What is left: the new end lies inside a page.
    pub kept_bytes: u64,
    /// Bytes in a page.
    pub page_bytes: u64,
}

/// Bytes that are left of the last page. Less than a page on every machine.
const LEFT_OF_LAST_PAGE: u64 = 1000;

impl Cut {
    /// Cut a file of this size in about the middle.
    pub fn new(size_bytes: u64, page_bytes: u64) -> Cut {
        let page_bytes = page_bytes.max(1);
        let kept_bytes = size_bytes / 2 / page_bytes * page_bytes + LEFT_OF_LAST_PAGE;
        Cut { size_bytes, kept_bytes, page_bytes }
    }

    /// The cut of this machine and plan.
    pub fn of(setting: &Setting) -> Cut {
        Cut::new(setting.plan.size_bytes, setting.host.page_bytes)
    }

    /// Offset of the first byte of the page after the one with the new end.
    pub fn next_page_at(&self) -> u64 {
        self.kept_bytes.checked_next_multiple_of(self.page_bytes.max(1)).unwrap_or(u64::MAX)
    }

    /// The page, counted from 0, that holds the byte at `offset`.
    pub fn page_of(&self, offset: u64) -> u64 {
        offset / self.page_bytes.max(1)
    }

    /// The page that holds the last byte of the file.
    pub fn last_page(&self) -> u64 {
        self.page_of(self.kept_bytes.saturating_sub(1))
    }

    /// Pages that the file has after the cut.
    pub fn kept_pages(&self) -> u64 {
        self.kept_bytes.div_ceil(self.page_bytes.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_lies_inside_a_page_and_the_next_page_inside_the_old_file() {
        for page in [4 << 10, 16 << 10, 64 << 10] {
            for size in [512 << 10, 1 << 20, (1 << 20) + 1, 64 << 20] {
                let cut = Cut::new(size, page);
                assert_ne!(cut.kept_bytes % page, 0);
                assert_eq!(cut.page_of(cut.kept_bytes), cut.last_page());
                assert_eq!(cut.page_of(cut.next_page_at()), cut.last_page() + 1);
                assert_eq!(cut.kept_pages(), cut.last_page() + 1);
                assert!(cut.next_page_at() < size, "{cut:?}");
            }
        }
    }
}
