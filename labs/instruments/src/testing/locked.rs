//! A file that somebody holds mapped and locked into memory: none of its pages can be taken meanwhile.

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// A mapping of a whole file, locked as long as this lives.
#[derive(Debug)]
pub struct Locked(#[allow(dead_code, reason = "held, not looked at")] Mmap);

/// Map the whole of `file`, and lock it: the kernel brings in what is missing. See mlock(2).
pub fn locked(file: &File) -> io::Result<Locked> {
    // SAFETY: nobody ever looks through this mapping, so it does not matter who writes to the file or cuts it short;
    // the kernel's own look, for mlock(2), ends in an error where there is nothing.
    let map = unsafe { Mmap::map(file) }?;
    map.lock()?;
    Ok(Locked(map))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_is_locked_is_told_by_the_kernel() {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(&[1; 9000]).expect("room");
        let held = locked(file.as_file()).expect("a few pages may be locked by anybody");
        let name = file.path().to_str().expect("an ordinary name");
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("ours");
        let (_, ours) = maps.split_once(name).expect("it is mapped");
        let flags = ours.lines().find(|line| line.starts_with("VmFlags:")).expect("flags");
        assert!(flags.split_whitespace().any(|flag| flag == "lo"), "{flags}");
        drop(held);
        assert!(!std::fs::read_to_string("/proc/self/smaps").expect("ours").contains(name));
    }
}
