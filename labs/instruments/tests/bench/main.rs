//! The bench on a real disk, with a shell script for a tutor.

use instruments::bench::{Progress, Quiet};
use instruments::residency::{self, Bucket};
use instruments::scratch::Scratch;
use instruments::subject::Exit;
use instruments::testing::undisturbed;
use instruments::{Bench, Host, Plan, Unavailable, pages};
use std::ffi::OsStr;
use std::path::PathBuf;

const SIZE_BYTES: u64 = 20 << 20;

/// What progress was told: stretches begun and not ended, and units asked for and done.
#[derive(Debug, Default)]
struct Told {
    open: i64,
    units: u64,
    done: u64,
}

impl Progress for Told {
    fn begin(&mut self, _what: &str, units: u64) {
        self.open += 1;
        self.units += units;
    }
    fn done(&mut self, units: u64) {
        self.done += units;
    }
    fn map(&mut self, _buckets: &[Bucket]) {}
    fn end(&mut self) {
        self.open -= 1;
    }
}

/// None, with the reason printed, where there is no real disk to work on.
fn bench_on(progress: &mut dyn Progress) -> Option<Bench<'_>> {
    let plan = Plan { size_bytes: SIZE_BYTES, block_bytes: 128 << 10, trials: 5 };
    let tutor = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bench/tutor");
    match Scratch::create(None) {
        Ok(scratch) => Some(Bench::new(Host::default(), plan, scratch, tutor, progress)),
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

fn words<'a>(words: &'a [&'a str]) -> Vec<&'a OsStr> {
    words.iter().map(OsStr::new).collect()
}

#[test]
fn the_data_file_is_written_once_and_is_on_the_disk() {
    let mut told = Told::default();
    let Some(mut bench) = bench_on(&mut told) else { return };
    let path = bench.data_file().expect("there is room");
    assert_eq!(path.file_name(), Some(OsStr::new("20M.bin")));
    let file = bench.open(&path).expect("it is there");
    let metadata = file.metadata().expect("it is open");
    assert_eq!(metadata.len(), SIZE_BYTES);
    let found = residency::of_file(&file).expect("it can be asked for");
    if let Some(dirty) = found.known().and_then(|found| found.dirty_pages) {
        assert_eq!(dirty, 0, "fdatasync left nothing behind");
    }
    assert_eq!(bench.data_file().expect("it is still there"), path);
    drop(bench);
    assert_eq!((told.open, told.done), (0, 2 * SIZE_BYTES), "written once, flushed once: {told:?}");
    assert_eq!(told.units, told.done);
    assert!(!path.exists(), "it goes with the bench");
}

#[test]
fn a_data_file_that_vanishes_is_one_clear_line() {
    let mut quiet = Quiet;
    let Some(mut bench) = bench_on(&mut quiet) else { return };
    let path = bench.data_file().expect("there is room");
    std::fs::remove_dir_all(bench.scratch().path()).expect("it is ours");
    let gone = bench.data_file().expect_err("it is gone").to_string();
    assert_eq!(
        gone,
        format!("cannot go on with {}: somebody removed it meanwhile; run the lab again", path.display())
    );
    for error in [bench.make_cold(&path), bench.warm_up(&path), bench.resident_pages(&path).map(drop)] {
        assert_eq!(error.expect_err("it is gone").to_string(), gone);
    }
}

#[test]
fn a_file_becomes_cold_and_warm_and_both_are_proven() {
    undisturbed(|| {
        let mut quiet = Quiet;
        let Some(mut bench) = bench_on(&mut quiet) else { return };
        let path = bench.fresh_file("fresh", SIZE_BYTES).expect("there is room");
        let resident = match bench.resident_pages(&path) {
            Ok(resident) => resident,
            Err(why) => return println!("skipped: {why}"),
        };
        assert_eq!(resident, pages::pages_for(SIZE_BYTES), "writing leaves a file resident");
        bench.make_cold(&path).expect("nobody maps it");
        assert_eq!(bench.resident_pages(&path), Ok(0));
        bench.warm_up(&path).expect("there is memory");
        assert_eq!(bench.resident_pages(&path), Ok(pages::pages_for(SIZE_BYTES)));
    });
}

#[test]
fn a_run_has_the_fields_of_its_line() {
    let mut quiet = Quiet;
    let Some(mut bench) = bench_on(&mut quiet) else { return };
    let run = bench.run("say", &words(&["a b", "c"])).expect("it ends well");
    assert_eq!(run.command, "tutor run say 'a b' c");
    assert_eq!((run.u64("words"), run.text("first")), (Ok(2), Ok("a")));
    assert_eq!(run.exit, Exit::Code(0));
    assert!(run.wall_ns > 0);
}

#[test]
fn a_run_that_fails_says_why_in_one_line() {
    let mut quiet = Quiet;
    let Some(mut bench) = bench_on(&mut quiet) else { return };
    let mut why = |workload| bench.run(workload, &[]).expect_err("it fails").to_string();
    assert_eq!(why("fail"), "cannot run `tutor run fail`: cannot read it: the disk is on fire");
    assert_eq!(why("silent"), "cannot run `tutor run silent`: it did not print its [silent] line");
    assert_eq!(why("die"), "cannot run `tutor run die`: SIGBUS killed it");
}

#[test]
fn a_death_can_be_what_one_wants_to_see() {
    let mut quiet = Quiet;
    let Some(mut bench) = bench_on(&mut quiet) else { return };
    let run = match bench.run_to_death("die", &[]) {
        Err(why @ Unavailable::Lacking { .. }) => return println!("skipped: {why}"),
        run => run.expect("that it dies is no failure"),
    };
    let Exit::Signal { name, code, .. } = &run.exit else { panic!("{:?}", run.exit) };
    assert_eq!((name.as_str(), *code), ("SIGBUS", Some(libc::SI_USER)));
    assert_eq!(run.text("so"), Ok("far"));
    assert_eq!(bench.run_to_death("silent", &[]).expect("it ends").exit, Exit::Code(0));
}

#[test]
fn a_counted_run_has_both_its_line_and_its_calls() {
    let mut quiet = Quiet;
    let Some(mut bench) = bench_on(&mut quiet) else { return };
    if let Err(why @ Unavailable::Lacking { .. }) = bench.count("work", &words(&["1"])) {
        return println!("skipped: {why}");
    }
    let mut count = |blocks| bench.count("work", &words(&[blocks])).expect("it was allowed just now");
    let ((few, few_calls), (many, many_calls)) = (count("10"), count("110"));
    assert_eq!((few.u64("blocks"), many.u64("blocks")), (Ok(10), Ok(110)));
    assert_eq!(many_calls.total("read") - few_calls.total("read"), 100);
}
