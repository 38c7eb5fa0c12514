//! What each cause says.

use super::Why;
use crate::settings::{OWN_BDI_KB, Settings, amount};
use crate::words::{Standing, many, time};
use instruments::size::{format_bytes, format_count, format_ns, format_ratio};
use std::fmt;

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Why::CappedByLarger { pages, page_bytes, settings } => write!(
                f,
                "One call brings in at most the larger of two settings of the disk: {}. Predicted from {}: {}. Measured: {}.",
                settings.told(),
                settings.larger_name(),
                format_bytes(settings.larger_bytes()),
                amount(pages, page_bytes)
            ),
            Why::EndedAtLarger { pages, page_bytes, settings } => write!(
                f,
                "The one call for all ended at the bound that {} set: {} expected, {} measured.",
                settings.larger_name(),
                format_bytes(settings.larger_bytes()),
                amount(pages, page_bytes)
            ),
            Why::CappedByOwnBdi { pages, page_bytes, settings } => write!(
                f,
                "This filesystem keeps readahead limits of its own, and max_sectors_kb of the disk ({}) is none of them. One \
                 call brings in at most the larger of two: its read_ahead_kb ({}), and {}, which the kernel sets once and \
                 shows nowhere. Predicted from {}: {}. Measured: {}.",
                format_count(settings.max_sectors_kb),
                format_count(settings.read_ahead_kb),
                format_bytes(OWN_BDI_KB << 10),
                settings.larger_name(),
                format_bytes(settings.larger_bytes()),
                amount(pages, page_bytes)
            ),
            Why::CapNotExplained { pages, page_bytes, settings: Some(settings) } => write!(
                f,
                "The settings predict {} ({}), and {} came: they disagree. Something else bounds a call here, and these \
                 figures do not tell what.",
                format_bytes(settings.larger_bytes()),
                settings.told(),
                amount(pages, page_bytes)
            ),
            Why::CapNotExplained { pages, page_bytes, settings: None } => write!(
                f,
                "One call brought in {}. The settings of the disk cannot be seen here, so nothing can be predicted from them.",
                amount(pages, page_bytes)
            ),
            Why::EndedElsewhere { pages, page_bytes, settings } => {
                write!(f, "The one call for all ended at {}", amount(pages, page_bytes))?;
                match settings {
                    Some(settings) => write!(
                        f,
                        ", not at the {} that the settings predict.",
                        format_bytes(settings.larger_bytes())
                    ),
                    None => f.write_str("; what bounds it cannot be seen here."),
                }
            }
            Why::FileBelowCap { size_bytes, settings } => write!(
                f,
                "All came by one call, because this file is small: {}, while one call may bring in {} ({}). A larger --size \
                 would show the bound.",
                format_bytes(size_bytes),
                format_bytes(settings.larger_bytes()),
                settings.told()
            ),
            Why::NotCapped { size_bytes, settings } => not_capped(f, size_bytes, settings),
            Why::NothingCame => f.write_str(
                "No page came in, and the call reported success: success says that the hint was understood, and no more.",
            ),
            Why::MemoryWasThere { available_bytes, size_bytes, evicted_pages } => {
                write!(
                    f,
                    "Shortage of memory does not show: {} were available for a file of {}",
                    format_bytes(available_bytes),
                    format_bytes(size_bytes)
                )?;
                f.write_str(match evicted_pages {
                    Some(_) => ", and the kernel took none of its pages away again.",
                    None => ".",
                })
            }
            Why::EachCallCapped { one_bytes, piece_bytes, calls, pages, doubles_pages } => {
                write!(
                    f,
                    "The bound belongs to the call, not to the file: one call for all brought in {}, {} for {} each brought \
                     in all {}.",
                    format_bytes(one_bytes),
                    many(calls, "call"),
                    format_bytes(piece_bytes),
                    many(pages, "page")
                )?;
                match doubles_pages {
                    Some(doubles) if doubles.saturating_mul(2) == pages => write!(
                        f,
                        " In pieces of {} it was exactly half: the first part of each piece.",
                        format_bytes(piece_bytes.saturating_mul(2))
                    ),
                    _ => Ok(()),
                }
            }
            Why::NoBoundMet { pages, piece_bytes } => write!(
                f,
                "One call for all brought in all {}, and asking in pieces of {} brought the same: no call met a bound.",
                many(pages, "page"),
                format_bytes(piece_bytes)
            ),
            Why::NotPressure { available_bytes, size_bytes } => {
                f.write_str("The usual explanation is wrong here: it says that a hint falls short when memory is under pressure. ")?;
                write!(f, "In the same memory, a moment later, all {} stayed", format_bytes(size_bytes))?;
                match available_bytes {
                    Some(bytes) => write!(f, ", and {} were available.", format_bytes(bytes)),
                    None => f.write_str("."),
                }
            }
            Why::PiecesMissing { resident_pages, pages, piece_bytes, evicted_pages } => {
                write!(
                    f,
                    "In pieces of {}, {} of {} came and stayed.",
                    format_bytes(piece_bytes),
                    format_count(resident_pages),
                    many(pages, "page")
                )?;
                match evicted_pages {
                    Some(evicted @ 1..) => write!(f, " The kernel had taken {} away again: here memory is short.", format_count(evicted)),
                    Some(0) => f.write_str(" The kernel took none away again, so each call brought less than it was asked for."),
                    None => f.write_str(" Nothing here tells whether the others never came, or went again."),
                }
            }
            Why::SubmittingIsWork { elapsed_ns, cpu_ns, pages, calls } => write!(
                f,
                "Non-blocking does not mean free: of the {} that {} took, {} were processor time. The caller itself finds \
                 memory for {}, enters them into the cache and submits the requests.",
                format_ns(elapsed_ns as f64),
                many(calls, "call"),
                format_ns(cpu_ns as f64),
                many(pages, "page")
            ),
            Why::CallsSlept { elapsed_ns, cpu_ns } => write!(
                f,
                "Non-blocking does not mean that it never waits: for {} of the {} the calls did not run. A full queue of the \
                 disk makes a caller wait, and so does a busy processor; these figures do not tell which.",
                format_ns(elapsed_ns.saturating_sub(cpu_ns) as f64),
                format_ns(elapsed_ns as f64)
            ),
            Why::ReclaimedBeforeRead { evicted_pages, resident_pages, pages, delivered_bytes, limit_bytes } => {
                write!(
                    f,
                    "The device delivered {} for the hints, and afterwards {} of {} were resident: the limit of {} took the \
                     others away again. The calls reported success all the same.",
                    format_bytes(delivered_bytes),
                    format_count(resident_pages),
                    many(pages, "page"),
                    format_bytes(limit_bytes)
                )?;
                match evicted_pages {
                    Some(evicted @ 1..) if evicted.saturating_add(resident_pages) < pages => {
                        write!(
                            f,
                            " The kernel has a note of the eviction for {} of those. It need not keep a note of each, so this is no \
                             count of all.",
                            format_count(evicted)
                        )
                    }
                    Some(1..) => f.write_str(" The kernel has a note for each of those."),
                    _ => Ok(()),
                }
            }
            Why::HintsDropped { delivered_bytes, size_bytes } => write!(
                f,
                "Part of what was asked for never came: the device was asked for {} of {}. A page for a hint is looked for \
                 without much effort, and where none is found the rest of that piece is dropped.",
                format_bytes(delivered_bytes),
                format_bytes(size_bytes)
            ),
            Why::WrongHalf { resident_pages, limit_bytes } => write!(
                f,
                "{} were in memory when the read began, and it found next to none of them. It needs room itself: within {} \
                 what it brings in pushes out what it has not reached yet.",
                many(resident_pages, "page"),
                format_bytes(limit_bytes)
            ),
            Why::PushedOutAgain { delivered_bytes, size_bytes } => write!(
                f,
                "For a read of {} the device delivered {}: what was fetched ahead was pushed out before the reader came to it, \
                 and had to be fetched again.",
                format_bytes(size_bytes),
                format_bytes(delivered_bytes)
            ),
            Why::LimitDidNotBind { pages, limit_bytes } => write!(
                f,
                "All {} stayed in spite of the limit of {}: this file's pages were not charged to the programs that asked.",
                many(pages, "page"),
                format_bytes(limit_bytes)
            ),
            Why::NoReadahead { pages, normal_ahead_pages } => {
                write!(
                    f,
                    "RANDOM switches readahead off: afterwards exactly the {} that were read were resident, so each of them was \
                     waited for alone.",
                    many(pages, "page")
                )?;
                match normal_ahead_pages {
                    0 => Ok(()),
                    ahead => write!(f, " Without a hint there were {} more, fetched ahead of the reader.", format_count(ahead)),
                }
            }
            Why::RandomReadAhead { ahead_pages } => write!(
                f,
                "RANDOM was not taken at its word here: {} were resident beyond those that were read.",
                many(ahead_pages, "page")
            ),
            Why::SequentialReachesFurther { pages: [normal, sequential], times_ns, tie } => {
                write!(
                    f,
                    "SEQUENTIAL fetches further ahead: {} beyond the last read, against {} without a hint.",
                    many(sequential, "page"),
                    format_count(normal)
                )?;
                let [normal, sequential] = times_ns.map(format_ns);
                match tie {
                    true => f.write_str(" In time there is no verdict: the spreads overlap."),
                    false => write!(f, " It took {sequential}, against {normal}."),
                }
            }
            Why::SameBound { resident_pages, asked_pages } => write!(
                f,
                "posix_fadvise(2), madvise(2) and readahead(2) are the same hint by three names: each left {} of {}.",
                format_count(resident_pages),
                many(asked_pages, "page")
            ),
            Why::PopulateIsAnOrder { pages } => write!(
                f,
                "MADV_POPULATE_READ is no hint but an order: it left all {}, and returned when they were there.",
                many(pages, "page")
            ),
            Why::ReadOnce { plain_bytes, hinted_bytes } => write!(
                f,
                "Nothing was read twice: the device delivered {} for hints and read together, and {} for a read alone.",
                format_bytes(hinted_bytes),
                format_bytes(plain_bytes)
            ),
            Why::ReadAgain { size_bytes, hinted_bytes } => write!(
                f,
                "Something was read twice: for hints and read together the device was asked for {}, and the file has {}.",
                format_bytes(hinted_bytes),
                format_bytes(size_bytes)
            ),
            Why::TotalTime { ref total_ns, ref plain_ns } => {
                let (total, plain) = (time(total_ns), time(plain_ns));
                write!(f, "Calls and read together took {total}, the read alone {plain}: ")?;
                let faster = plain_ns.ratio_to(total_ns).unwrap_or(1.0);
                match Standing::of(total_ns, plain_ns) {
                    Standing::Tie => f.write_str("a tie within the spread."),
                    Standing::CannotTell(why) => write!(f, "{why}, so nobody can tell which is faster."),
                    Standing::Apart if faster > 1.0 => {
                        write!(f, "{} faster, since the disk was kept busier.", format_ratio(faster))
                    }
                    Standing::Apart => f.write_str("the calls spent more than the read saves."),
                }
            }
            Why::SmallFolios { hinted_pages, read_pages, times_ns } => {
                write!(
                    f,
                    "Hints leave the file in smaller pieces: in folios of {}, a read in folios of {}.",
                    many(hinted_pages, "page"),
                    format_count(read_pages)
                )?;
                match times_ns {
                    Some((hinted, read)) => write!(
                        f,
                        " Each piece costs: read once more from memory alone, the file took {} after hints, {} after a read.",
                        format_ns(hinted),
                        format_ns(read)
                    ),
                    None => Ok(()),
                }
            }
            Why::OtherWorkMeanwhile { pause_ms, paused_ns, plain_ns } => write!(
                f,
                "The hint pays where there is something else to do: after a pause of {pause_ms} ms the read asked the device for \
                 nothing more, and took {}, {} faster than without a hint.",
                format_ns(paused_ns),
                format_ratio(plain_ns / paused_ns)
            ),
        }
    }
}

fn not_capped(f: &mut fmt::Formatter<'_>, size_bytes: u64, settings: Option<Settings>) -> fmt::Result {
    match settings {
        Some(settings) => write!(
            f,
            "One call brought in all {}, though {}: neither setting bounds a call on this kernel and filesystem.",
            format_bytes(size_bytes),
            settings.told()
        ),
        None => write!(
            f,
            "One call brought in all {}. The settings of the disk cannot be seen here, so whether a larger file would be \
             cut short is not known.",
            format_bytes(size_bytes)
        ),
    }
}
