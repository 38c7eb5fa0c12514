//! Act 1: a file is written and closed. Which line of /proc/meminfo takes it up?

use crate::cause::Why;
use crate::change::{Change, Drift, Idle, Line};
use crate::moments::{KEPT, maps};
use crate::pace::WATCHED;
use crate::words::{self, choice, option, undecided};
use crate::workloads::fill::{Filled, write};
use instruments::film::Film;
use instruments::size::{format_bytes, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::{Bar, Bars};
use lesson::{Act, Ask, Choice, Figure, Outcome, Question, Reveal, Setting};
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
    /// A file growing, written slowly; it counts for nothing else.
    pub film: Film,
}

const NAME: &str = "just-written";

/// The lines whose ways decide.
const JUDGED: [Line; 3] = [Line::Free, Line::Buffers, Line::Cached];

impl Act for Fill {
    type Evidence = Evidence;
    const ID: &'static str = "fill";
    const TITLE: &'static str = "a file is written";
    const SECONDS: u32 = 5;

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
        let (_, film) = bench.watch(&path, size, |_, scratch| write(scratch, NAME, size, WATCHED))?;
        bench.end();
        bench.scratch().remove(NAME)?;
        let film = film.thinned(KEPT);
        let mut evidence = Evidence { size_bytes: size, idle: Idle::begin(), rounds: Vec::new(), film };
        let rounds = bench.plan().trials;
        bench.begin("write a file, then watch an idle machine", u64::from(rounds));
        for _ in 0..rounds {
            let filled = write(bench.scratch(), NAME, size, Duration::ZERO)?;
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
        let mut caveats = words::of_memory(setting);
        if matches!(outcome, Outcome::Choice(_)) {
            caveats.extend(words::busy(&drift, &JUDGED, evidence.size_bytes));
        }
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes(evidence, &drift, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                format!("tutor run fill --size {} --over 3s", shell_bytes(evidence.size_bytes)),
                "grep -E '^(MemFree|MemAvailable|Buffers|Cached|Dirty):' /proc/meminfo".to_owned(),
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
    if let Some(loud) = drift.too_loud(&JUDGED, evidence.size_bytes) {
        return words::too_loud(loud);
    }
    let said = format!(
        "While {} were written, Cached went by {}, MemFree by {}, Buffers by {}",
        format_bytes(evidence.size_bytes),
        words::signed(cached),
        words::signed(free),
        words::signed(buffers)
    );
    match (way(cached, size), way(buffers, size), way(free, size)) {
        (Way::Up, Way::Still, _) => choice("cached", format!("{said}: Cached took the file up.")),
        (Way::Still, Way::Up, _) => choice("buffers", format!("{said}: Buffers took the file up.")),
        (Way::Still, Way::Still, Way::Down) => {
            choice("lost", format!("{said}: free memory went, and neither line took it up."))
        }
        (Way::Still, Way::Still, Way::Still) => match resident_share(evidence) {
            Some(0.75..) => choice(
                "replaced",
                format!("{said}: no line moved, and yet the file is in memory, so others left it."),
            ),
            Some(..0.25) => {
                choice("nothing", format!("{said}: no line moved, and the file is not in memory."))
            }
            _ => undecided("no line moved, and nobody knows how much of the file is in memory"),
        },
        _ => undecided(format!("{}, which fits none of the answers", uncapitalised(&said))),
    }
}

fn uncapitalised(text: &str) -> String {
    text.replacen('W', "w", 1)
}

/// The least share of a file that was resident after its write; None where it is unknown.
fn resident_share(evidence: &Evidence) -> Option<f64> {
    let shares = evidence.rounds.iter().map(|round| {
        let after = round.after?;
        Some(after.resident_pages as f64 / after.pages.max(1) as f64)
    });
    shares.reduce(|a, b| Some(a?.min(b?))).flatten()
}

fn causes(evidence: &Evidence, drift: &Drift<'_>, setting: &Setting) -> Vec<Why> {
    let mut causes = Vec::new();
    let size = evidence.size_bytes as f64;
    let (cached, free) = (drift.median(Line::Cached), drift.median(Line::Free));
    if let Some((line, noise)) = drift.too_loud(&JUDGED, evidence.size_bytes) {
        return vec![Why::OthersMovedIt { line: line.name(), noise_bytes: noise as u64 }];
    }
    let after: Option<Vec<_>> = evidence.rounds.iter().map(|round| round.after).collect();
    let all_resident = resident_share(evidence) == Some(1.0);
    if all_resident
        && cached.is_some_and(|cached| way(cached, size) == Way::Up)
        && let Some(pages) = after.iter().flatten().map(|now| now.pages).max()
    {
        let unwritten = |now: &instruments::residency::Residency| {
            Some(now.dirty_pages?.saturating_add(now.writeback_pages?).min(now.resident_pages))
        };
        let unwritten_pages = after.iter().flatten().filter_map(unwritten).max();
        causes.push(Why::WriteFilledIt { rounds: evidence.rounds.len(), pages, unwritten_pages });
    }
    let reclaimed =
        drift.middle(|change| change.reclaimed_pages.map(|pages| i64::try_from(pages).unwrap_or(0)));
    let page = setting.host.page_bytes as f64;
    if all_resident && let Some(reclaimed) = reclaimed.filter(|pages| pages * page >= size / 2.0) {
        causes.push(Why::OthersLeft { reclaimed_pages: reclaimed as u64 });
    }
    if !evidence.rounds.is_empty()
        && evidence.rounds.iter().all(|round| round.after.is_none())
        && free.is_some_and(|free| way(free, size) == Way::Down)
        && cached.is_some_and(|cached| way(cached, size) == Way::Still)
    {
        causes.push(Why::KeptElsewhere { filesystem: setting.host.filesystem.kind.clone() });
    }
    causes
}

/// How far each line went.
fn bars(evidence: &Evidence, drift: &Drift<'_>) -> Figure {
    let bar = |line: Line| {
        let (text, note) = drift.told(line);
        Bar { label: line.name().to_owned(), value: drift.median(line).unwrap_or(0.0).abs(), text, note }
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
