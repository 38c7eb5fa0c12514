//! What the pages of a stretch of a file are.

use crate::render::theme::Tone;
use instruments::residency::Bucket;

/// What a page is, in the course's words. What is evicted is absent, too, but the kernel still remembers it; recently
/// evicted is what would count as a refault if it came back now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Clean,
    Dirty,
    Writeback,
    RecentlyEvicted,
    Evicted,
    Absent,
}

impl State {
    pub(super) const ALL: [State; 6] =
        [State::Clean, State::Dirty, State::Writeback, State::RecentlyEvicted, State::Evicted, State::Absent];

    pub(super) fn name(self) -> &'static str {
        match self {
            State::Clean => "resident",
            State::Dirty => "dirty",
            State::Writeback => "writeback",
            State::RecentlyEvicted => "recently evicted",
            State::Evicted => "evicted",
            State::Absent => "absent",
        }
    }

    pub(super) fn glyph(self) -> &'static str {
        match self {
            State::Clean => "█",
            State::Dirty => "◆",
            State::Writeback => "▲",
            State::RecentlyEvicted => "×",
            State::Evicted => ":",
            State::Absent => "·",
        }
    }

    pub(super) fn tone(self) -> Tone {
        match self {
            State::Clean => Tone::Good,
            State::Dirty => Tone::Alert,
            State::Writeback => Tone::Ink,
            State::RecentlyEvicted | State::Evicted => Tone::Strong,
            State::Absent => Tone::Quiet,
        }
    }

    /// Pages of this state; None where nobody counts them. Dirty and writeback pages are resident too: "resident"
    /// here are the others.
    pub(super) fn pages(self, bucket: &Bucket) -> Option<u64> {
        let busy = bucket.dirty_pages.unwrap_or(0).saturating_add(bucket.writeback_pages.unwrap_or(0));
        let gone = bucket.pages.saturating_sub(bucket.resident_pages);
        match self {
            State::Clean => Some(bucket.resident_pages.saturating_sub(busy)),
            State::Dirty => bucket.dirty_pages.map(|pages| pages.min(bucket.resident_pages)),
            State::Writeback => bucket.writeback_pages.map(|pages| pages.min(bucket.resident_pages)),
            State::RecentlyEvicted => bucket.recently_evicted_pages.map(|pages| pages.min(gone)),
            State::Evicted => Some(evicted(bucket, gone)? - bucket.recently_evicted_pages?.min(gone)),
            State::Absent => Some(gone - evicted(bucket, gone).unwrap_or(0)),
        }
    }

    /// What most pages of a bucket are. A bucket with resident pages is shown as such, and by shade how full it is,
    /// unless more of it was evicted.
    pub(super) fn of(bucket: &Bucket) -> State {
        let pages = |state: State| state.pages(bucket).unwrap_or(0);
        let of = |states: &[State]| {
            states.iter().copied().rev().max_by_key(|state| pages(*state)).unwrap_or(State::Absent)
        };
        if bucket.resident_pages > pages(State::RecentlyEvicted) + pages(State::Evicted) {
            of(&[State::Dirty, State::Writeback, State::Clean])
        } else {
            of(&[State::RecentlyEvicted, State::Evicted, State::Absent])
        }
    }
}

/// All evicted pages that the kernel remembers, of the `gone` ones. The two counts are taken one after the other, so the
/// part may for a moment seem to be more than the whole.
fn evicted(bucket: &Bucket, gone: u64) -> Option<u64> {
    Some(bucket.evicted_pages?.max(bucket.recently_evicted_pages?).min(gone))
}

/// Several buckets as one.
pub(super) fn total(buckets: &[Bucket]) -> Bucket {
    let add = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
    let none = Bucket {
        pages: 0,
        resident_pages: 0,
        dirty_pages: Some(0),
        writeback_pages: Some(0),
        evicted_pages: Some(0),
        recently_evicted_pages: Some(0),
        method: instruments::residency::Method::Cachestat,
    };
    buckets.iter().fold(none, |a, b| Bucket {
        pages: a.pages.saturating_add(b.pages),
        resident_pages: a.resident_pages.saturating_add(b.resident_pages),
        dirty_pages: add(a.dirty_pages, b.dirty_pages),
        writeback_pages: add(a.writeback_pages, b.writeback_pages),
        evicted_pages: add(a.evicted_pages, b.evicted_pages),
        recently_evicted_pages: add(a.recently_evicted_pages, b.recently_evicted_pages),
        method: b.method,
    })
}

/// How full a bucket is.
pub(super) fn shade(bucket: &Bucket) -> &'static str {
    let quarter = |n: u64| u128::from(bucket.resident_pages) * 4 >= u128::from(bucket.pages) * u128::from(n);
    if bucket.resident_pages >= bucket.pages {
        "█"
    } else if quarter(3) {
        "▓"
    } else if quarter(1) {
        "▒"
    } else {
        "░"
    }
}
