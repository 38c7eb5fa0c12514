//! The two marks that a workload sets around its own work, and that the counter recognises.
//!
//! A mark is a system call that does nothing: prctl(2) with an option that no kernel knows, answered with EINVAL.
//! Without a tracer it costs what any system call costs, and nobody sees it.

use std::ffi::c_int;

/// prctl(2) option of the start mark: "MtrS" in ASCII, far from the options that the kernel numbers from 1.
pub(crate) const START: u32 = 0x4d74_7253;
/// prctl(2) option of the end mark: "MtrE".
pub(crate) const END: u32 = 0x4d74_7245;

/// Set a mark.
pub(crate) fn set(mark: u32) {
    let option = c_int::try_from(mark).expect("both marks are below 2^31");
    // SAFETY: an option that the kernel does not know makes prctl read no argument and change nothing.
    let _ = unsafe { libc::prctl(option, 0, 0, 0, 0) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::errno::Errno;

    #[test]
    fn the_kernel_does_not_know_the_marks() {
        for mark in [START, END] {
            Errno::clear();
            set(mark);
            assert_eq!(Errno::last(), Errno::EINVAL);
        }
    }
}
