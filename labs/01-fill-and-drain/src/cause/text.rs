//! What each cause says.

use super::Why;
use crate::words::{moved, pages, signed};
use instruments::evict::Stuck;
use instruments::size::{format_bytes, format_count};
use std::fmt;

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::WriteFilledIt { rounds, pages: count, unwritten_pages } => {
                write!(
                    f,
                    "After each of {rounds} writes all {} of the file were in memory: write() had put them there, and \
                     Cached counts them.",
                    pages(*count)
                )?;
                match unwritten_pages {
                    Some(unwritten @ 1..) => write!(
                        f,
                        " As many as {} of them were not yet on the disk.",
                        format_count(*unwritten)
                    ),
                    _ => Ok(()),
                }
            }
            Why::OthersLeft { reclaimed_pages, only_at_first } => {
                let reclaimed = pages(*reclaimed_pages);
                write!(f, "Memory was full: to make room for the file, the kernel took {reclaimed} of others ")?;
                f.write_str("out of the cache. Cache makes way for cache.")?;
                f.write_str(if *only_at_first {
                    " That was the first write, which you watched; the next ones found the room that it had made."
                } else {
                    ""
                })
            }
            Why::DidNotFit { resident_pages, pages: count, limit_bytes } => write!(
                f,
                "Of the {} of a file, at most {} were in memory right after its write. A memory limit of {} leaves no room \
                 for all: while the end of the file came, its beginning went.",
                pages(*count),
                format_count(*resident_pages),
                format_bytes(*limit_bytes)
            ),
            Why::KeptElsewhere { filesystem } => {
                let filesystem = if filesystem.is_empty() { "this filesystem" } else { filesystem };
                write!(
                    f,
                    "Free memory went and Cached did not grow: {filesystem} keeps what it caches in a place of its own, \
                     which /proc/meminfo does not count as cache."
                )
            }
            Why::OthersMovedIt { line, noise_bytes } => write!(
                f,
                "Other programs use this machine, and its counters are everybody's: in as long a time, {line} moves by as \
                 much as {} without us. Try again when it is quiet, or with a larger --size.",
                format_bytes(*noise_bytes)
            ),
            Why::CountedBefore { free_bytes, available_bytes } => write!(
                f,
                "{}, and what is available went by {} only: MemAvailable had counted those clean pages before they were \
                 free, since a program that needed memory would have got them. This is the number to look at, not MemFree.",
                moved("Free memory", *free_bytes as f64),
                signed(*available_bytes as f64)
            ),
            Why::OnProcessorsLists { percpu_bytes, free_bytes, available_bytes } => write!(
                f,
                "As printed, MemFree went by {} and MemAvailable by {}. Both leave out {} of freed pages: they wait on \
                 lists that single processors keep for themselves, and no line of /proc/meminfo counts those. The kernel \
                 empties them again little by little.",
                signed(*free_bytes as f64),
                signed(*available_bytes as f64),
                format_bytes(percpu_bytes.unsigned_abs())
            ),
            Why::NotDrained(stuck) => {
                write!(f, "The file could not be drained: {stuck}.")?;
                match stuck {
                    Stuck::InMemory(_) => f.write_str(" What helps: a file on a disk."),
                    Stuck::Dirty { .. } => {
                        f.write_str(" What helps: wait until the disk has written them, and try again.")
                    }
                    Stuck::Mapped { .. } => f.write_str(" What helps: end the programs that map it."),
                    Stuck::Unexplained { .. } | Stuck::Unprovable(_) | Stuck::Failed(_) => Ok(()),
                }
            }
            Why::DirtyStays { left_pages, dirty_pages } => {
                write!(f, "Dirty pages stay: {} of the file just written did", pages(*left_pages))?;
                if let Some(dirty) = dirty_pages {
                    write!(f, ", {} had been dirty", format_count(*dirty))?;
                }
                f.write_str(
                    ". Their only copy is in memory. Once fdatasync() had brought them to the disk, the same call took all.",
                )
            }
            Why::MappedStays { left_pages } => write!(
                f,
                "Mapped pages stay: {} did while another process had them in its page tables. Once it had let go, the \
                 same call took all.",
                pages(*left_pages)
            ),
            Why::MemoryStays { left_pages } => write!(
                f,
                "A tmpfs cannot be drained: all {} stayed, also after fdatasync(). There is no disk below it, so memory is \
                 where the file lives.",
                pages(*left_pages)
            ),
            Why::ReadAhead { further_bytes, read_ahead_kb, pages: count } => {
                write!(
                    f,
                    "The kernel reads ahead of a sequential reader: {} more than was asked for.",
                    format_bytes(*further_bytes)
                )?;
                if let Some(kb) = read_ahead_kb {
                    write!(f, " This device's read_ahead_kb is {kb}.")?;
                }
                write!(f, " With readahead switched off, the same read left {}, and no more.", pages(*count))
            }
            Why::NothingAhead { pages: count, read_ahead_kb } => {
                write!(f, "Nothing was read ahead: {} were asked for, and as many came.", pages(*count))?;
                match read_ahead_kb {
                    Some(kb) => write!(f, " This device's read_ahead_kb is {kb}."),
                    None => Ok(()),
                }
            }
            Why::TakenMeanwhile { resident_pages, asked_pages, limit_bytes } => {
                write!(
                    f,
                    "{} were read, and only {} are in memory: the others left again, or were never kept.",
                    pages(*asked_pages),
                    format_count(*resident_pages)
                )?;
                match limit_bytes {
                    Some(limit) => {
                        write!(f, " A memory limit of {} leaves no room for all of them.", format_bytes(*limit))
                    }
                    None => Ok(()),
                }
            }
            Why::CacheGaveWay { lost_bytes, oom_kills, swapped_bytes, remembered_pages } => {
                write!(
                    f,
                    "Clean cache is memory that can be had: the kernel dropped {} of it while the program wrote to its own",
                    format_bytes(*lost_bytes)
                )?;
                match (oom_kills, swapped_bytes) {
                    (Some(0), Some(0)) => f.write_str("; nothing was killed, nothing swapped.")?,
                    (Some(0), _) => f.write_str("; nothing was killed.")?,
                    _ => f.write_str(".")?,
                }
                match remembered_pages {
                    Some(remembered @ 1..) => write!(
                        f,
                        " Of {} it keeps a note, in case they are wanted back soon: evicted, not just absent.",
                        pages(*remembered)
                    ),
                    _ => Ok(()),
                }
            }
            Why::OomKilled { kills, file_bytes, limit_bytes } => {
                let cache = format_bytes(*file_bytes);
                write!(f, "The out-of-memory killer took {kills} of the limit's processes. Of {cache} of cache in it ")?;
                match limit_bytes {
                    Some(limit) => write!(
                        f,
                        "all may have gone before: a memory limit of {} lies around this one, below what was asked for.",
                        format_bytes(*limit)
                    ),
                    None => f.write_str("not enough could go, or not soon enough."),
                }
            }
            Why::SwappedOut { swapped_bytes } => write!(
                f,
                "{} of the program's memory went to swap: the kernel held it for less useful than the cache. How it \
                 weighs the two is vm.swappiness.",
                format_bytes(*swapped_bytes)
            ),
            Why::NotPromised { error } => write!(
                f,
                "The request for memory was refused ({error}) before any of it was written to: this system bounds what may \
                 be promised (vm.overcommit_memory, ulimit -v), not only what is used."
            ),
            Why::EverybodysCache { mode } => write!(
                f,
                "The file's mode is {mode}, and root's alone, since the cache is everybody's: the switch drops all clean \
                 pages of all files, and each program waits for the disk again. Dirty pages stay even so. The kernel's own \
                 documentation does not recommend it outside of testing and debugging."
            ),
            Why::SwitchLocked => f.write_str(
                "The switch is the whole machine's, and what runs here is held in: it is kept from settings that others \
                 would feel.",
            ),
            Why::InsteadOfTheSwitch => f.write_str(
                "What replaces it: posix_fadvise(DONTNEED) after fdatasync() for the files that you measure, as `tutor run \
                 evict` does, with a count as proof; memory.reclaim for a cgroup (version 2, Linux 5.19 on); O_DIRECT to \
                 measure a disk.",
            ),
        }
    }
}
