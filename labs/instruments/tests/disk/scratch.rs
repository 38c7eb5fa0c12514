//! A scratch directory is there while it is needed and gone on every way out; its refusals are one clear line.

use crate::thread::as_nobody;
use crate::{disk, known, skip};
use instruments::Unavailable;
use instruments::residency::of_file;
use instruments::scratch::{Scratch, content};
use instruments::testing::undisturbed;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

fn refusal(dir: &Path) -> String {
    Scratch::create(Some(dir)).expect_err("it will not do").to_string()
}

#[test]
fn it_goes_when_dropped_with_all_that_is_in_it() {
    let Some(scratch) = disk() else { return };
    let path = scratch.path().to_owned();
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.starts_with(&format!("page-cache-tutor-{}-", std::process::id())));
    assert!(path.is_absolute());
    assert!(instruments::scratch::is_one(&path) && !instruments::scratch::is_one(path.parent().unwrap()));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    scratch.write("data", 100, &mut |_| ()).unwrap();
    fs::create_dir_all(path.join("a/b")).unwrap();
    fs::write(path.join("a/b/file"), "x").unwrap();
    std::os::unix::fs::symlink("/etc", path.join("a/link")).unwrap();
    drop(scratch);
    assert!(!path.exists());
    assert!(Path::new("/etc/passwd").exists());
}

#[test]
fn memory_will_do_only_where_nothing_has_to_be_evicted() {
    let shm = Path::new("/dev/shm");
    let Ok(scratch) = Scratch::create_anywhere(Some(shm)) else { return skip("/dev/shm is not to be had") };
    assert!(scratch.path().starts_with(shm));
    if !refusal(shm).contains("tmpfs") {
        skip("/dev/shm is no tmpfs");
    }
    let usual = Scratch::create_anywhere(None).expect("a place of any kind");
    if let Some(disk) = disk() {
        assert_eq!(usual.path().parent(), disk.path().parent(), "a disk is preferred");
    }
}

#[test]
fn it_goes_when_a_panic_unwinds() {
    let Some(scratch) = disk() else { return };
    let path = scratch.path().to_owned();
    let result = std::panic::catch_unwind(move || {
        let _held = scratch;
        panic!("on purpose");
    });
    assert!(result.is_err());
    assert!(!path.exists());
}

#[test]
fn a_file_is_written_whole_and_left_in_the_cache() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let bytes = content::PIECE_BYTES as u64 * 2 + 777;
        let mut told = Vec::new();
        let path = scratch.write("data", bytes, &mut |sum| told.push(sum)).unwrap();
        assert_eq!(told, [1 << 20, 2 << 20, bytes]);
        assert_eq!(path, scratch.path().join("data"));
        let data = fs::read(&path).unwrap();
        assert_eq!(data.len() as u64, bytes);
        assert_eq!(data.iter().map(|&byte| u64::from(byte)).sum::<u64>(), content::byte_sum(bytes));
        let residency = known(of_file(&File::open(&path).unwrap()));
        assert_eq!(residency.resident_pages, residency.pages);

        let before = fs::metadata(&path).unwrap().ino();
        let held = File::open(&path).unwrap();
        scratch.write("data", 5, &mut |_| ()).unwrap();
        assert_ne!(fs::metadata(&path).unwrap().ino(), before, "a new file, not the old one cut short");
        assert_eq!(fs::metadata(&path).unwrap().len(), 5);
        assert_eq!(held.metadata().unwrap().len(), bytes);

        scratch.remove("data").unwrap();
        assert!(!path.exists());
        assert!(scratch.remove("data").expect_err("gone").to_string().contains("No such file"));
    });
}

#[test]
fn only_plain_names_are_taken() {
    let Some(scratch) = disk() else { return };
    for name in ["", ".", "..", "../x", "/etc/x", "a/b", "lock"] {
        let why = scratch.write(name, 1, &mut |_| ()).expect_err(name).to_string();
        assert!(why.contains("it is not the name of a scratch file"), "{why}");
        scratch.remove(name).expect_err(name);
    }
    // A link in it is replaced, not followed.
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::write(outside.path(), "untouched").unwrap();
    std::os::unix::fs::symlink(outside.path(), scratch.path().join("link")).unwrap();
    scratch.write("link", 1, &mut |_| ()).unwrap();
    assert_eq!(fs::read_to_string(outside.path()).unwrap(), "untouched");
}

#[test]
fn no_room_is_said_before_anything_is_written() {
    let Some(scratch) = disk() else { return };
    let free = scratch.free_bytes().unwrap();
    let why = scratch.write("data", free * 2, &mut |_| ()).expect_err("too large").to_string();
    assert!(why.contains(" are free there; --size ") && why.contains(" would fit, or "), "{why}");
    assert!(!scratch.path().join("data").exists());
}

#[test]
fn a_directory_that_vanishes_is_one_clear_line() {
    let Some(scratch) = disk() else { return };
    let path = scratch.path().to_owned();
    let mut vanish = |_| drop(fs::remove_dir_all(&path));
    let why = scratch.write("data", 3 << 20, &mut vanish).expect_err("it vanished");
    let expected = format!(
        "cannot write {}: somebody removed the scratch directory meanwhile; run it again",
        path.join("data").display()
    );
    assert_eq!(why.to_string(), expected);
    assert_eq!(scratch.write("data", 1, &mut |_| ()).expect_err("still").to_string(), expected);
    assert!(scratch.free_bytes().is_ok());
    drop(scratch);
    assert!(!path.exists());
}

#[test]
fn a_file_that_vanishes_is_one_clear_line() {
    let Some(scratch) = disk() else { return };
    let file = scratch.path().join("data");
    let mut vanish = |_| drop(fs::remove_file(&file));
    let why = scratch.write("data", 3 << 20, &mut vanish).expect_err("it vanished").to_string();
    assert!(why.ends_with("somebody removed the file meanwhile; run it again"), "{why}");
}

#[test]
fn a_panic_while_writing_leaves_no_lock_behind() {
    let Some(scratch) = disk() else { return };
    let write = || scratch.write("data", 1, &mut |_| panic!("on purpose"));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).expect_err("a panic");
    scratch.write("data", 1, &mut |_| ()).expect("as before");
}

#[test]
fn memory_is_refused_with_what_to_do() {
    let shm = Path::new("/dev/shm");
    let magic = nix::sys::statfs::statfs(shm).map(|found| found.filesystem_type());
    if magic != Ok(nix::sys::statfs::TMPFS_MAGIC) {
        return skip("/dev/shm is not tmpfs here");
    }
    let why = refusal(shm);
    let expected = "cannot use /dev/shm for scratch files: it is tmpfs: files there live in memory and cannot be \
                    evicted; give a directory on a disk with --dir";
    assert!(why.starts_with(expected), "{why}");
    assert!(!why.ends_with("/dev/shm"), "{why}");
    assert!(fs::read_dir(shm).unwrap().flatten().all(|entry| {
        let name = entry.file_name();
        !name.to_string_lossy().starts_with(&format!("page-cache-tutor-{}-", std::process::id()))
    }));
}

#[test]
fn impossible_places_are_refused_in_one_line() {
    let Some(scratch) = disk() else { return };
    let file = scratch.write("data", 1, &mut |_| ()).unwrap();
    let pipe = scratch.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let line = |path: &PathBuf, why| format!("cannot use {} for scratch files: {why}", path.display());
    let missing = scratch.path().join("missing");
    let no_directory = "it is not a directory; give a directory with --dir";
    assert_eq!(
        refusal(&missing),
        line(&missing, "it does not exist; make it first, or give another with --dir")
    );
    assert_eq!(refusal(&file), line(&file, no_directory));
    assert_eq!(refusal(&pipe), line(&pipe, no_directory));
    let closed = PathBuf::from("/sys");
    assert!(refusal(&closed).starts_with(&line(&closed, "")), "{}", refusal(&closed));
}

#[test]
fn where_others_may_not_write_they_are_told() {
    let Some(scratch) = disk() else { return };
    let dir = scratch.path().join("readable");
    fs::create_dir(&dir).unwrap();
    fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let Some(why) = as_nobody(|| refusal(&dir)) else { return };
    let expected = "you may not write there; give a directory that you may write to with --dir";
    assert!(why.ends_with(expected), "{why}");
}

#[test]
fn relative_places_become_absolute() {
    let Some(scratch) = disk() else { return };
    let inner = scratch.path().join("a");
    fs::create_dir(&inner).unwrap();
    let nested = Scratch::create(Some(&inner.join("../a"))).unwrap();
    assert_eq!(nested.path().parent(), Some(inner.canonicalize().unwrap().as_path()));
}

#[test]
fn a_disk_that_fills_up_meanwhile_is_one_clear_line() {
    let Some(outer) = disk() else { return };
    let Some(small) = SmallDisk::mount(&outer) else { return };
    let scratch = Scratch::create(Some(&small.0)).unwrap();
    let free = scratch.free_bytes().unwrap();
    let mut fill = |sum| {
        if sum == 1 << 20 {
            // Somebody else needs the room, too.
            drop(fs::write(small.0.join("other"), vec![1; free as usize - (3 << 20)]));
        }
    };
    let why = scratch.write("data", free - (1 << 20), &mut fill).expect_err("no room");
    assert!(matches!(why, Unavailable::Failed { .. }));
    let why = why.to_string();
    assert!(why.contains("No space left on device"), "{why}");
    assert!(why.contains("--dir"), "{why}");
    assert!(!scratch.path().join("data").exists(), "no half file is left");
}

/// An ext4 of 24 MiB on a loop device, unmounted when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(scratch: &Scratch) -> Option<SmallDisk> {
        if !nix::unistd::geteuid().is_root() {
            skip("only root may mount");
            return None;
        }
        let (image, at) = (scratch.path().join("image"), scratch.path().join("mounted"));
        File::create(&image).unwrap().set_len(24 << 20).unwrap();
        fs::create_dir(&at).unwrap();
        let ran = |program: &str, args: &[&Path]| {
            std::process::Command::new(program)
                .args(args)
                .output()
                .is_ok_and(|output| output.status.success())
        };
        let made = ran("mkfs.ext4", &[Path::new("-q"), &image]);
        let mounted = made && ran("mount", &[Path::new("-o"), Path::new("loop"), &image, &at]);
        if !mounted {
            skip("no ext4 on a loop device here");
        }
        mounted.then_some(SmallDisk(at))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}
