//! A film of a file's residency, as maps of a few moments.

use instruments::residency_timeline::ResidencyTimeline;
use instruments::size::format_ns;
use lesson::Figure;
use lesson::figure::ResidencyMap;

/// Frames that the evidence keeps.
pub const KEPT: usize = 4;

/// The maps of a film, without its first frame, which shows the state before.
pub fn maps(film: &ResidencyTimeline, doing: &str) -> Vec<Figure> {
    let last = film.frames.len().saturating_sub(1);
    let map = |(number, frame): (usize, &instruments::residency_timeline::Frame)| {
        let when = if number == last {
            "at the end".to_owned()
        } else {
            format!("after {}", format_ns(frame.at_ns as f64))
        };
        Figure::ResidencyMap(ResidencyMap {
            title: format!("the file while {doing}, slowed down, {when}"),
            size_bytes: film.size_bytes,
            page_bytes: film.page_bytes,
            buckets: frame.cells.0.clone(),
        })
    };
    film.frames.iter().enumerate().skip(1).map(map).collect()
}
