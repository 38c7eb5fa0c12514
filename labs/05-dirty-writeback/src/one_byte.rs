//! Act 4: one byte of a clean file changes. How many pages are dirty, and how many bytes does the disk take for it?

mod arm;

use crate::cause::Why;
use crate::notes;
use crate::stored::command;
use crate::words::{self, many, option, pages_of};
use instruments::size::{format_bytes, format_count};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

pub use arm::{Arm, Place};

/// The act.
#[derive(Debug)]
pub struct OneByte;

/// The same byte, in a file that came into the cache in three ways, changed in two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The first is the one that was asked about: written, then stored into.
    pub arms: Vec<Arm>,
}

const ONE: &str = "one";
const SIXTEEN: &str = "sixteen";
const FOLIO: &str = "folio";
const FILE: &str = "file";

/// How the file came into the cache, and how the byte is changed, as `onebyte` takes them.
const ARMS: [(&str, &str); 6] = [
    ("write", "store"),
    ("read", "store"),
    ("pages", "store"),
    ("write", "write"),
    ("read", "write"),
    ("pages", "write"),
];

/// The file of this act: large enough for folios of any size that a read or a write makes.
fn size_of(setting_bytes: u64) -> u64 {
    setting_bytes / 16
}

impl Act for OneByte {
    type Evidence = Evidence;
    const ID: &'static str = "one-byte";
    const TITLE: &'static str = "what one byte makes dirty";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::ONE_BYTE;

    fn question(&self, setting: &Setting) -> Question {
        let size = size_of(setting.plan.size_bytes);
        let pages = pages_of(size, setting);
        Question {
            setup: format!(
                "A file of {} was written in the ordinary way and synced: all of its {} are in the cache, and clean. A \
                 program that maps it stores one byte. Then the dirty pages are counted.",
                format_bytes(size),
                many(pages, "page")
            ),
            commands: vec![
                command("onebyte", size, "--cached write"),
                command("onebyte", size, "--cached pages"),
            ],
            ask: "How many pages of the file are dirty?".to_owned(),
            answer: Ask::Choice(options(pages)),
            hint: "The kernel does not remember bytes. What is the smallest thing that it can mark as dirty?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = size_of(bench.plan().size_bytes);
        let mut arms = Vec::new();
        bench.begin("change one byte of a clean file, in several ways", ARMS.len() as u64);
        for (cached, by) in ARMS {
            arms.push(arm::run(bench, size, cached, by)?);
            bench.done(1)?;
        }
        bench.end();
        Ok(Evidence { arms })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence, setting);
        let mut caveats = words::caveats_of_counts(setting);
        if evidence.arms.first().is_some_and(|arm| arm.dirty().is_none()) {
            caveats.push(words::dirty_unknown(setting));
        }
        let size = size_of(setting.plan.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures: vec![table(evidence)],
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                command("onebyte", size, "--by write"),
                "tutor run cachepages --size 64M".to_owned(),
            ],
            sources: vec![
                "man 2 cachestat".to_owned(),
                "mm/page-writeback.c, filemap_dirty_folio (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn options(pages: u64) -> Vec<Choice> {
    vec![
        option(
            ONE,
            "1: the page that holds the byte",
            "A page is the unit of mappings and faults, but not of everything. The dirty mark belongs to \
             the folio, the piece in which the cache holds a file, and folios may have one page or many. It is so where \
             they have one: on filesystems without large folios, and where each page came in by itself.",
        ),
        option(
            SIXTEEN,
            "16: those that a fault maps around it",
            "You take the window of a read fault (often 64 KiB) for the unit of writing. A fault connects pages with a \
             mapping; it marks none of them as dirty but through the store itself. It would be so where the folio happens \
             to have 16 pages.",
        ),
        option(
            FOLIO,
            "all that came in together as one piece, often hundreds",
            "The dirty mark goes with the folio, the piece in which the cache holds the file. It is so where the \
             filesystem uses large folios, and writes or readahead made large ones.",
        ),
        option(
            FILE,
            format!("all {}: a file is dirty or it is not", format_count(pages)),
            "You take dirty for a state of the file. The file is on a list of those with something to write, and each \
             piece of it has a mark of its own. It would be so for a file that lies in the cache as one single piece.",
        ),
    ]
}

fn decide(evidence: &Evidence, setting: &Setting) -> (Outcome, String) {
    let undecided = |why: String| {
        let sentence = format!("This cannot be told here: {why}.");
        (Outcome::Undecided(why), sentence)
    };
    let Some(asked) = evidence.arms.first() else { return undecided("nothing was measured".to_owned()) };
    let Some(dirty) = asked.dirty() else {
        return undecided("the kernel does not tell which pages of this file are dirty".to_owned());
    };
    let sentence = format!(
        "One byte, and {} ({}) became dirty.",
        many(dirty, "page"),
        format_bytes(dirty.saturating_mul(setting.host.page_bytes))
    );
    let id = match dirty {
        0 => return undecided("the byte was stored, and no page was found dirty".to_owned()),
        1 => ONE,
        16 => SIXTEEN,
        all if all == asked.pages => FILE,
        _ if asked.is_one_piece() => FOLIO,
        _ => {
            let why = format!("{} became dirty, and they are not one piece", many(dirty, "page"));
            return undecided(why);
        }
    };
    (Outcome::Choice(id.to_owned()), sentence)
}

/// The dirty pages of the arm with these two ways.
fn of<'a>(evidence: &'a Evidence, cached: &str, by: &str) -> Option<&'a Arm> {
    evidence.arms.iter().find(|arm| arm.cached == cached && arm.by == by)
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let mut causes = Vec::new();
    let (Some(asked), Some(single)) = (of(evidence, "write", "store"), of(evidence, "pages", "store")) else {
        return causes;
    };
    let (Some(dirty), Some(dirty_single)) = (asked.dirty(), single.dirty()) else { return causes };
    let filesystem = &setting.host.filesystem.kind;
    if dirty > dirty_single && asked.is_one_piece() && single.is_one_piece() {
        causes.push(Why::WholeFolio {
            pages: dirty,
            single_pages: dirty_single,
            read_pages: of(evidence, "read", "store").and_then(Arm::range),
        });
    } else if dirty == 1 && dirty_single == 1 {
        causes.push(Why::FoliosOfOnePage { filesystem: filesystem.clone() });
    }
    if dirty_single > 1 && dirty_single <= dirty && single.is_one_piece() {
        causes.push(Why::SmallestFolio { filesystem: filesystem.clone(), pages: dirty_single });
    }
    causes.extend(disk_bytes(evidence, dirty, setting));
    causes
}

/// What the disk took: the whole piece after a store, less after a write(). Named only if the least of all places says
/// so: other writers can only add.
fn disk_bytes(evidence: &Evidence, dirty: u64, setting: &Setting) -> Option<Why> {
    let (stored, written) = (of(evidence, "write", "store")?, of(evidence, "write", "write")?);
    let (by_store, by_write) = (stored.least_device_bytes()?, written.least_device_bytes()?);
    let piece = dirty.saturating_mul(setting.host.page_bytes);
    if dirty <= 1 || written.dirty() != Some(dirty) {
        return None;
    }
    let whole = |bytes: u64| bytes >= piece && bytes <= (piece / 4).saturating_mul(5);
    if whole(by_store) && by_write <= piece / 2 {
        Some(Why::StoreWritesThePiece { by_store_bytes: by_store, by_write_bytes: by_write })
    } else if whole(by_store) && whole(by_write) {
        Some(Why::PieceIsWritten { bytes: by_store.max(by_write) })
    } else {
        None
    }
}

fn table(evidence: &Evidence) -> Figure {
    let row = |arm: &Arm| {
        let cached = match arm.cached.as_str() {
            "write" => "as it was written",
            "read" => "by an ordinary read",
            "pages" => "a page at a time",
            other => other,
        };
        let by = match arm.by.as_str() {
            "store" => "store",
            "write" => "write()",
            other => other,
        };
        let disk = words::bytes_or_unknown(arm.least_device_bytes());
        words::row([cached, by, &words::pages_or_unknown(arm.dirty()), &disk])
    };
    Figure::Table(Table {
        title: "one byte changed: the middle of several places".to_owned(),
        head: words::row(["cached", "changed by", "dirty", "disk took"]),
        rows: evidence.arms.iter().map(row).collect(),
    })
}
