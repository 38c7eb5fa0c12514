//! The workloads on a real disk and a real kernel, at a small size. Relations are asserted, never times.

use instruments::scratch::Scratch;
use instruments::testing::undisturbed;
use lesson::testing::by_hand::{self, Fields, number};

/// See [`by_hand::run`].
fn run(name: &str, args: &[&str]) -> Result<Fields, String> {
    by_hand::run(&dirty_writeback::lab(), name, args)
}

/// Whether there is a real disk to write to, and a kernel that counts dirty pages; says why not.
fn can_count() -> bool {
    let looked = Scratch::create(None)
        .and_then(|scratch| instruments::Host::probe(scratch.path()))
        .map(|host| (host.cachestat, host.filesystem.kind));
    match looked {
        Ok((true, kind)) if kind != "overlay" => return true,
        Ok((true, _)) => eprintln!("skipped: nobody tells which pages are dirty below an overlay"),
        Ok((false, _)) => eprintln!("skipped: cachestat(2) does not answer here"),
        Err(why) => eprintln!("skipped: {why}"),
    }
    false
}

#[test]
fn stores_leave_every_page_dirty_and_ms_sync_none() {
    undisturbed(|| {
        if !can_count() {
            return;
        }
        let stored = run("mmapwrite", &["--size", "4M", "--msync", "sync"]).expect("our own file");
        assert_eq!(number(&stored, "dirty_before_pages"), 0);
        // The flusher of a busy machine may come in between; it can only have taken some of them away.
        let unwritten = number(&stored, "dirty_pages") + number(&stored, "writeback_pages");
        assert!(unwritten > 0 && number(&stored, "dirty_pages") <= number(&stored, "pages"), "{stored:?}");
        assert_eq!(
            (stored["dirty_after_pages"].as_str(), stored["writeback_after_pages"].as_str()),
            ("0", "0")
        );
    });
}

#[test]
fn ms_async_leaves_what_it_found() {
    undisturbed(|| {
        if !can_count() {
            return;
        }
        let stored = run("mmapwrite", &["--size", "4M", "--msync", "async"]).expect("our own file");
        assert!(number(&stored, "dirty_after_pages") <= number(&stored, "dirty_rested_pages"), "{stored:?}");
        if number(&stored, "dirty_settled_pages") < number(&stored, "pages") {
            eprintln!("the kernel wrote by itself meanwhile: {stored:?}");
        }
    });
}

#[test]
fn one_byte_is_inside_of_what_becomes_dirty() {
    undisturbed(|| {
        if !can_count() {
            return;
        }
        for (cached, by) in [("write", "store"), ("read", "write"), ("pages", "store"), ("pages", "write")] {
            let changed = run("onebyte", &["--size", "4M", "--cached", cached, "--by", by, "--places", "3"])
                .expect("our own file");
            let list = |key: &str| -> Vec<u64> {
                changed[key].split(',').map(|word| word.parse().expect("a number")).collect()
            };
            let (at, dirty) = (list("at_page"), list("dirty_pages"));
            let (first, last) = (list("first_dirty_page"), list("last_dirty_page"));
            assert_eq!(at.len(), 3);
            for place in 0..3 {
                assert!(dirty[place] >= 1 && dirty[place] <= number(&changed, "pages"), "{changed:?}");
                assert!((first[place]..=last[place]).contains(&at[place]), "{changed:?}");
            }
        }
    });
}

#[test]
fn what_each_way_to_write_leaves() {
    undisturbed(|| {
        if !can_count() {
            return;
        }
        for way in ["buffered", "fdatasync", "dsync", "sync", "direct", "direct-dsync"] {
            let args = ["--size", "1M", "--block", "64K", "--way", way, "--at-most-ms", "60000"];
            let written = match run("dwrite", &args) {
                Ok(written) => written,
                Err(why) if way.starts_with("direct") => {
                    eprintln!("skipped: {why}");
                    continue;
                }
                Err(why) => panic!("{way}: {why}"),
            };
            assert_eq!((number(&written, "writes"), number(&written, "bytes")), (16, 1 << 20), "{way}");
            let resident = number(&written, "resident_pages");
            let unwritten = number(&written, "dirty_pages") + number(&written, "writeback_pages");
            match way {
                "direct" | "direct-dsync" => assert_eq!((resident, unwritten), (0, 0), "{way}"),
                "buffered" => assert_eq!(resident, number(&written, "pages")),
                _ => assert_eq!((resident, unwritten), (number(&written, "pages"), 0), "{way}"),
            }
        }
    });
}

#[test]
fn a_write_ends_when_its_time_is_over_and_not_before_one_block() {
    let written = match run("dwrite", &["--size", "64M", "--block", "4K", "--at-most-ms", "0"]) {
        Ok(written) => written,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    assert_eq!(number(&written, "writes"), 1);
}

#[test]
fn every_byte_comes_back() {
    let back = match run("roundtrip", &["--size", "3000001"]) {
        Ok(back) => back,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    assert_eq!((number(&back, "compared_bytes"), number(&back, "mismatches")), (3_000_001, 0));
    assert_eq!(back["first_mismatch"], "none");
    assert_eq!(back["resident_before_pages"], "0");
}

#[test]
fn a_watch_ends_in_time() {
    if !can_count() {
        return;
    }
    let watched = run("flushwatch", &["--size", "64K", "--at-most", "1"]).expect("our own file");
    // Within a second the kernel writes it only for a reason of its own; either way the watch is over.
    assert!(watched["clean_after_ns"] == "unknown" || number(&watched, "clean_after_ns") < 2_000_000_000);
}

#[test]
fn bad_input_gets_one_clear_line() {
    for (name, args, says) in [
        ("mmapwrite", &["--size", "1M", "--dir", "/proc/self"][..], "cannot use /proc/self"),
        ("roundtrip", &["--size", "1M", "--dir", "/no/such/place"], "it does not exist"),
    ] {
        let said = run(name, args).expect_err("refused");
        assert!(said.contains(says), "{name} {args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
