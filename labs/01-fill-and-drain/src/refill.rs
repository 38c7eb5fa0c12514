//! Act 4: half of the evicted file is read. How much of it is in memory then?

use crate::cause::Why;
use crate::moments::{KEPT, maps};
use crate::notes;
use crate::pace::WATCHED;
use crate::words::{self, choice, option, undecided};
use instruments::bench::Run;
use instruments::pages::{page_bytes, pages_for};
use instruments::residency_timeline::ResidencyTimeline;
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
    pub film: ResidencyTimeline,
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
            if came.is_whole(asked_pages, page_bytes()) {
                bench.done(1)?;
                return Ok(Trial::Kept(0.0));
            }
            let gone = evidence.pages.saturating_sub(came.resident_pages);
            bench.note_missing(&path, came.missing(asked_pages, page_bytes()).min(gone))?;
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
const MISSING: &str = "fewer pages were in memory than had just come, so somebody had taken some";

/// Bytes that a filesystem may read of its own for any file, to know where its blocks are; checksums come on top.
const FOR_THE_FILESYSTEM: u64 = 256 << 10;

impl Came {
    /// All that was read was in memory afterwards, and what was read ahead, too.
    fn is_whole(&self, asked_pages: u64, page_bytes: u64) -> bool {
        let resident = self.resident_pages.saturating_mul(page_bytes);
        let lost = self.device_read_bytes.map_or(0, |delivered| delivered.saturating_sub(resident));
        self.resident_pages >= asked_pages && lost <= FOR_THE_FILESYSTEM.saturating_add(resident / 64)
    }

    /// How many pages are missing of those that were read, or of those that the device delivered.
    fn missing(&self, asked_pages: u64, page_bytes: u64) -> u64 {
        let delivered_pages = self.device_read_bytes.unwrap_or(0) / page_bytes.max(1);
        asked_pages.max(delivered_pages).saturating_sub(self.resident_pages)
    }
}

/// The reads of one kind, told apart by whether pages were missing afterwards.
struct Arm {
    /// Pages after the middle one of those that count; of all where none does.
    pages: Option<u64>,
    /// Reads that count.
    whole: u32,
    /// Reads after which pages were missing.
    lost: u32,
}

impl Arm {
    fn of(reads: &[Came], evidence: &Evidence, setting: &Setting) -> Arm {
        let asked = asked_pages(evidence, setting);
        let (whole, lost): (Vec<&Came>, Vec<&Came>) =
            reads.iter().partition(|came| came.is_whole(asked, setting.host.page_bytes));
        let counted = if whole.is_empty() { &lost } else { &whole };
        let values = counted.iter().map(|came| came.resident_pages as f64).collect();
        let pages = Samples { values, ..Samples::default() }.median().map(|pages| pages as u64);
        Arm { pages, whole: whole.len() as u32, lost: lost.len() as u32 }
    }

    /// Pages after the middle read, where one counts.
    fn proven(&self) -> Option<u64> {
        self.pages.filter(|_| self.whole > 0)
    }
}

fn arms(evidence: &Evidence, setting: &Setting) -> [Arm; 2] {
    [&evidence.ordinary, &evidence.without_readahead].map(|reads| Arm::of(reads, evidence, setting))
}

/// What to say about reads that are not averaged in.
fn lost(evidence: &Evidence, setting: &Setting) -> Vec<Caveat> {
    let arms = arms(evidence, setting);
    let trials = setting.plan.trials;
    let mut caveats = Vec::new();
    // Of an arm in which pages always were missing, all are counted.
    let mixed = || arms.iter().filter(|arm| arm.whole > 0 && arm.lost > 0);
    if let Some(fewest) = mixed().map(|arm| arm.whole).min() {
        caveats.push(Caveat::Discarded(mixed().map(|arm| arm.lost).sum(), MISSING.to_owned()));
        caveats.extend((fewest < trials).then_some(Caveat::FewTrials(fewest, trials)));
    }
    let [ordinary, without] = &arms;
    if ordinary.whole > 0 && without.whole == 0 && without.lost > 0 {
        let why = "Without readahead pages were missing after each read: nothing to compare with.";
        caveats.push(Caveat::Other(why.to_owned()));
    }
    caveats
}

fn decide(evidence: &Evidence, setting: &Setting) -> (Outcome, String) {
    let (asked, all) = (asked_pages(evidence, setting), evidence.pages);
    let [ordinary, _] = arms(evidence, setting);
    let Some(resident) = ordinary.pages else {
        return undecided("nothing was read");
    };
    let said = format!(
        "Of {}, the first {} were read, and {} are in memory",
        words::pages(all),
        format_count(asked),
        format_count(resident)
    );
    let further = format_bytes(resident.saturating_sub(asked).saturating_mul(setting.host.page_bytes));
    if ordinary.whole == 0 && resident >= asked {
        let (outcome, _) = undecided("after each read something took pages");
        (outcome, format!("{said}. But the device delivered more: something took pages meanwhile."))
    } else if resident as f64 >= 0.95 * all as f64 {
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
    let [ordinary, without] = arms(evidence, setting);
    if let Some(resident_pages) = ordinary.pages.filter(|pages| *pages < asked) {
        return vec![Why::TakenMeanwhile {
            resident_pages,
            asked_pages: asked,
            limit_bytes: words::limit_below(evidence.asked_bytes, setting),
        }];
    }
    let (Some(with), Some(without)) = (ordinary.proven(), without.proven()) else { return Vec::new() };
    let further = with.saturating_sub(without).saturating_mul(setting.host.page_bytes);
    let read_ahead_kb = setting.host.device.as_ref().map(|device| device.read_ahead_kb);
    if with > asked && without == asked {
        vec![Why::ReadAhead { further_bytes: further, read_ahead_kb, pages: asked }]
    } else if with == asked && without == asked {
        vec![Why::NothingAhead { pages: asked, read_ahead_kb }]
    } else {
        Vec::new()
    }
}

fn bars(evidence: &Evidence, setting: &Setting) -> Figure {
    let asked = asked_pages(evidence, setting);
    let [ordinary, without] = arms(evidence, setting);
    let bar = |label: &str, arm: &Arm| {
        let resident = arm.pages;
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
        bars: vec![read, bar("resident", &ordinary), bar("no readahead", &without)],
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
