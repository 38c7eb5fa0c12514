//! Every explanation that this lab can give. The acts choose by evidence; [`text`] says it in words.

mod text;

use crate::words::pages_of;
use instruments::processor::Cache;
use lesson::{Cause, Setting};

/// Why the machine answered as it did, with the figures that prove it. Times in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// `reads`: as many calls as blocks, and one that found the end.
    OneCallABlock {
        /// Blocks that came whole.
        full_blocks: u64,
        /// What was left for a shorter one.
        rest_bytes: u64,
        /// What each call asked for.
        block_bytes: u64,
    },
    /// `reads`: as many calls as blocks, and none that found the end.
    NoCallForTheEnd {
        /// The least number of calls that can bring the file.
        least: u64,
    },
    /// `reads`: more calls than blocks.
    ShortReads {
        /// The least number of calls that can bring the file.
        least: u64,
        /// How many more there were, the one that found the end left out.
        short_calls: u64,
    },
    /// `mmap-calls`: the loop asks anew for each block.
    ACallForEachBlock {
        /// read() calls.
        reads: u64,
    },
    /// `mmap-calls`: few calls, all pages visited, and faults that no system-call counter sees.
    FaultsInsteadOfCalls {
        /// System calls.
        calls: u64,
        /// Pages visited.
        pages: u64,
    },
    /// `faults`: about one fault a page.
    NothingAround,
    /// `faults`: a fault mapped more than its own page.
    NeighboursToo {
        /// On average.
        pages_a_fault: u64,
        /// Pages of the folios in the middle of those looked at.
        folio_pages: Option<u64>,
    },
    /// The count agrees with the window that the kernel maps around a fault.
    FaultAround {
        /// The window.
        window_bytes: u64,
        /// The same in pages.
        window_pages: u64,
        /// Taken from the count itself, since the kernel's setting could not be read.
        inferred: bool,
    },
    /// `faults`: fewer faults than the window alone would give.
    BeyondTheWindow {
        /// The window, as the kernel tells it.
        window_bytes: u64,
        /// The same in pages.
        window_pages: u64,
        /// Pages of the folios in the middle of those looked at.
        folio_pages: Option<u64>,
    },
    /// `faults`: read() took the faults of a buffer that nobody had touched.
    UntouchedBuffer {
        /// Faults more than with a buffer that was used before.
        faults: u64,
        /// Pages of the buffer.
        buffer_pages: u64,
        /// Faults with a buffer that was used before.
        touched_faults: u64,
    },
    /// `folios`: clearly fewer faults over what an ordinary read left than over single pages.
    LargeFolios {
        /// Pages a folio after the ordinary read and after the read in single pages, where the kernel tells.
        folio_pages: Option<(u64, u64)>,
    },
    /// `folios`: the same count, since the file lies in single pages both times.
    NoLargeFolios {
        /// As /proc/self/mountinfo calls it.
        filesystem: String,
        /// What one fault maps.
        window_bytes: u64,
        /// The same in pages.
        window_pages: u64,
        /// As in [`Why::FaultAround`].
        inferred: bool,
    },
    /// `folios`: the same count, although an ordinary read made large folios.
    WindowOnly {
        /// Pages a folio after the ordinary read.
        folio_pages: u64,
        /// What one fault maps.
        window_bytes: u64,
        /// The same in pages.
        window_pages: u64,
        /// As in [`Why::FaultAround`].
        inferred: bool,
    },
    /// `folios`: the same count, and nobody tells how large the folios are.
    FaultAroundOnly {
        /// What one fault maps.
        window_bytes: u64,
        /// The same in pages.
        window_pages: u64,
        /// As in [`Why::FaultAround`].
        inferred: bool,
    },
    /// Pages are not of the size that most machines have.
    PageSize {
        /// Here.
        page_bytes: u64,
        /// Pages of the file here.
        pages: u64,
        /// Pages that it would have elsewhere.
        usual_pages: u64,
    },
    /// `blocks`: calls and bytes have each a price, and the two explain the times.
    PriceOfACall {
        /// Of one call.
        call_ns: f64,
        /// Of copying 1 MiB.
        mebibyte_ns: f64,
        /// The largest block whose times they explain.
        up_to_bytes: u64,
        /// For blocks of this size…
        block_bytes: u64,
        /// …calls take this share of the time.
        share: f64,
    },
    /// `blocks`: the largest block is slower, and does not fit into a cache into which the best one fits.
    ProcessorCache {
        /// That cache.
        cache: Cache,
        /// The best block.
        best_bytes: u64,
        /// The largest one.
        block_bytes: u64,
    },
    /// `copies`, warm: read was slower than mmap, and than the adding alone.
    CopyingCosts {
        /// Adding up alone, over pages that are mapped already.
        adding_ns: f64,
        /// What the read() loop took more; None where that is within the spread.
        read_ns: Option<f64>,
        /// What the mapping took more; None where that is within the spread.
        mmap_ns: Option<f64>,
        /// Faults of the mapping.
        faults: u64,
    },
    /// `copies`, warm: mmap was slower than read, and than the adding alone, and took faults.
    FaultsCost {
        /// Adding up alone, over pages that are mapped already.
        adding_ns: f64,
        /// What the read() loop took more; None where that is within the spread.
        read_ns: Option<f64>,
        /// What the mapping took more; None where that is within the spread.
        mmap_ns: Option<f64>,
        /// Faults of the mapping.
        faults: u64,
    },
    /// `copies`, warm: fewer faults are counted with MAP_POPULATE.
    PopulateSavesFaults {
        /// Without it.
        faults: u64,
        /// With it.
        populated: u64,
        /// How many times faster it was, where the spreads are apart (below 1: slower).
        faster: Option<f64>,
    },
    /// `copies`, warm: as many faults are counted with MAP_POPULATE.
    PopulateCountsAlike {
        /// Without it.
        faults: u64,
        /// With it.
        populated: u64,
        /// How many times faster it was, where the spreads are apart (below 1: slower).
        faster: Option<f64>,
    },
    /// `copies`, cold: most of the difference was waiting.
    WaitedLonger {
        /// Which way.
        slower: &'static str,
        /// The other.
        faster: &'static str,
        /// Off the processor: of the slower, of the faster.
        waited_ns: (u64, u64),
        /// From the device, both.
        bytes: u64,
        /// Faults of the mapping that waited for the disk.
        major_faults: u64,
    },
    /// `copies`, cold: most of the difference was work of the processor.
    WorkedLonger {
        /// Which way.
        slower: &'static str,
        /// The other.
        faster: &'static str,
        /// On the processor: of the slower, of the faster.
        worked_ns: (u64, u64),
        /// From the device, both.
        bytes: u64,
    },
}

/// The page size of most machines: only to say that this one has another.
const USUAL_PAGE_BYTES: u64 = 4096;

impl Why {
    /// All ids, so that a test can ask for a recording of each.
    pub const IDS: [&'static str; 23] = [
        "one-call-a-block",
        "no-call-for-the-end",
        "short-reads",
        "a-call-for-each-block",
        "faults-instead-of-calls",
        "nothing-around",
        "neighbours-too",
        "fault-around",
        "beyond-the-window",
        "untouched-buffer",
        "large-folios",
        "no-large-folios",
        "window-only",
        "fault-around-only",
        "page-size",
        "price-of-a-call",
        "processor-cache",
        "copying-costs",
        "faults-cost",
        "populate-saves-faults",
        "populate-counts-alike",
        "waited-longer",
        "worked-longer",
    ];

    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Why::OneCallABlock { .. } => "one-call-a-block",
            Why::NoCallForTheEnd { .. } => "no-call-for-the-end",
            Why::ShortReads { .. } => "short-reads",
            Why::ACallForEachBlock { .. } => "a-call-for-each-block",
            Why::FaultsInsteadOfCalls { .. } => "faults-instead-of-calls",
            Why::NothingAround => "nothing-around",
            Why::NeighboursToo { .. } => "neighbours-too",
            Why::FaultAround { .. } => "fault-around",
            Why::BeyondTheWindow { .. } => "beyond-the-window",
            Why::UntouchedBuffer { .. } => "untouched-buffer",
            Why::LargeFolios { .. } => "large-folios",
            Why::NoLargeFolios { .. } => "no-large-folios",
            Why::WindowOnly { .. } => "window-only",
            Why::FaultAroundOnly { .. } => "fault-around-only",
            Why::PageSize { .. } => "page-size",
            Why::PriceOfACall { .. } => "price-of-a-call",
            Why::ProcessorCache { .. } => "processor-cache",
            Why::CopyingCosts { .. } => "copying-costs",
            Why::FaultsCost { .. } => "faults-cost",
            Why::PopulateSavesFaults { .. } => "populate-saves-faults",
            Why::PopulateCountsAlike { .. } => "populate-counts-alike",
            Why::WaitedLonger { .. } => "waited-longer",
            Why::WorkedLonger { .. } => "worked-longer",
        }
    }

    /// Pages of another size than most machines have: a part of the answer wherever pages are counted.
    pub fn page_size(setting: &Setting) -> Option<Why> {
        let page_bytes = setting.host.page_bytes;
        (page_bytes != USUAL_PAGE_BYTES).then(|| Why::PageSize {
            page_bytes,
            pages: pages_of(setting),
            usual_pages: setting.plan.size_bytes.div_ceil(USUAL_PAGE_BYTES),
        })
    }
}

impl From<Why> for Cause {
    fn from(why: Why) -> Cause {
        Cause { id: why.id().to_owned(), text: why.to_string() }
    }
}
