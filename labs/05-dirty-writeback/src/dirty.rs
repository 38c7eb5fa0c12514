//! Act 1: every byte of a mapped file was stored into. How much of that is on the disk?

use crate::cause::Why;
use crate::notes;
use crate::stored::{self, Stored, command};
use crate::words::{self, many, option};
use crate::workloads::count::Unwritten;
use instruments::size::{format_bytes, format_count};
use instruments::{Bench, Unavailable};
use lesson::figure::{Bar, Bars};
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct Dirty;

/// One mapping, stored into once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What was found after the last store.
    pub stored: Stored,
}

const ALL: &str = "all";
const PART: &str = "part";
const NONE: &str = "none";

impl Act for Dirty {
    type Evidence = Evidence;
    const ID: &'static str = "dirty";
    const TITLE: &'static str = "how much is on the disk";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::DIRTY;

    fn question(&self, setting: &Setting) -> Question {
        let size = setting.plan.size_bytes;
        Question {
            setup: format!(
                "A file of {} lies on the disk, clean, and all of its {} are in the cache. A program maps it \
                 (MAP_SHARED) and stores into every byte. The last store has just returned.",
                format_bytes(size),
                many(words::pages_of(size, setting), "page")
            ),
            commands: vec![command("mmapwrite", size, "")],
            ask: format!("How much of the new {} is on the disk?", format_bytes(size)),
            answer: Ask::Choice(options()),
            hint: "A store changes memory. Who carries it on from there, and when?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = bench.plan().size_bytes;
        bench.begin("write a file, then store into every byte of it", 0);
        let run = stored::run(bench, "mmapwrite", size, &[])?;
        bench.end();
        Ok(Evidence { stored: Stored::of(&run)? })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let stored = &evidence.stored;
        let (outcome, sentence) = decide(stored);
        let mut caveats = words::caveats_of_counts(setting);
        caveats.extend(stored.others());
        caveats.extend(stored::unknown_caveat(stored, setting));
        Reveal {
            outcome,
            sentence,
            figures: vec![bars(stored)],
            causes: causes(stored).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                "grep -E '^(Dirty|Writeback):' /proc/meminfo".to_owned(),
                command("mmapwrite", stored.bytes, ""),
            ],
            sources: [
                "man 2 cachestat",
                "man 5 proc_pid_io (write_bytes)",
                "mm/page-writeback.c, folio_account_dirtied (Linux 6.18)",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

fn options() -> Vec<Choice> {
    vec![
        option(
            ALL,
            "all of it: a store into a mapped file is a write to the file",
            "You take the mapping for the disk. The mapping is the page cache, and the file's pages there are what every \
             program sees at once; the disk comes later. It is so with memory that is the storage itself (DAX), or \
             where somebody synced in between.",
        ),
        option(
            PART,
            "a part: the kernel writes along while the program stores",
            "You take the kernel to start at once. It does write in the background, but waits until enough is dirty, or \
             until it has been dirty for long enough. It is so where the file is large beside those limits, or \
             something else asked for a sync.",
        ),
        option(
            NONE,
            "none of it",
            "A store is a change of memory, and no more. The pages are marked dirty and wait. It is so as long \
             as nobody asks for more and the kernel sees no reason of its own.",
        ),
    ]
}

fn decide(stored: &Stored) -> (Outcome, String) {
    let undecided = |why: String| {
        let sentence = format!("This cannot be told here: {why}.");
        (Outcome::Undecided(why), sentence)
    };
    let choice = |id: &str, sentence: String| (Outcome::Choice(id.to_owned()), sentence);
    if stored.pages == 0 {
        return undecided("nothing was stored".to_owned());
    }
    if let Err(why) = stored.was_clean() {
        return undecided(why);
    }
    if let Some(why) = vanished(stored) {
        return undecided(why);
    }
    let pages = many(stored.pages, "page");
    match stored.unwritten.of_pages(stored.pages) {
        Some(left) if left == stored.pages => {
            choice(NONE, format!("None of it: all {pages} are {}.", unwritten_words(stored)))
        }
        Some(0) => choice(ALL, format!("All of it: not one of {pages} is dirty any more.")),
        Some(left) => choice(
            PART,
            format!(
                "A part: {} of {pages} are on the disk, {} are not.",
                format_count(stored.pages - left),
                format_count(left)
            ),
        ),
        None => by_the_system(stored),
    }
}

/// Why pages that are not dirty any more cannot be called written: the disk took next to nothing.
fn vanished(stored: &Stored) -> Option<String> {
    let gone = stored.pages - stored.unwritten.of_pages(stored.pages)?;
    let taken = stored.device_write_bytes?;
    (taken < gone * (stored.bytes / stored.pages) / 10).then(|| {
        format!(
            "{} are not dirty any more, and yet the disk took only {}",
            many(gone, "page"),
            format_bytes(taken)
        )
    })
}

/// `dirty`, or how many of them are on their way already.
fn unwritten_words(stored: &Stored) -> String {
    match stored.unwritten.writeback_pages {
        Some(0) | None => "dirty, newer in memory than on the disk".to_owned(),
        Some(writeback) => {
            format!("dirty or on their way to the disk, {} of them on their way", format_count(writeback))
        }
    }
}

/// Without a figure of the file, the system's own is left, if it is still enough by itself.
fn by_the_system(stored: &Stored) -> (Outcome, String) {
    let (grown, drift) = (stored.system_grown_bytes(), stored.system_drift_bytes);
    let figures = format!(
        "Dirty rose by {} over the stores, and had moved by {} by itself before",
        format_bytes(grown),
        format_bytes(drift)
    );
    if drift > stored.bytes / 10 {
        let why =
            "the dirty pages of the file are unknown, and the system's Dirty moves by itself".to_owned();
        return (Outcome::Undecided(why), format!("This cannot be told here. The whole system's {figures}."));
    }
    let (id, word) = if grown.saturating_add(drift) >= stored.bytes / 10 * 9 {
        (NONE, "None of it")
    } else if grown <= drift {
        (ALL, "All of it")
    } else {
        (PART, "A part")
    };
    (Outcome::Choice(id.to_owned()), format!("{word}, by the whole system's figures: its {figures}."))
}

fn causes(stored: &Stored) -> Vec<Why> {
    let mut causes = Vec::new();
    if stored.was_clean().is_err() || stored.pages == 0 || vanished(stored).is_some() {
        return causes;
    }
    match stored.unwritten.of_pages(stored.pages) {
        Some(left) if left == stored.pages && stored.unwritten.writeback_pages == Some(0) => {
            causes.push(Why::StaysDirty { pages: stored.pages, device_bytes: stored.device_write_bytes });
        }
        Some(left) if left < stored.pages => causes.extend(Why::background(stored)),
        _ => {}
    }
    causes.extend(Why::write_bytes_count_dirtying(stored));
    causes.extend(Why::a_fault_marks(stored));
    causes
}

fn bars(stored: &Stored) -> Figure {
    let page_bytes = stored.bytes / stored.pages.max(1);
    let bar = |label: &str, bytes: Option<u64>, note: String| Bar {
        label: label.to_owned(),
        value: bytes.unwrap_or(0) as f64,
        text: words::bytes_or_unknown(bytes),
        note,
    };
    let of_pages = |label: &str, pages: Option<u64>| {
        let note = pages.map_or_else(String::new, |pages| many(pages, "page"));
        bar(label, pages.map(|pages| pages.saturating_mul(page_bytes)), note)
    };
    let of_all = |label: &str, bytes: Option<u64>| bar(label, bytes, String::new());
    let Unwritten { dirty_pages, writeback_pages } = stored.unwritten;
    Figure::Bars(Bars {
        title: "just after the last store (Dirty and the disk: everybody's)".to_owned(),
        bars: vec![
            of_all("stored", Some(stored.bytes)),
            of_pages("dirty", dirty_pages),
            of_pages("in writeback", writeback_pages),
            of_all("Dirty rose by", Some(stored.system_grown_bytes())),
            of_all("write_bytes", stored.write_bytes),
            of_all("the disk took", stored.device_write_bytes),
        ],
    })
}
