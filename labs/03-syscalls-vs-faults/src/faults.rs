//! Act `faults`: how many page faults it takes to visit every page of a warm mapping.

use crate::cause::Why;
use crate::filled::Filled;
use crate::nearest::{agree, clearly_less, nearest};
use crate::notes;
use crate::pass::arguments;
use crate::words::{many, middle, pages_of, unexplained};
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::{Bar, Bars};
use lesson::question::Choice;
use lesson::{Act, Ask, Figure, Notes, Outcome, Question, Reveal, Setting, caveat};
use serde::{Deserialize, Serialize};

/// How many page faults it takes to visit every page of a warm mapping.
#[derive(Clone, Copy, Debug)]
pub struct Faults;

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Pages of the file.
    pub pages: u64,
    /// The mapping over the file, cached by an ordinary read.
    pub mapping: Filled,
    /// Block of the read() loops beside it.
    pub block_bytes: u64,
    /// Minor faults of a read() loop over the same file, into a buffer that was touched before.
    pub touched_buffer_faults: u64,
    /// The same into a buffer that nobody had touched.
    pub untouched_buffer_faults: u64,
}

impl Evidence {
    /// Pages that a fault mapped on average, rounded once for all that is said about it.
    fn pages_a_fault(&self) -> u64 {
        (self.pages as f64 / self.mapping.minor_faults.max(1) as f64).round() as u64
    }
}

/// What the kernel maps around a fault unless somebody changed it. Only the wording of the options uses it.
const USUAL_WINDOW_BYTES: u64 = 64 << 10;

/// A rough size of the pieces in which a large file is cached. Only the wording of the options uses it.
const ROUGH_PIECE_BYTES: u64 = 1 << 20;

impl Act for Faults {
    type Evidence = Evidence;
    const ID: &'static str = "faults";
    const TITLE: &'static str = "page faults of a warm mapping";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::FAULTS;

    fn question(&self, setting: &Setting) -> Question {
        let plan = &setting.plan;
        Question {
            setup: format!(
                "The file of {} is evicted, then read once from start to end: all of its {} are in the cache. Now a \
                 program maps it and looks at one byte of each page. A minor fault is a page fault that needs no I/O.",
                format_bytes(plan.size_bytes),
                many(pages_of(setting), "page")
            ),
            commands: vec![command(plan.size_bytes, "read")],
            ask: "How many minor faults does that take?".to_owned(),
            answer: Ask::Choice(options(setting)),
            hint:
                "A fault costs more than the mapping of one page. What would you do about it, as the kernel?"
                    .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let block_bytes = bench.plan().block_bytes;
        bench.begin("counting the page faults of a mapping and of two read() loops", 3);
        let mapping = Filled::measure(bench, &path, "read")?;
        bench.done(1)?;
        let mut buffer_faults = |extra: &[&str]| {
            let block = shell_bytes(block_bytes);
            let words = [&["--block", &block], extra].concat();
            let faults = bench.run("readsum", &arguments(&path, &words))?.u64("minor_faults")?;
            bench.done(1)?;
            Ok(faults)
        };
        let touched_buffer_faults = buffer_faults(&[])?;
        let untouched_buffer_faults = buffer_faults(&["--untouched"])?;
        bench.end();
        let pages = bench.plan().size_bytes.div_ceil(bench.host().page_bytes);
        Ok(Evidence { pages, mapping, block_bytes, touched_buffer_faults, untouched_buffer_faults })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let causes = causes(evidence, setting);
        Reveal {
            outcome: outcome(evidence, setting),
            sentence: sentence(evidence) + unexplained(&causes),
            figures: vec![Figure::Bars(bars(evidence))],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveat::of_memory(&setting.host),
            try_next: vec![
                command(setting.plan.size_bytes, "read"),
                format!(
                    "tutor run readsum --size {} --warm --untouched",
                    shell_bytes(setting.plan.size_bytes)
                ),
            ],
            sources: vec![
                "man 2 getrusage (ru_minflt)".to_owned(),
                "mm/memory.c, do_fault_around".to_owned(),
                "mm/filemap.c, filemap_map_pages".to_owned(),
            ],
        }
    }
}

/// The command that fills the cache in this way and visits all pages.
pub fn command(size: u64, fill: &str) -> String {
    format!("tutor run mmapsum --size {} --fill {fill} --touch", shell_bytes(size))
}

const ONE_A_PAGE: &str = "one-a-page";
const ONE_A_WINDOW: &str = "one-a-window";
const ONE_A_PIECE: &str = "one-a-piece";
const ONE: &str = "one";

/// Each option's own figure. With pages of 64 KiB a window is a page, and the second option would be the first.
fn figures(setting: &Setting) -> Vec<(&'static str, f64)> {
    let size = setting.plan.size_bytes;
    let mut figures = vec![(ONE_A_PAGE, pages_of(setting) as f64)];
    if setting.host.page_bytes < USUAL_WINDOW_BYTES {
        figures.push((ONE_A_WINDOW, size.div_ceil(USUAL_WINDOW_BYTES) as f64));
    }
    figures.extend([(ONE_A_PIECE, size.div_ceil(ROUGH_PIECE_BYTES) as f64), (ONE, 1.0)]);
    figures
}

fn options(setting: &Setting) -> Vec<Choice> {
    let page = setting.host.page_bytes.max(1);
    figures(setting).iter().map(|(id, faults)| option(id, *faults as u64, page)).collect()
}

fn option(id: &str, faults: u64, page_bytes: u64) -> Choice {
    let (text, explanation) = match id {
        ONE_A_PAGE => (
            format!("one a page: {}", format_count(faults)),
            "You take a fault to map just the page that was asked for. It is so where nothing else near is in the \
             cache, where fault-around is switched off, and where a page is as large as its window. A kernel that \
             finds the neighbours in the cache maps some of them in the same fault."
                .to_owned(),
        ),
        ONE_A_WINDOW => (
            format!(
                "one for every {} pages: about {}",
                format_count(USUAL_WINDOW_BYTES / page_bytes),
                format_count(faults)
            ),
            format!(
                "You know of fault-around: at a fault the kernel also maps the neighbours that are in the cache, in a \
                 window of {} unless somebody changed it. It is so where the cache holds the file in single pages, or \
                 where the kernel never maps more than that window.",
                format_bytes(USUAL_WINDOW_BYTES)
            ),
        ),
        ONE_A_PIECE => (
            format!("one for every {} or so: about {}", format_bytes(ROUGH_PIECE_BYTES), format_count(faults)),
            "You take the cache to hold a file in larger pieces, and a fault to map a whole piece. The pieces are \
             called folios. It is so where the filesystem makes large folios, readahead had reason to, and the \
             kernel maps a folio as a whole."
                .to_owned(),
        ),
        _ => (
            "one, for the mapping as a whole".to_owned(),
            "You take the first fault to connect the whole mapping. It would be so for a file of one page, or of one \
             folio that the kernel maps as a whole. The kernel bounds what one fault does, since most programs never \
             look at most of a mapping."
                .to_owned(),
        ),
    };
    Choice { id: id.to_owned(), text, explanation }
}

fn outcome(evidence: &Evidence, setting: &Setting) -> Outcome {
    if let Err(why) = evidence.mapping.was_warm(evidence.pages) {
        return Outcome::Undecided(why);
    }
    match nearest(evidence.mapping.minor_faults as f64, &figures(setting)) {
        Some(id) => Outcome::Choice(id.to_owned()),
        None => Outcome::Undecided("no option is near to what was counted".to_owned()),
    }
}

fn sentence(evidence: &Evidence) -> String {
    let (faults, pages) = (many(evidence.mapping.minor_faults, "minor fault"), many(evidence.pages, "page"));
    match evidence.mapping.was_warm(evidence.pages) {
        Ok(()) if evidence.mapping.minor_faults > 0 => {
            format!("{faults} for {pages}: about {} a fault.", format_count(evidence.pages_a_fault()))
        }
        Ok(()) => format!("{faults} for {pages}."),
        Err(why) => format!("{faults}, but the mapping was not a warm one: {why}."),
    }
}

fn bars(evidence: &Evidence) -> Bars {
    let bar = |label: &str, faults: u64, note: String| Bar {
        label: label.to_owned(),
        value: faults as f64,
        text: many(faults, "fault"),
        note,
    };
    let buffer = format_bytes(evidence.block_bytes);
    Bars {
        title: "minor faults for the whole file".to_owned(),
        bars: vec![
            bar("mmap", evidence.mapping.minor_faults, many(evidence.mapping.major_faults, "major fault")),
            bar("read", evidence.touched_buffer_faults, format!("buffer of {buffer}, used before")),
            bar("read", evidence.untouched_buffer_faults, format!("buffer of {buffer}, never touched")),
        ],
    }
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let mut causes = Vec::new();
    if evidence.mapping.was_warm(evidence.pages).is_ok() && evidence.mapping.minor_faults > 0 {
        causes.extend(mapping_causes(evidence, setting));
        causes.extend(Why::page_size(setting));
    }
    causes.extend(untouched_buffer(evidence, setting));
    causes
}

/// Why the mapping took as many faults as it did.
fn mapping_causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let (pages, faults) = (evidence.pages as f64, evidence.mapping.minor_faults as f64);
    if !clearly_less(faults, pages) {
        return vec![Why::NothingAround];
    }
    let folio_pages = middle(&evidence.mapping.folio_pages);
    let mut causes = vec![Why::NeighboursToo { pages_a_fault: evidence.pages_a_fault(), folio_pages }];
    if let Some(window) = setting.host.fault_around_bytes {
        let window_pages = (window / setting.host.page_bytes.max(1)).max(1);
        let expected = pages / window_pages as f64;
        if agree(faults, expected) {
            causes.push(Why::FaultAround { window_bytes: window, window_pages, inferred: false });
        } else if clearly_less(faults, expected) && folio_pages.is_none_or(|folio| folio > window_pages) {
            causes.push(Why::BeyondTheWindow { window_bytes: window, window_pages, folio_pages });
        }
    }
    causes
}

/// The faults that read() itself took, where they are the pages of the buffer.
fn untouched_buffer(evidence: &Evidence, setting: &Setting) -> Option<Why> {
    let more = evidence.untouched_buffer_faults.checked_sub(evidence.touched_buffer_faults)?;
    let buffer_pages = evidence.block_bytes.div_ceil(setting.host.page_bytes.max(1));
    (more > 0 && more <= buffer_pages).then_some(Why::UntouchedBuffer {
        faults: more,
        buffer_pages,
        touched_faults: evidence.touched_buffer_faults,
    })
}
