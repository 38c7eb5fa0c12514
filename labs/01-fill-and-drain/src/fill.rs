//! Act 1: a file is written and closed. Which line of /proc/meminfo takes it up?

use crate::cause::Why;
use crate::change::{Change, Drift, Idle, Line};
use crate::moments::{KEPT, maps};
use crate::notes;
use crate::pace::WATCHED;
use crate::words::{self, choice, option, undecided};
use crate::workloads::fill::{Filled, write};
use instruments::residency::Residency;
use instruments::residency_timeline::ResidencyTimeline;
use instruments::size::{format_bytes, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::caveat::of_memory;
use lesson::figure::{Bar, Bars};
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The act.
#[derive(Debug)]
pub struct Fill;

/// A new file a round, and an idle window beside each.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of each file.
    pub size_bytes: u64,
    /// What the counters did while nothing was done.
    pub idle: Idle,
    /// What each write did and left.
    pub rounds: Vec<Filled>,
    /// A file growing, written slowly: the first write, and not among the rounds.
    pub film: ResidencyTimeline,
    /// What the counters did during that one.
    pub first: Change,
}

const NAME: &str = "just-written";

/// The lines that may take a file up.
const TAKERS: [Line; 2] = [Line::Buffers, Line::Cached];

impl Act for Fill {
    type Evidence = Evidence;
    const ID: &'static str = "fill";
    const TITLE: &'static str = "a file is written";
    const SECONDS: u32 = 4;
    const NOTES: Notes = notes::FILL;

    fn question(&self, setting: &Setting) -> Question {
        let size = format_bytes(setting.plan.size_bytes);
        Question {
            setup: format!(
                "A program writes a new file of {size} and closes it. /proc/meminfo is read before and after, and also on \
                 the idle machine, to know how far its lines go by themselves."
            ),
            commands: vec![format!("tutor run fill --size {}", shell_bytes(setting.plan.size_bytes))],
            ask: format!("Which line of /proc/meminfo grows by about {size}?"),
            answer: Ask::Choice(options()),
            hint: "write() has returned. Where are the bytes now, and who counts them?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = bench.plan().size_bytes;
        let path = bench.scratch().path().join(NAME);
        bench.begin("write a file, slowly, to watch it", 0);
        let (first, film) = bench.watch(&path, size, |_, scratch| write(scratch, NAME, size, WATCHED))?;
        bench.end();
        bench.scratch().remove(NAME)?;
        let film = film.thinned(KEPT);
        let (idle, first) = (Idle::begin(), first.change);
        let mut evidence = Evidence { size_bytes: size, idle, rounds: Vec::new(), film, first };
        let rounds = bench.plan().trials;
        bench.begin("write a file, then watch an idle machine", u64::from(rounds));
        for _ in 0..rounds {
            let filled = write(bench.scratch(), NAME, size, Duration::ZERO)?;
            let missing = filled.after.map_or(0, |after| after.pages - after.resident_pages);
            bench.note_missing(&path, missing)?;
            bench.scratch().remove(NAME)?;
            evidence.idle.as_long_as(&filled.change)?;
            evidence.rounds.push(filled);
            bench.done(1)?;
        }
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let work: Vec<Change> = evidence.rounds.iter().map(|round| round.change).collect();
        let drift = Drift { idle: &evidence.idle, work: &work };
        let (outcome, sentence) = decide(evidence, &drift);
        let mut figures = vec![bars(evidence, &drift)];
        figures.extend(maps(&evidence.film, "it is written"));
        let mut caveats = of_memory(&setting.host);
        if matches!(outcome, Outcome::Choice(_)) {
            caveats.extend(words::busy(&drift, &[Line::Free, Line::Cached], evidence.size_bytes));
        }
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes(evidence, &drift, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                format!("tutor run fill --size {} --over 3s", shell_bytes(evidence.size_bytes)),
                "head -5 /proc/meminfo".to_owned(),
            ],
            sources: vec![
                "man 5 proc_meminfo".to_owned(),
                "Documentation/filesystems/proc.rst, meminfo (Linux 6.18)".to_owned(),
            ],
        }
    }
}

/// What a line did, with respect to the file's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Up,
    Down,
    Still,
    Between,
}

/// From three quarters of the size a line went "by about that much"; up to one quarter it did not move.
fn way(median: f64, size: f64) -> Way {
    match median / size {
        0.75..=1.25 => Way::Up,
        -1.25..=-0.75 => Way::Down,
        -0.25..=0.25 => Way::Still,
        _ => Way::Between,
    }
}

fn decide(evidence: &Evidence, drift: &Drift<'_>) -> (Outcome, String) {
    let size = evidence.size_bytes as f64;
    let [Some(free), Some(buffers), Some(cached)] =
        [Line::Free, Line::Buffers, Line::Cached].map(|line| drift.median(line))
    else {
        return undecided("no file was written");
    };
    if let Some(loud) = too_loud(evidence, drift) {
        return words::too_loud(loud);
    }
    let said = format!(
        "While {} were written, {}, {}, {}",
        format_bytes(evidence.size_bytes),
        words::moved("Cached", cached),
        words::moved("free memory", free),
        words::moved("Buffers", buffers)
    );
    match (way(cached, size), way(buffers, size), way(free, size)) {
        (Way::Up, Way::Still, _) => choice("cached", format!("{said}: Cached took the file up.")),
        (Way::Still, Way::Up, _) => choice("buffers", format!("{said}: Buffers took the file up.")),
        (Way::Still, Way::Still, Way::Down) => {
            choice("lost", format!("{said}: free memory went, and neither line took it up."))
        }
        (Way::Still, Way::Still, Way::Still) => match resident_shares(evidence) {
            Some((0.75.., _)) if reclaimed_in_rounds(evidence, drift).is_some() => choice(
                "replaced",
                format!("{said}: no line moved, and yet the file is in memory, so others left it."),
            ),
            Some((0.75.., _)) => undecided("the file is in memory, and yet no line moved, and nobody left"),
            Some((_, ..0.25)) => {
                choice("nothing", format!("{said}: no line moved, and the file is not in memory."))
            }
            Some(_) => undecided("the file was in memory after some writes, and not after others"),
            None => undecided("no line moved, and nobody knows how much of the file is in memory"),
        },
        _ => undecided(format!("{}, which fits none of the answers", uncapitalised(&said))),
    }
}

/// The line that others move too much. Free memory decides only where no other line took the file up.
fn too_loud(evidence: &Evidence, drift: &Drift<'_>) -> Option<(Line, f64)> {
    let size = evidence.size_bytes;
    let taken = |line| drift.median(line).is_some_and(|median| way(median, size as f64) == Way::Up);
    let free = || drift.too_loud(&[Line::Free], size).filter(|_| !TAKERS.into_iter().any(taken));
    drift.too_loud(&TAKERS, size).or_else(free)
}

fn uncapitalised(text: &str) -> String {
    text.replacen('W', "w", 1)
}

/// The files' pages right after their writes; None where there is no file, or nobody can know.
fn states(evidence: &Evidence) -> Option<Vec<Residency>> {
    let states: Option<Vec<_>> = evidence.rounds.iter().map(|round| round.after).collect();
    states.filter(|states| !states.is_empty())
}

/// The least and the greatest share of a file that was resident after its write; None where it is unknown.
fn resident_shares(evidence: &Evidence) -> Option<(f64, f64)> {
    let share = |state: &Residency| state.resident_pages as f64 / state.pages.max(1) as f64;
    let shares: Vec<f64> = states(evidence)?.iter().map(share).collect();
    Some((shares.iter().copied().reduce(f64::min)?, shares.iter().copied().reduce(f64::max)?))
}

fn causes(evidence: &Evidence, drift: &Drift<'_>, setting: &Setting) -> Vec<Why> {
    let mut causes: Vec<Why> = missing(evidence, setting).into_iter().collect();
    if let Some((line, noise)) = too_loud(evidence, drift) {
        causes.push(Why::OthersMovedIt { line: line.name(), noise_bytes: noise as u64 });
    } else if let Some(states) = states(evidence) {
        causes.extend(filled(evidence, &states, drift));
    } else if !evidence.rounds.is_empty() && went(evidence, drift, Line::Free) == Some(Way::Down) {
        let filesystem = setting.host.filesystem.kind.clone();
        let elsewhere = went(evidence, drift, Line::Cached) == Some(Way::Still);
        causes.extend(elsewhere.then_some(Why::KeptElsewhere { filesystem }));
    }
    causes
}

fn went(evidence: &Evidence, drift: &Drift<'_>, line: Line) -> Option<Way> {
    drift.median(line).map(|median| way(median, evidence.size_bytes as f64))
}

/// Pages that were never in memory all at once, for a limit that explains it. Counters have no part in this.
fn missing(evidence: &Evidence, setting: &Setting) -> Option<Why> {
    let states = states(evidence)?;
    let fullest = states.iter().max_by_key(|state| state.resident_pages)?;
    let limit_bytes = words::limit_below(evidence.size_bytes, setting)?;
    (fullest.resident_pages < fullest.pages).then_some(Why::DidNotFit {
        resident_pages: fullest.resident_pages,
        pages: fullest.pages,
        limit_bytes,
    })
}

/// File pages that reclaim took in the middle round, where they are at least half as many as the file has.
fn reclaimed_in_rounds(evidence: &Evidence, drift: &Drift<'_>) -> Option<u64> {
    let pages = states(evidence)?.iter().map(|state| state.pages).max()?;
    let reclaimed = drift.middle(|change| i64::try_from(change.reclaimed_pages?).ok())? as u64;
    Some(reclaimed).filter(|reclaimed| *reclaimed >= pages / 2)
}

/// What explains that all of each file is in memory, if it is.
fn filled(evidence: &Evidence, states: &[Residency], drift: &Drift<'_>) -> Vec<Why> {
    if states.iter().any(|state| state.resident_pages < state.pages) {
        return Vec::new();
    }
    let mut causes = Vec::new();
    let pages = states.iter().map(|state| state.pages).max().unwrap_or(0);
    if went(evidence, drift, Line::Cached) == Some(Way::Up) {
        let unwritten = |state: &Residency| {
            let busy = state.dirty_pages?.saturating_add(state.writeback_pages?);
            Some(busy.min(state.resident_pages))
        };
        let unwritten_pages = states.iter().filter_map(unwritten).max();
        causes.push(Why::WriteFilledIt { rounds: states.len(), pages, unwritten_pages });
    }
    let in_rounds = reclaimed_in_rounds(evidence, drift);
    let at_first = evidence.first.reclaimed_pages.filter(|reclaimed| *reclaimed >= pages / 2);
    if let Some(reclaimed_pages) = in_rounds.or(at_first) {
        causes.push(Why::OthersLeft { reclaimed_pages, only_at_first: in_rounds.is_none() });
    }
    causes
}

/// How far each line went.
fn bars(evidence: &Evidence, drift: &Drift<'_>) -> Figure {
    let bar = |line: Line| {
        let (text, note) = drift.told(line);
        Bar { label: line.name().to_owned(), value: drift.median(line).unwrap_or(0.0), text, note }
    };
    Figure::Bars(Bars {
        title: format!(
            "how far each line went while {} were written (median of {})",
            format_bytes(evidence.size_bytes),
            evidence.rounds.len()
        ),
        bars: [Line::Cached, Line::Free, Line::Available, Line::Buffers].map(bar).into(),
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "nothing",
            "None: the bytes are on the disk, not in memory",
            "Whoever says none takes write() for a way to the disk. It is a way into memory, and the disk gets the bytes \
             later. No line grows for a write that goes past the cache (O_DIRECT), or once the pages are gone again.",
        ),
        option(
            "lost",
            "None: MemFree falls, and no other line takes it up",
            "Whoever says so has seen MemFree fall and called the memory lost. It is what one sees where a filesystem \
             keeps a cache of its own, which /proc/meminfo does not count as cache (ZFS is one).",
        ),
        option(
            "buffers",
            "Buffers",
            "Whoever says Buffers goes by the name. That line counts the pages of block devices themselves, most of them \
             a filesystem's own notes (metadata). It would grow if one wrote to /dev/sdX instead of to a file.",
        ),
        option(
            "cached",
            "Cached",
            "Whoever says Cached expects a write to leave its pages in the page cache. That is so on most filesystems, \
             as long as there is free memory to take. Inactive(file) counts the same pages a second time.",
        ),
        option(
            "replaced",
            "None: as much of other files leaves the cache",
            "Whoever says so expects memory to be full already. Then each new page takes the place of an old one, and \
             every line stays as it is, though all of the file comes into memory.",
        ),
    ]
}
