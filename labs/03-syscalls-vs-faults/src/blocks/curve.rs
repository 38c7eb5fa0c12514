//! The curve over block sizes: where it flattens, and whether larger blocks get worse again.

use crate::blocks::{Evidence, Timed};
use crate::nearest::AGREEMENT;
use lesson::figure::{Axis, Curve, Mark, Point, Scale, Series};

/// The smallest block from which on no larger one is clearly faster.
pub fn flattens_at(evidence: &Evidence) -> Option<u64> {
    let medians = evidence.medians();
    let best = medians.iter().map(|(_, ns)| *ns).min_by(f64::total_cmp)?;
    medians.iter().find(|(_, ns)| *ns <= best * AGREEMENT).map(|(block, _)| *block)
}

/// A largest block that is slower than the best one.
pub struct Worse {
    /// The largest block.
    pub block_bytes: u64,
    /// The best block.
    pub best_bytes: u64,
    /// Time of the largest over time of the best.
    pub ratio: f64,
}

/// The largest block, where it is clearly slower than the best one, and by more than the spread.
pub fn worse_when_large(evidence: &Evidence) -> Option<Worse> {
    let medians = evidence.medians();
    let (best_bytes, best) = *medians.iter().min_by(|one, other| one.1.total_cmp(&other.1))?;
    let (block_bytes, ns) = *medians.last()?;
    let ratio = ns / best;
    let separate = evidence.times_of(block_bytes).is_apart_from(&evidence.times_of(best_bytes));
    (separate && ratio > AGREEMENT).then_some(Worse { block_bytes, best_bytes, ratio })
}

/// Bytes a second over block sizes.
pub fn curve(evidence: &Evidence) -> Curve {
    let a_second = |ns: f64| evidence.part_bytes as f64 / ns * 1e9;
    let point = |timed: &Timed| {
        let samples = evidence.times(timed);
        let median = samples.median()?;
        let (first, third) = samples.quartiles().unwrap_or((median, median));
        Some(Point {
            x: timed.block_bytes as f64,
            y: a_second(median),
            low: a_second(third),
            high: a_second(first),
        })
    };
    let mark = |(x, label): (u64, &str)| Mark { x: x as f64, label: label.to_owned() };
    let worse = worse_when_large(evidence).map(|worse| (worse.best_bytes, "best"));
    Curve {
        title: "how fast the same bytes are read".to_owned(),
        x: Axis { label: "bytes asked for by each read()".to_owned(), scale: Scale::Bytes, log: true },
        y: Axis { label: "bytes a second".to_owned(), scale: Scale::BytesPerSecond, log: false },
        series: vec![Series {
            name: "read()".to_owned(),
            points: evidence.points.iter().filter_map(point).collect(),
        }],
        marks: flattens_at(evidence)
            .map(|block| (block, "flat from here"))
            .into_iter()
            .chain(worse)
            .map(mark)
            .collect(),
    }
}
