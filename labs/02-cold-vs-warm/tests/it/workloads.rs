//! The workloads on a real disk and a real kernel, at a small size. Relations are asserted, never times.

use cold_vs_warm::workloads::cread::{Loop, read_through};
use instruments::buffer::Buffer;
use instruments::testing::undisturbed;
use instruments::{Reading, direct, residency};
use lesson::testing::by_hand::{self, Fields, disk_file, number};
use std::fs::{self, File};
use std::path::Path;

const SIZE: u64 = 8 << 20;
const BLOCK: usize = 128 << 10;

/// See [`by_hand::run`].
fn run(name: &str, args: &[&str]) -> Result<Fields, String> {
    by_hand::run(&cold_vs_warm::lab(), name, args)
}

fn resident_pages(path: &str) -> Option<u64> {
    let file = File::open(path).expect("our own file");
    match residency::of_file(&file).expect("a regular file") {
        Reading::Known(state) => Some(state.resident_pages),
        Reading::Unknown(why) => {
            eprintln!("skipped: {why}");
            None
        }
    }
}

#[test]
fn a_loop_reads_all_and_finds_the_end_with_one_call_more() {
    let Some((_scratch, path)) = disk_file(SIZE + 7) else { return };
    let mut file = File::open(path).expect("our own file");
    let done = read_through(&mut file, &mut Buffer::touched(BLOCK), u64::MAX, 1).expect("a regular file");
    // 64 whole blocks, the 7 bytes, and the call that returns 0.
    assert_eq!(done, Loop { bytes: SIZE + 7, calls: 66 });
}

#[test]
fn a_loop_stops_at_its_limit() {
    let Some((_scratch, path)) = disk_file(SIZE) else { return };
    let mut file = File::open(path).expect("our own file");
    let limit = BLOCK as u64 + 1;
    let done = read_through(&mut file, &mut Buffer::touched(BLOCK), limit, 1).expect("a regular file");
    assert_eq!(done, Loop { bytes: limit, calls: 2 });
}

#[test]
fn a_direct_loop_gets_the_same_bytes_to_the_last() {
    let Some((_scratch, path)) = disk_file(SIZE + 7) else { return };
    let mut direct = match direct::open(Path::new(&path)) {
        Ok(direct) => direct,
        Err(error) => return eprintln!("skipped: no O_DIRECT here: {error}"),
    };
    let mut buffer = Buffer::touched(SIZE as usize + BLOCK);
    let align = direct.offset_align_bytes;
    let done = read_through(&mut direct.file, &mut buffer, u64::MAX, align).expect("aligned");
    assert_eq!(done.bytes, SIZE + 7);
    let expected = fs::read(&path).expect("our own file");
    assert!(buffer[..expected.len()] == expected, "the bytes differ");
}

#[test]
fn evicted_then_read_cold_then_warm() {
    undisturbed(|| {
        let Some((_scratch, path)) = disk_file(SIZE) else { return };
        if resident_pages(&path).is_none() {
            return;
        }
        let evicted = run("evict", &[&path]).expect("our own file on a disk");
        assert_eq!(evicted["after_pages"], "0");
        assert!(number(&evicted, "before_pages") > 0, "the write had left it in the cache");
        assert_eq!(resident_pages(&path), Some(0));

        let cold = run("cread", &[&path]).expect("our own file");
        assert_eq!((number(&cold, "bytes"), number(&cold, "calls")), (SIZE, 65));
        assert_eq!(number(&cold, "block_bytes"), BLOCK as u64);
        let state = run("residency", &[&path]).expect("our own file");
        assert_eq!(state["resident_pages"], state["pages"], "a read leaves all of it in the cache");

        let warm = run("cread", &[&path]).expect("our own file");
        assert_eq!(number(&warm, "calls"), number(&cold, "calls"), "the same calls, cold or warm");
        if warm["device_read_bytes"] == "unknown" {
            return eprintln!("skipped: this kernel does not count device bytes");
        }
        // Other tests of this process read at the same time, so more may be counted here than this read's own.
        assert!(number(&cold, "device_read_bytes") >= SIZE * 9 / 10, "{cold:?}");
    });
}

#[test]
fn a_direct_read_leaves_an_evicted_file_cold() {
    let Some((_scratch, path)) = disk_file(SIZE) else { return };
    if let Err(error) = direct::open(Path::new(&path)) {
        return eprintln!("skipped: no O_DIRECT here: {error}");
    }
    run("cread", &[&path, "--direct", "--cold"]).expect("our own file on a disk");
    if let Some(resident) = resident_pages(&path) {
        assert_eq!(resident, 0);
    }
}

#[test]
fn random_advice_reads_no_further_than_asked() {
    undisturbed(|| {
        let Some((_scratch, path)) = disk_file(SIZE) else { return };
        run("cread", &[&path, "--cold", "--random-advice", "--block", "4K", "--bytes", "64K"])
            .expect("our own file on a disk");
        if let Some(resident) = resident_pages(&path) {
            assert_eq!(resident, (64_u64 << 10).div_ceil(instruments::pages::page_bytes()));
        }
    });
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (name, args, says) in [
        ("cread", &["/dev/null"][..], "it is a device"),
        ("cread", &["/"], "it is a directory"),
        ("evict", &["/no/such/file"], "there is no such file"),
        ("residency", &["/"], "it is a directory"),
    ] {
        let said = run(name, args).expect_err("refused");
        assert!(said.contains(says), "{name} {args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_block_that_no_loop_can_read_with_is_bad_usage() {
    for block in ["0", "2G"] {
        let said = run("cread", &["--size", "1M", "--block", block]).expect_err("refused");
        assert!(said.contains("a block has from 1 B to 1 GiB"), "{said}");
    }
}

#[test]
fn a_block_off_the_alignment_is_refused_before_any_read() {
    let Some((_scratch, path)) = disk_file(SIZE) else { return };
    if direct::open(Path::new(&path)).map_or(1, |direct| direct.offset_align_bytes) == 1 {
        return eprintln!("skipped: no O_DIRECT here, or any alignment is taken");
    }
    let said = run("cread", &[&path, "--direct", "--block", "7"]);
    let said = said.expect_err("refused");
    assert!(said.contains("make it a multiple of"), "{said}");
}
