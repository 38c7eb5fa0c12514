//! Act `blocks`: the same warm bytes in larger and smaller read() calls.

mod curve;
mod prices;

use crate::blocks::curve::{curve, flattens_at, worse_when_large};
use crate::blocks::prices::{Prices, Timing};
use crate::cause::Why;
use crate::nearest::nearest;
use crate::notes;
use crate::pass::{self, Pass};
use crate::words::{many, time, unexplained};
use instruments::processor::{self, Cache};
use instruments::sample::{Trial, interleave};
use instruments::size::{format_bytes, format_ratio, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use lesson::figure::{Bar, Bars};
use lesson::question::Choice;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Question, Reveal, Setting, arms, caveat};
use serde::{Deserialize, Serialize};

/// The same warm bytes in larger and smaller read() calls.
#[derive(Clone, Copy, Debug)]
pub struct Blocks;

/// The two sizes that the question is about.
const SMALL_BYTES: u64 = 4 << 10;
const LARGE_BYTES: u64 = 128 << 10;

/// The curve goes from here to there, by doubling.
const SMALLEST_BYTES: u64 = 512;
const LARGEST_BYTES: u64 = 4 << 20;

/// More than this is not read in one pass: a part shows the same, and the smallest blocks stay quick.
const PART_BYTES: u64 = 128 << 20;

/// What was timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Pages of the whole file.
    pub pages: u64,
    /// Bytes that each pass read, from the start of the file.
    pub part_bytes: u64,
    /// Trials wanted of each block size.
    pub trials: u32,
    /// By rising block size.
    pub points: Vec<Timed>,
    /// The processor's caches.
    pub caches: Vec<Cache>,
}

/// All passes with one block size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timed {
    /// What each read() asked for.
    pub block_bytes: u64,
    /// In the order in which they were measured.
    pub passes: Vec<Pass>,
}

impl Evidence {
    /// Times of one block size, nanoseconds, from passes that were warm and read the whole part.
    fn times(&self, timed: &Timed) -> Samples {
        pass::samples(&timed.passes, |pass| counts(pass, self.pages, self.part_bytes), |pass| pass.elapsed_ns)
    }

    fn times_of(&self, block_bytes: u64) -> Samples {
        let timed = self.points.iter().find(|timed| timed.block_bytes == block_bytes);
        timed.map(|timed| self.times(timed)).unwrap_or_default()
    }

    /// Block size and median time, where there is one.
    fn medians(&self) -> Vec<(u64, f64)> {
        let median = |timed: &Timed| Some((timed.block_bytes, self.times(timed).median()?));
        self.points.iter().filter_map(median).collect()
    }
}

fn counts(pass: &Pass, pages: u64, bytes: u64) -> Result<(), String> {
    pass.is_warm(pages)?;
    if pass.bytes == bytes { Ok(()) } else { Err(format!("it read {}", format_bytes(pass.bytes))) }
}

impl Act for Blocks {
    type Evidence = Evidence;
    const ID: &'static str = "blocks";
    const TITLE: &'static str = "smaller and larger blocks";
    const SECONDS: u32 = 4;
    const NOTES: Notes = notes::BLOCKS;

    fn question(&self, setting: &Setting) -> Question {
        let part = setting.plan.size_bytes.min(PART_BYTES);
        let command = |block| {
            format!("tutor run cread --size {} --warm --block {}", shell_bytes(part), shell_bytes(block))
        };
        Question {
            setup: format!(
                "The first {} of the file, warm, are read in blocks of {}, and then the same bytes in blocks of {}: {} \
                 as many calls. Nothing comes from the disk.",
                format_bytes(part),
                format_bytes(LARGE_BYTES),
                format_bytes(SMALL_BYTES),
                format_ratio(LARGE_BYTES as f64 / SMALL_BYTES as f64)
            ),
            commands: vec![command(LARGE_BYTES), command(SMALL_BYTES)],
            ask: format!("How much longer does it take in blocks of {}?", format_bytes(SMALL_BYTES)),
            answer: Ask::Choice(options()),
            hint: "A call has a price, and so has the copying of a byte. Which of the two changes here?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        // What earlier acts left in the cache may lie in pieces of another size.
        bench.make_cold(&path)?;
        bench.warm_up(&path)?;
        let part_bytes = bench.plan().size_bytes.min(PART_BYTES);
        let pages = bench.plan().size_bytes.div_ceil(bench.host().page_bytes);
        let trials = bench.plan().trials;
        let mut points: Vec<Timed> =
            block_sizes().map(|block_bytes| Timed { block_bytes, passes: Vec::new() }).collect();

        bench.begin("reading the same bytes in blocks of all sizes", points.len() as u64 * u64::from(trials));
        let part = shell_bytes(part_bytes);
        interleave(points.len(), trials, |arm, _| {
            bench.warm_up(&path)?;
            let block = shell_bytes(points[arm].block_bytes);
            let pass = Pass::measure(bench, "cread", &path, &["--block", &block, "--bytes", &part])?;
            bench.done(1)?;
            let trial = match counts(&pass, pages, part_bytes) {
                Ok(()) => Trial::Kept(pass.elapsed_ns as f64),
                Err(why) => Trial::Discarded(why),
            };
            points[arm].passes.push(pass);
            Ok::<_, Unavailable>(trial)
        })?;
        bench.end();
        Ok(Evidence { pages, part_bytes, trials, points, caches: processor::data_caches() })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let part = shell_bytes(evidence.part_bytes);
        let causes = causes(evidence);
        Reveal {
            outcome: outcome(evidence),
            sentence: sentence(evidence) + unexplained(&causes),
            figures: vec![Figure::Bars(bars(evidence)), Figure::Curve(curve(evidence))],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveats(evidence, setting),
            try_next: vec![
                format!("tutor run cread --size {part} --warm --block 512"),
                format!("tutor run cread --size {part} --warm --block 4M"),
            ],
            sources: vec!["man 2 read".to_owned(), "mm/filemap.c, filemap_read".to_owned()],
        }
    }
}

fn block_sizes() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(SMALLEST_BYTES), |block| Some(block * 2))
        .take_while(|block| *block <= LARGEST_BYTES)
}

const SAME: &str = "same";
const TWICE: &str = "twice";
const AS_CALLS: &str = "as-calls";

/// Each option's own figure: time in small blocks for each unit of time in large ones.
const FIGURES: [(&str, f64); 3] =
    [(SAME, 1.0), (TWICE, 2.0), (AS_CALLS, LARGE_BYTES as f64 / SMALL_BYTES as f64)];

fn options() -> Vec<Choice> {
    let option = |id: &str, text: String, explanation: &str| Choice {
        id: id.to_owned(),
        text,
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            SAME,
            "1x: the same bytes, the same time".to_owned(),
            "You take a call to cost nothing beside the bytes that it copies. It is so for blocks that are large \
             enough: the price of a call is shared by so many bytes that it no longer shows.",
        ),
        option(
            TWICE,
            "about 2x".to_owned(),
            "You take the price of a call to be of the order of copying a few KiB. It is so where that many bytes are \
             copied in about the time in which the kernel is entered, finds the file's pages, and is left.",
        ),
        option(
            AS_CALLS,
            format!(
                "{}: as many times as there are more calls",
                format_ratio(LARGE_BYTES as f64 / SMALL_BYTES as f64)
            ),
            "You take the calls to be all that costs. It would be so if copying were free. It is nearly so for tiny \
             blocks, where a call moves hardly any bytes, and where something makes each call dear, such as a tracer \
             that stops the program at every one.",
        ),
    ]
}

fn outcome(evidence: &Evidence) -> Outcome {
    let (small, large) = (evidence.times_of(SMALL_BYTES), evidence.times_of(LARGE_BYTES));
    if let Some(why) = too_few(evidence) {
        return Outcome::Undecided(why);
    }
    let Some(ratio) = small.ratio_to(&large) else {
        return Outcome::Undecided("the clock saw no time pass".to_owned());
    };
    match nearest(ratio, &FIGURES) {
        Some(id) if id != SAME && !small.is_apart_from(&large) => {
            Outcome::Undecided(format!("the spreads of the two overlap, so {id} is not proven"))
        }
        Some(SAME) if ratio * FIGURES[1].1.sqrt() < 1.0 => {
            Outcome::Undecided("the smaller blocks were faster, which no option foresaw".to_owned())
        }
        Some(id) => Outcome::Choice(id.to_owned()),
        None => Outcome::Undecided("no option is near to what was measured".to_owned()),
    }
}

/// Why the two sizes cannot be compared.
fn too_few(evidence: &Evidence) -> Option<String> {
    let [small, large] =
        [SMALL_BYTES, LARGE_BYTES].map(|block| (format_bytes(block), evidence.times_of(block)));
    arms::too_few(&[(&small.0, &small.1), (&large.0, &large.1)])
}

fn sentence(evidence: &Evidence) -> String {
    let (small, large) = (evidence.times_of(SMALL_BYTES), evidence.times_of(LARGE_BYTES));
    let sizes = (format_bytes(SMALL_BYTES), format_bytes(LARGE_BYTES));
    if let Some(why) = too_few(evidence) {
        return arms::too_few_to_tell(why).1;
    }
    let Some(ratio) = small.ratio_to(&large) else {
        return "The clock saw no time pass.".to_owned();
    };
    let first = if !small.is_apart_from(&large) {
        let (small, large) = (time(&small), time(&large));
        match nearest(ratio, &FIGURES) {
            Some(SAME) => format!(
                "Blocks of {} and of {} took about the same time: a tie on this machine.",
                sizes.0, sizes.1
            ),
            _ => format!(
                "Blocks of {} took {small}, blocks of {} {large}, and the spreads overlap: nobody can tell how much \
                 longer it takes.",
                sizes.0, sizes.1
            ),
        }
    } else {
        format!(
            "In blocks of {} it took {} as long as in blocks of {}.",
            sizes.0,
            format_ratio(ratio),
            sizes.1
        )
    };
    let flat = flattens_at(evidence).map(|block| {
        format!(" From {} on, no larger block is more than a tenth faster.", format_bytes(block))
    });
    let worse = worse_when_large(evidence).map(|worse| {
        format!(
            " Larger is not always better: blocks of {} took {} as long as those of {}, the best.",
            format_bytes(worse.block_bytes),
            format_ratio(worse.ratio),
            format_bytes(worse.best_bytes)
        )
    });
    [Some(first), flat, worse].into_iter().flatten().collect()
}

fn bars(evidence: &Evidence) -> Bars {
    let bar = |block: u64| {
        let samples = evidence.times_of(block);
        Bar {
            label: format_bytes(block),
            value: samples.median().unwrap_or(0.0),
            text: time(&samples),
            note: many(evidence.part_bytes.div_ceil(block), "block"),
        }
    };
    Bars {
        title: format!("time to read {}, warm", format_bytes(evidence.part_bytes)),
        bars: vec![bar(LARGE_BYTES), bar(SMALL_BYTES)],
    }
}

/// The times of all block sizes up to the large one.
fn up_to_large(evidence: &Evidence) -> Vec<Timing> {
    let timing = |timed: &Timed| {
        let samples = evidence.times(timed);
        Some(Timing {
            calls: evidence.part_bytes.div_ceil(timed.block_bytes.max(1)) as f64,
            median_ns: samples.median()?,
            quartiles_ns: samples.quartiles()?,
        })
    };
    evidence.points.iter().filter(|timed| timed.block_bytes <= LARGE_BYTES).filter_map(timing).collect()
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let mut causes = Vec::new();
    let (small, large) = (evidence.times_of(SMALL_BYTES), evidence.times_of(LARGE_BYTES));
    let slower = small.ratio_to(&large).is_some_and(|ratio| ratio > 1.0) && small.is_apart_from(&large);
    if let Some(prices) = Prices::fit(&up_to_large(evidence)).filter(|_| slower) {
        let small_ns = prices.call_ns * evidence.part_bytes.div_ceil(SMALL_BYTES) as f64;
        causes.push(Why::PriceOfACall {
            call_ns: prices.call_ns,
            mebibyte_ns: prices.bytes_ns / evidence.part_bytes as f64 * f64::from(1 << 20),
            up_to_bytes: LARGE_BYTES,
            block_bytes: SMALL_BYTES,
            share: small_ns / (small_ns + prices.bytes_ns),
        });
    }
    if let Some(worse) = worse_when_large(evidence) {
        let between = |cache: &&Cache| worse.best_bytes < cache.bytes && cache.bytes < worse.block_bytes;
        causes.extend(evidence.caches.iter().find(between).map(|cache| Why::ProcessorCache {
            cache: *cache,
            best_bytes: worse.best_bytes,
            block_bytes: worse.block_bytes,
        }));
    }
    causes
}

fn caveats(evidence: &Evidence, setting: &Setting) -> Vec<Caveat> {
    let mut caveats = caveat::of_memory(&setting.host);
    let all: Vec<Samples> = evidence.points.iter().map(|timed| evidence.times(timed)).collect();
    let arms: Vec<&Samples> = all.iter().collect();
    let counted =
        evidence.points.iter().flat_map(|timed| &timed.passes).all(|pass| pass.device_read_bytes.is_some());
    caveats.extend(pass::caveats(&arms, evidence.trials, counted));
    let (small, large) = (evidence.times_of(SMALL_BYTES), evidence.times_of(LARGE_BYTES));
    let names =
        (format!("{} blocks", format_bytes(SMALL_BYTES)), format!("{} blocks", format_bytes(LARGE_BYTES)));
    caveats.extend(caveat::of_spreads(&[(&names.0, &small), (&names.1, &large)]));
    caveats.extend(arms::overlap((&names.0, &small), (&names.1, &large)));
    caveats
}
