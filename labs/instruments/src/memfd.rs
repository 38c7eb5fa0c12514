//! A file in memory that can be sealed against shrinking. See memfd_create(2).

use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::fs::File;
use std::io;

/// An empty file in memory, without a name in any directory, that allows seals.
pub fn create() -> io::Result<File> {
    Ok(memfd_create(c"page-cache-lab", MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING)?.into())
}

/// From now on nobody can make `file` shorter, and nobody can take that back: ftruncate(2) says EPERM, to everyone.
pub fn seal_against_shrinking(file: &File) -> io::Result<()> {
    fcntl(file, FcntlArg::F_ADD_SEALS(SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_SEAL))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_can_shorten_what_is_sealed() {
        let file = create().expect("Linux 3.17 on");
        file.set_len(100).expect("in memory");
        assert_eq!(crate::other_process::truncate(&file, 50).expect("forked").error_name(), "none");
        seal_against_shrinking(&file).expect("we allowed seals");
        assert_eq!(crate::other_process::truncate(&file, 10).expect("forked").error_name(), "EPERM");
        assert_eq!(file.metadata().expect("open").len(), 50);
        assert_eq!(
            crate::other_process::truncate(&file, 200).expect("forked").error_name(),
            "none",
            "it may grow"
        );
    }
}
