//! The workloads on a real disk and a real kernel, at a small size. Relations are asserted, never times.

use instruments::pages::{page_bytes, pages_for};
use instruments::readahead_hints::Call;
use instruments::testing::undisturbed;
use lesson::testing::by_hand::{self, Fields, disk_file, number};

/// Many times what the smallest usual bound of one call is.
const SIZE: u64 = 32 << 20;

/// What no setting is smaller than on any disk that was ever met.
const SMALL_PIECE: &str = "128K";

/// See [`by_hand::run`].
fn run(name: &str, args: &[&str]) -> Result<Fields, String> {
    by_hand::run(&willneed_ignored::lab(), name, args)
}

#[test]
fn one_call_brings_no_more_than_pieces_do_and_pieces_bring_all() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(SIZE + 7) else { return };
        for call in ["fadvise", "madvise", "readahead"] {
            let one = run("willneed", &[&file, "--cold", "--call", call]).expect("our own file on a disk");
            let pieces = run("willneed", &[&file, "--cold", "--call", call, "--pieces", SMALL_PIECE])
                .expect("likewise");
            assert_eq!(
                (number(&one, "calls"), number(&pieces, "calls")),
                (1, SIZE / (128 << 10) + 1),
                "{call}"
            );
            assert_eq!(number(&pieces, "pages"), pages_for(SIZE + 7));
            assert_eq!(pieces["resident_pages"], pieces["pages"], "{call} in pieces");
            assert!(number(&one, "resident_pages") <= number(&pieces, "resident_pages"), "{call}");
        }
    });
}

#[test]
fn three_names_for_one_hint() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(SIZE) else { return };
        let resident = ["fadvise", "madvise", "readahead"].map(|call| {
            let run = run("willneed", &[&file, "--cold", "--call", call]).expect("our own file on a disk");
            number(&run, "resident_pages")
        });
        assert!(resident[0] > 0 && resident.iter().all(|pages| *pages == resident[0]), "{resident:?}");
    });
}

#[test]
fn populate_brings_all_by_one_call_and_the_hints_can_ask_for_a_part() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(SIZE) else { return };
        if Call::Populate.is_supported() {
            let all =
                run("willneed", &[&file, "--cold", "--call", "populate"]).expect("our own file on a disk");
            assert_eq!(all["resident_pages"], all["pages"]);
        } else {
            eprintln!("skipped: this kernel has no MADV_POPULATE_READ");
        }
        let part = run("willneed", &[&file, "--cold", "--bytes", "64K"]).expect("our own file on a disk");
        assert_eq!(number(&part, "resident_pages"), pages_for(64 << 10));
    });
}

#[test]
fn what_was_asked_for_is_not_read_again() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(SIZE) else { return };
        let args = [&*file, "--cold", "--pieces", SMALL_PIECE, "--then-read", "--pause", "1"];
        let both = run("willneed", &args).expect("our own file on a disk");
        assert_eq!(number(&both, "read_bytes"), SIZE);
        assert_eq!(both["resident_pages"], both["pages"]);
        if both["device_read_bytes"] == "unknown" {
            return eprintln!("skipped: this kernel does not count device bytes");
        }
        assert!(number(&both, "device_read_bytes") >= SIZE * 9 / 10, "{both:?}");
    });
}

#[test]
fn random_reads_bring_in_what_they_read() {
    undisturbed(|| {
        let Some((_scratch, file)) = disk_file(SIZE) else { return };
        for extra in [&["--block", "4K"][..], &["--mapped"]] {
            let args = [&[&*file, "--cold", "--advice", "random", "--bytes", "1M"], extra].concat();
            let random = run("hinted", &args).expect("our own file on a disk");
            assert_eq!(number(&random, "bytes"), 1 << 20);
            if extra == ["--mapped"] {
                assert_eq!(number(&random, "calls"), 0);
                assert!(number(&random, "major_faults") >= (1 << 20) / page_bytes() / 2, "{random:?}");
            } else {
                assert_eq!(number(&random, "calls"), 256);
            }
        }
    });
}

#[test]
fn a_time_limit_ends_it() {
    let Some((_scratch, file)) = disk_file(SIZE) else { return };
    let none = run("hinted", &[&file, "--for", "0"]).expect("our own file");
    assert_eq!((number(&none, "bytes"), number(&none, "calls")), (0, 0));
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (name, args, says) in [
        ("willneed", &["/dev/null"][..], "it is a device"),
        ("willneed", &["/"], "it is a directory"),
        ("willneed", &["/no/such/file"], "there is no such file"),
        ("hinted", &["/no/such/file"], "there is no such file"),
    ] {
        let said = run(name, args).expect_err("refused");
        assert!(said.contains(says), "{name} {args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    for (name, args, says) in [
        ("willneed", &["--size", "1M", "--call", "hope"][..], "hope is none of fadvise"),
        ("willneed", &["--size", "1M", "--pause", "5"], "--then-read"),
        ("hinted", &["--size", "1M", "--block", "0"], "a block has from 1 B to 1 GiB"),
        ("hinted", &["--size", "1M", "--mapped", "--for", "5"], "cannot be used with"),
    ] {
        let said = run(name, args).expect_err("refused");
        assert!(said.contains(says), "{name} {args:?}: {said}");
    }
}
