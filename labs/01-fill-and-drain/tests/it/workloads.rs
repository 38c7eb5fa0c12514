//! The workloads on a real disk and a real kernel, at a small size. Relations are asserted, never times.

use instruments::testing::undisturbed;
use lesson::testing::by_hand::{self, Fields, disk_file, number};

const SIZE: u64 = 16 << 20;

/// See [`by_hand::run`].
fn run(name: &str, args: &[&str]) -> Result<Fields, String> {
    by_hand::run(&fill_and_drain::lab(), name, args)
}

#[test]
fn what_is_written_is_resident() {
    undisturbed(|| {
        if disk_file(SIZE).is_none() {
            return;
        }
        let filled = run("fill", &["--size", "16M"]).expect("there is room");
        assert_eq!(number(&filled, "bytes"), SIZE);
        assert_eq!(filled["resident_pages"], filled["pages"]);
    });
}

#[test]
fn a_file_drains_at_once_and_piece_by_piece() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(SIZE) else { return };
        for over in ["0s", "100ms"] {
            let drained = run("drain", &[&file, "--warm", "--over", over]).expect("nobody holds it");
            assert!(number(&drained, "before_pages") > 0, "it was warm: {drained:?}");
            assert_eq!(drained["after_pages"], "0");
            assert!(
                over == "0s" || number(&drained, "elapsed_ns") >= 70_000_000,
                "it was spread: {drained:?}"
            );
        }
    });
}

#[test]
fn half_a_file_comes_and_without_readahead_not_a_page_more() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(SIZE) else { return };
        let half = number(&run("refill", &[&file]).expect("our own file"), "bytes");
        assert_eq!(half, SIZE / 2);
        let ordinary = run("refill", &[&file]).expect("our own file");
        let without = run("refill", &[&file, "--random-advice"]).expect("our own file");
        let asked = half.div_ceil(instruments::pages::page_bytes());
        assert_eq!(number(&without, "resident_pages"), asked);
        assert!(number(&ordinary, "resident_pages") >= asked, "{ordinary:?}");
        let little = run("refill", &[&file, "--random-advice", "--bytes", "64K"]).expect("our own file");
        assert_eq!(
            number(&little, "resident_pages"),
            (64_u64 << 10).div_ceil(instruments::pages::page_bytes())
        );
    });
}

#[test]
fn one_call_drops_the_clean_file_and_neither_the_mapped_one_nor_the_one_in_memory() {
    undisturbed(|| {
        if disk_file(SIZE).is_none() {
            return;
        }
        let four = run("dontneed", &["--size", "4M"]).expect("there is room");
        for file in ["clean", "written", "mapped", "memory"] {
            assert_eq!(four[&format!("{file}_before_pages")], four["pages"], "{file}");
        }
        assert_eq!(four["clean_after_pages"], "0");
        assert_eq!(four["mapped_after_pages"], four["pages"]);
        assert_eq!(four["mapped_unmapped_pages"], "0");
        assert_eq!(four["written_synced_pages"], "0");
        assert_eq!(
            (&four["memory_after_pages"], &four["memory_synced_pages"]),
            (&four["pages"], &four["pages"])
        );
    });
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (name, args, says) in [
        ("squeeze", &["--size", "1M", "--alloc", "1M"][..], "meant for a memory limit of its own"),
        ("drain", &["/"], "it is a directory"),
        ("refill", &["/no/such/file"], "there is no such file"),
    ] {
        let said = run(name, args).expect_err("refused");
        assert!(said.contains(says), "{name} {args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    for (name, args) in
        [("fill", ["--over", "soon"]), ("dontneed", ["--size", "1G"]), ("dontneed", ["--size", "0"])]
    {
        assert!(run(name, &args).is_err(), "{name} {args:?}");
    }
}
