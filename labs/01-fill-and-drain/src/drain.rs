//! Act 2: the file's pages are evicted. Free memory rises; what does MemAvailable say?

use crate::cause::Why;
use crate::change::{Change, Drift, Idle, Line};
use crate::moments::{KEPT, maps};
use crate::notes;
use crate::pace::WATCHED;
use crate::words::{self, choice, option, row, undecided};
use crate::workloads::drain::drain;
use instruments::evict::{Evicted, Stuck};
use instruments::residency_timeline::ResidencyTimeline;
use instruments::size::{format_bytes, format_ns, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use lesson::caveat::of_memory;
use lesson::figure::{Bar, Bars, Table};
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The act.
#[derive(Debug)]
pub struct Drain;

/// A warm file evicted in each round, and an idle window beside each.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// What the counters did while nothing was done.
    pub idle: Idle,
    /// Evictions that took all pages, proven by a count.
    pub rounds: Vec<Round>,
    /// Why the last eviction left pages, if it did: then there are no more rounds.
    pub stuck: Option<Stuck>,
    /// A file emptying, evicted slowly; it counts for nothing else.
    pub film: ResidencyTimeline,
}

/// An eviction that took all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Pages that were resident before.
    pub before_pages: u64,
    /// What the counters did meanwhile.
    pub change: Change,
}

/// The lines whose ways decide.
const JUDGED: [Line; 3] = [Line::Free, Line::Available, Line::Cached];

impl Act for Drain {
    type Evidence = Evidence;
    const ID: &'static str = "drain";
    const TITLE: &'static str = "its pages are evicted";
    const SECONDS: u32 = 6;
    const NOTES: Notes = notes::DRAIN;

    fn question(&self, setting: &Setting) -> Question {
        let size = format_bytes(setting.plan.size_bytes);
        Question {
            setup: format!(
                "A file of {size} is in the page cache, clean: the disk has all of it. Now its pages are evicted and \
                 counted: none may be left. {size} more of this machine's memory is free. (Free pages that single \
                 processors keep on lists of their own are counted in, where /proc/meminfo leaves them out.)"
            ),
            commands: vec![format!(
                "tutor run drain --size {} --warm",
                shell_bytes(setting.plan.size_bytes)
            )],
            ask: "What does MemAvailable do?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "MemAvailable is what programs could get without swapping. Could they have had those pages before?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = bench.plan().size_bytes;
        let path = bench.data_file()?;
        bench.warm_up(&path)?;
        bench.begin("evict the file, slowly, to watch it", 0);
        let (slowly, film) = bench.watch(&path, size, |_, _| drain(&path, WATCHED))?;
        bench.end();
        let film = film.thinned(KEPT);
        let mut evidence =
            Evidence { size_bytes: size, stuck: slowly.evicted.err(), film, ..Evidence::default() };
        let rounds = bench.plan().trials;
        bench.begin("fill the cache, drain it, watch an idle machine", u64::from(rounds));
        for _ in 0..rounds {
            if evidence.stuck.is_some() {
                break;
            }
            bench.warm_up(&path)?;
            let drained = drain(&path, Duration::ZERO)?;
            evidence.idle.as_long_as(&drained.change)?;
            match drained.evicted {
                Ok(Evicted { before_pages, .. }) => {
                    evidence.rounds.push(Round { before_pages, change: drained.change });
                }
                Err(stuck) => evidence.stuck = Some(stuck),
            }
            bench.done(1)?;
        }
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let work: Vec<Change> = evidence.rounds.iter().map(|round| round.change).collect();
        let drift = Drift { idle: &evidence.idle, work: &work };
        let (outcome, sentence) = decide(evidence, &drift);
        let mut figures = vec![bars(evidence, &drift), table(&drift)];
        figures.extend(maps(&evidence.film, "it is evicted"));
        let mut caveats = of_memory(&setting.host);
        if matches!(outcome, Outcome::Choice(_)) {
            caveats.extend(words::busy(
                &drift,
                &[Line::Free, Line::Available, Line::Cached],
                evidence.size_bytes,
            ));
        }
        let rounds = evidence.rounds.len() as u32;
        if rounds > 0 && rounds < setting.plan.trials {
            caveats.push(Caveat::FewTrials(rounds, setting.plan.trials));
        }
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes(evidence, &drift).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                format!("tutor run drain --size {} --warm --over 3s", shell_bytes(evidence.size_bytes)),
                "free -m".to_owned(),
            ],
            sources: vec![
                "man 1 free (available)".to_owned(),
                "mm/show_mem.c, si_mem_available (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn decide(evidence: &Evidence, drift: &Drift<'_>) -> (Outcome, String) {
    let size = evidence.size_bytes as f64;
    if let Some(stuck) = &evidence.stuck {
        return undecided(format!("the file could not be drained ({stuck})"));
    }
    let [Some(free), Some(available), Some(cached)] =
        [Line::Free, Line::Available, Line::Cached].map(|line| drift.median(line))
    else {
        return undecided("no file was drained");
    };
    if let Some(loud) = drift.too_loud(&JUDGED, evidence.size_bytes) {
        return words::too_loud(loud);
    }
    if free < 0.75 * size || cached > -0.75 * size {
        return undecided(format!(
            "all pages of the file went, but {}, and {}",
            words::moved("Cached", cached),
            words::moved("free memory", free)
        ));
    }
    let floor = drift.floor(Line::Available).unwrap_or(f64::INFINITY);
    let said = format!(
        "{} and {}. {}",
        words::moved("Cached", cached),
        words::moved("free memory", free),
        said_of_available(drift, available, floor.max(size / 50.0))
    );
    match available / free {
        0.75.. => choice("rises", format!("{said}: it rose as much.")),
        0.25.. => choice("part", format!("{said}: it rose by a part of that.")),
        ..=-0.25 => choice("falls", format!("{said}: it fell.")),
        _ if available.abs() <= floor => choice(
            "stays",
            format!(
                "{said}. By itself it mostly moves by no more than {}: it stayed within that noise.",
                format_bytes(floor as u64)
            ),
        ),
        _ => choice("stays", format!("{said}: next to nothing, though more than it moves by itself.")),
    }
}

/// What MemAvailable did; as printed, too, where pages on the processors' own lists make a difference worth a word.
fn said_of_available(drift: &Drift<'_>, available: f64, worth_a_word: f64) -> String {
    match drift.middle(|change| Some(change.available_bytes)) {
        Some(printed) if (printed - available).abs() > worth_a_word => format!(
            "As printed, {}; with the freed pages that wait on processors' own lists, it moved by {}",
            words::moved("MemAvailable", printed),
            words::signed(available)
        ),
        _ => words::moved("MemAvailable", available),
    }
}

fn causes(evidence: &Evidence, drift: &Drift<'_>) -> Vec<Why> {
    if let Some(stuck) = &evidence.stuck {
        return vec![Why::NotDrained(stuck.clone())];
    }
    if let Some((line, noise)) = drift.too_loud(&JUDGED, evidence.size_bytes) {
        return vec![Why::OthersMovedIt { line: line.name(), noise_bytes: noise as u64 }];
    }
    let mut causes = Vec::new();
    if let (Outcome::Choice(id), Some(free), Some(available)) =
        (decide(evidence, drift).0, drift.median(Line::Free), drift.median(Line::Available))
        && id == "stays"
    {
        causes.push(Why::CountedBefore { free_bytes: free as i64, available_bytes: available as i64 });
    }
    let percpu = drift.middle(|change| change.percpu_bytes);
    let plain_available = drift.middle(|change| Some(change.available_bytes));
    if let (Some(percpu), Some(available)) = (percpu, plain_available)
        && percpu > drift.floor(Line::Available).unwrap_or(f64::INFINITY)
        && percpu > evidence.size_bytes as f64 / 20.0
    {
        let free = drift.middle(|change| Some(change.free_bytes)).unwrap_or(0.0);
        causes.push(Why::OnProcessorsLists {
            percpu_bytes: percpu as i64,
            free_bytes: free as i64,
            available_bytes: available as i64,
        });
    }
    causes
}

fn bars(evidence: &Evidence, drift: &Drift<'_>) -> Figure {
    let bar = |line: Line| {
        let (text, note) = drift.told(line);
        Bar { label: line.name().to_owned(), value: drift.median(line).unwrap_or(0.0), text, note }
    };
    let times = evidence.rounds.iter().map(|round| round.change.elapsed_ns as f64).collect();
    let time = Samples { values: times, ..Samples::default() }.median().unwrap_or(0.0);
    Figure::Bars(Bars {
        title: format!(
            "how far each line went while {} were evicted, in {} (median of {})",
            format_bytes(evidence.size_bytes),
            format_ns(time),
            evidence.rounds.len()
        ),
        bars: [Line::Cached, Line::Free, Line::Available].map(bar).into(),
    })
}

/// What /proc/meminfo said by itself, and the free pages that it does not count.
fn table(drift: &Drift<'_>) -> Figure {
    let median = |figure: &dyn Fn(&Change) -> Option<i64>| {
        drift.middle(figure).map_or_else(|| "unknown".to_owned(), words::signed)
    };
    let idle = |figure: &dyn Fn(&Change) -> Option<i64>| {
        drift.mostly_within(figure).map_or_else(|| "unknown".to_owned(), |bytes| format_bytes(bytes as u64))
    };
    type Figured<'a> = (&'a str, &'a dyn Fn(&Change) -> Option<i64>);
    let lines: [Figured<'_>; 4] = [
        ("Cached", &|change| Some(change.cached_bytes)),
        ("MemFree", &|change| Some(change.free_bytes)),
        ("free, on the processors' lists", &|change| change.percpu_bytes),
        ("MemAvailable", &|change| Some(change.available_bytes)),
    ];
    Figure::Table(Table {
        title: "as the kernel prints them (/proc/meminfo, /proc/zoneinfo)".to_owned(),
        head: ["line", "went by", "idle, mostly within"].map(str::to_owned).to_vec(),
        rows: lines.into_iter().map(|(name, of)| row([name.to_owned(), median(of), idle(of)])).collect(),
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "rises",
            "It rises as much as free memory",
            "Whoever says it rises counts cache as memory in use. It would rise if nobody could have had those pages \
             before: if they were locked in memory (mlock), or those of a removed file on a tmpfs.",
        ),
        option(
            "part",
            "It rises by about half of that",
            "Whoever says half knows that the kernel does not promise all of the cache: it leaves out half of it, or as \
             much as its low watermarks, whichever is less. Half is what one sees where hardly anything else is cached.",
        ),
        option(
            "stays",
            "It stays, but for noise",
            "Whoever says it stays counts clean cache as memory that programs could have had at any time. Then eviction \
             turns available pages into free pages, and their sum is the same.",
        ),
        option(
            "falls",
            "It falls: cached data was available",
            "Whoever says it falls takes available for available data. The word means memory: it would fall if somebody \
             took the freed pages at once.",
        ),
    ]
}
