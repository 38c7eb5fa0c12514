//! Act 3: at which file size a mapping catches up.

mod course;
mod options;
mod prices;

pub use course::{Course, Faster};

use crate::cause::Why;
use crate::notes;
use crate::pass::{Pass, faults_each, judge, times, warm_file};
use crate::words;
use instruments::sample::interleave;
use instruments::size::{format_bytes, format_ratio, shell_bytes};
use instruments::{Bench, Samples, Unavailable, folio, open};
use lesson::figure::{Axis, Curve, Mark, Point, Scale, Series, Table};
use lesson::nearest::clearly_less;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;

/// The largest file.
pub const LARGEST_BYTES: u64 = 16 << 20;

/// A trial goes through about so many bytes, whatever the size of the file.
const BYTES_A_TRIAL: u64 = 64 << 20;
const TIMES: std::ops::RangeInclusive<u64> = 4..=4096;

/// Folios are looked at in so many places of a file.
const PLACES: u64 = 5;

/// The act.
#[derive(Debug)]
pub struct Crossover;

/// Both ways to files of all sizes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Bytes in a page.
    pub page_bytes: u64,
    /// What each read() asked for.
    pub block_bytes: u64,
    /// By rising size, each twice the one before.
    pub sizes: Vec<OneSize>,
}

/// One size.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OneSize {
    /// Of the file.
    pub bytes: u64,
    /// open, read and add up, close.
    pub read: Vec<Pass>,
    /// open, mmap, add up, munmap, close.
    pub map: Vec<Pass>,
    /// Pages of the folios in a few places of the file, looked at afterwards; empty where the kernel does not tell.
    pub folio_pages: Vec<u64>,
}

impl Act for Crossover {
    type Evidence = Evidence;
    const ID: &'static str = "crossover";
    const TITLE: &'static str = "where a mapping catches up";
    const SECONDS: u32 = 6;
    const NOTES: Notes = notes::CROSSOVER;

    fn question(&self, setting: &Setting) -> Question {
        let page = setting.host.page_bytes;
        let block = setting.plan.block_bytes;
        let command = |name: &str, extra: &str| {
            format!("tutor run {name} --size {} --warm --sum --times 100{extra}", shell_bytes(LARGEST_BYTES))
        };
        Question {
            setup: format!(
                "Warm files from one page, {}, to {}, each twice as large as the one before. Both ways open the file, add \
                 up all of its bytes with the same loop, and close it. One reads up to {} at a time into one buffer and \
                 adds up from there; the other maps the file and adds up in place. So both end with every byte used.",
                format_bytes(page),
                format_bytes(LARGEST_BYTES),
                format_bytes(block)
            ),
            commands: vec![
                command("openread", &format!(" --block {}", shell_bytes(block))),
                command("openmap", ""),
            ],
            ask: "From which size on is the mapping faster?".to_owned(),
            answer: Ask::Choice(options::options(page)),
            hint: "Part of a mapping's price is paid once a file, part once a fault. What does read() pay for each byte?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let page_bytes = bench.host().page_bytes;
        let block_bytes = bench.plan().block_bytes;
        let trials = bench.plan().trials;
        let sizes = options::sizes(page_bytes);
        bench.begin("write files of all sizes", sizes.len() as u64);
        let mut files = Vec::new();
        let mut points = Vec::new();
        for bytes in sizes {
            files.push(warm_file(bench, bytes)?);
            points.push(OneSize { bytes, ..OneSize::default() });
            bench.done(1)?;
        }
        bench.end();

        bench
            .begin("add up files of all sizes, read and mapped", 2 * points.len() as u64 * u64::from(trials));
        let block = shell_bytes(block_bytes);
        interleave(2 * points.len(), trials, |arm, _round| {
            let (path, point) = (&files[arm / 2], &mut points[arm / 2]);
            bench.warm_up(path)?;
            let each = (BYTES_A_TRIAL / point.bytes).clamp(*TIMES.start(), *TIMES.end()).to_string();
            let passes = if arm.is_multiple_of(2) { &mut point.read } else { &mut point.map };
            let (pass, _) = if arm.is_multiple_of(2) {
                Pass::measure(bench, "openread", path, &["--sum", "--times", &each, "--block", &block])?
            } else {
                Pass::measure(bench, "openmap", path, &["--sum", "--times", &each])?
            };
            let end = judge(&pass, point.bytes.div_ceil(page_bytes));
            passes.push(pass);
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        for (path, point) in files.iter().zip(&mut points) {
            point.folio_pages = folios(path)?;
        }
        bench.end();
        Ok(Evidence { page_bytes, block_bytes, sizes: points })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let course = evidence.course();
        let (outcome, sentence) = options::decide(&course, evidence);
        let decided = !matches!(outcome, Outcome::Undecided(_));
        let causes = if decided { causes(evidence, &course) } else { Vec::new() };
        let told = if decided { words::unexplained(&causes) } else { "" };
        Reveal {
            outcome,
            sentence: sentence + told,
            figures: vec![Figure::Curve(curve(evidence, &course)), Figure::Table(table(evidence))],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveats(evidence, setting),
            try_next: ["64K", "2M", "64M"]
                .map(|size| format!("tutor run openmap --size {size} --warm --sum --times 50"))
                .to_vec(),
            sources: [
                "man 2 mmap",
                "mm/filemap.c, filemap_map_pages (Linux 6.18)",
                "mm/readahead.c, page_cache_ra_order",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

/// The scratch file is ours, so it may be opened for writing.
fn folios(path: &Path) -> Result<Vec<u64>, Unavailable> {
    File::options().read(true).write(true).open(path).and_then(|file| folio::sample(&file, PLACES)).map_err(
        |error| Unavailable::failed(format!("look at the folios of {}", open::shown(path)), error, ""),
    )
}

impl Evidence {
    /// Who is faster at each size.
    pub fn course(&self) -> Course {
        Course(
            self.sizes
                .iter()
                .map(|size| {
                    let (read, map) = size.times(self.page_bytes);
                    (size.bytes, Faster::of(&read, &map))
                })
                .collect(),
        )
    }
}

impl OneSize {
    fn pages(&self, page_bytes: u64) -> u64 {
        self.bytes.div_ceil(page_bytes.max(1))
    }

    /// What getting at all of it once took, read and mapped.
    pub fn times(&self, page_bytes: u64) -> (Samples, Samples) {
        let pages = self.pages(page_bytes);
        (times(&self.read, pages), times(&self.map, pages))
    }

    fn medians(&self, page_bytes: u64) -> Option<(f64, f64)> {
        let (read, map) = self.times(page_bytes);
        read.median().zip(map.median())
    }

    fn faults(&self, page_bytes: u64) -> Option<f64> {
        faults_each(&self.map, self.pages(page_bytes))
    }

    fn pages_a_fault(&self, page_bytes: u64) -> Option<f64> {
        let faults = self.faults(page_bytes).filter(|faults| *faults >= 1.0)?;
        Some(self.pages(page_bytes) as f64 / faults)
    }
}

fn causes(evidence: &Evidence, course: &Course) -> Vec<Why> {
    prices(evidence, course).into_iter().chain(larger_folios(evidence)).collect()
}

fn prices(evidence: &Evidence, course: &Course) -> Option<Why> {
    match (course.0.first()?.1, course.0.last()?.1) {
        (Faster::Read, Faster::Map) => {
            prices::made_up(evidence, course.last(Faster::Read)?, course.catches_up()?)
        }
        (Faster::Read, Faster::Read) => prices::dearer(evidence),
        _ => None,
    }
}

/// A size at which a mapping takes clearly fewer faults than at half of it, and lies in clearly larger folios.
fn larger_folios(evidence: &Evidence) -> Option<Why> {
    let page = evidence.page_bytes;
    evidence.sizes.windows(2).find_map(|pair| {
        let [smaller, larger] = pair else { return None };
        let faults = (smaller.faults(page)?, larger.faults(page)?);
        let folios = (words::middle(&smaller.folio_pages)?, words::middle(&larger.folio_pages)?);
        let fewer = clearly_less(faults.1, faults.0) && clearly_less(folios.0 as f64, folios.1 as f64);
        fewer.then_some(Why::LargerFolios { bytes: (smaller.bytes, larger.bytes), folios, faults })
    })
}

fn curve(evidence: &Evidence, course: &Course) -> Curve {
    let point = |size: &OneSize| {
        let (read, map) = size.times(evidence.page_bytes);
        let spread = |samples: &Samples| samples.quartiles().or(samples.median().zip(samples.median()));
        let ((read_first, read_third), (map_first, map_third)) = (spread(&read)?, spread(&map)?);
        let ratio = map.ratio_to(&read)?;
        (read_first > 0.0).then(|| Point {
            x: size.bytes as f64,
            y: ratio,
            low: map_first / read_third,
            high: map_third / read_first,
        })
    };
    let mark = course.catches_up().map(|bytes| Mark { x: bytes as f64, label: "catches up".to_owned() });
    Curve {
        title: "time of the mapping over time of read(): 1x is a tie".to_owned(),
        x: Axis { label: "size of the file".to_owned(), scale: Scale::Bytes, log: true },
        y: Axis { label: "mmap over read".to_owned(), scale: Scale::Ratio, log: false },
        series: vec![Series {
            name: "mmap over read".to_owned(),
            points: evidence.sizes.iter().filter_map(point).collect(),
        }],
        marks: mark.into_iter().collect(),
    }
}

/// Every other size, so that it fits a screen.
fn table(evidence: &Evidence) -> Table {
    let page = evidence.page_bytes;
    let row = |size: &OneSize| {
        let (read, map) = size.times(page);
        vec![
            format_bytes(size.bytes),
            words::time(&read),
            words::time(&map),
            map.ratio_to(&read).map_or_else(|| "unknown".to_owned(), format_ratio),
            size.faults(page).map_or_else(|| "unknown".to_owned(), |faults| format!("{faults:.0}")),
            words::middle(&size.folio_pages).map_or_else(|| "unknown".to_owned(), |pages| pages.to_string()),
        ]
    };
    Table {
        title: "time to add up a file, once".to_owned(),
        head: ["size", "read", "mmap", "ratio", "faults", "folio pages"].map(str::to_owned).to_vec(),
        rows: evidence.sizes.iter().step_by(2).map(row).collect(),
    }
}

fn caveats(evidence: &Evidence, setting: &Setting) -> Vec<Caveat> {
    let passes = evidence.sizes.iter().flat_map(|size| size.read.iter().chain(&size.map));
    let mut caveats = words::warm_caveats(setting, passes);
    let arms: Vec<Samples> = evidence
        .sizes
        .iter()
        .flat_map(|size| {
            let (read, map) = size.times(evidence.page_bytes);
            [read, map]
        })
        .collect();
    let discarded = arms.iter().map(|samples| samples.discarded).sum();
    if let Some(why) = arms.iter().rev().find_map(|samples| samples.discarded_why.clone()) {
        caveats.push(Caveat::Discarded(discarded, why));
    }
    let fewest = arms.iter().map(|samples| samples.values.len() as u32).min().unwrap_or(0);
    if (1..setting.plan.trials).contains(&fewest) {
        caveats.push(Caveat::FewTrials(fewest, setting.plan.trials));
    }
    caveats.push(Caveat::Other(
        "Each file is used again and again, so a small one is also in the processor's own caches.".to_owned(),
    ));
    caveats
}
