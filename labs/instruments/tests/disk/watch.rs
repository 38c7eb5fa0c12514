//! Watching a file changes nothing about it, and shows what happens to it.

use crate::{disk, known};
use instruments::bench::Progress;
use instruments::residency::{self, Bucket};
use instruments::residency_timeline::ResidencyTimeline;
use instruments::scratch::Scratch;
use instruments::testing::undisturbed;
use instruments::{Bench, Host, Plan, evict, pages};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

const SIZE_BYTES: u64 = 32 << 20;

/// Counts what is shown.
#[derive(Default)]
struct Audience {
    frames: u64,
}

impl Progress for Audience {
    fn begin(&mut self, _what: &str, _units: u64) {}
    fn done(&mut self, _units: u64) {}
    fn map(&mut self, buckets: &[Bucket]) {
        assert_eq!(buckets.iter().map(|bucket| bucket.pages).sum::<u64>(), pages::pages_for(SIZE_BYTES));
        self.frames += 1;
    }
    fn end(&mut self) {}
}

fn bench(scratch: Scratch, audience: &mut Audience) -> Bench<'_> {
    let host = Host::probe(scratch.path()).expect("facts can be read");
    let plan = Plan { size_bytes: SIZE_BYTES, block_bytes: 128 << 10, trials: 5 };
    Bench::new(host, plan, scratch, PathBuf::from("/proc/self/exe"), audience)
}

fn resident(film: &ResidencyTimeline) -> Vec<u64> {
    let sum = |buckets: &[Bucket]| buckets.iter().map(|bucket| bucket.resident_pages).sum();
    film.frames.iter().map(|frame| sum(&frame.cells.0)).collect()
}

#[test]
fn looking_changes_nothing() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let mut audience = Audience::default();
        let mut bench = bench(scratch, &mut audience);
        let path = bench.data_file().expect("there is room");
        let mut file = File::open(&path).expect("it is ours");
        evict::evict(&file).expect("nobody holds it");
        file.read_exact(&mut vec![0; (SIZE_BYTES / 4) as usize]).expect("a quarter of it");
        let before = known(residency::of_file(&file));
        assert!(before.resident_pages > 0 && before.resident_pages < before.pages, "{before:?}");
        let ((), film) = bench
            .watch(&path, SIZE_BYTES, |_, _| {
                sleep(Duration::from_millis(500));
                Ok(())
            })
            .expect("there is nothing to fail");
        assert_eq!(known(residency::of_file(&file)), before);
        assert!(resident(&film).iter().all(|pages| *pages == before.resident_pages), "{film:?}");
        assert!(film.frames_taken >= 3, "{film:?}");
        drop(bench);
        assert_eq!(audience.frames, film.frames_taken);
    });
}

#[test]
fn a_file_is_seen_coming_and_growing() {
    undisturbed(|| {
        let Some(scratch) = disk() else { return };
        let mut audience = Audience::default();
        let mut bench = bench(scratch, &mut audience);
        let path = bench.scratch().path().join("growing");
        let (_, film) = bench
            .watch(&path, SIZE_BYTES, |_, scratch| {
                scratch.write("growing", SIZE_BYTES, &mut |_| sleep(Duration::from_millis(20)))
            })
            .expect("there is room");
        let resident = resident(&film);
        assert_eq!(resident.first(), Some(&0), "it was not there yet");
        assert_eq!(resident.last(), Some(&pages::pages_for(SIZE_BYTES)));
        assert!(resident.is_sorted() && resident.len() > 2, "{resident:?}");
    });
}

#[test]
fn an_error_of_the_work_is_the_watchers_too() {
    let Some(scratch) = disk() else { return };
    let mut audience = Audience::default();
    let mut bench = bench(scratch, &mut audience);
    let path = bench.scratch().path().join("none");
    let failed = bench.watch(&path, SIZE_BYTES, |_, scratch| scratch.remove("none"));
    assert!(failed.is_err());
}
