//! The options: how much the kernel may fetch for a touch, each with a figure of its own.

use super::{SEED, TOUCHES, Windows};
use crate::places;
use instruments::size::format_bytes;
use lesson::Setting;
use lesson::question::Choice;

const PAGES: &str = "pages";
const AROUND: &str = "fault-around";
const DEFAULT: &str = "default-window";
const WINDOWS: &str = "windows";
const FILE: &str = "whole-file";

/// What Linux maps around a fault, where nobody changed it: fault_around_bytes.
const FAULT_AROUND_BYTES: u64 = 64 << 10;

/// What Linux reads ahead, where nobody changed it: VM_READAHEAD_PAGES.
const DEFAULT_WINDOW_BYTES: u64 = 128 << 10;

/// Options nearer to one another than this would ask for luck.
const APART: f64 = 1.5;

/// Each option's own figure in bytes, by rising figure. The places are known, so overlaps count once. Of two options
/// that say nearly the same, the first of this list stays.
pub fn figures(setting: &Setting) -> Vec<(&'static str, f64)> {
    let (size, page) = (setting.plan.size_bytes, setting.host.page_bytes.max(1));
    let touched = places::pages(SEED, TOUCHES, size, page);
    let within = |window: u64| Windows::around(&touched, window / page, size.div_ceil(page)).pages * page;
    let read_ahead = setting.host.device.as_ref().map(|device| device.read_ahead_kb.saturating_mul(1024));
    let candidates = [
        Some((PAGES, within(0))),
        read_ahead.map(|window| (WINDOWS, within(window))),
        Some((FILE, size)),
        Some((DEFAULT, within(DEFAULT_WINDOW_BYTES))),
        Some((AROUND, within(FAULT_AROUND_BYTES))),
    ];
    let mut kept: Vec<(&'static str, f64)> = Vec::new();
    for (id, bytes) in candidates.into_iter().flatten() {
        let bytes = bytes as f64;
        if kept.iter().all(|(_, other)| bytes > other * APART || bytes * APART < *other) {
            kept.push((id, bytes));
        }
    }
    kept.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    kept
}

/// What the learner chooses from.
pub fn options(setting: &Setting) -> Vec<Choice> {
    figures(setting).into_iter().map(|(id, bytes)| option(id, bytes as u64)).collect()
}

fn option(id: &str, bytes: u64) -> Choice {
    let bytes = format_bytes(bytes);
    let (text, explanation) = match id {
        PAGES => (
            format!("{bytes}: the pages that were touched"),
            "You take a fault to bring in its page and nothing else. It is so after MADV_RANDOM, and on devices for which \
             reading ahead was switched off.",
        ),
        AROUND => (
            format!("{bytes}: {} around each touch", format_bytes(FAULT_AROUND_BYTES)),
            "You think of fault-around. That maps neighbours of a page at its fault, but only those that are in the cache \
             already: it never makes the device deliver anything. It would be so if reading around used the same window.",
        ),
        DEFAULT => (
            format!("{bytes}: {} around each touch", format_bytes(DEFAULT_WINDOW_BYTES)),
            "You know the window with which Linux begins. It is so on every device whose read_ahead_kb nobody changed; \
             distributions, cloud images and the makers of arrays often do change it.",
        ),
        WINDOWS => (
            format!("{bytes}: what this device reads ahead, around each touch"),
            "A fault on a missing page is a sign that its neighbours will be wanted too: a whole window is \
             read around it, as large as read_ahead_kb says. It is so as long as nobody gives advice. After a hundred more \
             misses than hits the kernel gives up, but all that is then mapped around a fault counts as hits.",
        ),
        _ => (
            format!("{bytes}: the whole file"),
            "You take a mapping for a copy of the file that has to be there before it is used. It is so with MAP_POPULATE, \
             and nearly so where the windows around the touches are large enough to meet.",
        ),
    };
    Choice { id: id.to_owned(), text, explanation: explanation.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use instruments::host::Device;
    use instruments::{Host, Plan};

    fn setting(read_ahead_kb: Option<u64>, size_bytes: u64, page_bytes: u64) -> Setting {
        let device = read_ahead_kb.map(|read_ahead_kb| Device { read_ahead_kb, ..Device::default() });
        Setting {
            host: Host { page_bytes, device, ..Host::default() },
            plan: Plan { size_bytes, block_bytes: 128 << 10, trials: 5 },
        }
    }

    #[test]
    fn there_are_three_to_five_options_that_lie_apart() {
        for page_bytes in [4 << 10, 16 << 10, 64 << 10] {
            for read_ahead_kb in
                [None, Some(0), Some(4), Some(64), Some(128), Some(512), Some(8192), Some(1 << 20)]
            {
                for size_bytes in [64 << 20, 512 << 20, 4 << 30] {
                    let figures = figures(&setting(read_ahead_kb, size_bytes, page_bytes));
                    assert!(
                        (3..=5).contains(&figures.len()),
                        "{read_ahead_kb:?} {size_bytes} {page_bytes}: {figures:?}"
                    );
                    assert!(figures.windows(2).all(|pair| pair[0].1 * APART < pair[1].1), "{figures:?}");
                }
            }
        }
    }

    #[test]
    fn the_device_decides_what_its_windows_hold() {
        let of = |kb, id| {
            figures(&setting(Some(kb), 512 << 20, 4096)).into_iter().find(|(option, _)| *option == id)
        };
        let twenty = 20.0 * 131_072.0;
        assert!(of(128, WINDOWS).is_some_and(|(_, bytes)| bytes <= twenty && bytes > 0.8 * twenty));
        assert!(of(8192, WINDOWS).is_some_and(|(_, bytes)| bytes > 50e6));
        assert_eq!(of(128, DEFAULT), None, "it would say the same twice");
    }
}
