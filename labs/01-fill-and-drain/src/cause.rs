//! Every explanation that this lab can give. The acts choose; here stands what each one says.

mod text;

use instruments::evict::Stuck;
use lesson::Cause;

/// Why the machine answered as it did, with the figures that prove it.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// Cached grew by the file's size, and all of its pages are resident.
    WriteFilledIt {
        /// Files that were written.
        rounds: usize,
        /// Pages of each.
        pages: u64,
        /// The most of them that were dirty or being written; None where nobody tells.
        unwritten_pages: Option<u64>,
    },
    /// All of the file is resident, and reclaim took at least half as many pages of others.
    OthersLeft {
        /// File pages that reclaim took, in the middle round or during the first write.
        reclaimed_pages: u64,
        /// Only the first write had to make room; the others found what it had made.
        only_at_first: bool,
    },
    /// Pages of the file were missing right after its write, in a memory limit below its size.
    DidNotFit {
        /// The most pages that were resident after a write.
        resident_pages: u64,
        /// Pages of the file.
        pages: u64,
        /// The limit.
        limit_bytes: u64,
    },
    /// Free memory went, Cached did not grow, and nobody tells the file's residency.
    KeptElsewhere {
        /// Its filesystem.
        filesystem: String,
    },
    /// A line moves by a quarter of the file's size or more, whatever is done.
    OthersMovedIt {
        /// The line.
        line: &'static str,
        /// How far.
        noise_bytes: u64,
    },
    /// Free memory rose by the file's size, and MemAvailable stayed.
    CountedBefore {
        /// How far free memory went.
        free_bytes: i64,
        /// How far MemAvailable went, the processors' lists counted in.
        available_bytes: i64,
    },
    /// Pages went to lists of free pages that neither MemFree nor MemAvailable counts.
    OnProcessorsLists {
        /// How far those lists grew.
        percpu_bytes: i64,
        /// How far MemFree went, as printed.
        free_bytes: i64,
        /// How far MemAvailable went, as printed.
        available_bytes: i64,
    },
    /// Pages stayed after all that an eviction does.
    NotDrained(Stuck),
    /// Pages stayed while they were dirty, and went once they were written.
    DirtyStays {
        /// How many stayed.
        left_pages: u64,
        /// How many had been dirty. None where nobody tells.
        dirty_pages: Option<u64>,
    },
    /// Pages stayed while another process had them mapped, and went afterwards.
    MappedStays {
        /// How many stayed.
        left_pages: u64,
    },
    /// Pages of a file on tmpfs stayed, whatever was done.
    MemoryStays {
        /// How many stayed.
        left_pages: u64,
    },
    /// More came than was asked for, and with readahead switched off exactly what was asked for.
    ReadAhead {
        /// How much more.
        further_bytes: u64,
        /// The device's setting, where it is known.
        read_ahead_kb: Option<u64>,
        /// Pages asked for.
        pages: u64,
    },
    /// Exactly what was asked for came, also with readahead.
    NothingAhead {
        /// Pages asked for.
        pages: u64,
        /// The device's setting, where it is known.
        read_ahead_kb: Option<u64>,
    },
    /// Less was resident after the read than was read.
    TakenMeanwhile {
        /// Pages resident.
        resident_pages: u64,
        /// Pages read.
        asked_pages: u64,
        /// A memory limit below what was read.
        limit_bytes: Option<u64>,
    },
    /// Cache went for a program's memory.
    CacheGaveWay {
        /// How much.
        lost_bytes: u64,
        /// Processes that the out-of-memory killer took. None where the kernel does not tell.
        oom_kills: Option<u64>,
        /// Memory that went to swap. None where the kernel does not tell.
        swapped_bytes: Option<u64>,
        /// Pages of the file of which the kernel keeps a note that it evicted them. None where nobody tells.
        remembered_pages: Option<u64>,
    },
    /// The out-of-memory killer took the program.
    OomKilled {
        /// How many it took.
        kills: u64,
        /// Cache before.
        file_bytes: u64,
        /// A memory limit around this one, below what was asked for.
        limit_bytes: Option<u64>,
    },
    /// Memory of the program went to swap.
    SwappedOut {
        /// How much.
        swapped_bytes: u64,
    },
    /// The request itself failed.
    NotPromised {
        /// How.
        error: String,
    },
    /// Root may, others may not.
    EverybodysCache {
        /// The file's mode.
        mode: String,
    },
    /// Nobody may.
    SwitchLocked,
    /// What to do instead. True anywhere.
    InsteadOfTheSwitch,
}

impl Why {
    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Why::WriteFilledIt { .. } => "write-filled-it",
            Why::OthersLeft { .. } => "others-left",
            Why::DidNotFit { .. } => "did-not-fit",
            Why::KeptElsewhere { .. } => "kept-elsewhere",
            Why::OthersMovedIt { .. } => "others-moved-it",
            Why::CountedBefore { .. } => "counted-before",
            Why::OnProcessorsLists { .. } => "on-processors-lists",
            Why::NotDrained(_) => "not-drained",
            Why::DirtyStays { .. } => "dirty-stays",
            Why::MappedStays { .. } => "mapped-stays",
            Why::MemoryStays { .. } => "memory-stays",
            Why::ReadAhead { .. } => "read-ahead",
            Why::NothingAhead { .. } => "nothing-ahead",
            Why::TakenMeanwhile { .. } => "taken-meanwhile",
            Why::CacheGaveWay { .. } => "cache-gave-way",
            Why::OomKilled { .. } => "oom-killed",
            Why::SwappedOut { .. } => "swapped-out",
            Why::NotPromised { .. } => "not-promised",
            Why::EverybodysCache { .. } => "everybodys-cache",
            Why::SwitchLocked => "switch-locked",
            Why::InsteadOfTheSwitch => "instead-of-the-switch",
        }
    }
}

impl From<Why> for Cause {
    fn from(why: Why) -> Cause {
        Cause { id: why.id().to_owned(), text: why.to_string() }
    }
}
