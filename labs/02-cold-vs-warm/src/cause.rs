//! Every explanation that this lab can give. The acts choose; here stands what each one says.

use crate::pass::{Pass, count_of_pages};
use instruments::evict::Stuck;
use instruments::size::{format_bytes, format_count, format_ns, format_ratio};
use lesson::{Cause, Setting};
use std::fmt;

/// Why the machine answered as it did, with the figures that prove it.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// The write had left all of the file's pages in the cache.
    WritingWarmedIt {
        /// Rounds in which it was so, of how many.
        rounds: (usize, usize),
        /// Pages of the file.
        pages: u64,
        /// The fewest of them that were dirty or being written; None where only mincore(2) answers.
        unwritten_pages: Option<u64>,
        /// Whether the kernel counted what the device delivered; it was nothing.
        counted: bool,
    },
    /// Pages were missing before the first read, and the device delivered.
    WritingDidNotWarmIt {
        /// Rounds in which it was so, of how many.
        rounds: (usize, usize),
        /// The fewest pages resident before a first read.
        resident_pages: u64,
        /// Pages of the file.
        pages: u64,
        /// The most bytes that the device delivered to a first read.
        delivered_bytes: u64,
        /// And to a second one, where the kernel counts them.
        second_bytes: Option<u64>,
    },
    /// Cold runs took longer, and the device delivered the file to them only.
    WaitedForDevice {
        /// read() calls of a cold and of a warm run.
        calls: (u64, u64),
        /// Bytes from the device in a cold run.
        delivered_bytes: u64,
    },
    /// Cold runs got faster one after the other, though the device delivered the file each time.
    CacheBelow {
        /// Times of the first and the last cold run, nanoseconds.
        first_last_ns: (u64, u64),
        /// How many there were.
        runs: usize,
        /// What [`instruments::host::Device::below`] says.
        below: Option<String>,
    },
    /// Nothing of the file was resident before a cold run, but the file behind the loop device had it in memory.
    CacheBelowHeldIt {
        /// How many cold runs there were.
        runs: usize,
        /// The fewest bytes of the file behind the loop device that were resident before a cold run.
        held_bytes: u64,
        /// The most bytes that came there during one.
        came_bytes: u64,
    },
    /// The file was read through, and still not all of it was resident.
    NeverWarm {
        /// The most pages resident after reading all of them.
        resident_pages: u64,
        /// Pages of the file.
        pages: u64,
        /// Pages that reclaim took away, where the kernel tells.
        reclaimed_pages: Option<u64>,
        /// A memory limit smaller than the file, bytes.
        limit_bytes: Option<u64>,
    },
    /// The file could not be made cold.
    NotEvicted(Stuck),
    /// The warm run found all pages, and a counter that is known to work showed nothing.
    ServedFromMemory {
        /// Pages of the file.
        pages: u64,
        /// Bytes that the counter showed in the control run.
        control_bytes: u64,
    },
    /// Nothing was resident before the control run, and the counter did not show the file's bytes.
    CounterBlind {
        /// Bytes that were read.
        bytes: u64,
        /// Bytes that the counter showed.
        counted_bytes: u64,
    },
    /// O_DIRECT reads came from the device, though the file was cached.
    DirectWentPast {
        /// Bytes that the device delivered to a direct read.
        delivered_bytes: u64,
        /// Pages of the file, all of which were resident before.
        pages: u64,
        /// What was resident after such reads, where it is known.
        after: Option<After>,
    },
    /// O_DIRECT reads in larger blocks brought the same bytes sooner from the same device.
    WaitedForEach {
        /// What one request asked for.
        block_bytes: u64,
        /// And in the faster reads.
        large_bytes: u64,
        /// Bytes a second: in small blocks, in large ones.
        per_second: (u64, u64),
        /// How many times faster the large ones were.
        faster: f64,
    },
    /// O_DIRECT was accepted, and the device did not deliver the file.
    DirectUsedCache {
        /// The most bytes that the device delivered to a direct read.
        delivered_bytes: u64,
        /// Bytes that were read.
        bytes: u64,
    },
    /// O_DIRECT was refused, in the system's words.
    DirectRefused(String),
    /// What a test of the disk has to do. True anywhere.
    DiskTest,
}

/// The file's pages after reads that went past the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// Reads after which all of them were still resident.
    pub undisturbed: usize,
    /// All such reads.
    pub reads: usize,
    /// The fewest pages resident after one.
    pub fewest_pages: u64,
    /// How many of the others reclaim had taken then, where that is known.
    pub reclaimed_pages: Option<u64>,
}

impl Why {
    /// Pages missing before each warm run, just after the whole file had been read.
    pub fn never_warm(warm: &[Pass], size_bytes: u64, setting: &Setting) -> Option<Why> {
        let states: Vec<_> = warm.iter().filter_map(|pass| pass.before.known()).collect();
        let most = states.iter().max_by_key(|state| state.resident_pages)?;
        let limit = setting.host.cgroup.as_ref().and_then(|cgroup| cgroup.limit_bytes);
        (most.resident_pages < most.pages).then(|| Why::NeverWarm {
            resident_pages: most.resident_pages,
            pages: most.pages,
            reclaimed_pages: states.iter().filter_map(|state| state.evicted_pages).max(),
            limit_bytes: limit.filter(|limit| *limit < size_bytes),
        })
    }

    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Why::WritingWarmedIt { .. } => "writing-warmed-it",
            Why::WritingDidNotWarmIt { .. } => "writing-did-not-warm-it",
            Why::WaitedForDevice { .. } => "waited-for-device",
            Why::CacheBelow { .. } => "cache-below",
            Why::CacheBelowHeldIt { .. } => "cache-below-held-it",
            Why::NeverWarm { .. } => "never-warm",
            Why::NotEvicted(_) => "not-evicted",
            Why::ServedFromMemory { .. } => "served-from-memory",
            Why::CounterBlind { .. } => "counter-blind",
            Why::DirectWentPast { .. } => "direct-went-past",
            Why::WaitedForEach { .. } => "waited-for-each",
            Why::DirectUsedCache { .. } => "direct-used-cache",
            Why::DirectRefused(_) => "direct-refused",
            Why::DiskTest => "disk-test",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::WritingWarmedIt { rounds, pages: all, unwritten_pages, counted } => {
                let pages = count_of_pages(*all);
                write!(f, "{}, all {pages} were resident before the first read: ", in_rounds(*rounds))?;
                f.write_str("the write had put them there. So the first read was a warm one")?;
                f.write_str(if *counted { ", and the device delivered nothing." } else { "." })?;
                match unwritten_pages {
                    Some(unwritten) if unwritten == all => f.write_str(" Not one of them was on the disk yet."),
                    Some(unwritten @ 1..) => {
                        write!(f, " At least {} of them were not on the disk yet.", format_count(*unwritten))
                    }
                    _ => Ok(()),
                }
            }
            Why::WritingDidNotWarmIt { rounds, resident_pages, pages, delivered_bytes, second_bytes } => {
                let (resident, pages) = (format_count(*resident_pages), count_of_pages(*pages));
                let delivered = format_bytes(*delivered_bytes);
                write!(
                    f,
                    "{}, pages were missing before the first read: as few as {resident} of {pages} were resident, and \
                     the device delivered up to {delivered}. So the write had not left the whole file in memory.",
                    in_rounds(*rounds)
                )?;
                match second_bytes {
                    Some(second @ 1..) => {
                        let second = format_bytes(*second);
                        write!(f, " Nor had the first read: the device delivered up to {second} to the second.")
                    }
                    _ => Ok(()),
                }
            }
            Why::WaitedForDevice { calls: (cold, warm), delivered_bytes } => {
                if cold == warm {
                    write!(f, "Both made the same {} read() calls.", format_count(*cold))?;
                } else {
                    let (cold, warm) = (format_count(*cold), format_count(*warm));
                    write!(f, "A cold run made {cold} read() calls, a warm one {warm}.")?;
                }
                let delivered = format_bytes(*delivered_bytes);
                write!(f, " The cold run first had to get {delivered} from the device; for the warm run they were in memory.")
            }
            Why::CacheBelow { first_last_ns: (first, last), runs, below } => {
                let (first, last) = (format_ns(*first as f64), format_ns(*last as f64));
                write!(
                    f,
                    "The {runs} cold runs got faster one after the other, from {first} to {last}, while the device \
                     delivered the whole file each time. That is how a cache below the device shows itself"
                )?;
                match below {
                    Some(below) => write!(f, "; this device is {below}."),
                    None => f.write_str("; nothing here tells which one."),
                }
            }
            Why::CacheBelowHeldIt { runs, held_bytes, came_bytes } => {
                f.write_str("Before ")?;
                match runs {
                    1 => f.write_str("the cold run")?,
                    runs => write!(f, "each of the {runs} cold runs")?,
                }
                write!(
                    f,
                    " nothing of the file itself was resident, but the file behind the loop device had at least {} in \
                     memory, and no run brought ",
                    format_bytes(*held_bytes)
                )?;
                let delivered = match came_bytes {
                    0 => {
                        f.write_str("anything more there")?;
                        "the file"
                    }
                    came => {
                        write!(f, "more than another {} there", format_bytes(*came))?;
                        "the rest of the file"
                    }
                };
                write!(
                    f,
                    ". So the loop device delivered {delivered} from that memory: a cold run copied from one cache to \
                     another."
                )
            }
            Why::NeverWarm { resident_pages, pages, reclaimed_pages, limit_bytes } => {
                let (resident, pages) = (format_count(*resident_pages), count_of_pages(*pages));
                write!(f, "After a read of all {pages}, at most {resident} were resident: the file never got warm.")?;
                if let Some(reclaimed @ 1..) = reclaimed_pages {
                    write!(f, " The kernel had taken {} back.", count_of_pages(*reclaimed))?;
                }
                match limit_bytes {
                    Some(limit) => {
                        write!(f, " A memory limit of {} leaves no room for all of it.", format_bytes(*limit))
                    }
                    None => Ok(()),
                }
            }
            Why::NotEvicted(stuck) => {
                write!(f, "The file could not be made cold: {stuck}.")?;
                match what_to_do_about(stuck) {
                    Some(remedy) => write!(f, " What helps: {remedy}."),
                    None => Ok(()),
                }
            }
            Why::ServedFromMemory { pages, control_bytes } => {
                let (pages, control) = (count_of_pages(*pages), format_bytes(*control_bytes));
                write!(
                    f,
                    "All {pages} were resident, so read() copied them from memory. The counter can be trusted: in the \
                     cold control run, the same counter showed {control}."
                )
            }
            Why::CounterBlind { bytes, counted_bytes } => {
                let (bytes, counted) = (format_bytes(*bytes), format_bytes(*counted_bytes));
                write!(
                    f,
                    "Nothing was resident before the control run, it read {bytes}, and the counter showed {counted}. \
                     The counter does not follow what this filesystem reads, so it proves nothing about the warm run."
                )
            }
            Why::DirectWentPast { delivered_bytes, pages, after } => {
                let (delivered, all) = (format_bytes(*delivered_bytes), count_of_pages(*pages));
                let stayed = after.is_some_and(|after| after.undisturbed == after.reads);
                let when = if stayed { "before and after" } else { "before" };
                write!(
                    f,
                    "All {all} were resident {when}, and still the device delivered {delivered} to the O_DIRECT read: \
                     it went past the cache."
                )?;
                let Some(After { undisturbed, reads, fewest_pages, reclaimed_pages }) =
                    after.filter(|_| !stayed)
                else {
                    return Ok(());
                };
                let fewest = format_count(fewest_pages);
                match undisturbed {
                    0 => write!(
                        f,
                        " After one such read {fewest} were resident, and nothing tells whether it or somebody else took \
                         the others."
                    )?,
                    _ => write!(
                        f,
                        " After {undisturbed} of {reads} such reads all were still there, so such a read takes nothing \
                         away. After the rest as few as {fewest} were: somebody else took what was missing."
                    )?,
                }
                match reclaimed_pages {
                    Some(taken @ 1..) => {
                        write!(f, " Reclaim, which makes room for others, had {}.", count_of_pages(taken))
                    }
                    _ => Ok(()),
                }
            }
            Why::WaitedForEach { block_bytes, large_bytes, per_second: (small, large), faster } => write!(
                f,
                "The device can do more: with O_DIRECT in blocks of {} it delivered {}/s instead of {}/s, {} as much. \
                 So small requests leave it waiting: each call asks for {}, and the next only once it has come.",
                format_bytes(*large_bytes),
                format_bytes(*large),
                format_bytes(*small),
                format_ratio(*faster),
                format_bytes(*block_bytes)
            ),
            Why::DirectUsedCache { delivered_bytes, bytes } => {
                let (delivered, bytes) = (format_bytes(*delivered_bytes), format_bytes(*bytes));
                write!(
                    f,
                    "O_DIRECT was accepted, but the device delivered {delivered} of {bytes}: this filesystem \
                     served the rest of those reads in some other way."
                )
            }
            Why::DirectRefused(why) => {
                write!(f, "This filesystem refused to read the file with O_DIRECT: {why}.")
            }
            Why::DiskTest => f.write_str(
                "A test of a disk shows its state beside its speed: no page resident before the run, or O_DIRECT, and \
                 as many bytes from the device as were read. A speed alone cannot tell a disk from memory.",
            ),
        }
    }
}

impl From<Why> for Cause {
    fn from(why: Why) -> Cause {
        Cause { id: why.id().to_owned(), text: why.to_string() }
    }
}

fn in_rounds((some, all): (usize, usize)) -> String {
    if some == all { format!("In each of {all} rounds") } else { format!("In {some} of {all} rounds") }
}

/// What the learner can do about pages that stay, where something can be done.
pub fn what_to_do_about(stuck: &Stuck) -> Option<&'static str> {
    match stuck {
        Stuck::InMemory(_) => Some("a file on a real disk, such as one in /var/tmp"),
        Stuck::Dirty { .. } => Some("wait until the writes are done and try again"),
        Stuck::Mapped { .. } => Some("end the programs that map the file"),
        Stuck::Unexplained { .. } | Stuck::Unprovable(_) | Stuck::Failed(_) => None,
    }
}
