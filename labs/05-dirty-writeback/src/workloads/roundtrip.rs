//! `roundtrip`: store into every byte of a mapped file, unmap and close it without msync, evict it and prove that, read
//! it back from the disk, and compare every byte.

use super::count::Unwritten;
use super::made::{Made, Place};
use clap::Args;
use instruments::pages::pages_for;
use instruments::raw_map::RawMap;
use instruments::resource_usage::Meter;
use instruments::scratch::content;
use instruments::{Reading, Unavailable, interrupt, open, residency, state};
use lesson::workload::Line;
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The arguments of `tutor run roundtrip`.
#[derive(Args, Debug)]
pub struct RoundTrip {
    #[command(flatten)]
    place: Place,
}

/// The content that is stored is that of other pieces than the file's own: nearly every byte changes.
const OTHER: u64 = 1 << 32;

/// How the bytes that came back compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Compared {
    bytes: u64,
    mismatches: u64,
    /// Those that are as they were before the stores, where the stores changed them.
    old_bytes: u64,
    first_mismatch: Option<u64>,
}

/// Store, evict, read back, compare.
pub fn run(args: RoundTrip) -> Result<Line, Unavailable> {
    let made = args.place.clean()?;
    let failed = |what: &'static str| {
        let made = &made;
        move |error| made.failed(what, error)
    };
    store(&made).map_err(failed("store into"))?;
    let unsynced = Unwritten::of(&made.file).map_err(failed("count the dirty pages of"))?;
    // Advice alone throws away what is clean, and no more.
    advise(&made.file).map_err(failed("give advice about"))?;
    let kept = resident_pages(&made.file).map_err(failed("count the pages of"))?;
    state::make_cold(&made.file, &made.path)?;
    interrupt::check()?;

    let file = open::regular(&made.path)?;
    let before = resident_pages(&file).map_err(failed("count the pages of"))?;
    let meter = Meter::start();
    let compared = compare(&file, made.bytes);
    let metered = meter.stop();
    let compared = compared.map_err(failed("read back"))?;
    Ok(Line::new("roundtrip")
        .with("bytes", made.bytes)
        .with("pages", pages_for(made.bytes))
        .with_known("dirty_pages", unsynced.dirty_pages)
        .with_known("writeback_pages", unsynced.writeback_pages)
        .with_known("kept_by_advice_pages", kept)
        .with_known("resident_before_pages", before)
        .with_known("device_read_bytes", metered.device_read_bytes)
        .with("compared_bytes", compared.bytes)
        .with("mismatches", compared.mismatches)
        .with("old_bytes", compared.old_bytes)
        .with("first_mismatch", compared.first_mismatch.map_or("none".to_owned(), |at| at.to_string())))
}

/// In a mapping that is gone when this returns.
fn store(made: &Made) -> io::Result<()> {
    let map = RawMap::shared(&made.file, made.bytes)?;
    let mut piece = vec![0; content::PIECE_BYTES];
    each_piece(made.bytes, |number, offset, length| {
        content::fill(OTHER + number, &mut piece[..length]);
        map.store_all(offset, &piece[..length]);
        Ok(())
    })
}

fn compare(file: &File, bytes: u64) -> io::Result<Compared> {
    let mut compared = Compared::default();
    let [mut found, mut stored, mut old] = [(); 3].map(|()| vec![0; content::PIECE_BYTES]);
    each_piece(bytes, |number, offset, length| {
        let (found, stored, old) = (&mut found[..length], &mut stored[..length], &mut old[..length]);
        file.read_exact_at(found, offset)?;
        content::fill(OTHER + number, stored);
        if found != stored {
            content::fill(number, old);
            tally(&mut compared, offset, found, stored, old);
        }
        compared.bytes += length as u64;
        Ok(())
    })?;
    Ok(compared)
}

fn tally(compared: &mut Compared, offset: u64, found: &[u8], stored: &[u8], old: &[u8]) {
    for (at, ((found, stored), old)) in (offset..).zip(found.iter().zip(stored).zip(old)) {
        if found != stored {
            compared.mismatches += 1;
            compared.old_bytes += u64::from(found == old);
            compared.first_mismatch.get_or_insert(at);
        }
    }
}

/// Number, offset and length of each piece; stops where somebody interrupts.
fn each_piece(bytes: u64, mut work: impl FnMut(u64, u64, usize) -> io::Result<()>) -> io::Result<()> {
    let piece = content::PIECE_BYTES as u64;
    for number in 0..bytes.div_ceil(piece) {
        if interrupt::requested() {
            return Err(io::Error::other("interrupted"));
        }
        let offset = number * piece;
        work(number, offset, piece.min(bytes - offset) as usize)?;
    }
    Ok(())
}

fn advise(file: &File) -> io::Result<()> {
    Ok(posix_fadvise(file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED)?)
}

fn resident_pages(file: &File) -> io::Result<Option<u64>> {
    Ok(match residency::of_file(file)? {
        Reading::Known(found) => Some(found.resident_pages),
        Reading::Unknown(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_compared_and_the_first_that_differs_is_told() {
        let (stored, old) = ([1, 2, 3, 4, 5], [9, 9, 9, 9, 9]);
        let mut compared = Compared::default();
        tally(&mut compared, 1000, &[1, 2, 9, 7, 5], &stored, &old);
        let expected = Compared { bytes: 0, mismatches: 2, old_bytes: 1, first_mismatch: Some(1002) };
        assert_eq!(compared, expected);
        tally(&mut compared, 2000, &[9, 2, 3, 4, 5], &stored, &old);
        assert_eq!((compared.mismatches, compared.first_mismatch), (3, Some(1002)));
    }

    #[test]
    fn a_file_with_other_content_does_not_compare_equal() {
        let file = tempfile_of(content::PIECE_BYTES as u64 + 10, OTHER);
        let bytes = file.metadata().expect("our own").len();
        let same = compare(&file, bytes).expect("read");
        assert_eq!((same.bytes, same.mismatches, same.first_mismatch), (bytes, 0, None));
        let last = bytes - 1;
        let mut byte = [0];
        file.read_exact_at(&mut byte, last).expect("read");
        file.write_all_at(&[!byte[0]], last).expect("written");
        let differs = compare(&file, bytes).expect("read");
        assert_eq!((differs.mismatches, differs.first_mismatch), (1, Some(last)));
        let never_stored = tempfile_of(bytes, 0);
        let old = compare(&never_stored, bytes).expect("read");
        assert_eq!(old.old_bytes, old.mismatches);
        assert!(old.mismatches > bytes / 10 * 9, "nearly every byte is another: {old:?}");
    }

    fn tempfile_of(bytes: u64, first: u64) -> File {
        let file = tempfile::tempfile().expect("a temporary file");
        let mut piece = vec![0; content::PIECE_BYTES];
        each_piece(bytes, |number, offset, length| {
            content::fill(first + number, &mut piece[..length]);
            file.write_all_at(&piece[..length], offset)
        })
        .expect("written");
        file
    }
}
