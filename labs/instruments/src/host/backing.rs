//! The file behind a loop device: it has pages of its own, and so a second cache lies below the filesystem's. See loop(4).

use super::device_below;
use super::tree::Tree;
use crate::residency::{self, Residency};
use crate::{Reading, Unknown, open};
use std::fs::File;
use std::path::Path;

/// The residency of the file behind the loop device on which the directory `dir` lies: the whole file, which also holds
/// whatever else the loop device holds.
///
/// None where `dir` lies on no loop device, or on something that in turn lies on one; and where the loop device reads
/// its file with O_DIRECT, past that cache. [`Reading::Unknown`] where this user may not read the file or know its
/// pages. It is opened for reading only, and asking changes none of its pages.
pub fn backing_file(dir: &Path) -> Option<Reading<Residency>> {
    Some(match opened(&Tree::real(), &device_below(dir)?.name)? {
        Reading::Known(file) => residency::of_file(&file).unwrap_or_else(|_| unknown("cannot be counted")),
        Reading::Unknown(why) => Reading::Unknown(why),
    })
}

/// The file behind the device of this name, where that is a loop device that reads through the page cache.
fn opened(tree: &Tree, device: &str) -> Option<Reading<File>> {
    let device = tree.path("sys/block").join(device);
    let path = tree.text(device.join("loop/backing_file"))?;
    if tree.number::<u64>(device.join("loop/dio")) != Some(0) {
        return None;
    }
    let Ok(file) = open::regular(Path::new(&path)) else {
        return Some(unknown("cannot be opened from here"));
    };
    // In a container the same path may be that of another file. One that is too small is not it.
    let sectors: Option<u64> = tree.number(device.join("size"));
    let offset: u64 = tree.number(device.join("loop/offset")).unwrap_or(0);
    let end = sectors.map(|sectors| offset.saturating_add(sectors.saturating_mul(512)));
    match (end, file.metadata()) {
        (Some(end), Ok(metadata)) if metadata.len() >= end => Some(Reading::Known(file)),
        _ => Some(unknown("is another one from here")),
    }
}

/// No path in it: a reason is shared with others.
fn unknown<T>(what: &str) -> Reading<T> {
    Reading::Unknown(Unknown::Kernel(format!("the file behind the loop device {what}")))
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake::Fake;
    use super::*;

    /// What is found behind loop0, whose file has 8192 bytes.
    fn behind(backing_file: Option<&str>, more: &[(&str, &str)]) -> Option<Result<u64, String>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        file.as_file().set_len(8192).expect("room for nothing");
        let path = file.path().to_str().expect("a plain name");
        let mut files = vec![("sys/block/loop0/loop/backing_file", backing_file.unwrap_or(path))];
        files.extend_from_slice(more);
        match opened(&Fake::new(&files).tree, "loop0")? {
            Reading::Known(file) => Some(Ok(file.metadata().expect("it is open").len())),
            Reading::Unknown(why) => Some(Err(why.to_string())),
        }
    }

    const SIZE: (&str, &str) = ("sys/block/loop0/size", "16\n");
    const BUFFERED: (&str, &str) = ("sys/block/loop0/loop/dio", "0\n");

    #[test]
    fn the_file_behind_a_loop_device_is_opened() {
        assert_eq!(behind(None, &[SIZE, BUFFERED]), Some(Ok(8192)));
    }

    #[test]
    fn a_loop_device_that_reads_past_the_cache_has_none_below() {
        assert_eq!(behind(None, &[SIZE, ("sys/block/loop0/loop/dio", "1\n")]), None);
        assert_eq!(behind(None, &[SIZE]), None, "nobody says how it reads");
    }

    #[test]
    fn another_disk_has_no_file_behind_it() {
        assert!(opened(&Fake::new(&[("sys/block/vda/size", "16\n")]).tree, "vda").is_none());
    }

    #[test]
    fn a_file_that_cannot_be_opened_or_is_another_one_is_unknown() {
        let told = |path, more: &[_]| behind(path, more).expect("a loop device").expect_err("unknown");
        for path in ["/nowhere/at/all", "/nowhere/image (deleted)", "/dev/null", "/"] {
            assert_eq!(
                told(Some(path), &[SIZE, BUFFERED]),
                "the file behind the loop device cannot be opened from here"
            );
        }
        let smaller = "the file behind the loop device is another one from here";
        assert_eq!(told(None, &[SIZE, BUFFERED, ("sys/block/loop0/loop/offset", "512\n")]), smaller);
        assert_eq!(told(None, &[BUFFERED]), smaller, "nobody says how large it has to be");
    }

    #[test]
    fn what_lies_in_memory_lies_on_no_loop_device() {
        assert_eq!(backing_file(Path::new("/proc")), None);
        assert_eq!(backing_file(Path::new("/nowhere/at/all")), None);
    }
}
