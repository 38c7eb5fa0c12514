//! The two settings of the device that bound what one call brings in, and what a measured amount says about them.
//!
//! The kernel takes the larger one: `force_page_cache_ra` in mm/readahead.c. Some filesystems have a bdi of their own
//! (backing device information), to which max_sectors_kb never gets: there the second limit is a constant.

use instruments::host::Device;
use instruments::size::{format_bytes, format_count};
use instruments::{Bench, Host, host};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// As /sys tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// read_ahead_kb, as the filesystem uses it.
    pub read_ahead_kb: u64,
    /// queue/max_sectors_kb.
    pub max_sectors_kb: u64,
    /// Whether the filesystem has a bdi of its own.
    #[serde(default)]
    pub own_bdi: bool,
}

/// The second limit of a bdi that belongs to no disk: bdi_alloc() in mm/backing-dev.c sets it to VM_READAHEAD_PAGES of
/// include/linux/mm.h, and btrfs leaves it so.
pub const OWN_BDI_KB: u64 = 128;

/// What an amount that one call brought agrees with, to the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agrees {
    /// Nothing came.
    Nothing,
    /// All of the file came, and it is not larger than the larger setting.
    SmallFile,
    /// All of the file came, though the settings say less, or nobody knows them.
    All,
    /// The larger of the two.
    Larger,
    /// Neither of them, or nobody knows them.
    Neither,
}

impl Settings {
    /// As they are now; None where no device is visible.
    pub fn now(bench: &Bench<'_>) -> Option<Settings> {
        host::device_below(bench.scratch().path()).as_ref().map(Settings::of)
    }

    /// As they were when the lab began, which is what the question shows.
    pub fn at_start(host: &Host) -> Option<Settings> {
        host.device.as_ref().map(Settings::of)
    }

    fn of(device: &Device) -> Settings {
        let Device { read_ahead_kb, max_sectors_kb, own_bdi, .. } = *device;
        Settings { read_ahead_kb, max_sectors_kb, own_bdi }
    }

    /// The limit beside read_ahead_kb.
    fn other_kb(self) -> u64 {
        if self.own_bdi { OWN_BDI_KB } else { self.max_sectors_kb }
    }

    fn other_name(self) -> &'static str {
        if self.own_bdi { "the fixed limit" } else { "max_sectors_kb" }
    }

    /// The larger one in bytes: what one call is expected to bring at most.
    pub fn larger_bytes(self) -> u64 {
        self.read_ahead_kb.max(self.other_kb()).saturating_mul(1 << 10)
    }

    /// Whose they are.
    pub fn whose(self) -> &'static str {
        if self.own_bdi { "limits of this filesystem" } else { "settings of this disk" }
    }

    /// `read_ahead_kb is 8,192 and max_sectors_kb is 4,096`.
    pub fn told(self) -> String {
        format!(
            "read_ahead_kb is {} and {} is {}",
            format_count(self.read_ahead_kb),
            self.other_name(),
            format_count(self.other_kb())
        )
    }

    /// `read_ahead_kb`, `max_sectors_kb` or `both`: who sets the larger value.
    pub fn larger_name(self) -> &'static str {
        match self.read_ahead_kb.cmp(&self.other_kb()) {
            Ordering::Greater => "read_ahead_kb",
            Ordering::Less => self.other_name(),
            Ordering::Equal if self.own_bdi => "both limits",
            Ordering::Equal => "both settings",
        }
    }
}

/// What `resident` of `pages` pages, brought in by one call for all of them, agrees with.
pub fn agrees(resident: u64, pages: u64, page_bytes: u64, settings: Option<Settings>) -> Agrees {
    let in_pages = |bytes: u64| bytes / page_bytes.max(1);
    match settings.map(|settings| in_pages(settings.larger_bytes())) {
        _ if resident == 0 => Agrees::Nothing,
        Some(larger) if resident == pages && larger >= pages => Agrees::SmallFile,
        _ if resident == pages => Agrees::All,
        Some(larger) if resident == larger => Agrees::Larger,
        _ => Agrees::Neither,
    }
}

/// How the settings changed between two moments, in words; None where they did not.
pub fn change(before: Option<Settings>, after: Option<Settings>) -> Option<String> {
    let told = |settings: Option<Settings>| settings.map_or_else(|| "unknown".to_owned(), Settings::told);
    (before != after)
        .then(|| format!("somebody changed the settings: first {}, then {}", told(before), told(after)))
}

/// `8 MiB (2,048 pages)`.
pub fn amount(pages: u64, page_bytes: u64) -> String {
    format!("{} ({})", format_bytes(pages.saturating_mul(page_bytes)), crate::words::many(pages, "page"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn of(read_ahead_kb: u64, max_sectors_kb: u64) -> Option<Settings> {
        Some(Settings { read_ahead_kb, max_sectors_kb, own_bdi: false })
    }

    const fn own(read_ahead_kb: u64) -> Option<Settings> {
        Some(Settings { read_ahead_kb, max_sectors_kb: 1280, own_bdi: true })
    }

    #[test]
    fn to_the_page_and_no_nearer() {
        for (resident, pages, page, settings, expected) in [
            (0, 65_536, 4096, of(8192, 4096), Agrees::Nothing),
            (2048, 65_536, 4096, of(8192, 4096), Agrees::Larger),
            (1024, 65_536, 4096, of(128, 4096), Agrees::Larger),
            (32, 65_536, 4096, of(128, 4096), Agrees::Neither),
            (32, 65_536, 4096, own(0), Agrees::Larger),
            (32, 65_536, 4096, own(64), Agrees::Larger),
            (64, 65_536, 4096, own(256), Agrees::Larger),
            (320, 65_536, 4096, own(256), Agrees::Neither),
            (2047, 65_536, 4096, of(8192, 4096), Agrees::Neither),
            (2048, 65_536, 4096, None, Agrees::Neither),
            (65_536, 65_536, 4096, of(8192, 4096), Agrees::All),
            (65_536, 65_536, 4096, None, Agrees::All),
            (1024, 1024, 4096, of(8192, 4096), Agrees::SmallFile),
            (2048, 2048, 4096, of(8192, 4096), Agrees::SmallFile),
            (128, 4096, 65_536, of(8192, 4096), Agrees::Larger),
        ] {
            assert_eq!(agrees(resident, pages, page, settings), expected, "{resident} of {pages}");
        }
    }

    #[test]
    fn who_sets_it() {
        let names = [(8192, 4096), (128, 1280), (512, 512)].map(|(a, b)| of(a, b).map(Settings::larger_name));
        assert_eq!(names, [Some("read_ahead_kb"), Some("max_sectors_kb"), Some("both settings")]);
        let names = [256, 64, 128].map(|kb| own(kb).map(Settings::larger_name));
        assert_eq!(names, [Some("read_ahead_kb"), Some("the fixed limit"), Some("both limits")]);
        assert_eq!(change(of(1, 2), of(1, 2)), None);
        assert!(change(of(1, 2), None).is_some_and(|said| said.ends_with("then unknown")));
    }
}
