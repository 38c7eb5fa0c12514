//! A mapping over a file that was brought into the cache in a known way: what its visit cost.

use crate::pass::arguments;
use crate::words::many;
use instruments::size::format_count;
use instruments::{Bench, Unavailable, folio, open};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;

/// Folios are looked at in so many places of the file.
const PLACES: u64 = 5;

/// Runs until one was warm.
const ROUNDS: u32 = 3;

/// `mmapsum --touch` over a file that was evicted and then filled in a known way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// Pages resident after filling, before mapping.
    pub resident_before_pages: u64,
    /// Faults served without I/O.
    pub minor_faults: u64,
    /// Faults that waited for I/O.
    pub major_faults: u64,
    /// From before open to after close, nanoseconds. One run: for its order of magnitude only.
    pub elapsed_ns: u64,
    /// Pages of the folios in a few places of the file, looked at afterwards; empty where the kernel does not tell.
    pub folio_pages: Vec<u64>,
}

impl Filled {
    /// Evict, fill (`read` or `pages`), prove, map and touch; all by `mmapsum`. Then look how large the folios are.
    /// Where the kernel took pages away meanwhile, it is done again, a few times.
    pub fn measure(bench: &mut Bench<'_>, path: &Path, fill: &str) -> Result<Filled, Unavailable> {
        let pages = bench.plan().size_bytes.div_ceil(bench.host().page_bytes);
        let mut filled = Filled::once(bench, path, fill)?;
        for _ in 1..ROUNDS {
            if filled.was_warm(pages).is_ok() {
                break;
            }
            filled = Filled::once(bench, path, fill)?;
        }
        filled.folio_pages = folios(path)?;
        Ok(filled)
    }

    fn once(bench: &mut Bench<'_>, path: &Path, fill: &str) -> Result<Filled, Unavailable> {
        let run = bench.run("mmapsum", &arguments(path, &["--fill", fill, "--touch"]))?;
        Ok(Filled {
            resident_before_pages: run.u64("resident_before_pages")?,
            minor_faults: run.u64("minor_faults")?,
            major_faults: run.u64("major_faults")?,
            elapsed_ns: run.u64("elapsed_ns")?,
            folio_pages: Vec::new(),
        })
    }

    /// All pages were resident, and no fault waited for the disk. Err says what was wrong.
    pub fn was_warm(&self, pages: u64) -> Result<(), String> {
        if self.resident_before_pages < pages {
            let resident = format_count(self.resident_before_pages);
            return Err(format!("only {resident} of {} were resident", many(pages, "page")));
        }
        if self.major_faults > 0 {
            return Err(format!("{} waited for the disk", many(self.major_faults, "fault")));
        }
        Ok(())
    }
}

/// The scratch file is ours, so it may be opened for writing.
fn folios(path: &Path) -> Result<Vec<u64>, Unavailable> {
    File::options().read(true).write(true).open(path).and_then(|file| folio::sample(&file, PLACES)).map_err(
        |error| Unavailable::failed(format!("look at the folios of {}", open::shown(path)), error, ""),
    )
}
