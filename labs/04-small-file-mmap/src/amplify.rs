//! Act 5: what a few touches of a cold mapping bring in from the device.

mod options;
mod read_around;

pub use read_around::{Windows, distinct};

use crate::cause::Why;
use crate::notes;
use crate::pass::arguments;
use crate::words::{self, many};
use instruments::host::device_below;
use instruments::residency::{self, Bucket};
use instruments::size::{format_bytes, format_count, format_ns, format_ratio, shell_bytes};
use instruments::{Bench, Reading, Unavailable};
use lesson::caveat::of_host;
use lesson::figure::{Bar, Bars, ResidencyMap};
use lesson::nearest::{agree, nearest};
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How many pages are touched.
pub const TOUCHES: u64 = 20;

/// The places: a learner who types the line visits the same.
const SEED: u64 = 1;

/// It is a count, so a few runs show whether it is always the same.
const ROUNDS: u64 = 3;

/// As many cells as fit a line.
const BUCKETS: usize = 64;

/// The act.
#[derive(Debug)]
pub struct Amplify;

/// The same touches of a cold mapping, without advice and with MADV_RANDOM.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// Bytes in a page.
    pub page_bytes: u64,
    /// What the device reads ahead for a file, asked before and after the runs; None where /sys does not tell.
    pub read_ahead_bytes: [Option<u64>; 2],
    /// Without advice.
    pub plain: Vec<Scatter>,
    /// With MADV_RANDOM.
    pub random: Vec<Scatter>,
    /// What lay in the cache after the last run without advice.
    pub map: Vec<Bucket>,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scatter {
    /// Pages touched, in this order.
    pub at_pages: Vec<u64>,
    /// Pages resident before.
    pub resident_before_pages: u64,
    /// And after.
    pub resident_after_pages: u64,
    /// Bytes that the device delivered meanwhile; None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
    /// Faults that waited for the device.
    pub major_faults: u64,
    /// For all touches together, nanoseconds.
    pub elapsed_ns: u64,
}

impl Act for Amplify {
    type Evidence = Evidence;
    const ID: &'static str = "amplify";
    const TITLE: &'static str = "twenty touches of a cold mapping";
    const SECONDS: u32 = 4;
    const NOTES: Notes = notes::AMPLIFY;

    fn question(&self, setting: &Setting) -> Question {
        let size = setting.plan.size_bytes;
        Question {
            setup: format!(
                "The file of {} is evicted: 0 of {} are resident. A program maps it and looks at one byte in each of \
                 {TOUCHES} places, scattered at random. Then the same once more, cold again, with the advice MADV_RANDOM.",
                format_bytes(size),
                many(size.div_ceil(setting.host.page_bytes.max(1)), "page")
            ),
            commands: vec![command(size, ""), command(size, " --random")],
            ask: "How many bytes does the device deliver for the touches without advice?".to_owned(),
            answer: Ask::Choice(options::options(setting)),
            hint: "The kernel cannot know that nobody will want the neighbours. How much does it fetch on a guess?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let read_ahead = |bench: &Bench<'_>| {
            device_below(bench.scratch().path()).map(|device| device.read_ahead_kb.saturating_mul(1024))
        };
        let mut evidence = Evidence {
            size_bytes: bench.plan().size_bytes,
            page_bytes: bench.host().page_bytes,
            read_ahead_bytes: [read_ahead(bench), None],
            ..Evidence::default()
        };
        bench.begin("touch a cold mapping here and there", 2 * ROUNDS);
        for _ in 0..ROUNDS {
            evidence.random.push(Scatter::measure(bench, &path, &["--random"])?);
            bench.done(1)?;
            evidence.plain.push(Scatter::measure(bench, &path, &[])?);
            evidence.map = map(bench, &path)?;
            bench.done(1)?;
        }
        bench.end();
        evidence.read_ahead_bytes[1] = read_ahead(bench);
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (plain, random) = (middle(&evidence.plain), middle(&evidence.random));
        let (outcome, sentence) = decide(plain, random, evidence, setting);
        let decided = !matches!(outcome, Outcome::Undecided(_));
        let causes = if decided { causes(plain, random, evidence) } else { Vec::new() };
        let told = if decided { words::unexplained(&causes) } else { "" };
        let size = evidence.size_bytes;
        let mut figures = vec![bars(plain, random, evidence)];
        if !evidence.map.is_empty() {
            figures.push(Figure::ResidencyMap(ResidencyMap {
                title: "in the cache after the touches without advice".to_owned(),
                size_bytes: size,
                page_bytes: evidence.page_bytes,
                buckets: evidence.map.clone(),
            }));
        }
        Reveal {
            outcome,
            sentence: sentence + told,
            figures,
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveats(plain, evidence, setting),
            try_next: vec![
                format!("tutor run scatter --size {} --cold --touches 200", shell_bytes(size)),
                format!("tutor run scatter --size {} --cold --touches 200 --random", shell_bytes(size)),
                "cat /sys/class/bdi/*/read_ahead_kb".to_owned(),
            ],
            sources: [
                "man 2 madvise (MADV_RANDOM)",
                "mm/filemap.c, do_sync_mmap_readahead, MMAP_LOTSAMISS, filemap_map_pages (Linux 6.18)",
                "Documentation/ABI/testing/sysfs-class-bdi",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

fn command(size_bytes: u64, extra: &str) -> String {
    format!("tutor run scatter --size {} --cold --touches {TOUCHES}{extra}", shell_bytes(size_bytes))
}

fn map(bench: &Bench<'_>, path: &Path) -> Result<Vec<Bucket>, Unavailable> {
    match residency::map(&bench.open(path)?, BUCKETS) {
        Ok(Reading::Known(buckets)) => Ok(buckets),
        // The figure is left out; that it is unknown already stopped the run before.
        Ok(Reading::Unknown(_)) => Ok(Vec::new()),
        Err(error) => Err(Unavailable::failed("see which parts of the file are resident", error, "")),
    }
}

impl Scatter {
    fn measure(bench: &mut Bench<'_>, path: &Path, extra: &[&str]) -> Result<Scatter, Unavailable> {
        let touches = TOUCHES.to_string();
        let seed = SEED.to_string();
        let mut args = vec!["--touches", &*touches, "--seed", &*seed];
        args.extend(extra);
        bench.make_cold(path)?;
        let resident_before_pages = bench.resident_pages(path)?;
        let run = bench.run("scatter", &arguments(path, &args))?;
        let at_pages = run.text("at_pages")?.split(',').map(str::parse).collect::<Result<_, _>>();
        Ok(Scatter {
            at_pages: at_pages.map_err(|error| {
                Unavailable::failed(format!("read at_pages of `{}`", run.command), error, "")
            })?,
            resident_before_pages,
            resident_after_pages: bench.resident_pages(path)?,
            device_read_bytes: run.u64_if_known("device_read_bytes")?,
            major_faults: run.u64("major_faults")?,
            elapsed_ns: run.u64("elapsed_ns")?,
        })
    }

    /// Bytes from the device of a run that was cold, and whose counter showed at least the pages that were touched. Err
    /// says what was wrong.
    fn delivered(&self, page_bytes: u64) -> Result<u64, String> {
        if self.resident_before_pages > 0 {
            return Err(format!("{} still resident before it", many(self.resident_before_pages, "page")));
        }
        let delivered = self.device_read_bytes.ok_or("nobody counted what the device delivered")?;
        let touched = distinct(&self.at_pages).saturating_mul(page_bytes);
        if delivered < touched {
            let (delivered, touched) = (format_bytes(delivered), format_bytes(touched));
            return Err(format!("the counter showed {delivered}, less than the {touched} touched"));
        }
        Ok(delivered)
    }
}

/// The run with the middle number of bytes.
fn middle(runs: &[Scatter]) -> Option<&Scatter> {
    let mut sorted: Vec<&Scatter> = runs.iter().collect();
    sorted.sort_by_key(|run| run.device_read_bytes);
    sorted.get(sorted.len() / 2).copied()
}

fn decide(
    plain: Option<&Scatter>,
    random: Option<&Scatter>,
    evidence: &Evidence,
    setting: &Setting,
) -> (Outcome, String) {
    let delivered = plain
        .ok_or_else(|| "no run was measured".to_owned())
        .and_then(|plain| Ok((plain, plain.delivered(evidence.page_bytes)?)));
    let (plain, delivered) = match delivered {
        Ok(delivered) => delivered,
        Err(why) => return (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}.")),
    };
    let touched = distinct(&plain.at_pages).saturating_mul(evidence.page_bytes);
    let advised = match random.map(|random| random.delivered(evidence.page_bytes)) {
        Some(Ok(bytes)) => format!(" With MADV_RANDOM it delivered {}.", format_bytes(bytes)),
        Some(Err(why)) => format!(" What it delivered with MADV_RANDOM cannot be told: {why}."),
        None => String::new(),
    };
    let figures = options::figures(setting);
    let outcome = match nearest(delivered as f64, &figures) {
        Some(id) => Outcome::Choice(id.to_owned()),
        None => Outcome::Undecided("no option is near to what was measured".to_owned()),
    };
    let touches = many(plain.at_pages.len() as u64, "touch").replace("touchs", "touches");
    (
        outcome,
        format!(
            "For {touches} the device delivered {}, {} what was touched.{advised}",
            format_bytes(delivered),
            format_ratio(delivered as f64 / touched.max(1) as f64)
        ),
    )
}

/// What the device reads ahead, where it was the same before and after.
fn window(evidence: &Evidence) -> Option<u64> {
    let [before, after] = evidence.read_ahead_bytes;
    before.filter(|_| before == after)
}

/// The windows around the touches, as the device's setting would have them.
fn windows(plain: &Scatter, evidence: &Evidence) -> Option<Windows> {
    let page = evidence.page_bytes.max(1);
    let window_pages = window(evidence)? / page;
    Some(Windows::around(&plain.at_pages, window_pages, evidence.size_bytes.div_ceil(page)))
}

fn causes(plain: Option<&Scatter>, random: Option<&Scatter>, evidence: &Evidence) -> Vec<Why> {
    let page = evidence.page_bytes;
    let figures =
        |run: &Scatter| Some((run.delivered(page).ok()?, run.resident_after_pages.saturating_mul(page)));
    let same = |run: &Scatter, bytes: u64| {
        figures(run).is_some_and(|(delivered, resident)| {
            agree(delivered as f64, bytes as f64) && agree(resident as f64, bytes as f64)
        })
    };
    let mut causes = Vec::new();
    let Some(plain) = plain else { return causes };
    let delivered_bytes = plain.device_read_bytes.unwrap_or(0);
    let touched = distinct(&plain.at_pages);
    let around = windows(plain, evidence).filter(|windows| same(plain, windows.pages.saturating_mul(page)));
    if let (Some(windows), Some(window_bytes)) = (around, window(evidence)) {
        causes.push(if window_bytes / page.max(1) > 1 {
            Why::ReadAround {
                windows: windows.count,
                window_bytes,
                predicted_bytes: windows.pages.saturating_mul(page),
                delivered_bytes,
                major_faults: plain.major_faults,
            }
        } else {
            Why::NoReadAhead { pages: touched, window_bytes }
        });
    }
    if let Some(random) = random
        && same(random, distinct(&random.at_pages).saturating_mul(page))
        && delivered_bytes > random.device_read_bytes.unwrap_or(u64::MAX / 2).saturating_mul(2)
    {
        causes.push(Why::AdviceSwitchedItOff {
            pages: distinct(&random.at_pages),
            delivered_bytes: random.device_read_bytes.unwrap_or(0),
            elapsed_ns: (plain.elapsed_ns, random.elapsed_ns),
        });
    }
    causes
}

fn bars(plain: Option<&Scatter>, random: Option<&Scatter>, evidence: &Evidence) -> Figure {
    let bar = |label: &str, run: Option<&Scatter>| Bar {
        label: label.to_owned(),
        value: run.and_then(|run| run.device_read_bytes).unwrap_or(0) as f64,
        text: run.and_then(|run| run.device_read_bytes).map_or_else(|| "unknown".to_owned(), format_bytes),
        note: run.map_or_else(String::new, |run| {
            format!(
                "{} resident, {}",
                format_count(run.resident_after_pages),
                format_ns(run.elapsed_ns as f64)
            )
        }),
    };
    let touched = plain.map_or(0, |plain| distinct(&plain.at_pages)).saturating_mul(evidence.page_bytes);
    Figure::Bars(Bars {
        title: format!("bytes from the device for {TOUCHES} touches"),
        bars: vec![
            bar("no advice", plain),
            bar("MADV_RANDOM", random),
            Bar {
                label: "touched".to_owned(),
                value: touched as f64,
                text: format_bytes(touched),
                note: "the pages that were asked for".to_owned(),
            },
        ],
    })
}

fn caveats(plain: Option<&Scatter>, evidence: &Evidence, setting: &Setting) -> Vec<Caveat> {
    let mut caveats = of_host(&setting.host);
    // Bytes are counted here, and a cache below the device does not change their number.
    caveats.retain(|caveat| !matches!(caveat, Caveat::CacheBelow(_)));
    let page = evidence.page_bytes;
    let Some(plain) = plain else { return caveats };
    if plain.device_read_bytes.is_none() {
        caveats.push(Caveat::NoDeviceCounter);
    }
    let Ok(delivered) = plain.delivered(page) else { return caveats };
    let all: Vec<u64> = evidence.plain.iter().filter_map(|run| run.delivered(page).ok()).collect();
    if let (Some(least), Some(most)) = (all.iter().min(), all.iter().max())
        && !agree(*least as f64, *most as f64)
    {
        let (least, most) = (format_bytes(*least), format_bytes(*most));
        caveats.push(Caveat::Other(format!(
            "The runs differ: from {least} to {most}; the middle one is shown."
        )));
    }
    match evidence.read_ahead_bytes {
        [Some(before), Some(after)] if before != after => caveats.push(Caveat::OtherWriters(format!(
            "somebody changed read_ahead_kb from {} to {}",
            before / 1024,
            after / 1024
        ))),
        [None, _] | [_, None] => caveats.push(Caveat::Other(
            "/sys does not tell how far this filesystem reads ahead, so no prediction can be made."
                .to_owned(),
        )),
        _ => {}
    }
    if let (Some(windows), Some(window)) = (windows(plain, evidence), window(evidence))
        && !agree((windows.pages.saturating_mul(page)) as f64, delivered as f64)
    {
        caveats.push(Caveat::Other(format!(
            "read_ahead_kb is {}: windows of that size around the touches hold {}, but {} came. So that setting alone is not \
             the reason.",
            window / 1024,
            format_bytes(windows.pages.saturating_mul(page)),
            format_bytes(delivered)
        )));
    }
    caveats
}
