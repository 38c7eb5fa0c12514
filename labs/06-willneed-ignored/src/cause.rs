//! Every explanation that this lab can give. The acts choose; here stands which there are.

mod text;

use crate::settings::{Agrees, Settings, agrees};
use instruments::Samples;
use instruments::residency::Residency;
use lesson::{Cause, Setting};

/// Why the machine answered as it did, with the figures that prove it. Times in nanoseconds.
#[allow(missing_docs, reason = "the fields are figures whose names carry their unit")]
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// One call brought exactly the larger of the two settings.
    CappedByLarger { pages: u64, page_bytes: u64, settings: Settings },
    /// The same, where its rule has been told already.
    EndedAtLarger { pages: u64, page_bytes: u64, settings: Settings },
    /// One call brought exactly what a filesystem with a bdi of its own allows.
    CappedByOwnBdi { pages: u64, page_bytes: u64, settings: Settings },
    /// One call brought something else, or no setting can be seen.
    CapNotExplained { pages: u64, page_bytes: u64, settings: Option<Settings> },
    /// The same, where what the settings predict has been told already.
    EndedElsewhere { pages: u64, page_bytes: u64, settings: Option<Settings> },
    /// All came, and a call may bring as much.
    FileBelowCap { size_bytes: u64, settings: Settings },
    /// All came, though the settings say less.
    NotCapped { size_bytes: u64, settings: Option<Settings> },
    /// Nothing came.
    NothingCame,
    /// Memory for all of the file was available, and none of its pages was taken away again.
    MemoryWasThere { available_bytes: u64, size_bytes: u64, evicted_pages: Option<u64> },
    /// Pieces brought all of it, one call did not.
    EachCallCapped { one_bytes: u64, piece_bytes: u64, calls: u64, pages: u64, doubles_pages: Option<u64> },
    /// One call brought all of it, so pieces could not bring more.
    NoBoundMet { pages: u64, piece_bytes: u64 },
    /// The usual explanation, disproved: the same memory took all of the file.
    NotPressure { available_bytes: Option<u64>, size_bytes: u64 },
    /// Pieces did not bring all of it either.
    PiecesMissing { resident_pages: u64, pages: u64, piece_bytes: u64, evicted_pages: Option<u64> },
    /// A good part of the calls' time was processor time.
    SubmittingIsWork { elapsed_ns: u64, cpu_ns: u64, pages: u64, calls: u64 },
    /// A good part of it was not.
    CallsSlept { elapsed_ns: u64, cpu_ns: u64 },
    /// All of the file came, and not all of it stayed.
    ReclaimedBeforeRead {
        evicted_pages: Option<u64>,
        resident_pages: u64,
        pages: u64,
        delivered_bytes: u64,
        limit_bytes: u64,
    },
    /// The device was asked for less than the file: hints were dropped.
    HintsDropped { delivered_bytes: u64, size_bytes: u64 },
    /// Something was resident, and the read found next to nothing of it.
    WrongHalf { resident_pages: u64, limit_bytes: u64 },
    /// In a limit the device delivered more for a read than there is: pages came more than once.
    PushedOutAgain { delivered_bytes: u64, size_bytes: u64 },
    /// All of the file stayed, in spite of the limit.
    LimitDidNotBind { pages: u64, limit_bytes: u64 },
    /// Under RANDOM exactly the pages read were there afterwards.
    NoReadahead { pages: u64, normal_ahead_pages: u64 },
    /// Under RANDOM there were more.
    RandomReadAhead { ahead_pages: u64 },
    /// SEQUENTIAL had fetched further ahead. First without a hint, then under SEQUENTIAL.
    SequentialReachesFurther { pages: [u64; 2], times_ns: [f64; 2], tie: bool },
    /// The three calls that hint left the same.
    SameBound { resident_pages: u64, asked_pages: u64 },
    /// MADV_POPULATE_READ left all that was asked for.
    PopulateIsAnOrder { pages: u64 },
    /// With and without a hint, the device delivered the file once.
    ReadOnce { plain_bytes: u64, hinted_bytes: u64 },
    /// With a hint it delivered more than the file.
    ReadAgain { size_bytes: u64, hinted_bytes: u64 },
    /// Calls and read together, against the read alone, nanoseconds.
    TotalTime { total_ns: Samples, plain_ns: Samples },
    /// The calls left the file in smaller folios than a read does. Times of reading them from memory, where the first is
    /// slower: after the calls, after a read.
    SmallFolios { hinted_pages: u64, read_pages: u64, times_ns: Option<(f64, f64)> },
    /// After a pause the read found all in memory.
    OtherWorkMeanwhile { pause_ms: u64, paused_ns: f64, plain_ns: f64 },
}

impl Why {
    /// What one call for the whole file shows, by the state that it left.
    pub fn of_one_call(
        state: &Residency,
        size_bytes: u64,
        settings: Option<Settings>,
        setting: &Setting,
    ) -> Why {
        let (pages, page_bytes) = (state.resident_pages, setting.host.page_bytes);
        match (agrees(pages, state.pages, page_bytes, settings), settings) {
            (Agrees::Nothing, _) => Why::NothingCame,
            (Agrees::SmallFile, Some(settings)) => Why::FileBelowCap { size_bytes, settings },
            (Agrees::Larger, Some(settings)) if settings.own_bdi => {
                Why::CappedByOwnBdi { pages, page_bytes, settings }
            }
            (Agrees::Larger, Some(settings)) => Why::CappedByLarger { pages, page_bytes, settings },
            (Agrees::All, settings) => Why::NotCapped { size_bytes, settings },
            (_, settings) => Why::CapNotExplained { pages, page_bytes, settings },
        }
    }

    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Why::CappedByLarger { .. } => "capped-by-larger",
            Why::EndedAtLarger { .. } => "ended-at-larger",
            Why::CappedByOwnBdi { .. } => "capped-by-own-bdi",
            Why::CapNotExplained { .. } => "cap-not-explained",
            Why::EndedElsewhere { .. } => "ended-elsewhere",
            Why::FileBelowCap { .. } => "file-below-cap",
            Why::NotCapped { .. } => "not-capped",
            Why::NothingCame => "nothing-came",
            Why::MemoryWasThere { .. } => "memory-was-there",
            Why::EachCallCapped { .. } => "each-call-capped",
            Why::NoBoundMet { .. } => "no-bound-met",
            Why::NotPressure { .. } => "not-pressure",
            Why::PiecesMissing { .. } => "pieces-missing",
            Why::SubmittingIsWork { .. } => "submitting-is-work",
            Why::CallsSlept { .. } => "calls-slept",
            Why::ReclaimedBeforeRead { .. } => "reclaimed-before-read",
            Why::HintsDropped { .. } => "hints-dropped",
            Why::WrongHalf { .. } => "wrong-half",
            Why::PushedOutAgain { .. } => "pushed-out-again",
            Why::LimitDidNotBind { .. } => "limit-did-not-bind",
            Why::NoReadahead { .. } => "no-readahead",
            Why::RandomReadAhead { .. } => "random-read-ahead",
            Why::SequentialReachesFurther { .. } => "sequential-reaches-further",
            Why::SameBound { .. } => "same-bound",
            Why::PopulateIsAnOrder { .. } => "populate-is-an-order",
            Why::ReadOnce { .. } => "read-once",
            Why::ReadAgain { .. } => "read-again",
            Why::TotalTime { .. } => "total-time",
            Why::SmallFolios { .. } => "small-folios",
            Why::OtherWorkMeanwhile { .. } => "other-work-meanwhile",
        }
    }
}

impl From<Why> for Cause {
    fn from(why: Why) -> Cause {
        Cause { id: why.id().to_owned(), text: why.to_string() }
    }
}
