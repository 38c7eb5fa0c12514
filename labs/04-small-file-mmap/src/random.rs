//! Act 4: single bytes all over a file that is mapped once.

use crate::cause::Why;
use crate::notes;
use crate::pass::{Pass, arguments, faults_each, judge, means, times};
use crate::words::{self, many};
use instruments::sample::{Standing, interleave};
use instruments::size::{format_bytes, format_count, format_ratio, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use lesson::figure::{Bar, Bars};
use lesson::question::Unit;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Quantity, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Looks of all trials together.
const LOOKS: u64 = 1_000_000;

/// Looks under the system-call counter, which makes each call slow.
const COUNTED_LOOKS: u64 = 1000;

/// The act.
#[derive(Debug)]
pub struct Random;

/// The same places, looked at in three ways, in turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// Its pages.
    pub pages: u64,
    /// One pread() for each byte.
    pub pread: Vec<Pass>,
    /// Through a mapping of which every page had been touched.
    pub touch: Vec<Pass>,
    /// Through a mapping that nobody had touched.
    pub first_touch: Vec<Pass>,
    /// The sum of all bytes looked at, one a pass, whichever way.
    pub sums: Vec<u64>,
    /// System calls of so many looks by pread(), and by touches; None where they could not be counted.
    pub calls: Option<Counted>,
    /// What counting them needs and is missing.
    pub uncounted: Option<String>,
}

/// System calls between the marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// Looks each way.
    pub looks: u64,
    /// By pread().
    pub pread: u64,
    /// By touches.
    pub touch: u64,
}

const WAYS: [&str; 3] = ["pread", "touch", "first-touch"];

impl Act for Random {
    type Evidence = Evidence;
    const ID: &'static str = "random";
    const TITLE: &'static str = "single bytes all over a file";
    const SECONDS: u32 = 4;
    const NOTES: Notes = notes::RANDOM;

    fn question(&self, setting: &Setting) -> Question {
        let size = setting.plan.size_bytes;
        Question {
            setup: format!(
                "A warm file of {}, and a million looks at single bytes all over it. Each place depends on the byte found \
                 before, as when a program follows an index, so no look begins before the last one has ended. One program \
                 calls pread() for each byte. The other has mapped the file once and touched every page beforehand; it \
                 loads the byte. Both visit the same places.",
                format_bytes(size)
            ),
            commands: WAYS[..2].iter().map(|way| command(size, way)).collect(),
            ask: "How many times longer does a pread() take than a touch?".to_owned(),
            answer: Ask::Quantity(Quantity {
                unit: Unit::Ratio,
                example: "3x".to_owned(),
                hit_factor: 1.25,
                near_factor: 2.0,
            }),
            hint:
                "A touch waits for memory, and maybe for the page table. What else does a pread() have to do?"
                    .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        bench.warm_up(&path)?;
        let size_bytes = bench.plan().size_bytes;
        let pages = size_bytes.div_ceil(bench.host().page_bytes);
        let trials = bench.plan().trials;
        let each = (LOOKS / u64::from(trials.max(1))).to_string();
        let mut evidence = Evidence { size_bytes, pages, ..Evidence::default() };
        bench.begin("look at single bytes, in three ways", 3 * u64::from(trials) + 1);
        interleave(3, trials, |arm, _round| {
            bench.warm_up(&path)?;
            let (pass, run) = Pass::measure(bench, "looks", &path, &["--by", WAYS[arm], "--times", &each])?;
            evidence.sums.push(run.u64("sum")?);
            let end = judge(&pass, pages);
            [&mut evidence.pread, &mut evidence.touch, &mut evidence.first_touch][arm].push(pass);
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        match count(bench, &path) {
            Ok(calls) => evidence.calls = Some(calls),
            Err(Unavailable::Lacking { needs, .. }) => evidence.uncounted = Some(needs),
            Err(error) => return Err(error),
        }
        bench.done(1)?;
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let [pread, touch] = [&evidence.pread, &evidence.touch].map(|passes| times(passes, evidence.pages));
        let first = means(&evidence.first_touch, evidence.pages);
        let (outcome, sentence) = decide(evidence, &pread, &touch);
        let decided = !matches!(outcome, Outcome::Undecided(_));
        let causes = if decided { causes(evidence, &pread, &touch, &first) } else { Vec::new() };
        let told = if decided { words::unexplained(&causes) } else { "" };
        let passes = evidence.pread.iter().chain(&evidence.touch).chain(&evidence.first_touch);
        let mut caveats = words::warm_caveats(setting, passes);
        let arms = [("pread", &pread), ("touch", &touch), ("first touch", &first)];
        caveats.extend(arms::caveats(setting.plan.trials, &arms));
        caveats.extend(arms::overlap(arms[0], arms[1]));
        if let Some(needs) = &evidence.uncounted {
            caveats.push(Caveat::NotPermitted("The number of system calls".to_owned(), needs.clone()));
        }
        let size = evidence.size_bytes;
        Reveal {
            outcome,
            sentence: sentence + told,
            figures: vec![bars(evidence, &pread, &touch, &first)],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                command(size, "first-touch"),
                command(1 << 20, "touch"),
                command(1 << 20, "pread"),
            ],
            sources: ["man 2 pread", "man 2 mmap", "mm/filemap.c, filemap_read (Linux 6.18)"]
                .map(str::to_owned)
                .to_vec(),
        }
    }
}

fn command(size_bytes: u64, way: &str) -> String {
    format!("tutor run looks --size {} --warm --by {way} --times {LOOKS}", shell_bytes(size_bytes))
}

fn count(bench: &mut Bench<'_>, path: &Path) -> Result<Counted, Unavailable> {
    let looks = COUNTED_LOOKS.to_string();
    let mut calls = |way| {
        let (_, calls) = bench.count("looks", &arguments(path, &["--by", way, "--times", &looks]))?;
        Ok::<_, Unavailable>(calls.workload_total())
    };
    Ok(Counted { looks: COUNTED_LOOKS, pread: calls(WAYS[0])?, touch: calls(WAYS[1])? })
}

fn decide(evidence: &Evidence, pread: &Samples, touch: &Samples) -> (Outcome, String) {
    let undecided = |why: String, sentence: String| (Outcome::Undecided(why), sentence);
    if evidence.sums.windows(2).any(|pair| pair[0] != pair[1]) {
        return undecided(
            "the two ways did not find the same bytes".to_owned(),
            "The two ways did not find the same bytes, so they did not visit the same places, and cannot be compared."
                .to_owned(),
        );
    }
    if let Some(why) = arms::too_few(&[("pread", pread), ("touch", touch)]) {
        return arms::too_few_to_tell(why);
    }
    let Some(ratio) = pread.ratio_to(touch) else {
        let why = "the clock saw no time pass".to_owned();
        return undecided(why.clone(), format!("This cannot be told here: {why}."));
    };
    let measured = format!("A pread() took {}, a touch {}", words::time(pread), words::time(touch));
    if !pread.is_apart_from(touch) {
        return undecided(
            "the spreads overlap".to_owned(),
            format!("A tie on this machine, now: {measured}, and the spreads overlap."),
        );
    }
    let sentence = if ratio > 1.0 {
        format!("{measured}: {} as long.", format_ratio(ratio))
    } else {
        format!("{measured}: the touch took longer, the ratio is {}.", format_ratio(ratio))
    };
    (Outcome::Quantity(ratio), sentence)
}

fn causes(evidence: &Evidence, pread: &Samples, touch: &Samples, first: &Samples) -> Vec<Why> {
    let mut causes = Vec::new();
    let faults = |passes: &[Pass]| faults_each(passes, evidence.pages);
    let slower = pread.ratio_to(touch).is_some_and(|ratio| ratio > 1.0);
    // Beside the looks there may be a fault or two of the program's own.
    let no_faults = faults(&evidence.touch).is_some_and(|faults| faults < 0.001);
    if let Some(calls) = evidence.calls
        && slower
        && no_faults
        && calls.pread >= calls.looks
        && calls.touch < calls.looks / 100
    {
        causes.push(Why::ACallALook { looks: calls.looks, pread: calls.pread, touch: calls.touch });
    }
    let looks = evidence.first_touch.first().map_or(0, |pass| pass.times);
    let touch_mean = means(&evidence.touch, evidence.pages);
    if let (Some(faults), Some(first_ns), Some(touch_ns)) =
        (faults(&evidence.first_touch), first.median(), touch_mean.median())
        && no_faults
        && faults * looks as f64 >= 1.0
        // A new mapping that is quicker than a used one has another reason, which is not known.
        && (first_ns > touch_ns || first.against(&touch_mean) == Standing::Overlapping)
    {
        causes.push(Why::FirstTouches {
            looks,
            faults: (faults * looks as f64).round() as u64,
            first_ns,
            touch_ns,
            differ: first.is_apart_from(&touch_mean),
            pread_ns: means(&evidence.pread, evidence.pages).median().unwrap_or(f64::INFINITY),
            batches: evidence.pread.iter().chain(&evidence.touch).all(|pass| pass.batch.is_some()),
        });
    }
    causes
}

fn bars(evidence: &Evidence, pread: &Samples, touch: &Samples, first: &Samples) -> Figure {
    let bar = |label: &str, samples: &Samples, passes: &[Pass]| Bar {
        label: label.to_owned(),
        value: samples.median().unwrap_or(0.0),
        text: words::time(samples),
        note: match (faults_each(passes, evidence.pages), passes.first()) {
            (Some(faults), Some(pass)) => {
                let faults = (faults * pass.times as f64).round() as u64;
                format!("{} in {} looks", many(faults, "fault"), format_count(pass.times))
            }
            _ => String::new(),
        },
    };
    Figure::Bars(Bars {
        title: format!("time of one look into {} (middle batch, or mean)", format_bytes(evidence.size_bytes)),
        bars: vec![
            bar("pread", pread, &evidence.pread),
            bar("touch", touch, &evidence.touch),
            bar("mapped anew, mean", first, &evidence.first_touch),
        ],
    })
}
