//! Every explanation that this lab can give. The acts choose; here stands what each one says.

use crate::words::{many, percent};
use instruments::calls::Counts;
use instruments::size::{format_bytes, format_count, format_ns};
use lesson::Cause;
use std::fmt;

/// Why the machine answered as it did, with the figures that prove it. Times in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// `tiny`: the mapping took longer, and a fault more.
    CallsAndAFault {
        /// Calls of doing it once, read and mapped; None where they could not be counted.
        calls: Option<(Counts, Counts)>,
        /// Faults of doing it once, read and mapped.
        faults: (u64, u64),
        /// How much longer the mapping took.
        more_ns: f64,
        /// What read() copied.
        page_bytes: u64,
    },
    /// `why`: mmap() was dearest.
    MmapCostsMost {
        /// Of the whole.
        share: f64,
    },
    /// `why`: the first touch was dearest, and was a fault.
    FaultCostsMost {
        /// Of the whole.
        share: f64,
    },
    /// `why`: munmap() was dearest.
    MunmapCostsMost {
        /// Of the whole.
        share: f64,
    },
    /// `why`: what a mapping has of its own, against a read().
    AgainstRead {
        /// mmap, the touch and munmap together.
        own_ns: f64,
        /// One read().
        read_ns: f64,
    },
    /// `crossover`: a mapping costs more at first and less for each byte.
    MadeUpByTheByte {
        /// The smallest file.
        bytes: u64,
        /// How much longer the mapping takes there.
        more_ns: f64,
        /// The size at which the mapping is ahead; up to there the prices hold.
        up_to_bytes: u64,
        /// What each further MiB costs through read().
        read_ns: f64,
        /// And through a mapping.
        map_ns: f64,
        /// Pages that a fault maps in the file of that size, where there are faults.
        pages_a_fault: Option<f64>,
        /// Where these prices are even.
        meets_bytes: u64,
    },
    /// `crossover`: a mapping costs more at first, and each larger size adds more to it than to read().
    DearerByTheByte {
        /// The smallest file and the largest.
        bytes: (u64, u64),
        /// How much longer the mapping takes in the smallest.
        more_ns: f64,
        /// What the largest costs more than the smallest through read().
        read_ns: f64,
        /// And through a mapping.
        map_ns: f64,
        /// Pages that a fault maps in the largest file, where there are faults.
        pages_a_fault: Option<f64>,
    },
    /// `crossover`: at this size the cache holds the file in larger pieces, and a mapping takes fewer faults.
    LargerFolios {
        /// The size below it, and the size.
        bytes: (u64, u64),
        /// Pages of the folio in the middle of those looked at.
        folios: (u64, u64),
        /// Faults of a mapping.
        faults: (f64, f64),
    },
    /// `random`: each pread() is a call, and no touch is.
    ACallALook {
        /// Looks each way.
        looks: u64,
        /// Calls of the preads.
        pread: u64,
        /// Calls of the touches.
        touch: u64,
    },
    /// `random`: the first touch of a page costs a fault.
    FirstTouches {
        /// Looks.
        looks: u64,
        /// Faults among them.
        faults: u64,
        /// A look through a new mapping.
        first_ns: f64,
        /// A look through one that was touched before.
        touch_ns: f64,
        /// Whether the two differ beyond the spread.
        differ: bool,
        /// A pread(). All three are means of whole passes.
        pread_ns: f64,
        /// Whether what is told elsewhere of pread and touch is of the batch in the middle instead.
        batches: bool,
    },
    /// `amplify`: a window was read around each miss.
    ReadAround {
        /// How many.
        windows: u64,
        /// The device's setting.
        window_bytes: u64,
        /// What the windows hold.
        predicted_bytes: u64,
        /// What came.
        delivered_bytes: u64,
        /// Faults that waited.
        major_faults: u64,
    },
    /// `amplify`: nothing is read ahead on this device.
    NoReadAhead {
        /// Pages touched.
        pages: u64,
        /// The device's setting.
        window_bytes: u64,
    },
    /// `amplify`: after MADV_RANDOM only the touched pages came.
    AdviceSwitchedItOff {
        /// Pages touched.
        pages: u64,
        /// What came.
        delivered_bytes: u64,
        /// Without and with the advice.
        elapsed_ns: (u64, u64),
    },
}

impl Why {
    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Why::CallsAndAFault { .. } => "calls-and-a-fault",
            Why::MmapCostsMost { .. } => "mmap-costs-most",
            Why::FaultCostsMost { .. } => "fault-costs-most",
            Why::MunmapCostsMost { .. } => "munmap-costs-most",
            Why::AgainstRead { .. } => "against-read",
            Why::MadeUpByTheByte { .. } => "made-up-by-the-byte",
            Why::DearerByTheByte { .. } => "dearer-by-the-byte",
            Why::LargerFolios { .. } => "larger-folios",
            Why::ACallALook { .. } => "a-call-a-look",
            Why::FirstTouches { .. } => "first-touches",
            Why::ReadAround { .. } => "read-around",
            Why::NoReadAhead { .. } => "no-read-ahead",
            Why::AdviceSwitchedItOff { .. } => "advice-switched-it-off",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::CallsAndAFault { calls, faults: (read_faults, map_faults), more_ns, page_bytes } => {
                let none = |faults: u64| match faults {
                    0 => "no page fault".to_owned(),
                    faults => many(faults, "page fault"),
                };
                if let Some((read, map)) = calls {
                    write!(f, "Each read took {} and {}", listed(read), none(*read_faults))?;
                    write!(f, "; each mapping {} and {}.", listed(map), none(*map_faults))?;
                } else {
                    write!(f, "Each read took {}, each mapping {}.", none(*read_faults), none(*map_faults))?;
                }
                write!(
                    f,
                    " Changing the address space twice and the fault between cost {} more than a read() that copies {}.",
                    format_ns(*more_ns),
                    format_bytes(*page_bytes)
                )
            }
            Why::MmapCostsMost { share } => write!(
                f,
                "mmap() is {} of the whole: it finds a free range of addresses and notes down which file stands there.",
                percent(*share)
            ),
            Why::FaultCostsMost { share } => write!(
                f,
                "The touch is {} of the whole, and each one was counted as a page fault: the processor stops, the kernel \
                 finds the page in the cache and enters it into the page table, and the load is done again.",
                percent(*share)
            ),
            Why::MunmapCostsMost { share } => write!(
                f,
                "munmap() is {} of the whole: the page leaves the page table again, and the processor must forget it.",
                percent(*share)
            ),
            Why::AgainstRead { own_ns, read_ns } => write!(
                f,
                "What a mapping has of its own, mmap, fault and munmap, took {}; the one read() that does the same for a file \
                 of this size took {}.",
                format_ns(*own_ns),
                format_ns(*read_ns)
            ),
            Why::MadeUpByTheByte {
                bytes,
                more_ns,
                up_to_bytes,
                read_ns,
                map_ns,
                pages_a_fault,
                meets_bytes,
            } => {
                write!(f, "{}", at_first(*bytes, *more_ns))?;
                let (read, map) = (format_ns(*read_ns), format_ns(*map_ns));
                let (up_to, meets) = (format_bytes(*up_to_bytes), format_bytes(*meets_bytes));
                write!(
                    f,
                    " But up to {up_to} each further MiB costs {read} through read() and {map} through the"
                )?;
                write!(f, " mapping{}. By that the two are even", a_fault(*pages_a_fault))?;
                write!(f, " near {meets}, and that is where the measured times meet.")
            }
            Why::DearerByTheByte { bytes: (first, last), more_ns, read_ns, map_ns, pages_a_fault } => {
                write!(f, "{}", at_first(*first, *more_ns))?;
                let (read, map, last) = (format_ns(*read_ns), format_ns(*map_ns), format_bytes(*last));
                write!(
                    f,
                    " And each larger size adds more to it than to read(), up to {last} {map} against {read}"
                )?;
                write!(f, "{}. So it never makes up for its start.", a_fault(*pages_a_fault))
            }
            Why::LargerFolios { bytes: (smaller, larger), folios, faults } => write!(
                f,
                "At {} there is a jump: the cache holds that file in folios of {}, that of {} in folios of {}. A fault maps \
                 larger ones as a whole, so the larger file takes {} instead of {}.",
                format_bytes(*larger),
                many(folios.1, "page"),
                format_bytes(*smaller),
                many(folios.0, "page"),
                many(faults.1.round() as u64, "fault"),
                format_count(faults.0.round() as u64)
            ),
            Why::ACallALook { looks, pread, touch } => write!(
                f,
                "For {} looks the preads made {}, the touches {}. And no touch took a page fault, since every page had been \
                 mapped before: a touch is one load, and the kernel has no part in it.",
                format_count(*looks),
                many(*pread, "system call"),
                format_count(*touch)
            ),
            Why::FirstTouches { looks, faults, first_ns, touch_ns, differ, pread_ns, batches } => {
                let a_fault_ns = (first_ns - touch_ns) * *looks as f64 / *faults as f64;
                let (faults, looks) = (format_count(*faults), format_count(*looks));
                write!(f, "Through a new mapping, {faults} of {looks} looks took a page fault.")?;
                let (first, touch) = (format_ns(*first_ns), format_ns(*touch_ns));
                write!(
                    f,
                    " All looks of a pass counted, one took {first} there on average, through the used mapping {touch}"
                )?;
                let end = match (differ, first_ns > pread_ns) {
                    (false, _) => {
                        ". The spreads of the two overlap, so what the faults add cannot be told.".to_owned()
                    }
                    (true, true) => format!(
                        ", and a pread() {}. A mapping has to be used for long to pay.",
                        format_ns(*pread_ns)
                    ),
                    (true, false) => format!(
                        ". Shared out among the faults, that is {} more for each.",
                        format_ns(a_fault_ns)
                    ),
                };
                f.write_str(&end)?;
                if *batches {
                    f.write_str(" (These are means; pread and touch above are medians of batches.)")?;
                }
                Ok(())
            }
            Why::ReadAround { windows, window_bytes, predicted_bytes, delivered_bytes, major_faults } => {
                write!(
                    f,
                    "A fault on a missing page reads a window around it. read_ahead_kb is {}: {} of {} around these touches, \
                 overlaps counted once, hold {}; {} came, in {}.",
                    window_bytes / 1024,
                    many(*windows, "window"),
                    format_bytes(*window_bytes),
                    format_bytes(*predicted_bytes),
                    format_bytes(*delivered_bytes),
                    many(*major_faults, "major fault")
                )
            }
            Why::NoReadAhead { pages, window_bytes } => write!(
                f,
                "read_ahead_kb is {}, less than two pages, so nothing is read around a fault: {} came.",
                window_bytes / 1024,
                many(*pages, "page")
            ),
            Why::AdviceSwitchedItOff { pages, delivered_bytes, elapsed_ns: (plain, random) } => {
                write!(
                    f,
                    "With MADV_RANDOM nothing is read around a fault: {} were touched, and {} came. The touches took {}, without \
                     the advice {}.",
                    many(*pages, "page"),
                    format_bytes(*delivered_bytes),
                    format_ns(*random as f64),
                    format_ns(*plain as f64)
                )
            }
        }
    }
}

impl From<Why> for Cause {
    fn from(why: Why) -> Cause {
        Cause { id: why.id().to_owned(), text: why.to_string() }
    }
}

fn at_first(bytes: u64, more_ns: f64) -> String {
    format!("At {} a mapping takes {} longer.", format_bytes(bytes), format_ns(more_ns))
}

fn a_fault(pages: Option<f64>) -> String {
    pages.map_or_else(String::new, |pages| {
        if pages < 1.5 {
            ", where a fault maps one page".to_owned()
        } else {
            format!(", where a fault maps {} pages", format_count(pages.round() as u64))
        }
    })
}

/// `openat, read and close`; `2 read` where there are two.
fn listed(calls: &Counts) -> String {
    let words: Vec<String> = calls
        .iter()
        .map(|(name, count)| if *count == 1 { name.clone() } else { format!("{count} {name}") })
        .collect();
    let total = calls.values().copied().fold(0, u64::saturating_add);
    match words.split_last() {
        Some((last, [])) => format!("1 system call ({last})"),
        Some((last, others)) => format!("{total} system calls ({} and {last})", others.join(", ")),
        None => "no system call".to_owned(),
    }
}
