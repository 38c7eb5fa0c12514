//! Act 4: the usual explanation, tested. In a memory limit of half the file, what is a hint worth?

use crate::asked::{Asked, Read, delivered_once, whole_piece};
use crate::cause::Why;
use crate::notes;
use crate::settings::Settings;
use crate::words::{self, middle, option, percent};
use instruments::limit::Limit;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::{Bar, Bars, Table};
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// Counts need few rounds, but one alone could be an accident.
const ROUNDS: u32 = 3;

/// The act.
#[derive(Debug)]
pub struct Pressure;

/// The file asked for and then read, both in one memory limit, a few times over.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// What the cgroup may hold.
    pub limit_bytes: u64,
    /// In the order in which they were measured.
    pub rounds: Vec<Round>,
}

/// Asked for in pieces, then read from the start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Round {
    /// The calls.
    pub asked: Asked,
    /// The read after it.
    pub read: Read,
}

impl Round {
    /// The share of the read that the device did not have to deliver. None where it cannot be trusted.
    fn served(&self) -> Option<f64> {
        self.asked.began_cold().ok()?;
        let delivered = self.read.device_read_bytes?;
        Some((1.0 - delivered as f64 / self.read.bytes.max(1) as f64).max(0.0))
    }
}

impl Evidence {
    /// The rounds that count: a limit leaves what it has room for. Where less than half of that is left, somebody else took
    /// pages, too.
    fn undisturbed(&self, page_bytes: u64) -> Evidence {
        let taken = |round: &Round| {
            let (after, delivered) = (round.asked.proven()?, round.asked.device_read_bytes?);
            let room_pages = self.limit_bytes.min(delivered) / page_bytes.max(1);
            Some(after.resident_pages < room_pages / 2)
        };
        let rounds = self.rounds.iter().filter(|round| taken(round) != Some(true)).cloned().collect();
        Evidence { rounds, ..self.clone() }
    }
}

impl Act for Pressure {
    type Evidence = Evidence;
    const ID: &'static str = "pressure";
    const TITLE: &'static str = "where memory is short";
    const SECONDS: u32 = 3;
    const NOTES: Notes = notes::PRESSURE;

    fn question(&self, setting: &Setting) -> Question {
        let bytes = setting.plan.size_bytes;
        let (size, half) = (format_bytes(bytes), format_bytes(bytes / 2));
        let command = Settings::at_start(&setting.host)
            .map(|settings| command(bytes / 2, bytes, settings.larger_bytes()));
        Question {
            setup: format!(
                "Now memory is short, and only for this test: the programs run in a memory cgroup that may hold {half}, half \
                 of the file. One asks for the evicted {size} in pieces, from start to end. Then another reads the file \
                 from start to end."
            ),
            commands: command.into_iter().collect(),
            ask: "What share of the read is served from the cache?".to_owned(),
            answer: Ask::Choice(options(bytes)),
            hint: "When the last piece is asked for, which pages have to make room? And which does the read want first?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size_bytes = bench.plan().size_bytes;
        let limit_bytes = size_bytes / 2;
        // Before any work is done for nothing.
        drop(Limit::create(limit_bytes)?);
        let path = bench.data_file()?;
        let piece = shell_bytes(whole_piece(bench, &path)?);
        let mut evidence = Evidence { size_bytes, limit_bytes, rounds: Vec::new() };
        bench.begin("ask for the file and read it, in a memory limit", u64::from(ROUNDS));
        for _ in 0..ROUNDS {
            // A new one each time: what the last one cached stays charged to it.
            let limit = Limit::create(limit_bytes)?;
            let (asked, _) = Asked::cold_run(bench, &path, &["--pieces", &piece], Some(&limit))?;
            let read = Read::measure(bench, &path, Some(&limit))?;
            evidence.rounds.push(Round { asked, read });
            bench.done(1)?;
        }
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let all = evidence;
        let evidence = &all.undisturbed(setting.host.page_bytes);
        let (outcome, sentence) = decide(evidence);
        let asked = evidence.rounds.iter().map(|round| &round.asked);
        let mut caveats = words::caveats_of_counts(setting, asked);
        if evidence.rounds.iter().any(|round| round.read.device_read_bytes.is_none()) {
            caveats.push(Caveat::NoDeviceCounter);
        }
        let disturbed = (all.rounds.len() - evidence.rounds.len()) as u32;
        if disturbed > 0 {
            let why = "fewer pages were left than the limit has room for, so somebody else had taken some";
            caveats.push(Caveat::Discarded(disturbed, why.to_owned()));
        }
        let piece = evidence.rounds.first().map_or(evidence.size_bytes, |round| round.asked.piece_bytes);
        Reveal {
            outcome,
            sentence,
            figures: vec![bars(evidence), table(all)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![command(evidence.size_bytes.saturating_mul(2), evidence.size_bytes, piece)],
            sources: vec![
                "man 7 cgroups".to_owned(),
                "mm/readahead.c, readahead_gfp_mask (Linux 6.18)".to_owned(),
                "Documentation/mm/multigen_lru.rst, mm/workingset.c (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn command(limit_bytes: u64, size_bytes: u64, piece_bytes: u64) -> String {
    format!(
        "tutor run --limit {} willneed --size {} --cold --pieces {} --then-read",
        shell_bytes(limit_bytes),
        shell_bytes(size_bytes),
        shell_bytes(piece_bytes)
    )
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let shares: Vec<_> = evidence.rounds.iter().filter_map(Round::served).collect();
    let least = shares.iter().copied().reduce(f64::min);
    let most = shares.iter().copied().reduce(f64::max);
    let (Some(least), Some(most)) = (least, most) else {
        let why = "no undisturbed round began with an evicted file and counted what the device delivered"
            .to_owned();
        return (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    };
    let (low, high) = (choice(least), choice(most));
    let figures = if percent(least) == percent(most) {
        percent(least)
    } else {
        format!("{} to {}", percent(least), percent(most))
    };
    if low != high {
        let why = format!("the rounds differ: {figures}");
        return (
            Outcome::Undecided(why.clone()),
            format!("No single answer: {why} of the read came from the cache."),
        );
    }
    let read = middle(evidence.rounds.iter().filter_map(|round| round.read.device_read_bytes).collect());
    let sentence = format!(
        "{figures} of the read came from the cache, in {}; the device delivered {} for it.",
        words::many(shares.len() as u64, "round"),
        format_bytes(read.unwrap_or(0))
    );
    (Outcome::Choice(low.to_owned()), sentence)
}

/// By distance: on a log scale nothing would be infinitely far from everything.
fn choice(share: f64) -> &'static str {
    let options = [("none", 0.0), ("half", 0.5), ("all", 1.0)];
    let near = options
        .into_iter()
        .min_by(|(_, one), (_, other)| (share - one).abs().total_cmp(&(share - other).abs()));
    near.map_or("none", |(id, _)| id)
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let states: Vec<_> = evidence.rounds.iter().filter_map(|round| round.asked.proven()).collect();
    let of = |figure: fn(&instruments::residency::Residency) -> Option<u64>| {
        middle(states.iter().filter_map(|state| figure(state)).collect())
    };
    let (Some(resident_pages), Some(pages)) =
        (of(|state| Some(state.resident_pages)), of(|state| Some(state.pages)))
    else {
        return Vec::new();
    };
    let mut causes = Vec::new();
    let limit_bytes = evidence.limit_bytes;
    let delivered =
        middle(evidence.rounds.iter().filter_map(|round| round.asked.device_read_bytes).collect());
    // What neither is there nor was remembered as taken away may never have come: only the device's count proves it.
    match delivered {
        _ if resident_pages == pages => causes.push(Why::LimitDidNotBind { pages, limit_bytes }),
        Some(delivered_bytes) if delivered_once(delivered, evidence.size_bytes).is_ok() => {
            let evicted_pages = of(|state| state.evicted_pages);
            causes.push(Why::ReclaimedBeforeRead {
                evicted_pages,
                resident_pages,
                pages,
                delivered_bytes,
                limit_bytes,
            });
        }
        Some(delivered_bytes) if delivered_bytes < evidence.size_bytes => {
            causes.push(Why::HintsDropped { delivered_bytes, size_bytes: evidence.size_bytes });
        }
        _ => {}
    }
    let shares: Vec<_> = evidence.rounds.iter().filter_map(Round::served).collect();
    if resident_pages > 0
        && resident_pages < pages
        && !shares.is_empty()
        && shares.iter().all(|share| choice(*share) == "none")
    {
        causes.push(Why::WrongHalf { resident_pages, limit_bytes: evidence.limit_bytes });
    }
    let read = middle(evidence.rounds.iter().filter_map(|round| round.read.device_read_bytes).collect());
    if let Some(delivered_bytes) = read.filter(|bytes| *bytes > evidence.size_bytes)
        && delivered_once(read, evidence.size_bytes).is_err()
        && resident_pages < pages
    {
        causes.push(Why::PushedOutAgain { delivered_bytes, size_bytes: evidence.size_bytes });
    }
    causes
}

fn bars(evidence: &Evidence) -> Figure {
    let bar = |label: &str, figures: Vec<Option<u64>>| {
        let known: Vec<_> = figures.into_iter().flatten().collect();
        let bytes = middle(known);
        Bar {
            label: label.to_owned(),
            value: bytes.unwrap_or(0) as f64,
            text: bytes.map_or_else(|| "unknown".to_owned(), format_bytes),
            note: String::new(),
        }
    };
    Figure::Bars(Bars {
        title: format!("from the device, for a file of {}", format_bytes(evidence.size_bytes)),
        bars: vec![
            bar("for the hints", evidence.rounds.iter().map(|round| round.asked.device_read_bytes).collect()),
            bar("for the read", evidence.rounds.iter().map(|round| round.read.device_read_bytes).collect()),
        ],
    })
}

fn table(evidence: &Evidence) -> Figure {
    let row = |(at, round): (usize, &Round)| {
        let unknown = || "unknown".to_owned();
        let count = |pages: Option<u64>| pages.map_or_else(unknown, format_count);
        let after = round.asked.after.known();
        vec![
            (at + 1).to_string(),
            count(after.map(|state| state.resident_pages)),
            count(after.and_then(|state| state.evicted_pages)),
            round.served().map_or_else(unknown, percent),
        ]
    };
    Figure::Table(Table {
        title: "pages after the hints, before the read".to_owned(),
        head: ["round", "resident", "eviction noted", "read from cache"].map(str::to_owned).to_vec(),
        rows: evidence.rounds.iter().enumerate().map(row).collect(),
    })
}

fn options(size_bytes: u64) -> Vec<Choice> {
    vec![
        option(
            "all",
            "All of it: it was asked for",
            "Whoever says all expects that what was asked for is kept until it is read. It would be so with room for the \
             whole file, or if the kernel held back hints that it cannot keep.",
        ),
        option(
            "half",
            format!("About half: the {} that fit", format_bytes(size_bytes / 2)),
            "Whoever says half expects that what is in memory when the read begins will be found by it. It would be so if \
             the pages that stay were those of the file's start, or if the read did not push them out on its way.",
        ),
        option(
            "none",
            "Next to nothing",
            "Nothing is left if the file's end has pushed out its start, and the read pushes out the end before it gets \
             there. It is so where the kernel takes the oldest pages first, and no page has been used.",
        ),
    ]
}
