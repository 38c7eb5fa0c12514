//! Act `copies`: add up every byte, through read() and through a mapping; warm, then cold.

mod causes;
mod figures;
mod ways;

use crate::copies::causes::{causes, read_further, without_a_baseline};
use crate::copies::figures::bars;
use crate::copies::ways::{MMAP, READ, State, Times};
use crate::notes;
use crate::pass::{self, Pass};
use crate::words::unexplained;
use instruments::sample::{Trial, interleave};
use instruments::size::{format_bytes, format_ratio, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::question::Choice;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Question, Reveal, Setting, arms, caveat};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Add up every byte, through read() and through a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Copies;

/// No more than this is read cold in one pass: each has to come from the disk.
const COLD_BYTES: u64 = 256 << 20;

/// What was timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Pages of the whole file.
    pub pages: u64,
    /// Block of the read() loop.
    pub block_bytes: u64,
    /// Trials wanted of each arm.
    pub trials: u32,
    /// Bytes that each warm pass added up.
    pub warm_bytes: u64,
    /// Everything resident before, nothing from the device.
    pub warm: Arms,
    /// Bytes that each cold pass added up, from the start of the file.
    pub cold_bytes: u64,
    /// Nothing resident before, all from the device.
    pub cold: Arms,
}

/// All passes, by the way in which the program gets at the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arms {
    /// A read() loop.
    pub read: Vec<Pass>,
    /// A mapping.
    pub mmap: Vec<Pass>,
    /// A mapping made with MAP_POPULATE.
    pub populate: Vec<Pass>,
    /// A mapping whose pages were all visited before the clock started: the adding alone. Warm only.
    #[serde(default)]
    pub adding: Vec<Pass>,
}

impl Arms {
    fn all(&self) -> impl Iterator<Item = &Pass> {
        self.read.iter().chain(&self.mmap).chain(&self.populate).chain(&self.adding)
    }
}

impl Evidence {
    fn warm_state(&self) -> State {
        State::Warm { pages: self.pages, bytes: self.warm_bytes }
    }

    fn cold_state(&self) -> State {
        State::Cold { bytes: self.cold_bytes }
    }
}

impl Act for Copies {
    type Evidence = Evidence;
    const ID: &'static str = "copies";
    const TITLE: &'static str = "adding up every byte";
    const SECONDS: u32 = 8;
    const NOTES: Notes = notes::COPIES;

    fn question(&self, setting: &Setting) -> Question {
        let (size, block) = (shell_bytes(setting.plan.size_bytes), shell_bytes(setting.plan.block_bytes));
        Question {
            setup: format!(
                "Two programs add up every byte of the warm file of {}, with the same loop. One reads it in blocks of \
                 {} and adds up its buffer. The other maps it and adds up the mapping. Each runs {} times, in turns.",
                format_bytes(setting.plan.size_bytes),
                format_bytes(setting.plan.block_bytes),
                setting.plan.trials
            ),
            commands: vec![
                format!("tutor run readsum --size {size} --warm --block {block}"),
                format!("tutor run mmapsum --size {size} --warm"),
            ],
            ask: "Which is faster when the file is warm?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "One copies each byte and takes no fault. The other copies nothing and takes faults. What did they \
                   cost in the acts before?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        // What earlier acts left in the cache may lie in pieces of another size.
        bench.make_cold(&path)?;
        bench.warm_up(&path)?;
        let plan = bench.plan().clone();
        let pages = plan.size_bytes.div_ceil(bench.host().page_bytes);
        let (warm_bytes, cold_bytes) = (plan.size_bytes, plan.size_bytes.min(COLD_BYTES));
        let warm = measure_arms(bench, &path, State::Warm { pages, bytes: warm_bytes })?;
        let cold = measure_arms(bench, &path, State::Cold { bytes: cold_bytes })?;
        let (block_bytes, trials) = (plan.block_bytes, plan.trials);
        Ok(Evidence { pages, block_bytes, trials, warm_bytes, warm, cold_bytes, cold })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (warm, cold) = (
            Times::of(&evidence.warm, evidence.warm_state()),
            Times::of(&evidence.cold, evidence.cold_state()),
        );
        let size = shell_bytes(evidence.warm_bytes);
        let causes = causes(&warm, &cold);
        Reveal {
            outcome: outcome(&warm, evidence.warm_bytes),
            sentence: format!(
                "{} {}{}",
                sentence("Warm", &warm),
                sentence(&format!("Cold ({})", format_bytes(evidence.cold_bytes)), &cold),
                unexplained(&causes)
            ),
            figures: vec![
                Figure::Bars(bars(evidence.warm_state(), &warm)),
                Figure::Bars(bars(evidence.cold_state(), &cold)),
            ],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveats(evidence, &warm, &cold, setting),
            try_next: vec![
                format!("tutor run mmapsum --size {size} --warm --populate"),
                format!("tutor run mmapsum --size {size} --fill pages"),
                format!("tutor run mmapsum --size {size} --cold"),
            ],
            sources: vec![
                "man 2 mmap (MAP_POPULATE)".to_owned(),
                "mm/filemap.c, filemap_read and do_sync_mmap_readahead".to_owned(),
            ],
        }
    }
}

/// All ways interleaved, in one state.
fn measure_arms(bench: &mut Bench<'_>, path: &Path, state: State) -> Result<Arms, Unavailable> {
    let (block, bytes) = (shell_bytes(bench.plan().block_bytes), shell_bytes(state.bytes()));
    let mut ways: Vec<(&str, Vec<&str>)> = vec![
        ("readsum", vec!["--block", &block, "--bytes", &bytes]),
        ("mmapsum", vec!["--bytes", &bytes]),
        ("mmapsum", vec!["--bytes", &bytes, "--populate"]),
    ];
    if let State::Warm { .. } = state {
        ways.push(("mmapsum", vec!["--bytes", &bytes, "--mapped"]));
    }
    let trials = bench.plan().trials;
    let what = match state {
        State::Warm { .. } => "adding up all bytes, warm",
        State::Cold { .. } => "adding up bytes, cold",
    };
    let mut passes = vec![Vec::new(); ways.len()];
    bench.begin(what, ways.len() as u64 * u64::from(trials));
    interleave(ways.len(), trials, |way, _| {
        state.prepare(bench, path)?;
        let (workload, words) = &ways[way];
        let pass = Pass::measure(bench, workload, path, words)?;
        bench.done(1)?;
        let trial = match state.counts(&pass) {
            Ok(()) => Trial::Kept(pass.elapsed_ns as f64),
            Err(why) => Trial::Discarded(why),
        };
        passes[way].push(pass);
        Ok::<_, Unavailable>(trial)
    })?;
    bench.end();
    let mut passes = passes.into_iter();
    let mut next = || passes.next().unwrap_or_default();
    Ok(Arms { read: next(), mmap: next(), populate: next(), adding: next() })
}

const TIE: &str = "tie";

fn options() -> Vec<Choice> {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.to_owned(),
        text: text.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            READ,
            "read(): no page faults",
            "You take faults to cost more than copying. It is so where a fault maps few pages: over single pages, for \
             a small file, or without fault-around. A buffer that stays in the processor's cache makes the copy cheap.",
        ),
        option(
            MMAP,
            "mmap(): no copying",
            "You take copying to cost more than faults. It is so where a fault maps many pages, so that few are \
             taken. It does not follow for a cold file: there both wait for the disk, and what counts is who asks for \
             the next pages in time.",
        ),
        option(
            TIE,
            "a tie: the adding takes most of the time",
            "You take the way to the bytes to be small beside the work on them. It is so for any program that does \
             enough with each byte, and wherever copying and faults happen to cost the same.",
        ),
    ]
}

fn outcome(warm: &Times<'_>, bytes: u64) -> Outcome {
    if bytes == 0 {
        return Outcome::Undecided("no bytes were added up".to_owned());
    }
    if let Some(why) = warm.too_few() {
        return Outcome::Undecided(why);
    }
    Outcome::Choice(warm.verdict().map_or(TIE, |(faster, _)| faster.name).to_owned())
}

fn sentence(state: &str, times: &Times<'_>) -> String {
    if let Some(why) = times.too_few() {
        return format!("{state}: {why}.");
    }
    match times.verdict() {
        Some((faster, slower)) => {
            let ratio = slower.elapsed.ratio_to(&faster.elapsed).unwrap_or(1.0);
            format!("{state}, {} won: {} took {} as long.", faster.name, slower.name, format_ratio(ratio))
        }
        None => format!("{state}, it was a tie on this machine: the spreads of read and mmap overlap."),
    }
}

fn caveats(evidence: &Evidence, warm: &Times<'_>, cold: &Times<'_>, setting: &Setting) -> Vec<Caveat> {
    let mut caveats = caveat::of_device(&setting.host);
    let ways = |times| {
        let Times { read, mmap, populate, .. }: &Times<'_> = times;
        [&read.elapsed, &mmap.elapsed, &populate.elapsed]
    };
    let arms = [ways(warm), ways(cold)].concat();
    let counted = evidence.warm.all().chain(evidence.cold.all()).all(|pass| pass.device_read_bytes.is_some());
    caveats.extend(pass::caveats(&arms, evidence.trials, counted));
    caveats.extend(caveat::of_spreads(&[
        ("read (warm)", &warm.read.elapsed),
        ("mmap (warm)", &warm.mmap.elapsed),
        ("read (cold)", &cold.read.elapsed),
        ("mmap (cold)", &cold.mmap.elapsed),
    ]));
    caveats.extend(without_a_baseline(warm).map(Caveat::Other));
    caveats.extend(read_further(evidence, cold, setting).map(Caveat::Other));
    for (state, times) in [("warm", warm), ("cold", cold)] {
        let (read, mmap) = (format!("read ({state})"), format!("mmap ({state})"));
        caveats.extend(arms::overlap((&read, &times.read.elapsed), (&mmap, &times.mmap.elapsed)));
    }
    caveats
}
