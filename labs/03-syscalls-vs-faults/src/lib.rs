//! Lab 3: what read() and mmap() each pay.
pub mod nearest;
pub mod workloads;
