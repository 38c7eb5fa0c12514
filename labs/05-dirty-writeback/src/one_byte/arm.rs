//! One way into the cache and one way to change a byte, tried in several places of the file.

use crate::stored;
use crate::words::middle;
use instruments::bench::Run;
use instruments::{Bench, Unavailable};
use serde::{Deserialize, Serialize};

/// One run of `onebyte`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arm {
    /// `write`, `read` or `pages`.
    pub cached: String,
    /// `store` or `write`.
    pub by: String,
    /// Pages of the file.
    pub pages: u64,
    /// One byte each.
    pub places: Vec<Place>,
}

/// One byte, changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The page that holds it.
    pub at_page: u64,
    /// Pages that were dirty then; None where the kernel does not tell.
    pub dirty_pages: Option<u64>,
    /// The first of them.
    pub first_dirty_page: Option<u64>,
    /// The last of them.
    pub last_dirty_page: Option<u64>,
    /// What the disk took until the file was synced again, from everybody; None where no disk is visible.
    pub device_write_bytes: Option<u64>,
}

impl Place {
    /// The dirty pages are one piece with the byte in it, as a folio lies: a power of two of them, without a gap, the
    /// first at a multiple of their number.
    fn is_one_piece(&self) -> bool {
        let (Some(pages), Some(first), Some(last)) =
            (self.dirty_pages, self.first_dirty_page, self.last_dirty_page)
        else {
            return false;
        };
        pages.is_power_of_two()
            && last - first + 1 == pages
            && first.is_multiple_of(pages)
            && (first..=last).contains(&self.at_page)
    }
}

impl Arm {
    /// The middle of the counts; None where one of them is unknown.
    pub fn dirty(&self) -> Option<u64> {
        let counts: Option<Vec<u64>> = self.places.iter().map(|place| place.dirty_pages).collect();
        middle(&counts?)
    }

    /// Each place's dirty pages are one piece.
    pub fn is_one_piece(&self) -> bool {
        !self.places.is_empty() && self.places.iter().all(Place::is_one_piece)
    }

    /// The fewest and the most pages that one byte made dirty; None where one of the counts is unknown.
    pub fn range(&self) -> Option<(u64, u64)> {
        let counts: Option<Vec<u64>> = self.places.iter().map(|place| place.dirty_pages).collect();
        let counts = counts?;
        Some((*counts.iter().min()?, *counts.iter().max()?))
    }

    /// The least that the disk took for one byte, of the places with the middle count.
    pub fn least_device_bytes(&self) -> Option<u64> {
        let middle = self.dirty();
        let alike = self.places.iter().filter(|place| middle.is_none() || place.dirty_pages == middle);
        alike.filter_map(|place| place.device_write_bytes).min()
    }
}

/// Run `onebyte` on a file of `bytes` bytes.
pub(super) fn run(bench: &mut Bench<'_>, bytes: u64, cached: &str, by: &str) -> Result<Arm, Unavailable> {
    let run = stored::run(bench, "onebyte", bytes, &["--cached", cached, "--by", by])?;
    let at_page = numbers(&run, "at_page")?;
    let figures = ["dirty_pages", "first_dirty_page", "last_dirty_page", "device_write_bytes"]
        .map(|key| numbers(&run, key));
    let [dirty, first, last, device] = figures;
    let (dirty, first, last, device) = (dirty?, first?, last?, device?);
    let figure = |all: &[Option<u64>], at: usize| all.get(at).copied().flatten();
    let places = at_page.iter().enumerate().map(|(at, page)| Place {
        at_page: page.unwrap_or_default(),
        dirty_pages: figure(&dirty, at),
        first_dirty_page: figure(&first, at),
        last_dirty_page: figure(&last, at),
        device_write_bytes: figure(&device, at),
    });
    Ok(Arm {
        cached: cached.to_owned(),
        by: by.to_owned(),
        pages: run.u64("pages")?,
        places: places.collect(),
    })
}

/// A field of several figures with commas between; None for one that is `unknown`.
fn numbers(run: &Run, key: &str) -> Result<Vec<Option<u64>>, Unavailable> {
    let text = run.text(key)?;
    let number = |word: &str| if word == "unknown" { Ok(None) } else { word.parse().map(Some) };
    text.split(',').map(number).collect::<Result<_, _>>().map_err(|_| {
        Unavailable::failed(format!("read {key} of `{}`", run.command), format!("it printed {text:?}"), "")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(at_page: u64, dirty: u64, first: u64, last: u64) -> Place {
        Place {
            at_page,
            dirty_pages: Some(dirty),
            first_dirty_page: Some(first),
            last_dirty_page: Some(last),
            device_write_bytes: None,
        }
    }

    #[test]
    fn a_piece_lies_as_a_folio_does() {
        assert!(place(300, 256, 256, 511).is_one_piece());
        assert!(place(7, 1, 7, 7).is_one_piece());
        assert!(!place(300, 256, 250, 505).is_one_piece(), "not at a multiple of its size");
        assert!(!place(300, 200, 256, 455).is_one_piece(), "no power of two");
        assert!(!place(300, 2, 300, 999).is_one_piece(), "a gap");
        assert!(!place(100, 256, 256, 511).is_one_piece(), "the byte lies elsewhere");
        assert!(!Place { dirty_pages: None, ..place(7, 1, 7, 7) }.is_one_piece());
    }
}
