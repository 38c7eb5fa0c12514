//! Eviction on this machine's kernel and disk: proven, or refused with the cause that is there.

use instruments::evict::evict;
use instruments::residency;
use instruments::scratch::Scratch;
use std::fs::File;
use std::io::Read;

const BYTES: u64 = (8 << 20) + 100;

#[test]
fn a_written_file_is_dirty_then_cold_then_warm() {
    let scratch = Scratch::create(None).expect("a disk");
    let path = scratch.write("data", BYTES, &mut |_| ()).expect("room for 8 MiB");
    let mut file = File::open(&path).unwrap();
    let pages = instruments::pages::pages_for(BYTES);

    let written = *residency::of_file(&file).unwrap().known().expect("our own file");
    assert_eq!((written.pages, written.resident_pages), (pages, pages));

    let evicted = evict(&file).expect("nothing keeps it");
    assert_eq!(evicted.before_pages, pages);
    assert!(evicted.rounds >= 1);
    let cold = *residency::of_file(&file).unwrap().known().unwrap();
    assert_eq!(cold.resident_pages, 0);

    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, BYTES);
    let warm = *residency::of_file(&file).unwrap().known().unwrap();
    assert_eq!(warm.resident_pages, pages);
}
