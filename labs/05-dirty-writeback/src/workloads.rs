//! The programs that this lab runs as children, and the learner by hand. They write, so each makes a scratch file of
//! its own: a file of the learner's is never touched.

pub mod count;
pub mod dwrite;
pub mod flushwatch;
pub mod made;
pub mod mmapwrite;
pub mod onebyte;
pub mod roundtrip;

use lesson::Workload;

/// All of them.
pub fn all() -> Vec<Workload> {
    vec![
        Workload::new(
            "mmapwrite",
            "Store into every byte of a mapped file, and count what is on the disk then",
            mmapwrite::run,
        ),
        Workload::new("onebyte", "Change one byte of a clean file, and count the dirty pages", onebyte::run),
        Workload::new("dwrite", "Write a file in equal blocks, in a way that is durable or not", dwrite::run),
        Workload::new(
            "roundtrip",
            "Store without msync, evict, read back from the disk, compare every byte",
            roundtrip::run,
        ),
        Workload::new(
            "flushwatch",
            "Write a small file and wait until the kernel has written it by itself",
            flushwatch::run,
        ),
    ]
}
