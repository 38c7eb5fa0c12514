//! The sizes, the options that are ranges of them, and which of these the course speaks for.

use super::{Course, Evidence, Faster, LARGEST_BYTES};
use instruments::size::{format_bytes, format_ratio};
use lesson::Outcome;
use lesson::question::Choice;

/// From one page to the largest.
pub fn sizes(page_bytes: u64) -> Vec<u64> {
    std::iter::successors(Some(page_bytes.max(1)), |bytes| Some(bytes * 2))
        .take_while(|bytes| *bytes <= LARGEST_BYTES)
        .collect()
}

const AT_ONCE: &str = "at-once";
const SMALL: &str = "small";
const MIDDLE: &str = "middle";
const LARGE: &str = "large";
const NEVER: &str = "never";

/// The largest size that belongs to an option: the sizes are shared out evenly.
fn bounds(page_bytes: u64) -> [(&'static str, u64); 4] {
    let sizes = sizes(page_bytes);
    let at = |share: usize| sizes[(sizes.len() - 1) * share / 3];
    [(AT_ONCE, at(0)), (SMALL, at(1)), (MIDDLE, at(2)), (LARGE, at(3))]
}

/// What the learner chooses from.
pub fn options(page_bytes: u64) -> Vec<Choice> {
    let [_, (_, small), (_, middle), (_, large)] = bounds(page_bytes);
    let option = |id: &str, text: String, explanation: &str| Choice {
        id: id.to_owned(),
        text,
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            AT_ONCE,
            format!("at every size, from {} on", format_bytes(page_bytes)),
            "You take a mapping to be free, since nothing is copied. It would be so if two changes of the address space and \
             a page fault cost less than copying one page.",
        ),
        option(
            SMALL,
            format!("from a size above that on, up to {}", format_bytes(small)),
            "A mapping's price is paid once a file, and this answer has it earned back soon. It is so where copying is \
             dear and one fault maps many pages, so that hardly more than the fixed price remains.",
        ),
        option(
            MIDDLE,
            format!("from above {} on, up to {}", format_bytes(small), format_bytes(middle)),
            "You take the faults for a price that goes on, and copying for a somewhat higher one. It is so where a fault maps \
             a few pages at a time, and costs less than copying these.",
        ),
        option(
            LARGE,
            format!("from above {} on, up to {}", format_bytes(middle), format_bytes(large)),
            "You take copying to be cheap as long as the bytes fit into the processor's caches, or faults to get cheap only \
             where the cache holds large files in large pieces. It is so where one of the two holds.",
        ),
        option(
            NEVER,
            format!("at no size up to {}", format_bytes(LARGEST_BYTES)),
            "A page fault would have to cost more than copying what it maps, at any size. It is so where each fault \
             maps one page only, or where something makes faults dear.",
        ),
    ]
}

/// Which range the size lies in at which the mapping catches up, and the whole course in words.
pub fn decide(course: &Course, evidence: &Evidence) -> (Outcome, String) {
    let undecided = |why: &str, sentence: String| (Outcome::Undecided(why.to_owned()), sentence);
    let unknown = course.0.is_empty() || course.first(Faster::Unknown).is_some();
    if unknown {
        return undecided(
            "not every size has a trial that counts",
            "Not every size has a trial that counts, so nobody can tell where the mapping catches up."
                .to_owned(),
        );
    }
    if let Some(bytes) = course.catches_up() {
        let id = bounds(evidence.page_bytes).into_iter().find(|(_, most)| bytes <= *most);
        let id = id.map_or(NEVER, |(id, _)| id);
        return (Outcome::Choice(id.to_owned()), at(course, evidence, bytes));
    }
    let largest = format_bytes(LARGEST_BYTES);
    if let (Some(map), Some(read)) = (course.first(Faster::Map), course.last(Faster::Read)) {
        return undecided(
            "it changes more than once",
            format!(
                "The mapping is faster at {}, and read() again at {}: it changes more than once, and no single size can be \
                 named.",
                format_bytes(map),
                format_bytes(read)
            ),
        );
    }
    match course.0.last() {
        Some((_, Faster::Read)) => (
            Outcome::Choice(NEVER.to_owned()),
            format!(
                "The mapping is not faster at any size up to {largest}: there it still takes {} as long.",
                ratio(evidence)
            ),
        ),
        _ => {
            let before = match course.last(Faster::Read) {
                Some(read) => format!("Up to {} read() is faster; above that, up to", format_bytes(read)),
                None => "At no size is read() faster; up to the largest".to_owned(),
            };
            undecided(
                "neither is clearly faster at the largest size",
                format!(
                    "{before} {largest}, the times are too near to tell. So nobody can say where the mapping gets ahead."
                ),
            )
        }
    }
}

fn at(course: &Course, evidence: &Evidence, bytes: u64) -> String {
    let size = format_bytes(bytes);
    let gain = evidence
        .sizes
        .iter()
        .find(|size| size.bytes == bytes)
        .and_then(|size| size.medians(evidence.page_bytes))
        .map(|(read, map)| format!(" by {}", format_ratio(read / map)))
        .unwrap_or_default();
    match course.last(Faster::Read) {
        Some(read) if read.saturating_mul(2) == bytes => {
            format!(
                "The mapping catches up at {size}: up to {} read() is faster, there the mapping{gain}.",
                format_bytes(read)
            )
        }
        Some(read) => format!(
            "The mapping catches up between {} and {size}: up to the first read() is faster, at the second the \
             mapping{gain}, and between the two the times are too near to tell.",
            format_bytes(read)
        ),
        None if course.0.first().is_some_and(|(first, _)| *first == bytes) => {
            format!("The mapping is faster from the smallest size on, {size}{gain}.")
        }
        None => format!("The mapping gets ahead at {size}{gain}; below that the times are too near to tell."),
    }
}

/// Time of the mapping over time of the read, for the largest file.
fn ratio(evidence: &Evidence) -> String {
    let medians = evidence.sizes.last().and_then(|size| size.medians(evidence.page_bytes));
    medians.map_or_else(|| "unknown times".to_owned(), |(read, map)| format_ratio(map / read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_rise_and_end_at_the_largest() {
        for page_bytes in [4 << 10, 16 << 10, 64 << 10] {
            let bounds = bounds(page_bytes);
            assert!(bounds.windows(2).all(|pair| pair[0].1 < pair[1].1), "{bounds:?}");
            assert_eq!((bounds[0].1, bounds[3].1), (page_bytes, LARGEST_BYTES));
        }
    }
}
