//! Eviction: proven, or refused with the cause that is there.

use crate::thread::as_nobody;
use crate::{disk, file, known, skip};
use instruments::evict::{Stuck, evict};
use instruments::pages::{page_bytes, pages_for};
use instruments::residency::of_file;
use instruments::testing::undisturbed;
use instruments::{Unknown, scratch::content};
use memmap2::{MmapOptions, MmapRaw};
use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

fn mapping(file: &File) -> MmapRaw {
    MmapOptions::new().map_raw_read_only(file).expect("a regular file")
}

fn touch(mapping: &MmapRaw) {
    // SAFETY: the first byte is mapped and readable while `mapping` lives, and the file is not cut short.
    let byte = unsafe { mapping.as_ptr().read_volatile() };
    std::hint::black_box(byte);
}

#[test]
fn a_written_file_gets_cold_and_reads_back_the_same() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let bytes = (8 << 20) + 100;
        let (_, mut file) = file(&scratch, bytes);
        let written = known(of_file(&file));
        assert_eq!((written.pages, written.resident_pages), (pages_for(bytes), pages_for(bytes)));

        let evicted = evict(&file).expect("nothing keeps it");
        assert_eq!(evicted.before_pages, pages_for(bytes));
        assert!(evicted.rounds >= 1);
        assert_eq!(known(of_file(&file)).resident_pages, 0);
        assert_eq!(evict(&file).expect("cold already").rounds, 0);

        let mut read = Vec::new();
        file.read_to_end(&mut read).unwrap();
        assert_eq!(known(of_file(&file)).resident_pages, pages_for(bytes));
        assert_eq!(read.len() as u64, bytes);
        assert_eq!(read.iter().map(|&byte| u64::from(byte)).sum::<u64>(), content::byte_sum(bytes));
    });
}

#[test]
fn mapped_pages_stay_and_the_process_is_named() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let (_, file) = file(&scratch, 64 * page_bytes());
        let mapping = mapping(&file);
        evict(&file).expect("a mapping that nobody touched keeps nothing");
        touch(&mapping);
        match evict(&file) {
            Err(Stuck::Mapped { pages, pids }) => {
                assert!(pages >= 1);
                assert_eq!(pids, [std::process::id()]);
            }
            other => panic!("{other:?}"),
        }
        drop(mapping);
        evict(&file).expect("nobody maps it any more");
    });
}

#[test]
fn another_process_that_maps_it_is_named() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        // A program file is mapped by whoever runs it.
        let Ok(program) = std::fs::read("/bin/sleep") else { return skip("no /bin/sleep") };
        let path = scratch.path().join("program");
        std::fs::write(&path, program).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
        let file = File::open(&path).unwrap();
        // As busybox is called by its name.
        let link = scratch.path().join("sleep");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let Some(mut child) = start(&link) else { return };
        let stuck = evict(&file);
        child.kill().unwrap();
        child.wait().unwrap();
        match stuck {
            Err(Stuck::Mapped { pids, .. }) => assert_eq!(pids, [child.id()]),
            other => panic!("{other:?}"),
        }
        evict(&file).expect("the program has ended");
    });
}

/// Start a program and wait until it sleeps: from then on it has mapped what it runs.
fn start(sleep: &Path) -> Option<Child> {
    let mut tries = 0;
    let child = loop {
        match Command::new(sleep).arg("60").spawn() {
            Ok(child) => break child,
            // Another test has just forked, and its child still has our handle for writing.
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy && tries < 100 => tries += 1,
            Err(error) => {
                skip(&format!("programs may not run from here: {error}"));
                return None;
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let stat = format!("/proc/{}/stat", child.id());
    for _ in 0..1000 {
        if std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") S ")) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Some(child)
}

#[test]
fn memory_has_nothing_to_evict_to() {
    let memory = nix::sys::memfd::memfd_create(c"instruments", nix::sys::memfd::MFdFlags::MFD_CLOEXEC);
    let Ok(memory) = memory else { return skip("no memfd_create(2)") };
    let file = File::from(memory);
    file.set_len(page_bytes()).unwrap();
    assert_eq!(evict(&file), Err(Stuck::InMemory("tmpfs".to_owned())));
}

#[test]
fn what_is_no_regular_file_is_refused() {
    match evict(&File::open("/").unwrap()) {
        Err(Stuck::Failed(why)) => assert!(why.contains("it is a directory"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn somebody_elses_file_goes_but_nobody_can_prove_it() {
    let Some(scratch) = disk() else { return };
    let (path, file) = file(&scratch, 64 * page_bytes());
    std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let Some(stuck) = as_nobody(|| evict(&file)) else { return };
    assert_eq!(stuck, Err(Stuck::Unprovable(Unknown::NotPermitted)));
    assert_eq!(known(of_file(&file)).resident_pages, 0);
}
