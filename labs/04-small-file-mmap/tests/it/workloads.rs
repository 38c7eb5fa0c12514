//! The workloads on a real disk and a real kernel, at a small size. Relations are asserted, never times.

use instruments::evict::evict;
use instruments::pages::page_bytes;
use instruments::testing::undisturbed;
use lesson::testing::by_hand::{self, Fields, disk_file, number};
use std::fs::File;

const SIZE: u64 = 8 << 20;

/// See [`by_hand::run`].
fn run(name: &str, args: &[&str]) -> Result<Fields, String> {
    by_hand::run(&small_file_mmap::lab(), name, args)
}

#[test]
fn a_mapping_takes_its_fault_every_time() {
    let Some((_scratch, file)) = disk_file(page_bytes()) else { return };
    let mapped = run("openmap", &[&file, "--times", "400", "--warm"]).expect("our own file");
    assert_eq!((number(&mapped, "times"), number(&mapped, "bytes")), (400, page_bytes()));
    // Other tests of this process take faults at the same time, so there may be more.
    assert!(number(&mapped, "minor_faults") >= 400, "{mapped:?}");
    assert!(!mapped.contains_key("touch_ns"));
}

#[test]
fn steps_lie_within_their_batch() {
    let Some((_scratch, file)) = disk_file(SIZE) else { return };
    for (name, keys) in [
        ("openmap", &["open_ns", "mmap_ns", "touch_ns", "munmap_ns", "close_ns"][..]),
        ("openread", &["open_ns", "read_ns", "close_ns"]),
    ] {
        for extra in [&["--steps"][..], &["--steps", "--sum"]] {
            let args = [&[&*file, "--times", "7", "--warm"], extra].concat();
            let fields = run(name, &args).expect("our own file");
            let sum: u64 = keys.iter().map(|key| number(&fields, key)).sum();
            assert!(sum <= number(&fields, "batch_ns"), "{fields:?}");
            assert!(number(&fields, "batch_ns") <= number(&fields, "elapsed_ns"), "{fields:?}");
            assert!(fields.contains_key("clocks_ns"));
        }
    }
}

#[test]
fn all_ways_to_look_find_the_same_bytes() {
    let Some((_scratch, file)) = disk_file(SIZE + 7) else { return };
    let sum = |by, seed| {
        let args = [&file, "--by", by, "--times", "5000", "--seed", seed, "--warm"];
        number(&run("looks", &args).expect("our own file"), "sum")
    };
    let pread = sum("pread", "1");
    assert!(pread > 0);
    assert_eq!([sum("touch", "1"), sum("first-touch", "1")], [pread; 2]);
    assert_ne!(sum("touch", "2"), pread, "other places");
}

#[test]
fn advice_brings_in_the_touched_pages_and_no_other() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(4 * SIZE) else { return };
        if let Err(stuck) = evict(&File::open(&file).expect("our own file")) {
            return eprintln!("skipped: no cold file here: {stuck}");
        }
        let resident = || {
            let found = instruments::residency::of_file(&File::open(&file).expect("our own file"));
            found.expect("a regular file").known().map(|found| found.resident_pages)
        };
        let scattered = run("scatter", &[&file, "--cold", "--random"]).expect("our own file");
        let mut pages: Vec<&str> = scattered["at_pages"].split(',').collect();
        assert_eq!(pages.len(), 20);
        pages.sort_unstable();
        pages.dedup();
        let Some(advised) = resident() else { return eprintln!("skipped: residency is unknown here") };
        assert_eq!(advised, pages.len() as u64);
        run("scatter", &[&file, "--cold"]).expect("our own file");
        assert!(resident() >= Some(advised), "at least the pages that were touched");
    });
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (name, args, says) in [
        ("openread", &["--size", "4K", "--block", "0"][..], "a block has from 1 B to 1 GiB"),
        ("openread", &["--size", "4K", "--times", "0"], "0 is not in 1"),
        ("openmap", &["/dev/null"], "it is a device"),
        ("looks", &["/"], "it is a directory"),
        ("scatter", &["/no/such/file"], "there is no such file"),
        ("scatter", &["--size", "1M", "--touches", "1001"], "1001 is not in 1..=1000"),
    ] {
        let said = run(name, args).expect_err("refused");
        assert!(said.contains(says), "{name} {args:?}: {said}");
    }
}
