//! Act 2: the same request in pieces. What bounds it: the memory, the file, or each call?

use crate::ask::ROUNDS;
use crate::asked::{Asked, map_of};
use crate::cause::Why;
use crate::notes;
use crate::settings::{self, Settings};
use crate::words::{self, many, option};
use instruments::residency::Residency;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Unavailable, pages, proc};
use lesson::figure::Table;
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct Cap;

/// The file asked for at once, in pieces, and in pieces twice as large.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// The device's settings just before.
    pub settings: Option<Settings>,
    /// And just after.
    pub settings_after: Option<Settings>,
    /// MemAvailable just before; None where /proc does not tell.
    pub available_bytes: Option<u64>,
    /// A piece: the larger setting, or what one call brought in where no setting can be seen.
    pub piece_bytes: u64,
    /// One call for all.
    pub one: Vec<Asked>,
    /// A call for each piece.
    pub pieces: Vec<Asked>,
    /// A call for every two pieces.
    pub doubles: Vec<Asked>,
    /// Where the pages are after the last of those; empty where nobody knows.
    pub doubles_map: Vec<Residency>,
}

impl Evidence {
    /// What each of the larger pieces is.
    fn double_bytes(&self) -> u64 {
        self.piece_bytes.saturating_mul(2)
    }
}

impl Act for Cap {
    type Evidence = Evidence;
    const ID: &'static str = "cap";
    const TITLE: &'static str = "the same in pieces";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::CAP;

    fn question(&self, setting: &Setting) -> Question {
        let bytes = setting.plan.size_bytes;
        let settings = Settings::at_start(&setting.host);
        let piece = settings.map(Settings::larger_bytes);
        let (shown, pieces) = match (settings, piece) {
            (Some(settings), Some(piece)) => (
                format!("Two {} speak about the size of a request: {}.", settings.whose(), settings.told()),
                format!(
                    "pieces of the larger one, {}: {}",
                    format_bytes(piece),
                    many(bytes.div_ceil(piece.max(1)), "call")
                ),
            ),
            _ => (
                "The settings of the disk, which speak about the size of a request, cannot be seen here."
                    .to_owned(),
                "pieces as large as what one call brought in".to_owned(),
            ),
        };
        let command = |pieces: u64| {
            format!(
                "tutor run willneed --size {} --cold --pieces {}",
                shell_bytes(bytes),
                shell_bytes(pieces)
            )
        };
        Question {
            setup: format!(
                "{shown} The usual explanation for a hint that falls short is another one: memory was under pressure. Now \
                 the evicted {} are asked for once more, at once and in {pieces}.",
                format_bytes(bytes)
            ),
            commands: piece
                .into_iter()
                .flat_map(|piece| [command(piece), command(piece.saturating_mul(2))])
                .collect(),
            ask: "How much is resident after asking in pieces?".to_owned(),
            answer: Ask::Choice(options(bytes, piece)),
            hint: "If memory was what stopped the single call, what would it do to many small ones?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let mut evidence = Evidence {
            size_bytes: bench.plan().size_bytes,
            settings: Settings::now(bench),
            available_bytes: proc::meminfo().ok().map(|memory| memory.available_bytes),
            ..Evidence::default()
        };
        bench.begin("ask at once, in pieces, in larger pieces", u64::from(ROUNDS) + 2);
        let one = Asked::cold(bench, &path, &[])?;
        bench.done(1)?;
        let brought =
            one.undisturbed(pages::page_bytes()).map(|state| state.resident_pages * pages::page_bytes());
        evidence.one.push(one);
        evidence.piece_bytes =
            evidence.settings.map(Settings::larger_bytes).or(brought).unwrap_or(0).max(pages::page_bytes());
        for _ in 0..ROUNDS {
            evidence.pieces.push(Asked::in_pieces(bench, &path, evidence.piece_bytes)?);
            bench.done(1)?;
        }
        evidence.doubles.push(Asked::in_pieces(bench, &path, evidence.double_bytes())?);
        bench.done(1)?;
        bench.end();
        evidence.doubles_map = map_of(bench, &path)?;
        evidence.settings_after = Settings::now(bench);
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence, setting);
        let all = || evidence.one.iter().chain(&evidence.pieces).chain(&evidence.doubles);
        let mut caveats = words::caveats_of_counts(setting, all());
        caveats.extend(words::caveat_of_taken(setting, all()));
        let shown = Settings::at_start(&setting.host);
        let changed = settings::change(shown, evidence.settings)
            .or_else(|| settings::change(evidence.settings, evidence.settings_after));
        caveats.extend(changed.map(Caveat::OtherWriters));
        let title = format!("the file after asking in pieces of {}", format_bytes(evidence.double_bytes()));
        let map = words::map(&title, evidence.size_bytes, setting, &evidence.doubles_map);
        let (size, piece) = (shell_bytes(evidence.size_bytes), evidence.piece_bytes);
        Reveal {
            outcome,
            sentence,
            figures: std::iter::once(table(evidence, setting)).chain(map).collect(),
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![format!(
                "tutor run willneed --size {size} --cold --pieces {}",
                shell_bytes(piece.saturating_mul(4))
            )],
            sources: vec![
                "mm/readahead.c, force_page_cache_ra (Linux 6.18)".to_owned(),
                "Documentation/ABI/stable/sysfs-block (read_ahead_kb, max_sectors_kb)".to_owned(),
            ],
        }
    }
}

/// The middle state after these runs, of those that count.
fn state<'r>(runs: &'r [Asked], setting: &Setting) -> Option<&'r Residency> {
    let mut states: Vec<_> = runs.iter().filter_map(|run| run.undisturbed(setting.host.page_bytes)).collect();
    states.sort_by_key(|state| state.resident_pages);
    states.get(states.len() / 2).copied()
}

fn decide(evidence: &Evidence, setting: &Setting) -> (Outcome, String) {
    let undecided = |why: String, sentence: String| (Outcome::Undecided(why), sentence);
    let (Some(one), Some(pieces)) = (state(&evidence.one, setting), state(&evidence.pieces, setting)) else {
        let runs: Vec<_> = evidence.one.iter().chain(&evidence.pieces).cloned().collect();
        let why = words::none_counts(setting, &runs);
        return undecided(why.clone(), format!("This cannot be told here: {why}."));
    };
    if evidence.piece_bytes >= evidence.size_bytes {
        let why = format!("a piece of {} holds the whole file", format_bytes(evidence.piece_bytes));
        return undecided(
            why.clone(),
            format!("This file is too small to tell: {why}. A larger --size would show it."),
        );
    }
    let choice = match pieces.resident_pages {
        all if all == pieces.pages => "all",
        few if few <= one.resident_pages => "same",
        _ => "part",
    };
    let counted = format!("{} of {}", format_count(pieces.resident_pages), many(pieces.pages, "page"));
    let sentence = match pieces.resident_pages {
        all if all == pieces.pages && one.resident_pages < one.pages => {
            format!("All of it: {counted}. One call for all had left {}.", format_count(one.resident_pages))
        }
        all if all == pieces.pages => {
            format!("All of it: {counted}. But one call for all had brought as much.")
        }
        _ => format!(
            "Not all of it: {counted}. One call for all had left {}.",
            format_count(one.resident_pages)
        ),
    };
    (Outcome::Choice(choice.to_owned()), sentence)
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let (Some(one), Some(pieces)) = (state(&evidence.one, setting), state(&evidence.pieces, setting)) else {
        return Vec::new();
    };
    let mut causes = Vec::new();
    let short = one.resident_pages < one.pages;
    let whole = pieces.resident_pages == pieces.pages;
    if short && whole {
        let doubles = state(&evidence.doubles, setting).map(|state| state.resident_pages);
        causes.push(Why::EachCallCapped {
            one_bytes: one.resident_pages.saturating_mul(setting.host.page_bytes),
            piece_bytes: evidence.piece_bytes,
            calls: evidence.pieces[0].calls,
            pages: pieces.pages,
            doubles_pages: doubles.filter(|_| evidence.size_bytes.is_multiple_of(evidence.double_bytes())),
        });
    }
    if !short && whole {
        causes.push(Why::NoBoundMet { pages: pieces.pages, piece_bytes: evidence.piece_bytes });
    }
    if evidence.settings == evidence.settings_after {
        // The act before has told what rules a single call: here only where this one ended.
        causes.extend(match Why::of_one_call(one, evidence.size_bytes, evidence.settings, setting) {
            Why::CappedByLarger { pages, page_bytes, settings }
            | Why::CappedByOwnBdi { pages, page_bytes, settings } => {
                Some(Why::EndedAtLarger { pages, page_bytes, settings })
            }
            Why::CapNotExplained { pages, page_bytes, settings } => {
                Some(Why::EndedElsewhere { pages, page_bytes, settings })
            }
            _ => None,
        });
    }
    if short && whole {
        causes.push(Why::NotPressure {
            available_bytes: evidence.available_bytes.map(|bytes| words::within_the_limit(bytes, setting)),
            size_bytes: evidence.size_bytes,
        });
    }
    if !whole {
        causes.push(Why::PiecesMissing {
            resident_pages: pieces.resident_pages,
            pages: pieces.pages,
            piece_bytes: evidence.piece_bytes,
            evicted_pages: pieces.evicted_pages,
        });
    }
    causes
}

fn table(evidence: &Evidence, setting: &Setting) -> Figure {
    let row = |name: String, runs: &[Asked]| {
        let run = runs.first()?;
        let resident = state(runs, setting).map_or_else(
            || "unknown".to_owned(),
            |state| format!("{} of {}", format_count(state.resident_pages), format_count(state.pages)),
        );
        let delivered = words::from_device(runs.iter().map(|run| run.device_read_bytes).collect());
        Some(vec![name, format_count(run.calls), resident, delivered.replace(" from the device", "")])
    };
    let of = |bytes: u64| format!("pieces of {}", format_bytes(bytes));
    let rows = [
        row("all at once".to_owned(), &evidence.one),
        row(of(evidence.piece_bytes), &evidence.pieces),
        row(of(evidence.double_bytes()), &evidence.doubles),
    ];
    Figure::Table(Table {
        title: format!("what asking for {} brought in", format_bytes(evidence.size_bytes)),
        head: ["asked for", "calls", "resident pages", "from the device"].map(str::to_owned).to_vec(),
        rows: rows.into_iter().flatten().collect(),
    })
}

fn options(size_bytes: u64, piece_bytes: Option<u64>) -> Vec<Choice> {
    let same = match piece_bytes {
        Some(bytes) => format!("As much as one piece: {}", format_bytes(bytes.min(size_bytes))),
        None => "As much as after one call".to_owned(),
    };
    vec![
        option(
            "same",
            same,
            "Whoever says so expects the bound to belong to the open file or to the process: once used up, further hints \
             bring nothing. It would be so if the kernel kept an account of what was asked.",
        ),
        option(
            "part",
            "More than that, but not all",
            "Whoever says so expects memory to be what stops the hint, sooner or later, however it is cut. It would be so \
             where less memory is available than the file needs, or where the pieces are larger than what a call may \
             bring in.",
        ),
        option(
            "all",
            format!("All of it: {}", format_bytes(size_bytes)),
            "All of it comes if each call has a bound of its own, with memory to spare. It is so where the \
             pieces are no larger than that bound, and memory has room for the file.",
        ),
    ]
}
