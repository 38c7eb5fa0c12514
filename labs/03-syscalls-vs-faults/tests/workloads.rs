//! The workloads for real, on a real disk: relations only, never times. A program of its own, since faults are counted for
//! all of it.

use instruments::fill::Fill;
use instruments::scratch::Scratch;
use instruments::testing::undisturbed;
use instruments::{folio, pages, residency};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use syscalls_vs_faults::workloads::{mmapsum, readsum};

const BYTES: u64 = (8 << 20) + 1234;

/// Faults that the test's own process may take meanwhile, for its stack and code.
const SLACK: u64 = 16;

/// Faults are counted for the whole process, so only one test at a time may run.
static ALONE: Mutex<()> = Mutex::new(());

/// A file on a real disk, for one test.
struct Data {
    path: PathBuf,
    sum: u64,
    _scratch: Scratch,
    _alone: MutexGuard<'static, ()>,
}

/// [`BYTES`] bytes on a real disk, and their sum; None, with the reason printed, where there is none.
fn data() -> Option<Data> {
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let scratch = match Scratch::create(None) {
        Ok(scratch) => scratch,
        Err(why) => {
            eprintln!("skipped: {why}");
            return None;
        }
    };
    let path = scratch.write("data", BYTES, &mut |_| {}).expect("written");
    let sum = std::fs::read(&path).expect("read").iter().map(|byte| u64::from(*byte)).sum();
    Some(Data { path, sum, _scratch: scratch, _alone: alone })
}

/// Fill the cache; false, with the reason printed, where that cannot be proven.
fn fill(how: Fill, path: &PathBuf) -> bool {
    let file = File::open(path).expect("opened");
    how.prepare(&file, path).inspect_err(|why| eprintln!("skipped: {why}")).is_ok()
}

#[test]
fn every_way_finds_the_same_bytes() {
    let Some(data) = data() else { return };
    for (touch, populate, random, mapped) in [
        (false, false, false, false),
        (false, true, false, false),
        (false, false, true, false),
        (false, false, false, true),
    ] {
        let how = mmapsum::How { touch, populate, random, mapped, bytes: None };
        let looked = mmapsum::look(&data.path, how).expect("looked");
        assert_eq!((looked.bytes, looked.sum), (BYTES, data.sum), "{how:?}");
    }
    for (block, untouched) in [(4096, false), (128 << 10, true), (777, false), (64 << 20, false)] {
        let looked =
            readsum::look(&data.path, readsum::How { block, bytes: None, untouched }).expect("looked");
        assert_eq!((looked.bytes, looked.sum), (BYTES, data.sum));
        assert_eq!(looked.calls, BYTES.div_ceil(block) + 1);
    }
}

#[test]
fn a_part_is_as_long_as_asked_and_never_longer_than_the_file() {
    let Some(data) = data() else { return };
    for (asked, got) in [(0, 0), (1, 1), (12345, 12345), (BYTES, BYTES), (BYTES * 2, BYTES)] {
        let how = mmapsum::How { bytes: Some(asked), ..mmapsum::How::default() };
        let mapped = mmapsum::look(&data.path, how).expect("looked");
        let read =
            readsum::look(&data.path, readsum::How { block: 4096, bytes: Some(asked), untouched: false });
        let read = read.expect("looked");
        assert_eq!((mapped.bytes, read.bytes, mapped.sum), (got, got, read.sum), "{asked}");
    }
}

#[test]
fn an_untouched_buffer_takes_a_fault_for_each_of_its_pages() {
    undisturbed(|| {
        let Some(data) = data() else { return };
        let faults = |untouched| {
            let how = readsum::How { block: 128 << 10, bytes: None, untouched };
            readsum::look(&data.path, how).expect("looked").cost.minor_faults
        };
        let (touched, untouched) = (faults(false), faults(true));
        // A kernel may give several pages of anonymous memory at one fault.
        assert!(untouched > touched, "{untouched} against {touched}");
        assert!(untouched - touched <= pages::pages_for(128 << 10) + SLACK, "{untouched} against {touched}");
    });
}

#[test]
fn pages_brought_in_one_by_one_lie_in_folios_no_larger_than_those_of_an_ordinary_read() {
    undisturbed(|| {
        let Some(data) = data() else { return };
        let folios = |how| {
            fill(how, &data.path).then(|| {
                let file = File::options().read(true).write(true).open(&data.path).expect("opened");
                let before =
                    residency::of_file(&file).expect("asked").known().map(|found| found.resident_pages);
                assert_eq!(before, Some(pages::pages_for(BYTES)), "filling proves that all pages are there");
                folio::sample(&file, 5).expect("sampled")
            })
        };
        let (Some(single), Some(ordinary)) = (folios(Fill::Pages), folios(Fill::Read)) else { return };
        if single.is_empty() {
            return eprintln!("skipped: only cachestat(2) tells what is dirty");
        }
        assert_eq!((single.len(), ordinary.len()), (5, 5));
        assert!(single.iter().max() <= ordinary.iter().max(), "{single:?} against {ordinary:?}");
        assert!(
            single.iter().all(|folio| *folio >= 1),
            "{single:?}: a store makes at least its own page dirty"
        );
    });
}

#[test]
fn a_warm_mapping_takes_no_fault_that_waits_and_at_most_one_a_page() {
    undisturbed(|| {
        let Some(data) = data() else { return };
        let faults = |how| {
            fill(how, &data.path).then(|| {
                let how = mmapsum::How { touch: true, ..mmapsum::How::default() };
                mmapsum::look(&data.path, how).expect("looked").cost
            })
        };
        let (Some(ordinary), Some(single)) = (faults(Fill::Read), faults(Fill::Pages)) else { return };
        let pages = pages::pages_for(BYTES);
        for cost in [ordinary, single] {
            assert!(cost.minor_faults >= 1 && cost.minor_faults <= pages + SLACK, "{cost:?}");
        }
    });
}
