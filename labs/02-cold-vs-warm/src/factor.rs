//! Act 2: evicted and proven cold, how much slower is the same read?

use crate::below::{Below, held_it};
use crate::cause::Why;
use crate::notes;
use crate::pass::{Pass, gets_warm, judge, kept, times, warm_up};
use crate::trend::keeps_falling;
use crate::words;
use instruments::evict::Stuck;
use instruments::sample::{Trial, interleave};
use instruments::size::{format_bytes, format_count, format_ratio, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use lesson::figure::{Axis, Bar, Bars, Curve, Point, Scale, Series};
use lesson::question::Unit;
use lesson::{Act, Ask, Figure, Notes, Outcome, Quantity, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The act.
#[derive(Debug)]
pub struct Factor;

/// Cold and warm reads of one file, in turn. Reads whose state was wrong are here too.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// Reads after an eviction, in the order in which they were measured.
    pub cold: Vec<Pass>,
    /// Reads of the file as the read before left it, likewise.
    pub warm: Vec<Pass>,
    /// Evictions that left pages behind.
    pub stuck: Vec<Stuck>,
    /// Where a loop device lies below: what was resident of the file behind it, around each of `cold`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<Below>,
}

impl Act for Factor {
    type Evidence = Evidence;
    const ID: &'static str = "factor";
    const TITLE: &'static str = "cold against warm, proven";
    const SECONDS: u32 = 8;
    const NOTES: Notes = notes::FACTOR;

    fn question(&self, setting: &Setting) -> Question {
        let plan = &setting.plan;
        let size = format_bytes(plan.size_bytes);
        let pages = format_count(plan.size_bytes.div_ceil(setting.host.page_bytes.max(1)));
        let command = format!(
            "tutor run cread --size {} --block {}",
            shell_bytes(plan.size_bytes),
            shell_bytes(plan.block_bytes)
        );
        Question {
            setup: format!(
                "The same {size} file, the same read() loop. Before a cold run the file's pages are evicted and \
                 counted: 0 of {pages} may be resident. Before a warm run all of them must be."
            ),
            commands: vec![format!("{command} --cold"), format!("{command} --warm")],
            ask: "How many times faster is the warm run?".to_owned(),
            answer: Ask::Quantity(Quantity {
                unit: Unit::Ratio,
                example: "10x".to_owned(),
                hit_factor: 1.25,
                near_factor: 2.0,
            }),
            hint: "How many bytes a second does this machine's disk deliver? How many can a processor copy?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let mut evidence = Evidence { size_bytes: bench.plan().size_bytes, ..Evidence::default() };
        let both = gets_warm(bench, &path)? && bench.evict(&path)?.is_ok();
        let rounds = if both { bench.plan().trials } else { 1 };
        bench.begin("read the file cold and warm, in turn", 2 * u64::from(rounds));
        interleave(2, rounds, |arm, _round| {
            let end = if arm == 0 {
                cold_trial(bench, &path, &mut evidence)?
            } else {
                warm_trial(bench, &path, &mut evidence)?
            };
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (cold, warm) = (cold_times(evidence), times(&evidence.warm, Pass::is_warm));
        let (outcome, sentence) = decide(&cold, &warm);
        let causes = causes(evidence, &cold, &warm, setting);
        let mut figures = vec![bars(evidence, &cold, &warm)];
        if causes.iter().any(|why| matches!(why, Why::CacheBelow { .. })) {
            figures.push(cold_runs(&cold));
        }
        let mut caveats = words::caveats(setting, evidence.cold.iter().chain(&evidence.warm));
        let arms = [("cold", &cold), ("warm", &warm)];
        caveats.extend(arms::caveats(setting.plan.trials, &arms));
        caveats.extend(arms::overlap(arms[0], arms[1]));
        let size = shell_bytes(evidence.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes.into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                format!("tutor run cread --size {size} --cold --block 4K"),
                format!("tutor run evict --size {size}"),
            ],
            sources: vec![
                "man 2 posix_fadvise (POSIX_FADV_DONTNEED)".to_owned(),
                "mm/filemap.c, filemap_read (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn cold_trial(bench: &mut Bench<'_>, path: &Path, evidence: &mut Evidence) -> Result<Trial, Unavailable> {
    if let Err(stuck) = bench.evict(path)? {
        let why = stuck.to_string();
        evidence.stuck.push(stuck);
        return Ok(Trial::Discarded(why));
    }
    let (pass, below) = Below::around(bench, |bench| Pass::measure(bench, path, &[]))?;
    let end = judge(&pass, Pass::is_cold);
    evidence.cold.push(pass);
    evidence.below.extend(below);
    Ok(end)
}

fn warm_trial(bench: &mut Bench<'_>, path: &Path, evidence: &mut Evidence) -> Result<Trial, Unavailable> {
    warm_up(bench, path)?;
    let pass = Pass::measure(bench, path, &[])?;
    let end = judge(&pass, Pass::is_warm);
    evidence.warm.push(pass);
    Ok(end)
}

/// An eviction that left pages is a cold run that could not even begin.
fn cold_times(evidence: &Evidence) -> Samples {
    let mut cold = times(&evidence.cold, Pass::is_cold);
    if let Some(stuck) = evidence.stuck.last() {
        cold.discarded = cold.discarded.saturating_add(evidence.stuck.len() as u32);
        cold.discarded_why.get_or_insert(stuck.to_string());
    }
    cold
}

fn decide(cold: &Samples, warm: &Samples) -> (Outcome, String) {
    let undecided = |why: String, sentence: String| (Outcome::Undecided(why), sentence);
    if let Some(why) = arms::too_few(&[("cold", cold), ("warm", warm)]) {
        return arms::too_few_to_tell(why);
    }
    let Some(ratio) = cold.ratio_to(warm) else {
        return undecided("the clock saw no time pass".to_owned(), "The clock saw no time pass.".to_owned());
    };
    let measured = format!("cold {}, warm {}", words::time(cold), words::time(warm));
    if !cold.is_apart_from(warm) {
        return undecided(
            "the spreads overlap".to_owned(),
            format!("A tie on this machine, now: {measured}, and the spreads overlap."),
        );
    }
    let figure = format_ratio(ratio);
    let sentence = if ratio > 1.0 {
        format!("The warm run was {figure} faster.")
    } else {
        format!("The warm run was slower: the ratio is {figure} ({measured}).")
    };
    (Outcome::Quantity(ratio), sentence)
}

fn causes(evidence: &Evidence, cold: &Samples, warm: &Samples, setting: &Setting) -> Vec<Why> {
    let (cold_runs, warm_runs) = (kept(&evidence.cold, Pass::is_cold), kept(&evidence.warm, Pass::is_warm));
    let mut causes = Vec::new();
    if let (Some(one_cold), Some(one_warm)) = (cold_runs.first(), warm_runs.first())
        && cold.ratio_to(warm).is_some_and(|ratio| ratio > 1.0)
        && cold.is_apart_from(warm)
    {
        causes.push(Why::WaitedForDevice {
            calls: (one_cold.calls, one_warm.calls),
            delivered_bytes: one_cold.device_read_bytes.unwrap_or(0),
        });
    }
    if let (Some(first), Some(last)) = (cold_runs.first(), cold_runs.last())
        && keeps_falling(&cold.values)
    {
        causes.push(Why::CacheBelow {
            first_last_ns: (first.elapsed_ns, last.elapsed_ns),
            runs: cold_runs.len(),
            below: setting.host.device.as_ref().and_then(|device| device.below.clone()),
        });
    }
    causes.extend(held_it(&evidence.cold, &evidence.below, setting.host.page_bytes));
    if warm_runs.is_empty() {
        causes.extend(Why::never_warm(&evidence.warm, evidence.size_bytes, setting));
    }
    if cold_runs.is_empty() {
        causes.extend(evidence.stuck.last().cloned().map(Why::NotEvicted));
    }
    causes
}

fn bars(evidence: &Evidence, cold: &Samples, warm: &Samples) -> Figure {
    let bar = |label: &str, samples: &Samples, runs: Vec<&Pass>| Bar {
        label: label.to_owned(),
        value: samples.median().unwrap_or(0.0),
        text: words::time(samples),
        note: words::from_device(&runs),
    };
    Figure::Bars(Bars {
        title: format!("time to read {}", format_bytes(evidence.size_bytes)),
        bars: vec![
            bar("cold", cold, kept(&evidence.cold, Pass::is_cold)),
            bar("warm", warm, kept(&evidence.warm, Pass::is_warm)),
        ],
    })
}

/// The cold runs one after the other: shown where they keep getting faster.
fn cold_runs(cold: &Samples) -> Figure {
    let point = |(run, ns): (usize, &f64)| Point { x: run as f64 + 1.0, y: *ns, low: *ns, high: *ns };
    Figure::Curve(Curve {
        title: "the cold runs in order".to_owned(),
        x: Axis { label: "cold run".to_owned(), scale: Scale::Number, log: false },
        y: Axis { label: "time".to_owned(), scale: Scale::Nanoseconds, log: false },
        series: vec![Series {
            name: "cold".to_owned(),
            points: cold.values.iter().enumerate().map(point).collect(),
        }],
        marks: Vec::new(),
    })
}
