//! A residency map over time: every frame is shown, a few are kept.

use crate::pages::page_bytes;
use crate::residency::{Bucket, Method};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Frames that are kept while filming; then every other one goes.
const MOST_KEPT: usize = 32;

/// A file's residency while something was done to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidencyTimeline {
    /// What the map spans: the file's size, or the one that it will have.
    pub size_bytes: u64,
    /// Bytes in a page.
    pub page_bytes: u64,
    /// How long it took, nanoseconds.
    pub elapsed_ns: u64,
    /// How many frames were taken and shown.
    pub frames_taken: u64,
    /// Some of them by rising time, the first and the last among them. Empty where residency cannot be known.
    pub frames: Vec<Frame>,
}

/// The map at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Since the work began, nanoseconds.
    pub at_ns: u64,
    /// From the file's start to its end.
    pub cells: Cells,
}

/// Buckets of a map, written down as text: a recording holds many, and most are like their neighbours. `90x655/655/0/0/0/0`
/// are 90 buckets of 655 pages: pages, then resident, dirty, in writeback, evicted and recently evicted ones; `-` where
/// nobody counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Cells(pub Vec<Bucket>);

impl ResidencyTimeline {
    /// A film of nothing yet.
    pub(crate) fn of(size_bytes: u64) -> ResidencyTimeline {
        ResidencyTimeline { size_bytes, page_bytes: page_bytes(), ..ResidencyTimeline::default() }
    }

    /// The same film with at most `count` frames: the first, the last, and others at about equal distances.
    #[must_use]
    pub fn thinned(mut self, count: usize) -> ResidencyTimeline {
        let last = self.frames.len().saturating_sub(1);
        if count >= 2 && self.frames.len() > count {
            let kept = (0..count).map(|n| self.frames[n * last / (count - 1)].clone()).collect();
            self.frames = kept;
        }
        self
    }

    /// Frames a second, as they were taken.
    pub fn frames_per_second(&self) -> f64 {
        self.frames_taken as f64 / (self.elapsed_ns.max(1) as f64 / 1e9)
    }
}

/// Takes frames, and keeps fewer the more there are.
#[derive(Debug)]
pub(crate) struct Camera {
    film: ResidencyTimeline,
    every: u64,
    last: Option<Frame>,
}

impl Camera {
    pub(crate) fn new(size_bytes: u64) -> Camera {
        Camera { film: ResidencyTimeline::of(size_bytes), every: 1, last: None }
    }

    pub(crate) fn take(&mut self, at_ns: u64, buckets: Vec<Bucket>) {
        let frame = Frame { at_ns, cells: Cells(buckets) };
        if self.film.frames_taken.is_multiple_of(self.every) {
            self.film.frames.push(frame.clone());
        }
        self.last = Some(frame);
        self.film.frames_taken += 1;
        if self.film.frames.len() > MOST_KEPT {
            let mut number = 0;
            self.film.frames.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2;
        }
    }

    pub(crate) fn end(mut self, elapsed_ns: u64) -> ResidencyTimeline {
        let is_kept = self.film.frames.last() == self.last.as_ref();
        self.film.frames.extend(self.last.filter(|_| !is_kept));
        self.film.elapsed_ns = elapsed_ns;
        self.film
    }
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, run) in self.0.chunk_by(|a, b| a == b).enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{}x{}/{}", run.len(), run[0].pages, run[0].resident_pages)?;
            for count in not_always_known(&run[0]) {
                match count {
                    Some(pages) => write!(f, "/{pages}")?,
                    None => f.write_str("/-")?,
                }
            }
        }
        Ok(())
    }
}

fn not_always_known(bucket: &Bucket) -> [Option<u64>; 4] {
    [bucket.dirty_pages, bucket.writeback_pages, bucket.evicted_pages, bucket.recently_evicted_pages]
}

impl FromStr for Cells {
    type Err = String;

    fn from_str(text: &str) -> Result<Cells, String> {
        let mut cells = Vec::new();
        for word in text.split_whitespace() {
            let (count, bucket) = parse_run(word).ok_or_else(|| format!("{word:?} is no part of a map"))?;
            cells.extend(std::iter::repeat_n(bucket, count));
        }
        Ok(Cells(cells))
    }
}

fn parse_run(word: &str) -> Option<(usize, Bucket)> {
    /// More cells than any map has; a damaged recording must not eat the memory.
    const MOST_CELLS: usize = 4096;
    let (count, counts) = word.split_once('x')?;
    let count = count.parse().ok().filter(|count| *count <= MOST_CELLS)?;
    let known = |text: &str| if text == "-" { Some(None) } else { text.parse().ok().map(Some) };
    let counts: Vec<Option<u64>> = counts.split('/').map(known).collect::<Option<_>>()?;
    let [pages, resident, dirty, writeback, evicted, recently_evicted] = counts.try_into().ok()?;
    let bucket = Bucket {
        pages: pages?,
        resident_pages: resident?,
        dirty_pages: dirty,
        writeback_pages: writeback,
        evicted_pages: evicted,
        recently_evicted_pages: recently_evicted,
        method: if dirty.is_some() { Method::Cachestat } else { Method::Mincore },
    };
    Some((count, bucket))
}

impl From<Cells> for String {
    fn from(cells: Cells) -> String {
        cells.to_string()
    }
}

impl TryFrom<String> for Cells {
    type Error = String;

    fn try_from(text: String) -> Result<Cells, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(resident: u64, method: Method) -> Bucket {
        let known = |pages| (method == Method::Cachestat).then_some(pages);
        Bucket {
            pages: 655,
            resident_pages: resident,
            dirty_pages: known(2),
            writeback_pages: known(0),
            evicted_pages: known(7),
            recently_evicted_pages: known(5),
            method,
        }
    }

    #[test]
    fn cells_come_back_from_their_text() {
        let mut cells = vec![bucket(655, Method::Cachestat); 3];
        cells.push(bucket(0, Method::Cachestat));
        let cells = Cells(cells);
        assert_eq!(cells.to_string(), "3x655/655/2/0/7/5 1x655/0/2/0/7/5");
        assert_eq!(cells.to_string().parse(), Ok(cells));
        let by_mincore = Cells(vec![bucket(1, Method::Mincore)]);
        assert_eq!(by_mincore.to_string(), "1x655/1/-/-/-/-");
        assert_eq!(by_mincore.to_string().parse(), Ok(by_mincore));
        assert_eq!("".parse(), Ok(Cells::default()));
    }

    #[test]
    fn what_is_no_map_is_refused() {
        for text in ["x", "3x1", "3x1/2/3/4/5/6/7", "1x-/1/1/1/1/1", "9999999x1/1/1/1/1/1", "1x1/1/1/1/1/y"] {
            assert!(text.parse::<Cells>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_long_film_keeps_few_frames_and_both_ends() {
        let mut camera = Camera::new(1 << 20);
        (0..1000).for_each(|at_ns| camera.take(at_ns, vec![bucket(at_ns, Method::Cachestat)]));
        let film = camera.end(1_000);
        assert_eq!(film.frames_taken, 1000);
        assert!(film.frames.len() <= MOST_KEPT + 1, "{}", film.frames.len());
        let times =
            |film: &ResidencyTimeline| film.frames.iter().map(|frame| frame.at_ns).collect::<Vec<_>>();
        assert!(times(&film).is_sorted());
        let few = times(&film.thinned(4));
        assert_eq!((few.len(), few[0], few[3]), (4, 0, 999));
        assert!((200..500).contains(&few[1]) && (500..800).contains(&few[2]), "{few:?}");
    }

    #[test]
    fn a_short_film_stays_as_it_is() {
        let mut camera = Camera::new(1);
        camera.take(5, vec![]);
        assert_eq!(camera.end(9).thinned(4).frames.len(), 1);
        assert_eq!(Camera::new(1).end(9).thinned(4).frames, []);
    }
}
