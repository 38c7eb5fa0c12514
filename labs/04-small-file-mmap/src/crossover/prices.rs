//! What a file costs at first and what each further byte adds, where the measured curve is really of that shape.

use super::{Evidence, OneSize};
use crate::cause::Why;
use lesson::nearest::{agree, clearly_less};

const MEBIBYTE: f64 = (1 << 20) as f64;

/// A straight line for each way, from the smallest file to that at which the mapping is ahead. It explains the crossing
/// only if every size up to there lies on it, and if the lines cross where the times do: between `slower`, the last size
/// at which read() is faster, and `ahead`.
pub fn made_up(evidence: &Evidence, slower: u64, ahead: u64) -> Option<Why> {
    let page = evidence.page_bytes;
    let first = evidence.sizes.first()?;
    let last = evidence.sizes.iter().find(|size| size.bytes == ahead)?;
    let (start, end) = (first.medians(page)?, last.medians(page)?);
    let length = last.bytes.checked_sub(first.bytes).filter(|bytes| *bytes > 0)? as f64;
    let (read_slope, map_slope) = ((end.0 - start.0) / length, (end.1 - start.1) / length);
    let on_the_line = |size: &OneSize| {
        let further = size.bytes.saturating_sub(first.bytes) as f64;
        size.medians(page).is_some_and(|(read, map)| {
            agree(start.0 + read_slope * further, read) && agree(start.1 + map_slope * further, map)
        })
    };
    let straight = evidence.sizes.iter().filter(|size| size.bytes <= ahead).all(on_the_line);
    let more_ns = start.1 - start.0;
    let meets = first.bytes as f64 + more_ns / (read_slope - map_slope);
    let as_measured = slower as f64 <= meets && meets <= ahead as f64;
    (straight && as_measured && clearly_less(map_slope, read_slope)).then(|| Why::MadeUpByTheByte {
        bytes: first.bytes,
        more_ns,
        up_to_bytes: ahead,
        read_ns: read_slope * MEBIBYTE,
        map_ns: map_slope * MEBIBYTE,
        pages_a_fault: last.pages_a_fault(page),
        meets_bytes: meets as u64,
    })
}

/// At no step from a size to the next does the mapping make up for anything.
pub fn dearer(evidence: &Evidence) -> Option<Why> {
    let page = evidence.page_bytes;
    let (first, last) = (evidence.sizes.first()?, evidence.sizes.last()?);
    let medians: Vec<_> = evidence.sizes.iter().map(|size| size.medians(page)).collect::<Option<_>>()?;
    let (start, end) = (medians.first()?, medians.last()?);
    let (read_ns, map_ns) = (end.0 - start.0, end.1 - start.1);
    let each_step = medians.windows(2).all(|pair| pair[1].1 - pair[0].1 > pair[1].0 - pair[0].0);
    (each_step && clearly_less(read_ns, map_ns)).then(|| Why::DearerByTheByte {
        bytes: (first.bytes, last.bytes),
        more_ns: start.1 - start.0,
        read_ns,
        map_ns,
        pages_a_fault: last.pages_a_fault(page),
    })
}
