//! The words of each explanation.

use super::Why;
use crate::words::{many, percent};
use instruments::size::{format_bytes, format_count, format_ns, format_ratio};
use std::fmt::{self, Display, Formatter};

impl Display for Why {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Why::OneCallABlock { full_blocks, rest_bytes: 0, block_bytes } => write!(
                f,
                "{} of {}, and one call more that returned 0: read() has no other way to say that the file has ended.",
                many(*full_blocks, "call"),
                format_bytes(*block_bytes)
            ),
            Why::OneCallABlock { full_blocks, rest_bytes, block_bytes } => write!(
                f,
                "{} of {}, one that brought the last {}, and one more that returned 0: read() has no other way to say \
                 that the file has ended.",
                many(*full_blocks, "call"),
                format_bytes(*block_bytes),
                format_bytes(*rest_bytes)
            ),
            Why::NoCallForTheEnd { least } => write!(
                f,
                "{} brought all bytes, and none looked for the end: the program knew where to stop.",
                many(*least, "call")
            ),
            Why::ShortReads { least, short_calls } => write!(
                f,
                "{} could have brought all bytes. {} more were needed, so some brought less than they asked for: \
                 read() may always do that, and a program must go on.",
                many(*least, "full call"),
                format_count(*short_calls)
            ),
            Why::ACallForEachBlock { reads } => {
                write!(f, "The read() loop asks anew for every block: {}.", many(*reads, "read() call"))
            }
            Why::FaultsInsteadOfCalls { calls, pages } => write!(
                f,
                "{} set up and took down one mapping. What connects the {} is page faults: each is a trip into the \
                 kernel too, but no system-call counter shows it. The next act counts them.",
                many(*calls, "call"),
                many(*pages, "page")
            ),
            Why::NothingAround => f.write_str(
                "About one fault for each page: here the kernel mapped the page that was asked for, and none around it.",
            ),
            Why::NeighboursToo { pages_a_fault, folio_pages } => {
                write!(
                    f,
                    "A fault mapped about {} on average: at a fault, the kernel also maps neighbours that are in the \
                     cache.",
                    many(*pages_a_fault, "page")
                )?;
                match folio_pages {
                    Some(folio) => write!(f, " This file lies in folios of {}.", many(*folio, "page")),
                    None => Ok(()),
                }
            }
            Why::FaultAround { window_bytes, window_pages, inferred: false } => write!(
                f,
                "At a fault, the kernel maps what it finds in {}. The count agrees with that.",
                Window(*window_bytes, *window_pages, false)
            ),
            Why::FaultAround { window_bytes, window_pages, inferred: true } => write!(
                f,
                "Over single pages, one fault mapped {}, {}: that is the window of fault-around. Its setting can't be \
                 read here, so its size is inferred from the count.",
                many(*window_pages, "page"),
                format_bytes(*window_bytes)
            ),
            Why::BeyondTheWindow { window_bytes, window_pages, folio_pages } => {
                let window = Window(*window_bytes, *window_pages, false);
                write!(f, "There were fewer faults than {window} alone would give. ")?;
                match folio_pages {
                    Some(folio) => write!(
                        f,
                        "The file lies in folios of {}, larger than that: a fault maps more of them than the window.",
                        many(*folio, "page")
                    ),
                    None => f.write_str("So a fault mapped more, as kernels do with large folios."),
                }
            }
            Why::UntouchedBuffer { faults, buffer_pages, touched_faults } => write!(
                f,
                "read() can take faults too: {} more into a buffer of {} that nobody had touched than into one that had \
                 been used before ({}). The kernel itself takes them while it copies.",
                format_count(*faults),
                many(*buffer_pages, "page"),
                format_count(*touched_faults)
            ),
            Why::LargeFolios { folio_pages } => {
                f.write_str("Only the way in which the pages came in differs. ")?;
                match folio_pages {
                    Some((ordinary, single)) => write!(
                        f,
                        "After the ordinary read, storing one byte made {} dirty at once, after the other {}: that is \
                         the size of the folios. One fault maps much of a large folio, or all of it.",
                        many(*ordinary, "page"),
                        format_count(*single)
                    ),
                    None => f.write_str(
                        "With readahead the kernel could use large folios, and one fault maps much of a large folio, or \
                         all of it.",
                    ),
                }
            }
            Why::NoLargeFolios { filesystem, window_bytes, window_pages, inferred } => write!(
                f,
                "The file lies in single pages both times: on this kernel, {filesystem} made no large folios of it. So \
                 each fault maps {}.",
                Window(*window_bytes, *window_pages, *inferred)
            ),
            Why::WindowOnly { folio_pages, window_bytes, window_pages, inferred } => write!(
                f,
                "The ordinary read made folios of {}, but a fault maps no more of them than of single pages: {}.",
                many(*folio_pages, "page"),
                Window(*window_bytes, *window_pages, *inferred)
            ),
            Why::FaultAroundOnly { window_bytes, window_pages, inferred } => write!(
                f,
                "Both times a fault maps {}. Whether the filesystem makes no large folios, or this kernel maps no more \
                 of them, cannot be told here.",
                Window(*window_bytes, *window_pages, *inferred)
            ),
            Why::PageSize { page_bytes, pages, usual_pages } => write!(
                f,
                "A page has {} here. The file has {}; with pages of 4 KiB it would have {}.",
                format_bytes(*page_bytes),
                many(*pages, "page"),
                format_count(*usual_pages)
            ),
            Why::PriceOfACall { call_ns, mebibyte_ns, up_to_bytes, block_bytes, share } => write!(
                f,
                "A call costs about {}, and copying 1 MiB about {}: these two prices explain the times of all blocks up \
                 to {}. In blocks of {}, {} of the time goes to the calls; the rest is copying, which stays the same.",
                format_ns(*call_ns),
                format_ns(*mebibyte_ns),
                format_bytes(*up_to_bytes),
                format_bytes(*block_bytes),
                percent(*share)
            ),
            Why::ProcessorCache { cache, best_bytes, block_bytes } => write!(
                f,
                "This fits with the processor's caches, without proving it: a buffer of {} fits into the level-{} cache \
                 of {}, one of {} does not.",
                format_bytes(*best_bytes),
                cache.level,
                format_bytes(cache.bytes),
                format_bytes(*block_bytes)
            ),
            Why::CopyingCosts { adding_ns, read_ns, mmap_ns, faults } => write!(
                f,
                "Warm, adding up bytes that are mapped already takes {}. read() took {}: it makes calls and copies \
                 every byte. The mapping took {}, with {}.",
                format_ns(*adding_ns),
                More(*read_ns),
                More(*mmap_ns),
                many(*faults, "fault")
            ),
            Why::FaultsCost { adding_ns, read_ns, mmap_ns, faults } => write!(
                f,
                "Warm, adding up bytes that are mapped already takes {}. The mapping took {}, with {}. read() took {}, \
                 although it copied every byte.",
                format_ns(*adding_ns),
                More(*mmap_ns),
                many(*faults, "fault"),
                More(*read_ns)
            ),
            Why::PopulateSavesFaults { faults, populated, faster } => write!(
                f,
                "MAP_POPULATE has mmap() itself map the pages: {} instead of {}. {}",
                many(*populated, "fault"),
                format_count(*faults),
                Faster(*faster)
            ),
            Why::PopulateCountsAlike { faults, populated, faster } => write!(
                f,
                "MAP_POPULATE has mmap() itself map the pages. The kernel counts that as faults too: {} with it, {} \
                 without. {}",
                format_count(*populated),
                format_count(*faults),
                Faster(*faster)
            ),
            Why::WaitedLonger { slower, faster, waited_ns: (more, less), bytes, major_faults } => write!(
                f,
                "Cold, both got {} from the device. Most of the difference is waiting: {slower} was off the processor \
                 for {}, {faster} for {}. The mapping stopped at {} to wait for the disk.",
                format_bytes(*bytes),
                format_ns(*more as f64),
                format_ns(*less as f64),
                many(*major_faults, "fault")
            ),
            Why::WorkedLonger { slower, faster, worked_ns: (more, less), bytes } => write!(
                f,
                "Cold, both got {} from the device. Most of the difference is work: {slower} was on the processor for {}, \
                 {faster} for {}.",
                format_bytes(*bytes),
                format_ns(*more as f64),
                format_ns(*less as f64)
            ),
        }
    }
}

/// What one fault maps, and how that is known.
struct Window(u64, u64, bool);

impl Display for Window {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Window(bytes, pages, inferred) = self;
        let source = if *inferred { "inferred from the count" } else { "by fault_around_bytes" };
        write!(f, "the window of {} ({}, {source})", format_bytes(*bytes), many(*pages, "page"))
    }
}

/// How many times faster something was; None where the spreads overlap.
struct Faster(Option<f64>);

impl Display for Faster {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(ratio) if ratio > 1.0 => write!(f, "It was {} as fast.", format_ratio(ratio)),
            Some(ratio) => write!(f, "It took {} as long.", format_ratio(1.0 / ratio)),
            None => f.write_str("The time did not differ by more than the spread."),
        }
    }
}

/// What something took more; None where that is within the spread.
struct More(Option<f64>);

impl Display for More {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(ns) => write!(f, "{} more", format_ns(ns)),
            None => f.write_str("about as long, within the spread"),
        }
    }
}
