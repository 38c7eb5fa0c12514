//! Act 5: what a wrong hint costs, and what the other calls load.
//!
//! On a slow disk reads without readahead take very long, so a first small slice says how much can be read in the time
//! that there is.

mod figures;
mod size;

use crate::cause::Why;
use crate::notes;
use crate::words::{self, Standing};
use crate::workloads::hinted::Advice;
use instruments::pages::page_bytes;
use instruments::readahead_hints::Call;
use instruments::residency::Residency;
use instruments::size::{format_bytes, format_ratio, shell_bytes};
use instruments::{Bench, Reading, Samples, Unavailable};
use lesson::caveat::of_device;
use lesson::question::Unit;
use lesson::{Act, Ask, Caveat, Notes, Outcome, Quantity, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};
use size::Size;
use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

/// No further round of trials begins after this: with what one round may take, and the calls at the end, the act stays
/// below ten seconds.
const LAST_ROUND_AFTER: Duration = Duration::from_secs(5);

/// The act.
#[derive(Debug)]
pub struct Hints;

/// The same part of the file looked at in order, each time after an eviction, under three hints and in two ways.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// How far each of them went from the file's start.
    pub part_bytes: u64,
    /// In the order in which they were measured.
    pub looks: Vec<Look>,
    /// How much each call that loads was asked for.
    pub asked_bytes: u64,
    /// What each call that loads left, where this kernel has it.
    pub loads: Vec<Load>,
}

/// The part looked at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Look {
    /// What the kernel was told.
    pub advice: Advice,
    /// Through a mapping, one byte a page; else by read() of a block.
    pub mapped: bool,
    /// The file's pages just before.
    pub before: Reading<Residency>,
    /// And just after.
    pub after: Reading<Residency>,
    /// Bytes looked at.
    pub bytes: u64,
    /// read() calls; 0 through a mapping.
    pub calls: u64,
    /// From before the first look to after the last, nanoseconds.
    pub elapsed_ns: u64,
    /// Faults that waited for I/O.
    pub major_faults: u64,
    /// Bytes that the device was asked for; None where the kernel does not count.
    pub device_read_bytes: Option<u64>,
}

/// One call for much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// Name of the call.
    pub call: String,
    /// Pages asked for.
    pub asked_pages: u64,
    /// Pages resident once their count no longer changed; None where nobody can know.
    pub resident_pages: Option<u64>,
    /// How long the call took, nanoseconds.
    pub elapsed_ns: u64,
}

impl Look {
    /// Nothing was resident before. Err says what was wrong.
    fn began_cold(&self) -> Result<(), String> {
        crate::asked::began_cold(&self.before)
    }

    /// Pages that were looked at and are missing afterwards: somebody took them.
    fn missing_pages(&self, page_bytes: u64) -> u64 {
        let after = self.after.known().map_or(u64::MAX, |after| after.resident_pages);
        self.pages(page_bytes).saturating_sub(after)
    }

    /// Pages that were looked at.
    fn pages(&self, page_bytes: u64) -> u64 {
        self.bytes.div_ceil(page_bytes.max(1))
    }

    /// It began cold, and nobody took what it had looked at, but for a few pages. Err says what was wrong.
    fn counts(&self, page_bytes: u64) -> Result<(), String> {
        self.began_cold()?;
        match self.missing_pages(page_bytes) {
            few if few <= self.pages(page_bytes) / 64 => Ok(()),
            missing => {
                Err(format!("{} of those that it had read were gone after it", words::many(missing, "page")))
            }
        }
    }

    /// Pages in memory beyond those looked at.
    fn ahead_pages(&self, page_bytes: u64) -> Option<u64> {
        self.counts(page_bytes).ok()?;
        Some(self.after.known()?.resident_pages.saturating_sub(self.pages(page_bytes)))
    }
}

impl Evidence {
    fn of(&self, advice: Advice, mapped: bool) -> Vec<&Look> {
        self.looks.iter().filter(|look| look.advice == advice && look.mapped == mapped).collect()
    }

    /// Of the machine that was measured; 1 where no page was counted.
    fn page_bytes(&self) -> u64 {
        let pages = self.looks.iter().find_map(|look| look.after.known()).map_or(0, |after| after.pages);
        self.size_bytes.checked_div(pages).unwrap_or(1).max(1).next_power_of_two()
    }

    fn times(&self, advice: Advice, mapped: bool) -> Samples {
        let page_bytes = self.page_bytes();
        crate::asked::figures(
            &self.of(advice, mapped),
            |look| look.elapsed_ns,
            |look| look.counts(page_bytes),
        )
    }

    /// Whether each arm has so many looks that count.
    fn has_enough(&self, rounds: u32) -> bool {
        ARMS.iter().all(|(advice, mapped)| self.times(*advice, *mapped).values.len() as u32 >= rounds)
    }

    fn load(&self, call: Call) -> Option<&Load> {
        self.loads.iter().find(|load| load.call == call.name())
    }
}

const ARMS: [(Advice, bool); 6] = [
    (Advice::Normal, false),
    (Advice::Sequential, false),
    (Advice::Random, false),
    (Advice::Normal, true),
    (Advice::Sequential, true),
    (Advice::Random, true),
];

impl Act for Hints {
    type Evidence = Evidence;
    const ID: &'static str = "hints";
    const TITLE: &'static str = "hints right and wrong";
    const SECONDS: u32 = 6;
    const NOTES: Notes = notes::HINTS;

    fn question(&self, setting: &Setting) -> Question {
        let size = shell_bytes(setting.plan.size_bytes);
        let command =
            |advice: &str| format!("tutor run hinted --size {size} --cold --for 300 --advice {advice}");
        Question {
            setup: "WILLNEED speaks about a range; RANDOM and SEQUENTIAL speak about what will be done. An evicted file is \
                    read in order, 4 KiB at a time: once without a hint (NORMAL), once under SEQUENTIAL, and once under \
                    RANDOM, which is wrong here."
                .to_owned(),
            commands: vec![command("normal"), command("random")],
            ask: "How many times slower is it under RANDOM than without a hint?".to_owned(),
            answer: Ask::Quantity(Quantity {
                unit: Unit::Ratio,
                example: "3x".to_owned(),
                hit_factor: 1.25,
                near_factor: 2.0,
            }),
            hint: "Without a hint the kernel notices reads in order, and fetches ahead of them. How long does a read of \
                   4 KiB take when it has to wait for the disk?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let started = Instant::now();
        let path = bench.data_file()?;
        let size_bytes = bench.plan().size_bytes;
        let rounds = bench.plan().trials;
        bench.begin("read a small slice without readahead", 0);
        let size = Size::by_slice(bench, &path, rounds)?;
        bench.end();
        let mut evidence = Evidence { size_bytes, part_bytes: size.part_bytes, ..Evidence::default() };
        bench.begin("look at the file in order, under three hints", (ARMS.len() as u64) * u64::from(rounds));
        // A round that was disturbed is made up for, but not for ever.
        for round in 0..2 * rounds {
            let enough = round >= rounds && evidence.has_enough(rounds);
            if enough || started.elapsed() > LAST_ROUND_AFTER {
                break;
            }
            for step in 0..ARMS.len() {
                // Forwards and backwards, so that a drift of the machine meets all alike.
                let arm = if round.is_multiple_of(2) { step } else { ARMS.len() - 1 - step };
                evidence.looks.push(look(bench, &path, ARMS[arm], size.part_bytes)?);
                bench.done(1)?;
            }
        }
        bench.end();
        evidence.asked_bytes = size.asked_bytes(evidence.times(Advice::Normal, false).median());
        bench.begin("ask once by each call that loads", Call::ALL.len() as u64);
        for call in Call::ALL.into_iter().filter(|call| call.is_supported()) {
            evidence.loads.push(load(bench, &path, call, evidence.asked_bytes)?);
            bench.done(1)?;
        }
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let random = evidence.times(Advice::Random, false);
        let normal = evidence.times(Advice::Normal, false);
        let sequential = evidence.times(Advice::Sequential, false);
        let arms = [("NORMAL", &normal), ("SEQUENTIAL", &sequential), ("RANDOM", &random)];
        let (outcome, sentence) = decide(&normal, &random);
        let mut caveats = of_device(&setting.host);
        caveats.extend(arms::caveats(setting.plan.trials, &arms));
        caveats.extend([arms[2], arms[1]].into_iter().filter_map(|arm| arms::overlap(arm, arms[0])));
        if evidence.load(Call::Populate).is_none() {
            let missing =
                "MADV_POPULATE_READ came with Linux 5.14: this kernel has none, so its row is missing.";
            caveats.push(Caveat::Other(missing.to_owned()));
        }
        if evidence.part_bytes < evidence.size_bytes / 2 {
            caveats.push(Caveat::Other(format!(
                "Only the first {} were looked at: reads without readahead are too slow here for more.",
                format_bytes(evidence.part_bytes)
            )));
        }
        let size = shell_bytes(evidence.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures: vec![
                figures::bars(evidence),
                figures::looks(evidence, setting),
                figures::loads(evidence, setting),
            ],
            causes: causes(evidence, setting, &normal, &random).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                format!("tutor run hinted --size {size} --cold --for 300 --advice sequential"),
                format!("tutor run willneed --size {size} --cold --call populate"),
            ],
            sources: vec![
                "man 2 posix_fadvise (NOTES), man 2 madvise, man 2 readahead".to_owned(),
                "mm/fadvise.c, generic_fadvise (Linux 6.18)".to_owned(),
                "mm/readahead.c, page_cache_sync_ra (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn look(
    bench: &mut Bench<'_>,
    path: &Path,
    (advice, mapped): (Advice, bool),
    bytes: u64,
) -> Result<Look, Unavailable> {
    bench.make_cold(path)?;
    let before = crate::asked::residency_of(bench, path)?;
    let bytes = shell_bytes(bytes);
    let mut args = vec![path.as_os_str()];
    args.extend(["--advice", advice.name(), "--bytes", &bytes].map(OsStr::new));
    args.extend(mapped.then_some(OsStr::new("--mapped")));
    let run = bench.run("hinted", &args)?;
    let look = Look {
        advice,
        mapped,
        before,
        after: crate::asked::residency_of(bench, path)?,
        bytes: run.u64("bytes")?,
        calls: run.u64("calls")?,
        elapsed_ns: run.u64("elapsed_ns")?,
        major_faults: run.u64("major_faults")?,
        device_read_bytes: run.u64_if_known("device_read_bytes")?,
    };
    bench.note_missing(path, look.missing_pages(page_bytes()))?;
    Ok(look)
}

fn load(bench: &mut Bench<'_>, path: &Path, call: Call, bytes: u64) -> Result<Load, Unavailable> {
    bench.make_cold(path)?;
    let size = shell_bytes(bytes);
    let mut args = vec![path.as_os_str()];
    args.extend(["--bytes", &size, "--call", call.name()].map(OsStr::new));
    let run = bench.run("willneed", &args)?;
    Ok(Load {
        call: call.name().to_owned(),
        asked_pages: instruments::pages::pages_for(bytes),
        resident_pages: run.u64_if_known("resident_pages")?,
        elapsed_ns: run.u64("elapsed_ns")?,
    })
}

fn decide(normal: &Samples, random: &Samples) -> (Outcome, String) {
    if let Some(why) = arms::too_few(&[("RANDOM", random), ("NORMAL", normal)]) {
        return arms::too_few_to_tell(why);
    }
    let measured = format!("{} under RANDOM, {} without a hint", words::time(random), words::time(normal));
    let Some(ratio) = random.ratio_to(normal) else {
        let why = "the clock saw no time pass".to_owned();
        return (Outcome::Undecided(why.clone()), format!("There is no figure to trust: {why}."));
    };
    match Standing::of(random, normal) {
        Standing::CannotTell(why) => words::cannot_tell(&measured, why),
        Standing::Tie => (
            Outcome::Undecided("a tie within the spread".to_owned()),
            format!("A tie on this machine, now: {measured}."),
        ),
        Standing::Apart if ratio >= 1.0 => (
            Outcome::Quantity(ratio),
            format!("Under RANDOM the same reads took {} the time: {measured}.", format_ratio(ratio)),
        ),
        Standing::Apart => (
            Outcome::Quantity(ratio),
            format!(
                "Under RANDOM the same reads were faster: the ratio is {} ({measured}).",
                format_ratio(ratio)
            ),
        ),
    }
}

fn causes(evidence: &Evidence, setting: &Setting, normal: &Samples, random: &Samples) -> Vec<Why> {
    let page_bytes = setting.host.page_bytes;
    let ahead = |advice| {
        let looks = evidence.of(advice, false);
        words::middle(looks.iter().filter_map(|look| look.ahead_pages(page_bytes)).collect())
    };
    let (random_ahead, normal_ahead, sequential_ahead) =
        (ahead(Advice::Random), ahead(Advice::Normal), ahead(Advice::Sequential));
    let mut causes = Vec::new();
    match random_ahead {
        Some(0)
            if random.ratio_to(normal).is_some_and(|ratio| ratio > 1.0) && random.is_apart_from(normal) =>
        {
            causes.push(Why::NoReadahead {
                pages: evidence.part_bytes.div_ceil(page_bytes.max(1)),
                normal_ahead_pages: normal_ahead.unwrap_or(0),
            });
        }
        Some(ahead_pages @ 1..) => causes.push(Why::RandomReadAhead { ahead_pages }),
        _ => {}
    }
    let sequential = evidence.times(Advice::Sequential, false);
    if let (Some(normal_pages), Some(sequential_pages)) = (normal_ahead, sequential_ahead)
        && let (Some(normal_ns), Some(sequential_ns)) = (normal.median(), sequential.median())
        && sequential_pages > normal_pages
    {
        causes.push(Why::SequentialReachesFurther {
            pages: [normal_pages, sequential_pages],
            times_ns: [normal_ns, sequential_ns],
            tie: !sequential.is_apart_from(normal),
        });
    }
    let hints = [Call::Fadvise, Call::Madvise, Call::Readahead].map(|call| evidence.load(call));
    if let [Some(one), rest @ ..] = hints
        && let Some(resident_pages) = one.resident_pages.filter(|resident| *resident < one.asked_pages)
        && rest.iter().all(|load| load.is_some_and(|load| load.resident_pages == Some(resident_pages)))
    {
        causes.push(Why::SameBound { resident_pages, asked_pages: one.asked_pages });
    }
    if let Some(load) = evidence.load(Call::Populate)
        && load.resident_pages.is_some_and(|resident| resident >= load.asked_pages)
    {
        causes.push(Why::PopulateIsAnOrder { pages: load.asked_pages });
    }
    causes
}
