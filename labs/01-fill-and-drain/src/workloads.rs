//! The programs that this lab runs, as children or in its own process, and the learner by hand.

pub mod dontneed;
pub mod drain;
pub mod dropswitch;
pub mod fill;
pub mod refill;
pub mod squeeze;

use lesson::Workload;

/// All of them.
pub fn all() -> Vec<Workload> {
    vec![
        Workload::new("fill", "Write a new file, and say what the lines of /proc/meminfo did", fill::run),
        Workload::new("drain", "Evict a file, and say what the lines of /proc/meminfo did", drain::run),
        Workload::new(
            "dontneed",
            "Ask the kernel once to drop four files, each held in its own way",
            dontneed::run,
        ),
        Workload::new("refill", "Read the beginning of an evicted file, and say how much came", refill::run),
        Workload::new("squeeze", "Fill a memory limit with cache, then ask it for memory", squeeze::run),
        Workload::new(
            "dropswitch",
            "Open /proc/sys/vm/drop_caches for writing, and write nothing",
            dropswitch::run,
        ),
    ]
}
