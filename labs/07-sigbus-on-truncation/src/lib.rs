//! Lab 7: the error that read() would have returned.
pub mod workloads;
