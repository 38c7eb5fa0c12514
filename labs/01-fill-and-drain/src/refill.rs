//! Act 4: half of the evicted file is read. How much of it is in memory then?

use crate::cause::Why;
use crate::moments::{KEPT, maps};
use crate::notes;
use crate::pace::WATCHED;
use crate::words::{self, choice, option, undecided};
use instruments::bench::Run;
use instruments::film::Film;
use instruments::pages::pages_for;
use instruments::sample::{Trial, interleave};
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use lesson::caveat::of_memory;
use lesson::figure::{Bar, Bars};
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// The act.
#[derive(Debug)]
pub struct Refill;

/// Reads of the file's beginning after an eviction, with readahead and without, in turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// Its pages.
    pub pages: u64,
    /// How much was read.
    pub asked_bytes: u64,
    /// As any program reads. Those after which pages were missing are kept here, and judged by none.
    pub ordinary: Vec<Came>,
    /// The same, with readahead switched off for this open file.
    pub without_readahead: Vec<Came>,
    /// The file filling again, read slowly; it counts for nothing else.
    pub film: Film,
}

/// What a read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Came {
    /// Pages resident after it; none were before.
    pub resident_pages: u64,
    /// What the device delivered until the last read() had returned; None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
}

impl Act for Refill {
    type Evidence = Evidence;
    const ID: &'static str = "refill";
    const TITLE: &'static str = "half of it is read";
    const SECONDS: u32 = 5;
    const NOTES: Notes = notes::REFILL;

    fn question(&self, setting: &Setting) -> Question {
        let plan = &setting.plan;
        let [size, half] = [plan.size_bytes, plan.size_bytes / 2].map(format_bytes);
        Question {
            setup: format!(
                "The file of {size} is evicted: no page is left in memory. Then a program reads its first {half}, from start \
                 to middle, 128 KiB at a time, and stops."
            ),
            commands: vec![format!("tutor run refill --size {}", shell_bytes(plan.size_bytes))],
            ask: "How much of the file is in memory then?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "The kernel does not know that the program will stop. What would you do in its place?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = bench.plan().size_bytes;
        let path = bench.data_file()?;
        bench.make_cold(&path)?;
        let over = format!("{}ms", WATCHED.as_millis());
        bench.begin("read half of the file, slowly, to watch it", 0);
        let slowly = [path.as_os_str(), OsStr::new("--over"), OsStr::new(&over)];
        let (run, film) = bench.run_watching("refill", &slowly, &path, size)?;
        bench.end();
        let mut evidence = Evidence {
            size_bytes: size,
            pages: run.u64("pages")?,
            asked_bytes: run.u64("bytes")?,
            film: film.thinned(KEPT),
            ..Evidence::default()
        };
        let asked_pages = pages_for(evidence.asked_bytes);
        let rounds = bench.plan().trials;
        bench.begin("read half of the file, with readahead and without", 2 * u64::from(rounds));
        interleave(2, rounds, |arm, _round| {
            let args = [path.as_os_str(), OsStr::new("--random-advice")];
            let run = bench.run("refill", if arm == 0 { &args[..1] } else { &args })?;
            let arms = [&mut evidence.ordinary, &mut evidence.without_readahead];
            let came = came(&run)?;
            arms[arm].push(came);
            if came.is_whole(asked_pages) {
                bench.done(1)?;
                return Ok(Trial::Kept(0.0));
            }
            Ok::<_, Unavailable>(Trial::Discarded(MISSING.to_owned()))
        })?;
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence, setting);
        let mut figures = vec![bars(evidence, setting)];
        figures.extend(maps(&evidence.film, "half of it is read"));
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats: of_memory(&setting.host).into_iter().chain(lost(evidence, setting)).collect(),
            try_next: vec![
                format!("tutor run refill --size {} --bytes 64K", shell_bytes(evidence.size_bytes)),
                format!("tutor run refill --size {} --random-advice", shell_bytes(evidence.size_bytes)),
            ],
            sources: vec![
                "man 2 readahead".to_owned(),
                "mm/readahead.c (Linux 6.18)".to_owned(),
                "man 2 posix_fadvise (POSIX_FADV_RANDOM)".to_owned(),
            ],
        }
    }
}

fn came(run: &Run) -> Result<Came, Unavailable> {
    Ok(Came {
        resident_pages: run.u64("resident_pages")?,
        device_read_bytes: run.u64_if_known("device_read_bytes")?,
    })
}

/// Pages that hold what was asked for.
fn asked_pages(evidence: &Evidence, setting: &Setting) -> u64 {
    evidence.asked_bytes.div_ceil(setting.host.page_bytes.max(1))
}

/// Why a read is not averaged in.
const MISSING: &str = "fewer pages were in memory than had just been read, so somebody had taken some";

impl Came {
    /// All that was read was in memory afterwards.
    fn is_whole(&self, asked_pages: u64) -> bool {
        self.resident_pages >= asked_pages
    }
}

/// The middle of those reads after which nothing was missing; of all where something always was.
fn median(reads: &[Came], asked_pages: u64) -> Option<u64> {
    let of = |whole: bool| {
        let counted = reads.iter().filter(|came| !whole || came.is_whole(asked_pages));
        let values = counted.map(|came| came.resident_pages as f64).collect();
        Samples { values, ..Samples::default() }.median().map(|pages| pages as u64)
    };
    of(true).or_else(|| of(false))
}

/// What to say about reads that are not averaged in.
fn lost(evidence: &Evidence, setting: &Setting) -> Vec<Caveat> {
    let asked = asked_pages(evidence, setting);
    let (mut lost, mut fewest) = (0, setting.plan.trials);
    for reads in [&evidence.ordinary, &evidence.without_readahead] {
        let whole = reads.iter().filter(|came| came.is_whole(asked)).count();
        // Of an arm in which pages always were missing, all are counted.
        if whole > 0 && whole < reads.len() {
            lost += (reads.len() - whole) as u32;
            fewest = fewest.min(whole as u32);
        }
    }
    let thrown_away = (lost > 0).then(|| Caveat::Discarded(lost, MISSING.to_owned()));
    let few = (fewest < setting.plan.trials).then_some(Caveat::FewTrials(fewest, setting.plan.trials));
    let no_control = (median(&evidence.ordinary, asked) >= Some(asked)
        && median(&evidence.without_readahead, asked).is_some_and(|pages| pages < asked))
    .then(|| {
        Caveat::Other("Without readahead pages were missing after each read: nothing to compare with.".into())
    });
    [thrown_away, few, no_control].into_iter().flatten().collect()
}

fn decide(evidence: &Evidence, setting: &Setting) -> (Outcome, String) {
    let (asked, all) = (asked_pages(evidence, setting), evidence.pages);
    let Some(resident) = median(&evidence.ordinary, asked) else {
        return undecided("nothing was read");
    };
    let said = format!(
        "Of {}, the first {} were read, and {} are in memory",
        words::pages(all),
        format_count(asked),
        format_count(resident)
    );
    let further = format_bytes(resident.saturating_sub(asked).saturating_mul(setting.host.page_bytes));
    if resident as f64 >= 0.95 * all as f64 {
        choice("all", format!("{said}: as good as all of it."))
    } else if resident > asked {
        choice("half-plus", format!("{said}: the half that was asked for, and {further} more."))
    } else if resident == asked {
        choice("half", format!("{said}: the half that was asked for, to the page."))
    } else if (resident as f64) < 0.05 * asked as f64 {
        choice("none", format!("{said}: next to nothing stayed."))
    } else {
        let (outcome, _) = undecided("less is in memory than was read");
        (outcome, format!("{said}: less than was read. Something took pages meanwhile."))
    }
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let asked = asked_pages(evidence, setting);
    let arms = (median(&evidence.ordinary, asked), median(&evidence.without_readahead, asked));
    let (Some(with), Some(without)) = arms else { return Vec::new() };
    let further = with.saturating_sub(without).saturating_mul(setting.host.page_bytes);
    let read_ahead_kb = setting.host.device.as_ref().map(|device| device.read_ahead_kb);
    if with > asked && without == asked {
        vec![Why::ReadAhead { further_bytes: further, read_ahead_kb, pages: asked }]
    } else if with == asked && without == asked {
        vec![Why::NothingAhead { pages: asked, read_ahead_kb }]
    } else if with < asked {
        vec![Why::TakenMeanwhile {
            resident_pages: with,
            asked_pages: asked,
            limit_bytes: words::limit_below(evidence.asked_bytes, setting),
        }]
    } else {
        Vec::new()
    }
}

fn bars(evidence: &Evidence, setting: &Setting) -> Figure {
    let asked = asked_pages(evidence, setting);
    let bar = |label: &str, reads: &[Came]| {
        let resident = median(reads, asked);
        Bar {
            label: label.to_owned(),
            value: resident.unwrap_or(0) as f64,
            text: resident.map_or_else(|| "unknown".to_owned(), words::pages),
            note: resident.map_or_else(String::new, |pages| {
                format_bytes(pages.saturating_mul(setting.host.page_bytes))
            }),
        }
    };
    let read = Bar {
        label: "read".to_owned(),
        value: asked as f64,
        text: words::pages(asked),
        note: format_bytes(evidence.asked_bytes),
    };
    Figure::Bars(Bars {
        title: format!("in memory, of {}", words::pages(evidence.pages)),
        bars: vec![
            read,
            bar("resident", &evidence.ordinary),
            bar("no readahead", &evidence.without_readahead),
        ],
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "none",
            "None of it: only writes leave pages behind",
            "Whoever says none takes the cache for a buffer of writes. Reads go through the same pages. Nothing stays of \
             a read that goes past the cache (O_DIRECT), or where a memory limit leaves no room for it.",
        ),
        option(
            "half",
            "Half of it, to the page",
            "Whoever says half expects the kernel to fetch what was asked for and no more. That is so with readahead \
             switched off: for one open file by POSIX_FADV_RANDOM, for a whole device by read_ahead_kb = 0.",
        ),
        option(
            "half-plus",
            "Half of it, and what was read ahead",
            "Whoever says so expects the kernel to fetch ahead of a sequential reader. This one stops, and what was \
             fetched for it stays. How much that is depends on the device's read_ahead_kb.",
        ),
        option(
            "all",
            "All of it",
            "Whoever says all thinks of a file as the unit of the cache. It is the page, or a few of them together. All \
             of a file comes at once if it is smaller than what is read ahead.",
        ),
    ]
}
