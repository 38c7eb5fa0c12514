//! The programs of this lab, each also there as `tutor run NAME`.

pub mod cachepages;
pub mod mmapsum;
pub mod readsum;

use lesson::Workload;

/// All of them.
pub fn all() -> Vec<Workload> {
    vec![mmapsum::workload(), readsum::workload(), cachepages::workload()]
}
