//! Act 6: what the hint does for the read that follows, and what the device has to do for both.

use crate::asked::{Asked, Read, delivered_once, figures, judge, whole_piece};
use crate::cause::Why;
use crate::notes;
use crate::words::{self, Standing, middle, nearest, option};
use instruments::sample::Standing::TooFew;
use instruments::sample::interleave;
use instruments::size::{format_bytes, format_ratio, shell_bytes};
use instruments::{Bench, Samples, Unavailable, folio};
use lesson::caveat::of_device;
use lesson::figure::{Bar, Bars, Table};
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;

/// How many times faster the read is: what the options stand for.
const RATIOS: [(&str, f64); 4] = [("0.5x", 0.5), ("1x", 1.0), ("2x", 2.0), ("10x", 10.0)];

/// The act.
#[derive(Debug)]
pub struct NoWaste;

/// A cold read, one right after the calls, and one some time after them, in turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// Milliseconds between calls and read, where there is a pause.
    pub pause_ms: u64,
    /// Without a hint, in the order in which it was measured.
    pub plain: Vec<Read>,
    /// Asked for and read at once, likewise.
    pub at_once: Vec<Hinted>,
    /// Asked for, and read after the pause.
    pub paused: Vec<Hinted>,
    /// Read once more after `plain`, from memory, as the read had left it.
    pub warm_by_read: Vec<Read>,
    /// Read once more after `paused`, from memory, as the calls had left it.
    pub warm_by_hints: Vec<Read>,
    /// Pages of the folios in which a read leaves the file; empty where that is not known.
    pub read_folio_pages: Vec<u64>,
    /// And in which the calls leave it.
    pub hint_folio_pages: Vec<u64>,
}

/// The file asked for, then read by the same program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hinted {
    /// The calls. Its state after is that after the read.
    pub asked: Asked,
    /// Bytes read.
    pub read_bytes: u64,
    /// From before the first read() to after the last, nanoseconds.
    pub read_elapsed_ns: u64,
    /// Bytes that the device was asked for during the read; None where the kernel does not count.
    pub read_device_bytes: Option<u64>,
}

impl Hinted {
    fn measure(
        bench: &mut Bench<'_>,
        path: &Path,
        piece: &str,
        pause_ms: u64,
    ) -> Result<Hinted, Unavailable> {
        let (block, pause) = (shell_bytes(bench.plan().block_bytes), pause_ms.to_string());
        let extra = ["--pieces", piece, "--then-read", "--block", &block, "--pause", &pause];
        let (asked, run) = Asked::cold_run(bench, path, &extra, None)?;
        Ok(Hinted {
            asked,
            read_bytes: run.u64("read_bytes")?,
            read_elapsed_ns: run.u64("read_elapsed_ns")?,
            read_device_bytes: run.u64_if_known("read_device_bytes")?,
        })
    }

    fn began_cold(&self) -> Result<(), String> {
        self.asked.began_cold()
    }

    /// Calls and read together.
    fn device_bytes(&self) -> Option<u64> {
        Some(self.asked.device_read_bytes?.saturating_add(self.read_device_bytes?))
    }

    fn total_ns(&self) -> u64 {
        self.asked.elapsed_ns.saturating_add(self.read_elapsed_ns)
    }
}

impl Act for NoWaste {
    type Evidence = Evidence;
    const ID: &'static str = "no-waste";
    const TITLE: &'static str = "the read that follows";
    const SECONDS: u32 = 4;
    const NOTES: Notes = notes::NO_WASTE;

    fn question(&self, setting: &Setting) -> Question {
        let plan = &setting.plan;
        let size = shell_bytes(plan.size_bytes);
        let piece =
            crate::settings::Settings::at_start(&setting.host).map(crate::settings::Settings::larger_bytes);
        let hinted = piece.map(|piece| {
            format!("tutor run willneed --size {size} --cold --pieces {} --then-read", shell_bytes(piece))
        });
        let read = format!("tutor run cread --size {size} --cold --block {}", shell_bytes(plan.block_bytes));
        Question {
            setup: format!(
                "A program asks for the evicted {} in pieces, and reads the file from start to end as soon as the calls \
                 have returned. Only the read is timed. In turn with that, the evicted file is read without a hint.",
                format_bytes(plan.size_bytes)
            ),
            commands: std::iter::once(read).chain(hinted).collect(),
            ask: "How many times faster is the read after the hints?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "When the calls return, where are the bytes? And who would fetch them a second time?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let rounds = bench.plan().trials;
        let piece = shell_bytes(whole_piece(bench, &path)?);
        let first = Read::cold(bench, &path)?;
        let mut evidence = Evidence {
            size_bytes: bench.plan().size_bytes,
            // In that time the disk can deliver the file, or a good part of it.
            pause_ms: (first.elapsed_ns / 1_000_000).clamp(1, 300),
            ..Evidence::default()
        };
        bench.begin("read with hints and without, in turn", 3 * u64::from(rounds));
        interleave(3, rounds, |arm, _round| {
            let end = match arm {
                0 => {
                    let read = Read::cold(bench, &path)?;
                    let end = judge(read.was_cold(), read.elapsed_ns);
                    evidence.plain.push(read);
                    evidence.warm_by_read.push(Read::measure(bench, &path, None)?);
                    end
                }
                _ => {
                    let pause_ms = if arm == 1 { 0 } else { evidence.pause_ms };
                    let hinted = Hinted::measure(bench, &path, &piece, pause_ms)?;
                    let end = judge(hinted.began_cold(), hinted.read_elapsed_ns);
                    if arm == 1 {
                        evidence.at_once.push(hinted);
                    } else {
                        evidence.paused.push(hinted);
                        evidence.warm_by_hints.push(Read::measure(bench, &path, None)?);
                    }
                    end
                }
            };
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        bench.end();
        Asked::cold(bench, &path, &["--pieces", &piece])?;
        evidence.hint_folio_pages = folios(&path)?;
        Read::cold(bench, &path)?;
        evidence.read_folio_pages = folios(&path)?;
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let arms = Arms::of(evidence);
        let named = [
            ("no hint", &arms.plain),
            ("right after the calls", &arms.at_once),
            ("after a pause", &arms.paused),
        ];
        let (outcome, sentence) = arms.decide();
        let mut caveats = of_device(&setting.host);
        caveats.extend(lesson::arms::caveats(setting.plan.trials, &named));
        caveats.extend(lesson::arms::overlap(named[0], named[1]));
        let size = shell_bytes(evidence.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures: vec![bars(evidence, &arms), table(evidence, &arms)],
            causes: causes(evidence, &arms).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![format!(
                "tutor run willneed --size {size} --cold --pieces 128K --then-read --pause {}",
                evidence.pause_ms
            )],
            sources: vec![
                "man 2 posix_fadvise (POSIX_FADV_WILLNEED)".to_owned(),
                "mm/filemap.c, filemap_update_page (Linux 6.18)".to_owned(),
            ],
        }
    }
}

/// So many places in the file show the usual folio.
const PLACES: u64 = 8;

fn folios(path: &Path) -> Result<Vec<u64>, Unavailable> {
    let sampled =
        File::options().read(true).write(true).open(path).and_then(|file| folio::sample(&file, PLACES));
    sampled.map_err(|error| Unavailable::failed("look at the folios of our own file", error, ""))
}

/// Times of the reads that count, nanoseconds.
struct Arms {
    plain: Samples,
    at_once: Samples,
    paused: Samples,
    /// The calls and the read right after them together.
    total: Samples,
    warm_by_read: Samples,
    warm_by_hints: Samples,
}

impl Arms {
    fn of(evidence: &Evidence) -> Arms {
        let hinted = |runs: &[Hinted], figure| figures(runs, figure, Hinted::began_cold);
        Arms {
            plain: figures(&evidence.plain, |read| read.elapsed_ns, Read::was_cold),
            at_once: hinted(&evidence.at_once, |run| run.read_elapsed_ns),
            paused: hinted(&evidence.paused, |run| run.read_elapsed_ns),
            total: hinted(&evidence.at_once, Hinted::total_ns),
            warm_by_read: figures(&evidence.warm_by_read, |read| read.elapsed_ns, Read::was_warm),
            warm_by_hints: figures(&evidence.warm_by_hints, |read| read.elapsed_ns, Read::was_warm),
        }
    }

    fn decide(&self) -> (Outcome, String) {
        if let Some(why) =
            lesson::arms::too_few(&[("no hint", &self.plain), ("right after the calls", &self.at_once)])
        {
            return lesson::arms::too_few_to_tell(why);
        }
        let Some(ratio) = self.plain.ratio_to(&self.at_once) else {
            let why = "the clock saw no time pass".to_owned();
            return (Outcome::Undecided(why.clone()), format!("There is no figure to trust: {why}."));
        };
        let measured = format!(
            "{} right after the calls, {} without them",
            words::time(&self.at_once),
            words::time(&self.plain)
        );
        match Standing::of(&self.plain, &self.at_once) {
            Standing::CannotTell(why) => words::cannot_tell(&measured, why),
            Standing::Tie => {
                (Outcome::Choice("1x".to_owned()), format!("A tie within the spread: {measured}."))
            }
            Standing::Apart => (
                Outcome::Choice(nearest(ratio, &RATIOS).unwrap_or("1x").to_owned()),
                format!("A ratio of {}: {measured}.", format_ratio(ratio)),
            ),
        }
    }
}

fn causes(evidence: &Evidence, arms: &Arms) -> Vec<Why> {
    let mut causes = Vec::new();
    let device = |runs: &[Hinted]| middle(runs.iter().filter_map(Hinted::device_bytes).collect());
    let plain = middle(evidence.plain.iter().filter_map(|read| read.device_read_bytes).collect());
    if let (Some(plain_bytes), Some(hinted_bytes)) = (plain, device(&evidence.at_once)) {
        if delivered_once(Some(hinted_bytes), evidence.size_bytes).is_ok() {
            causes.push(Why::ReadOnce { plain_bytes, hinted_bytes });
        } else if hinted_bytes > evidence.size_bytes {
            causes.push(Why::ReadAgain { size_bytes: evidence.size_bytes, hinted_bytes });
        }
    }
    let medians = |samples: &Samples| samples.median();
    if arms.total.against(&arms.plain) != TooFew {
        causes.push(Why::TotalTime { total_ns: arms.total.clone(), plain_ns: arms.plain.clone() });
    }
    let all_there = evidence.paused.iter().all(|run| run.read_device_bytes == Some(0));
    if let (Some(paused_ns), Some(plain_ns)) = (medians(&arms.paused), medians(&arms.plain))
        && paused_ns < plain_ns
        && arms.paused.is_apart_from(&arms.plain)
        && all_there
    {
        causes.push(Why::OtherWorkMeanwhile { pause_ms: evidence.pause_ms, paused_ns, plain_ns });
    }
    let folio = |pages: &[u64]| middle(pages.to_vec());
    if let (Some(hinted_pages), Some(read_pages)) =
        (folio(&evidence.hint_folio_pages), folio(&evidence.read_folio_pages))
        && hinted_pages < read_pages
    {
        let (hints, read) = (&arms.warm_by_hints, &arms.warm_by_read);
        let slower = hints.ratio_to(read).is_some_and(|ratio| ratio > 1.0) && hints.is_apart_from(read);
        let times_ns = medians(hints).zip(medians(read)).filter(|_| slower);
        causes.push(Why::SmallFolios { hinted_pages, read_pages, times_ns });
    }
    causes
}

fn bars(evidence: &Evidence, arms: &Arms) -> Figure {
    let bar = |label: &str, samples: &Samples, delivered: Vec<Option<u64>>| Bar {
        label: label.to_owned(),
        value: samples.median().unwrap_or(0.0),
        text: words::time(samples),
        note: words::from_device(delivered),
    };
    let during = |runs: &[Hinted]| runs.iter().map(|run| run.read_device_bytes).collect();
    Figure::Bars(Bars {
        title: format!("time to read {}", format_bytes(evidence.size_bytes)),
        bars: vec![
            bar("no hint", &arms.plain, evidence.plain.iter().map(|read| read.device_read_bytes).collect()),
            bar("after calls", &arms.at_once, during(&evidence.at_once)),
            bar("after pause", &arms.paused, during(&evidence.paused)),
        ],
    })
}

/// Calls and reads together: what the whole thing cost.
fn table(evidence: &Evidence, arms: &Arms) -> Figure {
    let calls = |runs: &[Hinted]| words::time(&figures(runs, |run| run.asked.elapsed_ns, Hinted::began_cold));
    let delivered = |figures: Vec<Option<u64>>| words::from_device(figures).replace(" from the device", "");
    let hinted = |name: &str, runs: &[Hinted], reads: &Samples| {
        let bytes = runs.iter().map(Hinted::device_bytes).collect();
        vec![name.to_owned(), calls(runs), words::time(reads), delivered(bytes)]
    };
    let plain = evidence.plain.iter().map(|read| read.device_read_bytes).collect();
    Figure::Table(Table {
        title: "calls and read together".to_owned(),
        head: ["how", "calls", "read", "device, both"].map(str::to_owned).to_vec(),
        rows: vec![
            vec!["no hint".to_owned(), "none".to_owned(), words::time(&arms.plain), delivered(plain)],
            hinted("read at once", &evidence.at_once, &arms.at_once),
            hinted(&format!("pause of {} ms", evidence.pause_ms), &evidence.paused, &arms.paused),
        ],
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "0.5x",
            "Slower: about 0.5x",
            "Whoever says slower expects the work to be done twice: once for the hint, and once more for the read. It would \
             be so if the pages were gone again before the read, as they are in a memory limit smaller than the file.",
        ),
        option(
            "1x",
            "No faster: about 1x",
            "Whoever says 1x expects that the read must wait for the disk all the same, or that the hint was ignored. It \
             would be so where the disk has hardly begun when the calls return, or where the hint loads nothing.",
        ),
        option(
            "2x",
            "About 2x",
            "A middle figure means that a part of the disk's work is done by the time the calls return. It is so where \
             the calls take about as long as the other half of that work.",
        ),
        option(
            "10x",
            "As fast as from memory: 10x or more",
            "Whoever says 10x expects all bytes to be there when the calls return. It would be so if the calls waited for \
             the data, or if the program had something else to do before it reads.",
        ),
    ]
}
