//! Act `folios`: the same file, the same mapping, cached in single pages.

use crate::cause::Why;
use crate::faults::command;
use crate::filled::Filled;
use crate::nearest::{AGREEMENT, agree, clearly_less, nearest};
use crate::notes;
use crate::words::{many, middle, pages_of, unexplained};
use instruments::size::{format_bytes, format_count, format_ratio};
use instruments::{Bench, Unavailable};
use lesson::figure::{Bar, Bars};
use lesson::question::Choice;
use lesson::{Act, Ask, Figure, Notes, Outcome, Question, Reveal, Setting, caveat};
use serde::{Deserialize, Serialize};

/// The same file, the same mapping, cached in single pages.
#[derive(Clone, Copy, Debug)]
pub struct Folios;

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Pages of the file.
    pub pages: u64,
    /// Cached by an ordinary read.
    pub ordinary: Filled,
    /// Cached with readahead switched off.
    pub single: Filled,
}

impl Evidence {
    fn was_warm(&self) -> Result<(), String> {
        self.ordinary.was_warm(self.pages).map_err(|why| format!("after the ordinary read, {why}"))?;
        self.single.was_warm(self.pages).map_err(|why| format!("after the read in single pages, {why}"))
    }

    /// Faults over single pages for each fault over what an ordinary read left.
    fn ratio(&self) -> Option<f64> {
        (self.ordinary.minor_faults > 0)
            .then(|| self.single.minor_faults as f64 / self.ordinary.minor_faults as f64)
    }
}

impl Act for Folios {
    type Evidence = Evidence;
    const ID: &'static str = "folios";
    const TITLE: &'static str = "the same file, cached in single pages";
    const SECONDS: u32 = 4;
    const NOTES: Notes = notes::FOLIOS;

    fn question(&self, setting: &Setting) -> Question {
        let size = setting.plan.size_bytes;
        Question {
            setup: format!(
                "The file of {} is evicted again. This time it is read with readahead switched off (POSIX_FADV_RANDOM), \
                 so that each page comes in by itself. Again all {} are in the cache, with the same bytes. The same \
                 program maps the file and looks at one byte of each page.",
                format_bytes(size),
                many(pages_of(setting), "page")
            ),
            commands: vec![command(size, "read"), command(size, "pages")],
            ask: "How does the number of minor faults compare with that after an ordinary read?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "The kernel keeps a file in pieces called folios, of one page or of many. Who decides how large?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        bench.begin("counting the page faults of two mappings", 2);
        let ordinary = Filled::measure(bench, &path, "read")?;
        bench.done(1)?;
        let single = Filled::measure(bench, &path, "pages")?;
        bench.done(1)?;
        bench.end();
        let pages = bench.plan().size_bytes.div_ceil(bench.host().page_bytes);
        Ok(Evidence { pages, ordinary, single })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let size = setting.plan.size_bytes;
        let causes = causes(evidence, setting);
        Reveal {
            outcome: outcome(evidence),
            sentence: sentence(evidence) + unexplained(&causes),
            figures: vec![Figure::Bars(bars(evidence))],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveat::of_memory(&setting.host),
            try_next: vec![command(size, "read"), command(size, "pages")],
            sources: vec![
                "man 2 posix_fadvise".to_owned(),
                "mm/readahead.c, page_cache_ra_order".to_owned(),
                "mm/filemap.c, filemap_map_pages".to_owned(),
            ],
        }
    }
}

const SAME: &str = "same";
const FAR_FEWER: &str = "far-fewer";
const TEN_TIMES: &str = "ten-times";

/// Each option's own figure: faults over single pages for each fault over what an ordinary read left.
const FIGURES: [(&str, f64); 3] = [(SAME, 1.0), (FAR_FEWER, 0.1), (TEN_TIMES, 10.0)];

fn options() -> Vec<Choice> {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.to_owned(),
        text: text.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            SAME,
            "the same: a cached page is a cached page",
            "You take the cache for a set of pages that are all alike. It is so on a filesystem that caches every \
             file in single pages, and on a kernel that maps one and the same window at each fault, whatever lies in \
             it. Where folios differ in size and a fault maps whole ones, the history of a page matters.",
        ),
        option(
            FAR_FEWER,
            "far fewer: each page was fetched on its own",
            "You take the trouble of fetching pages one by one to save trouble later. But faults connect a mapping \
             with pages that are there already, and the more pages a piece has, the more one fault can connect. It \
             would be so if a fault could map more single pages at once than pages of a large folio.",
        ),
        option(
            TEN_TIMES,
            "about ten times more, or more still",
            "You take the cache to remember how a file came in: readahead makes large folios, single reads make \
             small ones, and a fault maps large folios as a whole. It is so where filesystem and kernel both do that.",
        ),
    ]
}

fn outcome(evidence: &Evidence) -> Outcome {
    if let Err(why) = evidence.was_warm() {
        return Outcome::Undecided(why);
    }
    match evidence.ratio().and_then(|ratio| nearest(ratio, &FIGURES)) {
        Some(id) => Outcome::Choice(id.to_owned()),
        None => Outcome::Undecided("one of the two mappings took no fault at all".to_owned()),
    }
}

fn sentence(evidence: &Evidence) -> String {
    let (ordinary, single) = (&evidence.ordinary, &evidence.single);
    let counts = format!(
        "{} over single pages, {} after the ordinary read",
        many(single.minor_faults, "minor fault"),
        format_count(ordinary.minor_faults)
    );
    if let Err(why) = evidence.was_warm() {
        return format!("{counts}; but {why}, so the two cannot be compared.");
    }
    match evidence.ratio() {
        Some(ratio) if ratio >= AGREEMENT => format!("{counts}: {} as many.", format_ratio(ratio)),
        Some(ratio) if ratio > 0.0 && 1.0 / ratio >= AGREEMENT => {
            format!("{counts}: {} fewer.", format_ratio(1.0 / ratio))
        }
        Some(1.0) => format!("{counts}: the same."),
        Some(_) => format!("{counts}: about the same."),
        None => format!("{counts}."),
    }
}

fn bars(evidence: &Evidence) -> Bars {
    let bar = |label: &str, filled: &Filled| Bar {
        label: label.to_owned(),
        value: filled.minor_faults as f64,
        text: many(filled.minor_faults, "fault"),
        note: middle(&filled.folio_pages)
            .map_or_else(String::new, |folio| format!("folios of {}", many(folio, "page"))),
    };
    Bars {
        title: format!("minor faults to visit {}", many(evidence.pages, "page")),
        bars: vec![bar("ordinary read", &evidence.ordinary), bar("single pages", &evidence.single)],
    }
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let (ordinary, single) = (&evidence.ordinary, &evidence.single);
    if evidence.was_warm().is_err() || ordinary.minor_faults == 0 || single.minor_faults == 0 {
        return Vec::new();
    }
    let mut causes = Vec::new();
    let window = window(evidence, setting);
    let folio = middle(&ordinary.folio_pages);
    let single_folio = middle(&single.folio_pages);
    if clearly_less(ordinary.minor_faults as f64, single.minor_faults as f64) {
        if folio.zip(single_folio).is_none_or(|(ordinary, single)| ordinary > single) {
            causes.push(Why::LargeFolios { folio_pages: folio.zip(single_folio) });
            causes.extend(window.map(Window::over_single_pages));
        }
    } else if agree(ordinary.minor_faults as f64, single.minor_faults as f64) {
        causes.extend(window.map(|window| same_count(window, folio, setting)));
    }
    if !causes.is_empty() {
        causes.extend(Why::page_size(setting));
    }
    causes
}

/// The same count both times, and the window explains it.
fn same_count(window: Window, folio: Option<u64>, setting: &Setting) -> Why {
    let Window { bytes, pages, inferred } = window;
    match folio {
        Some(1) => Why::NoLargeFolios {
            filesystem: setting.host.filesystem.kind.clone(),
            window_bytes: bytes,
            window_pages: pages,
            inferred,
        },
        Some(folio_pages) => {
            Why::WindowOnly { folio_pages, window_bytes: bytes, window_pages: pages, inferred }
        }
        None => Why::FaultAroundOnly { window_bytes: bytes, window_pages: pages, inferred },
    }
}

/// What one fault maps of a file that lies in single pages.
#[derive(Clone, Copy, Debug)]
struct Window {
    bytes: u64,
    pages: u64,
    inferred: bool,
}

impl Window {
    fn over_single_pages(self) -> Why {
        Why::FaultAround { window_bytes: self.bytes, window_pages: self.pages, inferred: self.inferred }
    }
}

/// The window that explains the faults over single pages: the one that the kernel tells, if the count agrees with it;
/// where the kernel does not tell, the power of two that the count agrees with. None where nothing agrees.
fn window(evidence: &Evidence, setting: &Setting) -> Option<Window> {
    if middle(&evidence.single.folio_pages).is_some_and(|folio| folio != 1) {
        return None;
    }
    let page_bytes = setting.host.page_bytes.max(1);
    let a_fault = evidence.pages as f64 / evidence.single.minor_faults as f64;
    let told = setting.host.fault_around_bytes.map(|bytes| (bytes / page_bytes).max(1));
    let pages = told.unwrap_or_else(|| 1 << (a_fault.log2().round().max(0.0) as u32).min(63));
    agree(a_fault, pages as f64).then_some(Window {
        bytes: pages.saturating_mul(page_bytes),
        pages,
        inferred: told.is_none(),
    })
}
