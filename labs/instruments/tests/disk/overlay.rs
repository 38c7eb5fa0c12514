//! On overlayfs the pages hang on a file of the layer below: cachestat(2) finds none, and a live system's layer may be
//! memory.

use crate::{disk, file, known, skip};
use instruments::evict::{Stuck, evict};
use instruments::pages::page_bytes;
use instruments::residency::{Method, map, of_file};
use instruments::scratch::Scratch;
use instruments::testing::undisturbed;
use memmap2::MmapOptions;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An overlay mounted in `scratch`, with its layers in `layers`; unmounted when dropped.
struct Overlay(PathBuf);

impl Overlay {
    fn mount(scratch: &Scratch, layers: &Path, option: &str) -> Option<Overlay> {
        let at = scratch.path().join("overlay");
        for dir in [at.clone(), layers.join("lower"), layers.join("upper"), layers.join("work")] {
            fs::create_dir(dir).unwrap();
        }
        let layer = |name: &str| layers.join(name).display().to_string();
        let (lower, upper, work) = (layer("lower"), layer("upper"), layer("work"));
        let options = format!("lowerdir={lower},upperdir={upper},workdir={work}{option}");
        let mount =
            Command::new("mount").args(["-t", "overlay", "overlay", "-o", &options]).arg(&at).output();
        if !mount.is_ok_and(|mount| mount.status.success()) {
            skip("an overlay cannot be mounted here");
            return None;
        }
        Some(Overlay(at))
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
fn pages_are_counted_and_evicted_through_an_overlay() {
    undisturbed(|| {
        // The second never writes when it is told to: the kernel has to come round by itself.
        for option in ["", ",volatile"] {
            let Some(outer) = disk() else { return };
            let Some(overlay) = Overlay::mount(&outer, outer.path(), option) else { return };
            let scratch = Scratch::create(Some(&overlay.0)).expect("its layers lie on a disk");
            let (_, file) = file(&scratch, 100 * page_bytes());
            let written = known(of_file(&file));
            assert_eq!((written.method, written.resident_pages), (Method::Mincore, 100));
            assert_eq!(evict(&file).expect("nothing keeps it").before_pages, 100);
            assert_eq!(known(of_file(&file)).resident_pages, 0);
            assert!(known(map(&file, 7)).iter().all(|cell| cell.resident_pages == 0));

            let mapping = MmapOptions::new().map_raw_read_only(&file).unwrap();
            // SAFETY: the first byte is mapped and readable, and the file is not cut short.
            std::hint::black_box(unsafe { mapping.as_ptr().read_volatile() });
            let stuck = evict(&file).expect_err("it is mapped");
            assert!(
                matches!(&stuck, Stuck::Mapped { pids, .. } if *pids == [std::process::id()]),
                "{stuck:?}"
            );
        }
    });
}

#[test]
fn an_overlay_that_lives_in_memory_is_refused() {
    let shm = Path::new("/dev/shm");
    let magic = nix::sys::statfs::statfs(shm).map(|found| found.filesystem_type());
    if magic != Ok(nix::sys::statfs::TMPFS_MAGIC) {
        return skip("/dev/shm is not tmpfs here");
    }
    let Some(outer) = disk() else { return };
    let layers = tempfile::tempdir_in(shm).unwrap();
    let Some(overlay) = Overlay::mount(&outer, layers.path(), "") else { return };
    let why = Scratch::create(Some(&overlay.0)).expect_err("nothing can be evicted there").to_string();
    assert!(why.contains("stays in memory") && why.contains("--dir"), "{why}");
    let nothing = fs::read_dir(&overlay.0).unwrap().count();
    assert_eq!(nothing, 0);
}
