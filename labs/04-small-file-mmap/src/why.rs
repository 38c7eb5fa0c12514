//! Act 2: which step of a mapping costs most.

use crate::cause::Why;
use crate::notes;
use crate::pass::{Pass, faults_each, judge, times, warm_file};
use crate::tiny::{self, command};
use crate::words;
use crate::workloads::{openmap, openread};
use instruments::bench::Run;
use instruments::sample::interleave;
use instruments::size::{format_bytes, format_ns};
use instruments::{Bench, Samples, Unavailable};
use lesson::figure::Table;
use lesson::nearest::{AGREEMENT, agree};
use lesson::question::Choice;
use lesson::{Act, Ask, Figure, Notes, Outcome, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};

/// The act. (`Why` is what causes are called.)
#[derive(Debug)]
pub struct WhyDear;

/// The same work three times: without a clock in it, and with the clock read after each step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file, which is that of a page.
    pub size_bytes: u64,
    /// The mapping, with the clock outside: what the whole costs.
    pub whole: Vec<Pass>,
    /// The mapping, with the clock read after open, mmap, the touch, munmap, close.
    pub mapped: Vec<Stepped>,
    /// The other way, with the clock read after open, read, close.
    pub read: Vec<Stepped>,
}

/// A pass with its steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stepped {
    /// The pass.
    pub pass: Pass,
    /// Nanoseconds of each step in the batch in the middle, one clock reading a time included.
    pub steps_ns: Vec<u64>,
    /// What the readings of the clock cost for one step of a batch, nanoseconds; measured just after.
    pub clocks_ns: u64,
}

/// A trial is split in so many short ones, each arm in turn: a machine whose speed changes from second to second then
/// meets all arms alike.
const PARTS: u32 = 4;

/// How often each of these does it.
const TIMES: u64 = tiny::TIMES / PARTS as u64;

const OPEN: usize = 0;
const MMAP: usize = 1;
const TOUCH: usize = 2;
const MUNMAP: usize = 3;
const CLOSE: usize = 4;

impl Act for WhyDear {
    type Evidence = Evidence;
    const ID: &'static str = "why";
    const TITLE: &'static str = "the price of each step";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::WHY;

    fn question(&self, setting: &Setting) -> Question {
        let page = setting.host.page_bytes;
        Question {
            setup: format!(
                "The same file of {}, mapped as before. Now the clock is also read after each step: open, mmap, the first \
                 touch (a page fault), munmap, close. What the clock costs is measured too, and taken off. The steps have \
                 to add up to what the whole took without a clock in it. Each way is timed {} times, in turn.",
                format_bytes(page),
                setting.plan.trials.saturating_mul(PARTS)
            ),
            commands: vec![format!("{} --steps", command("openmap", page, TIMES))],
            ask: "Which of the three steps that a mapping has of its own costs most: mmap, the fault, munmap?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "Which of them builds something, which only notes down a wish, and which has to make sure that \
                   something is forgotten?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size_bytes = bench.host().page_bytes;
        let path = warm_file(bench, size_bytes)?;
        let trials = bench.plan().trials.saturating_mul(PARTS);
        let mut evidence = Evidence { size_bytes, ..Evidence::default() };
        let each = TIMES.to_string();
        bench.begin("time the steps, and the whole", 3 * u64::from(trials));
        interleave(3, trials, |arm, _round| {
            bench.warm_up(&path)?;
            let end = match arm {
                0 => {
                    let (pass, _) = Pass::measure(bench, "openmap", &path, &["--times", &each])?;
                    let end = judge(&pass, 1);
                    evidence.whole.push(pass);
                    end
                }
                _ => {
                    let (workload, keys, into) = match arm {
                        1 => ("openmap", &openmap::KEYS[..], &mut evidence.mapped),
                        _ => ("openread", &openread::KEYS[..], &mut evidence.read),
                    };
                    let (pass, run) = Pass::measure(bench, workload, &path, &["--times", &each, "--steps"])?;
                    let end = judge(&pass, 1);
                    into.push(Stepped::of(pass, &run, keys)?);
                    end
                }
            };
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let whole = times(&evidence.whole, 1);
        let sum = samples(&evidence.mapped, &[OPEN, MMAP, TOUCH, MUNMAP, CLOSE]);
        let (outcome, sentence) = decide(evidence, &whole, &sum);
        let causes = causes(evidence, &outcome, &whole, &sum);
        let passes = evidence.whole.iter().chain(evidence.mapped.iter().map(|stepped| &stepped.pass));
        let mut caveats = words::warm_caveats(setting, passes);
        caveats.extend(arms::caveats(setting.plan.trials, &[("the whole", &whole), ("the steps", &sum)]));
        Reveal {
            outcome,
            sentence,
            figures: vec![Figure::Table(table(evidence, &whole, &sum))],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                format!("{} --steps", command("openmap", evidence.size_bytes, TIMES)),
                format!("{} --steps", command("openread", evidence.size_bytes, TIMES)),
                format!("{} --steps", command("openmap", evidence.size_bytes.saturating_mul(64), TIMES)),
            ],
            sources: [
                "mm/mmap.c, do_mmap (Linux 6.18)",
                "mm/filemap.c, filemap_map_pages",
                "mm/vma.c, do_vmi_munmap",
                "man 2 clock_gettime",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

impl Stepped {
    fn of(pass: Pass, run: &Run, keys: &[&str]) -> Result<Stepped, Unavailable> {
        let steps_ns = keys.iter().map(|key| run.u64(key)).collect::<Result<_, _>>()?;
        Ok(Stepped { pass, steps_ns, clocks_ns: run.u64("clocks_ns")? })
    }

    /// What these steps took once, the clock taken off; None of a step that is not there.
    fn ns(&self, steps: &[usize]) -> Option<f64> {
        let with_clock: Option<f64> =
            steps.iter().map(|step| self.steps_ns.get(*step).map(|ns| *ns as f64)).sum();
        let clocks = self.clocks_ns as f64 * steps.len() as f64;
        let (times, _) = self.pass.batch?;
        Some((with_clock? - clocks) / times.max(1) as f64)
    }
}

/// What these steps together took once, in the trials that count.
fn samples(trials: &[Stepped], steps: &[usize]) -> Samples {
    let timed = |stepped: &Stepped| {
        stepped.pass.is_warm(1)?;
        stepped.ns(steps).map(drop).ok_or_else(|| "a step was not timed".to_owned())
    };
    Samples::of(trials, timed, |stepped| stepped.ns(steps).unwrap_or_default())
}

/// The steps that a mapping has of its own.
const OPTIONS: [(&str, &str, usize); 3] =
    [("mmap", "mmap()", MMAP), ("fault", "the page fault", TOUCH), ("munmap", "munmap()", MUNMAP)];

fn options() -> Vec<Choice> {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.to_owned(),
        text: text.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            "mmap",
            "mmap(): it builds the mapping",
            "You take building for the dear part. mmap() looks at no page; it finds a free range of addresses, and notes \
             down which file stands there. It is so where that costs more than entering one page into the page table, and \
             always with MAP_POPULATE, which makes it read and map every page.",
        ),
        option(
            "fault",
            "the first touch: it is a page fault",
            "The exception looks like the dear part: the processor stops, the kernel finds the page in the cache and \
             enters it into the page table, and maybe its neighbours too. It is so wherever many pages are touched and each \
             takes a fault of its own.",
        ),
        option(
            "munmap",
            "munmap(): everything has to be taken down again",
            "Forgetting may be dearer than learning: the page table is emptied, and the processor must drop what it \
             remembers of it. It is so in programs with many threads, where the other processors have to be told and waited \
             for.",
        ),
    ]
}

/// The price of the dearest option must part from that of the next, and the steps must add up to the whole.
fn decide(evidence: &Evidence, whole: &Samples, sum: &Samples) -> (Outcome, String) {
    let undecided = |why: String, sentence: String| (Outcome::Undecided(why), sentence);
    if let Some(why) = arms::too_few(&[("the whole", whole), ("the steps", sum)]) {
        return arms::too_few_to_tell(why);
    }
    let (Some(whole_ns), Some(sum_ns)) = (whole.median(), sum.median()) else {
        let why = "no trial counts".to_owned();
        return undecided(why.clone(), format!("This cannot be told here: {why}."));
    };
    let adds_up = format!(
        "The five steps add up to {}; the whole took {} without a clock in it",
        format_ns(sum_ns),
        format_ns(whole_ns)
    );
    let error = words::percent((sum_ns / whole_ns - 1.0).abs());
    if !agree(sum_ns, whole_ns) {
        return undecided(
            format!("the steps do not add up to the whole: they are {error} off"),
            format!(
                "{adds_up}: {error} off, more than the {} that this act allows itself. So the prices of the steps cannot be \
                 trusted here, and none is named.",
                words::percent(AGREEMENT - 1.0)
            ),
        );
    }
    let mut prices: Vec<_> =
        OPTIONS.iter().map(|(id, name, step)| (*id, *name, samples(&evidence.mapped, &[*step]))).collect();
    let median = |samples: &Samples| samples.median().unwrap_or(f64::MIN);
    prices.sort_by(|(_, _, one), (_, _, other)| median(other).total_cmp(&median(one)));
    let [(id, name, first), (_, next_name, next), ..] = &prices[..] else {
        unreachable!("there are three options")
    };
    let (price, next_price) = (words::time(first), words::time(next));
    if !first.is_apart_from(next) {
        return undecided(
            format!("the spreads of {name} and {next_name} overlap"),
            format!(
                "A tie between {name}, {price}, and {next_name}, {next_price}: their spreads overlap. {adds_up}: {error} off."
            ),
        );
    }
    (
        Outcome::Choice((*id).to_owned()),
        format!(
            "Most goes into {name}, {price}; next comes {next_name}, {next_price}. {adds_up}: {error} off."
        ),
    )
}

/// The dearest step, where there is one; and where the steps can be trusted, what they are worth against a read().
fn causes(evidence: &Evidence, outcome: &Outcome, whole: &Samples, sum: &Samples) -> Vec<Why> {
    let price = |trials: &[Stepped], steps: &[usize]| samples(trials, steps).median();
    let (Some(whole_ns), Some(sum_ns)) = (whole.median(), sum.median()) else { return Vec::new() };
    if !agree(sum_ns, whole_ns) {
        return Vec::new();
    }
    let against = price(&evidence.mapped, &[MMAP, TOUCH, MUNMAP]).zip(price(&evidence.read, &[1]));
    let against = against.filter(|(own, read)| *own > 0.0 && *read > 0.0);
    dearest(evidence, outcome, whole_ns)
        .into_iter()
        .chain(against.map(|(own_ns, read_ns)| Why::AgainstRead { own_ns, read_ns }))
        .collect()
}

fn dearest(evidence: &Evidence, outcome: &Outcome, whole_ns: f64) -> Option<Why> {
    let Outcome::Choice(id) = outcome else { return None };
    let (_, _, step) = OPTIONS.iter().find(|(option, _, _)| option == id)?;
    let share = samples(&evidence.mapped, &[*step]).median()? / whole_ns;
    let mapped: Vec<Pass> = evidence.mapped.iter().map(|stepped| stepped.pass.clone()).collect();
    let one_fault = faults_each(&mapped, 1).is_some_and(|faults| faults.round() == 1.0);
    match *step {
        MMAP => Some(Why::MmapCostsMost { share }),
        // Without a fault counted in each round, the touch was something else.
        TOUCH => one_fault.then_some(Why::FaultCostsMost { share }),
        _ => Some(Why::MunmapCostsMost { share }),
    }
}

fn table(evidence: &Evidence, whole: &Samples, sum: &Samples) -> Table {
    let row = |name: &str, samples: &Samples| {
        let share = samples.median().zip(whole.median());
        let share = share.map_or_else(String::new, |(ns, whole)| words::percent(ns / whole));
        vec![name.to_owned(), words::time(samples), share]
    };
    let names = ["open", "mmap", "first touch (fault)", "munmap", "close"];
    let mut rows: Vec<_> =
        names.iter().enumerate().map(|(step, name)| row(name, &samples(&evidence.mapped, &[step]))).collect();
    rows.push(row("all five added up", sum));
    rows.push(row("the whole, no clock in it", whole));
    rows.push(row("read, the other way", &samples(&evidence.read, &[1])));
    Table {
        title: format!("a file of {}, opened and mapped once; medians", format_bytes(evidence.size_bytes)),
        head: ["step", "time", "of the whole"].map(str::to_owned).to_vec(),
        rows,
    }
}
