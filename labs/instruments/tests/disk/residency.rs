//! How much is resident: the truth, cross-checked, or unknown with the reason.

use crate::thread::as_nobody;
use crate::{disk, file, known, skip, unknown};
use instruments::Unknown;
use instruments::evict::evict;
use instruments::pages::{page_bytes, pages_for};
use instruments::residency::{Method, map, of_file, of_range};
use instruments::testing::{CACHESTAT, refusing, undisturbed};
use std::fs::{File, OpenOptions, Permissions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Cold, but for the pages that cover `bytes` bytes from the start.
fn partly_resident(file: &File, bytes: usize) {
    evict(file).expect("nothing keeps it");
    let random = nix::fcntl::PosixFadviseAdvice::POSIX_FADV_RANDOM;
    nix::fcntl::posix_fadvise(file, 0, 0, random).expect("a hint");
    file.read_exact_at(&mut vec![0; bytes], 0).expect("read");
}

#[test]
fn an_empty_file_has_no_pages() {
    let Some(scratch) = disk() else { return };
    let (_, file) = file(&scratch, 0);
    let residency = known(of_file(&file));
    assert_eq!((residency.pages, residency.resident_pages), (0, 0));
    assert_eq!(known(map(&file, 10)), []);
    assert_eq!(evict(&file).expect("nothing to do").rounds, 0);
}

#[test]
fn a_partial_last_page_counts_and_ranges_are_cut_at_the_end() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let bytes = 3 * page_bytes() + 1;
        let (_, file) = file(&scratch, bytes);
        let pages = |offset, len| known(of_range(&file, offset, len)).pages;
        assert_eq!(known(of_file(&file)).pages, 4);
        assert_eq!(known(of_file(&file)).resident_pages, 4);
        assert_eq!(pages(page_bytes() - 1, 2), 2);
        assert_eq!(pages(3 * page_bytes(), u64::MAX), 1);
        assert_eq!(pages(page_bytes(), 0), 0);
        assert_eq!(pages(bytes, 1), 0);
        assert_eq!(pages(u64::MAX, u64::MAX), 0);
    });
}

#[test]
fn a_map_adds_up_to_the_whole() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let pages = 1003;
        let (_, file) = file(&scratch, pages * page_bytes());
        partly_resident(&file, 100 * page_bytes() as usize);
        let whole = known(of_file(&file));
        assert!(whole.resident_pages >= 100 && whole.resident_pages < pages);
        for buckets in [1, 7, 80, 1003, 5000] {
            let cells = known(map(&file, buckets));
            assert_eq!(cells.len(), buckets.min(1003));
            assert_eq!(cells.iter().map(|cell| cell.pages).sum::<u64>(), whole.pages);
            assert_eq!(cells.iter().map(|cell| cell.resident_pages).sum::<u64>(), whole.resident_pages);
            let sizes = || cells.iter().map(|cell| cell.pages);
            assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
            assert_eq!(cells[0].resident_pages, cells[0].pages.min(whole.resident_pages));
        }
        assert_eq!(known(map(&file, 0)), []);
    });
}

#[test]
fn a_sparse_terabyte_is_counted_in_no_time() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let (path, file) = file(&scratch, page_bytes());
        let writer = OpenOptions::new().write(true).open(path).unwrap();
        let terabyte = 1 << 40;
        if writer.set_len(terabyte).is_err() {
            return skip("this filesystem has no sparse terabyte");
        }
        writer.write_all_at(b"x", terabyte / 2).expect("a page in the middle");
        writer.write_all_at(b"x", terabyte - 1).expect("and one at the end");
        let started = Instant::now();
        let residency = known(of_range(&file, terabyte / 4, u64::MAX));
        if residency.method != Method::Cachestat {
            return skip("no cachestat(2) here");
        }
        let cells = known(map(&file, 100));
        assert!(started.elapsed() < Duration::from_secs(1));
        assert_eq!((residency.pages, residency.resident_pages), (pages_for(terabyte) / 4 * 3, 2));
        let filled: Vec<usize> = (0..100).filter(|&cell| cells[cell].resident_pages > 0).collect();
        assert_eq!(filled, [0, 50, 99]);
    });
}

#[test]
fn asking_changes_nothing() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let (_, file) = file(&scratch, 512 * page_bytes());
        partly_resident(&file, 50 * page_bytes() as usize);
        let before = known(of_file(&file)).resident_pages;
        for _ in 0..100 {
            assert_eq!(known(of_file(&file)).resident_pages, before);
            known(map(&file, 80));
        }
        refusing(&[CACHESTAT], libc::ENOSYS, || {
            for _ in 0..100 {
                assert_eq!(known(of_file(&file)).resident_pages, before);
                known(map(&file, 80));
            }
        });
        assert_eq!(known(of_file(&file)).resident_pages, before);
    });
}

#[test]
fn without_cachestat_mincore_counts_the_same() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let (_, file) = file(&scratch, 700 * page_bytes() + 1);
        partly_resident(&file, 70 * page_bytes() as usize);
        let first = known(of_file(&file));
        // A filter in an older container engine says EPERM: then the count is as true as after ENOSYS.
        for errno in [libc::ENOSYS, libc::EPERM] {
            let second = refusing(&[CACHESTAT], errno, || known(of_file(&file)));
            assert_eq!(second.method, Method::Mincore);
            assert_eq!((second.pages, second.resident_pages), (first.pages, first.resident_pages));
            assert_eq!(second.dirty_pages, None);
        }
        let cells = refusing(&[CACHESTAT], libc::ENOSYS, || known(map(&file, 9)));
        assert_eq!(cells.iter().map(|cell| cell.resident_pages).sum::<u64>(), first.resident_pages);
    });
}

#[test]
fn without_either_call_it_is_unknown() {
    let Some(scratch) = disk() else { return };
    let (_, file) = file(&scratch, page_bytes());
    let why = refusing(&[CACHESTAT, libc::SYS_mincore as u32], libc::ENOSYS, || unknown(of_file(&file)));
    assert!(matches!(&why, Unknown::Kernel(text) if text.contains("neither")), "{why}");
}

#[test]
fn mincore_windows_add_up() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let (path, file) = file(&scratch, page_bytes());
        let writer = OpenOptions::new().write(true).open(path).unwrap();
        // Three windows, with a page on both sides of an edge.
        writer.set_len(300 << 20).unwrap();
        writer.write_all_at(&[1; 2], (128 << 20) - 1).unwrap();
        let counted = refusing(&[CACHESTAT], libc::ENOSYS, || known(of_file(&file)));
        assert_eq!((counted.pages, counted.resident_pages), (pages_for(300 << 20), 3));
    });
}

#[test]
fn somebody_elses_file_is_unknown_and_never_a_number() {
    let check = |file: &File| {
        assert_eq!(unknown(of_file(file)), Unknown::NotPermitted);
        assert_eq!(unknown(map(file, 10)), Unknown::NotPermitted);
    };
    let check_mincore = |file: &File| {
        refusing(&[CACHESTAT], libc::ENOSYS, || assert_eq!(unknown(of_file(file)), Unknown::NotPermitted))
    };
    if !nix::unistd::geteuid().is_root() {
        let file = File::open("/etc/passwd").expect("everybody may read it");
        check(&file);
        return check_mincore(&file);
    }
    let Some(scratch) = disk() else { return };
    let (path, file) = file(&scratch, 10 * page_bytes());
    evict(&file).expect("nothing keeps it");
    let mode = |mode| std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();

    mode(0o644);
    as_nobody(|| check(&file));
    as_nobody(|| check_mincore(&file));
    // Opened for writing by somebody who could: cachestat looks at the open file, mincore at the user.
    let writer = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    as_nobody(|| check_mincore(&writer));
    as_nobody(|| assert_eq!(known(of_file(&writer)).resident_pages, 0));

    mode(0o666);
    as_nobody(|| assert_eq!(known(of_file(&file)).resident_pages, 0));
    as_nobody(|| {
        refusing(&[CACHESTAT], libc::ENOSYS, || assert_eq!(known(of_file(&file)).resident_pages, 0))
    });
}

#[test]
fn fincore_counts_the_same() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let (path, file) = file(&scratch, 600 * page_bytes() + 1);
        partly_resident(&file, 60 * page_bytes() as usize);
        let asked = Command::new("fincore")
            .args(["--bytes", "--noheadings", "--output", "PAGES"])
            .arg(&path)
            .output();
        let Ok(said) = asked else { return skip("fincore is not installed") };
        let said = String::from_utf8_lossy(&said.stdout).trim().parse::<u64>().expect("a number of pages");
        assert_eq!(known(of_file(&file)).resident_pages, said);
    });
}

#[test]
fn what_is_no_regular_file_is_refused_in_words() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let why = |path: &Path| {
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).unwrap();
        of_file(&file).expect_err("it has no pages").to_string()
    };
    assert_eq!(why(&pipe), "it is a pipe: only regular files are asked for their pages");
    assert_eq!(why(dir.path()), "it is a directory: only regular files are asked for their pages");
    assert_eq!(why(Path::new("/dev/null")), "it is a device: only regular files are asked for their pages");
}

#[test]
fn files_in_memory_are_resident() {
    let name = c"instruments";
    let memory = nix::sys::memfd::memfd_create(name, nix::sys::memfd::MFdFlags::MFD_CLOEXEC);
    let Ok(memory) = memory else { return skip("no memfd_create(2)") };
    let file = File::from(memory);
    file.write_all_at(b"x", 5 * page_bytes()).unwrap();
    assert!(file.as_raw_fd() >= 0);
    let residency = known(of_file(&file));
    assert_eq!(residency.pages, 6);
    assert!(residency.resident_pages >= 1);
}
