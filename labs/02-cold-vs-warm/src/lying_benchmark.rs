//! Act 4: the file is fully cached and `dd` reports a throughput. Whose throughput is it?

use crate::cause::{After, Why};
use crate::dd::Dd;
use crate::notes;
use crate::pass::{Pass, gets_warm, judge, kept, times, warm_up};
use crate::words;
use instruments::sample::interleave;
use instruments::size::{format_bytes, format_ratio, shell_bytes};
use instruments::unavailable::in_words;
use instruments::{Bench, Plan, Samples, Unavailable, direct};
use lesson::figure::{Bar, Bars, Table};
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};
use std::io;

/// Two speeds nearer to each other than this count as the same.
const SAME_WITHIN: f64 = 1.1;

/// Blocks that a read asks for at most. Each direct one waits for the device: with small blocks, all of a large file
/// would take minutes, and tell no more.
const MOST_BLOCKS: u64 = 4096;

/// Blocks of an O_DIRECT read that waits less often for the same bytes.
const LARGE_BLOCK_BYTES: u64 = 4 << 20;

/// The act.
#[derive(Debug)]
pub struct LyingBenchmark;

/// Reads of a cached file through the cache and past it, in turn, and what `dd` says about both.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// Bytes of it that each read reads.
    pub read_bytes: u64,
    /// Through the cache, in the order in which they were measured.
    pub buffered: Vec<Pass>,
    /// With O_DIRECT, likewise.
    pub direct: Vec<Pass>,
    /// With O_DIRECT in blocks of [`LARGE_BLOCK_BYTES`], likewise; empty where the plan's blocks are as large.
    #[serde(default)]
    pub direct_large: Vec<Pass>,
    /// Why O_DIRECT cannot be had here, in the system's words.
    pub refused: Option<String>,
    /// `dd`, plain and with iflag=direct; empty where there is no `dd`.
    pub dd: Vec<Dd>,
}

impl Act for LyingBenchmark {
    type Evidence = Evidence;
    const ID: &'static str = "lying-benchmark";
    const TITLE: &'static str = "what dd measured";
    const SECONDS: u32 = 6;
    const NOTES: Notes = notes::LYING_BENCHMARK;

    fn question(&self, setting: &Setting) -> Question {
        let plan = &setting.plan;
        let (bytes, block) = (shell_bytes(plan.size_bytes), shell_bytes(plan.block_bytes));
        let (part, what) = if read_bytes(plan) < plan.size_bytes {
            let part = read_bytes(plan);
            (format!(" --bytes {}", shell_bytes(part)), format!("{} of it", format_bytes(part)))
        } else {
            (String::new(), "it".to_owned())
        };
        let command = format!("tutor run cread --size {bytes} --block {block}{part} --warm");
        Question {
            setup: format!(
                "All of the {} file is resident. `dd` reads {what} and reports some GB/s, which many take for the \
                 speed of the disk. Then comes the same read with O_DIRECT, which asks the kernel to go past the page \
                 cache.",
                format_bytes(plan.size_bytes)
            ),
            commands: vec![command.clone(), format!("{command} --direct")],
            ask: "How fast is the read with O_DIRECT?".to_owned(),
            answer: Ask::Choice(options(&format_bytes(plan.block_bytes))),
            hint: "With O_DIRECT, who fills the program's buffer? And where from?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let (size_bytes, read_bytes) = (bench.plan().size_bytes, read_bytes(bench.plan()));
        let mut evidence = Evidence { size_bytes, read_bytes, ..Evidence::default() };
        evidence.refused = match direct::open(&path) {
            Ok(_) => None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Unavailable::failed(format!("open {}", path.display()), error, ""));
            }
            Err(error) => Some(in_words(error)),
        };
        let arms = match evidence.refused {
            Some(_) => 1,
            None if bench.plan().block_bytes >= LARGE_BLOCK_BYTES => 2,
            None => 3,
        };
        let (block, large) = (shell_bytes(bench.plan().block_bytes), shell_bytes(LARGE_BLOCK_BYTES));
        let rounds = if gets_warm(bench, &path)? { bench.plan().trials } else { 1 };
        let limit = read_bytes.to_string();
        bench.begin("read the cached file, with the cache and past it", arms as u64 * u64::from(rounds));
        interleave(arms, rounds, |arm, _round| {
            warm_up(bench, &path)?;
            let (block, flags, passes, rule): (_, &[&str], _, fn(&Pass) -> _) = match arm {
                0 => (&block, &["--bytes", &limit], &mut evidence.buffered, Pass::is_warm),
                1 => {
                    (&block, &["--bytes", &limit, "--direct"], &mut evidence.direct, Pass::found_all_resident)
                }
                _ => (
                    &large,
                    &["--bytes", &limit, "--direct"],
                    &mut evidence.direct_large,
                    Pass::found_all_resident,
                ),
            };
            let pass = Pass::measure_in(bench, &path, block, flags)?;
            let end = judge(&pass, rule);
            passes.push(pass);
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        bench.end();

        for flag in [None, Some("iflag=direct")].into_iter().take(arms.min(2)) {
            warm_up(bench, &path)?;
            evidence.dd.extend(Dd::measure(bench, &path, read_bytes, flag)?);
        }
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let buffered = times(&evidence.buffered, Pass::is_warm);
        let direct = times(&evidence.direct, Pass::found_all_resident);
        let (outcome, sentence) = decide(evidence, setting, &buffered, &direct);
        let mut caveats = words::caveats(setting, evidence.buffered.iter().chain(&evidence.direct));
        let large = times(&evidence.direct_large, Pass::found_all_resident);
        let large_name = format!("O_DIRECT in {}", format_bytes(LARGE_BLOCK_BYTES));
        let arms = [("buffered", &buffered), ("O_DIRECT", &direct), (&*large_name, &large)];
        let measured = match (&evidence.refused, evidence.direct_large.is_empty()) {
            (Some(_), _) => &arms[..1],
            (None, true) => &arms[..2],
            (None, false) => &arms[..],
        };
        caveats.extend(arms::caveats(setting.plan.trials, measured));
        let mut figures = vec![bars(evidence, &buffered, &direct)];
        if evidence.dd.is_empty() {
            caveats.push(Caveat::ToolMissing("dd".to_owned()));
        } else {
            figures.push(what_dd_says(&evidence.dd));
        }
        let size = shell_bytes(evidence.size_bytes);
        let mut try_next = vec![format!("tutor run cread --size {size} --cold")];
        if evidence.refused.is_none() {
            try_next.push(format!("tutor run cread --size {size} --direct --block 4M"));
        }
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next,
            sources: vec![
                "man 2 open (O_DIRECT)".to_owned(),
                "man 2 statx (STATX_DIOALIGN)".to_owned(),
                "mm/filemap.c, generic_file_read_iter (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn read_bytes(plan: &Plan) -> u64 {
    plan.size_bytes.min(plan.block_bytes.saturating_mul(MOST_BLOCKS))
}

/// Which option: the spreads decide whether there is a difference, the device's bytes whether it was the device.
fn decide(evidence: &Evidence, setting: &Setting, buffered: &Samples, direct: &Samples) -> (Outcome, String) {
    let undecided = |why: String| {
        let sentence = format!("This cannot be told here: {why}.");
        (Outcome::Undecided(why), sentence)
    };
    if evidence.read_bytes == 0 {
        return undecided("nothing was read".to_owned());
    }
    if let Some(why) = &evidence.refused {
        return undecided(format!("this filesystem refuses O_DIRECT ({why})"));
    }
    if let Some(why) = arms::too_few(&[("through the cache", buffered), ("with O_DIRECT", direct)]) {
        return arms::too_few_to_tell(why);
    }
    let Some(slower) = direct.ratio_to(buffered).filter(|ratio| *ratio > 0.0) else {
        return undecided("the clock saw no time pass".to_owned());
    };
    let speeds = format!(
        "With O_DIRECT, {} at a time, the read ran at {}; through the cache, at {}",
        format_bytes(setting.plan.block_bytes),
        speed(evidence, direct),
        speed(evidence, buffered)
    );
    if !direct.is_apart_from(buffered) {
        return (Outcome::Choice("same".to_owned()), format!("{speeds}: the spreads overlap, a tie."));
    }
    if (1.0 / SAME_WITHIN..=SAME_WITHIN).contains(&slower) {
        return (Outcome::Choice("same".to_owned()), format!("{speeds}: nearly the same."));
    }
    if slower < 1.0 {
        let figure = format_ratio(1.0 / slower);
        return (Outcome::Choice("faster".to_owned()), format!("{speeds}: {figure} faster."));
    }
    let figure = format_ratio(slower);
    let runs = kept(&evidence.direct, Pass::found_all_resident);
    match runs.iter().find_map(|pass| pass.came_from_device().err()) {
        None => (
            Outcome::Choice("device".to_owned()),
            format!(
                "{speeds}: {figure} slower. That is the pace of the device, one request of {} at a time.",
                format_bytes(setting.plan.block_bytes)
            ),
        ),
        Some(why) => (
            Outcome::Undecided(format!("slower, but it is not proven that the device set the pace: {why}")),
            format!("{speeds}: {figure} slower. Nothing proves that the device set this pace: {why}."),
        ),
    }
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let mut causes = Vec::new();
    causes.extend(evidence.refused.clone().map(Why::DirectRefused));
    let runs = kept(&evidence.direct, Pass::found_all_resident);
    let delivered = runs.iter().filter_map(|pass| pass.device_read_bytes);
    if let Some(one) = runs.first()
        && let Some(most) = delivered.max()
    {
        if runs.iter().all(|pass| pass.came_from_device().is_ok()) {
            let states: Vec<_> = runs.iter().filter_map(|pass| pass.after.known()).collect();
            let fewest = states.iter().min_by_key(|state| state.resident_pages);
            causes.push(Why::DirectWentPast {
                delivered_bytes: one.device_read_bytes.unwrap_or(most),
                pages: one.before.known().map_or(0, |state| state.pages),
                after: fewest.map(|fewest| After {
                    undisturbed: states.iter().filter(|state| state.resident_pages == state.pages).count(),
                    reads: states.len(),
                    fewest_pages: fewest.resident_pages,
                    reclaimed_pages: fewest.evicted_pages,
                }),
            });
        } else if most < one.bytes && runs.iter().all(|pass| pass.came_from_device().is_err()) {
            causes.push(Why::DirectUsedCache { delivered_bytes: most, bytes: one.bytes });
        }
    }
    causes.extend(waited_for_each(evidence, setting));
    if kept(&evidence.buffered, Pass::is_warm).is_empty() {
        causes.extend(Why::never_warm(&evidence.buffered, evidence.size_bytes, setting));
    }
    causes.push(Why::DiskTest);
    causes
}

/// The same bytes from the same device in fewer requests: where they came sooner, each small one had been waited for.
fn waited_for_each(evidence: &Evidence, setting: &Setting) -> Option<Why> {
    let from_device = |passes: &[Pass]| {
        let runs = kept(passes, Pass::found_all_resident);
        let proven = !runs.is_empty() && runs.iter().all(|pass| pass.came_from_device().is_ok());
        proven.then(|| times(passes, Pass::found_all_resident))
    };
    let (small, large) = (from_device(&evidence.direct)?, from_device(&evidence.direct_large)?);
    let faster =
        small.ratio_to(&large).filter(|ratio| *ratio > SAME_WITHIN && small.is_apart_from(&large))?;
    Some(Why::WaitedForEach {
        block_bytes: setting.plan.block_bytes,
        large_bytes: LARGE_BLOCK_BYTES,
        per_second: (per_second(evidence, &small) as u64, per_second(evidence, &large) as u64),
        faster,
    })
}

fn per_second(evidence: &Evidence, samples: &Samples) -> f64 {
    match samples.median() {
        Some(ns) if ns > 0.0 => evidence.read_bytes as f64 / ns * 1e9,
        _ => 0.0,
    }
}

fn speed(evidence: &Evidence, samples: &Samples) -> String {
    format!("{}/s", format_bytes(per_second(evidence, samples) as u64))
}

fn bars(evidence: &Evidence, buffered: &Samples, direct: &Samples) -> Figure {
    let bar = |label: &str, samples: &Samples, runs: Vec<&Pass>| Bar {
        label: label.to_owned(),
        value: per_second(evidence, samples),
        text: if runs.is_empty() { "no run".to_owned() } else { speed(evidence, samples) },
        note: words::from_device(&runs),
    };
    let large = (!evidence.direct_large.is_empty()).then(|| {
        let runs = kept(&evidence.direct_large, Pass::found_all_resident);
        let name = format!("O_DIRECT, {} blocks", format_bytes(LARGE_BLOCK_BYTES));
        bar(&name, &times(&evidence.direct_large, Pass::found_all_resident), runs)
    });
    Figure::Bars(Bars {
        title: format!("speed of reading {} that are resident", format_bytes(evidence.read_bytes)),
        bars: vec![
            bar("buffered", buffered, kept(&evidence.buffered, Pass::is_warm)),
            bar("O_DIRECT", direct, kept(&evidence.direct, Pass::found_all_resident)),
        ]
        .into_iter()
        .chain(large)
        .collect(),
    })
}

/// `dd`'s own words, beside the state that it did not tell.
fn what_dd_says(runs: &[Dd]) -> Figure {
    let row = |dd: &Dd| {
        let said = if dd.succeeded { dd.throughput().to_owned() } else { format!("failed: {}", dd.line) };
        vec![dd.command.replace("of=/dev/null ", ""), words::resident(&dd.before), said]
    };
    Figure::Table(Table {
        title: "what dd says, and what it does not".to_owned(),
        head: ["command", "resident before", "dd's own line"].map(str::to_owned).to_vec(),
        rows: runs.iter().map(row).collect(),
    })
}

fn options(block: &str) -> Vec<Choice> {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.to_owned(),
        text: text.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            "same",
            "The same: the file is cached, and dd had measured the disk anyway",
            "Whoever says the same expects O_DIRECT to find the cached pages, or takes dd's figure for the disk's. It is \
             so where a filesystem serves O_DIRECT from its cache, or where the disk is as fast as memory.",
        ),
        option(
            "device",
            &format!("Slower: at the pace of the device, one request of {block} at a time"),
            "Whoever says slower expects O_DIRECT to go to the device even for bytes that lie in memory. That is so \
             where the filesystem does real direct I/O, and the device, asked for one block after another, is slower \
             than a copy from memory.",
        ),
        option(
            "faster",
            "Faster: one copy less",
            "Whoever says faster counts the copy that O_DIRECT spares the processor. That wins where the device \
             delivers faster than the processor copies, as several fast drives together can.",
        ),
    ]
}
