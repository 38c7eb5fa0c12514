//! Act 3: the kernel is asked once to drop four files, each held in its own way. Whose pages go?

use crate::cause::Why;
use crate::notes;
use crate::words::{choice, option, row, undecided};
use instruments::bench::Run;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::caveat::of_memory;
use lesson::figure::Table;
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// The act.
#[derive(Debug)]
pub struct Stays;

/// Four files before and after one call, which returned 0 for each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of each file.
    pub size_bytes: u64,
    /// Its pages.
    pub pages: u64,
    /// On a disk, written out, nobody uses it.
    pub clean: Tried,
    /// Just written; then written out to the disk.
    pub written: Tried,
    /// Written out, and mapped by another process; then unmapped.
    pub mapped: Tried,
    /// On tmpfs.
    pub memory: Tried,
    /// Pages of the written file that were dirty before. None where nobody tells.
    pub dirty_pages: Option<u64>,
}

/// Resident pages of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Before the call.
    pub before_pages: u64,
    /// After it.
    pub after_pages: u64,
    /// After what held the pages was let go and the call made again.
    pub again_pages: u64,
}

const SIZE_BYTES: u64 = 16 << 20;

impl Act for Stays {
    type Evidence = Evidence;
    const ID: &'static str = "stays";
    const TITLE: &'static str = "what an eviction leaves";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::STAYS;

    fn question(&self, _setting: &Setting) -> Question {
        Question {
            setup: format!(
                "Four files of {}, all in memory. One is clean, one was just written, one is clean but mapped by another \
                 program, and one lies on a tmpfs, such as /dev/shm. For each, posix_fadvise(DONTNEED) is called once. \
                 It returns 0 each time.",
                format_bytes(SIZE_BYTES)
            ),
            commands: vec![command()],
            ask: "Of which files have all pages gone?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "It is called advice. What would be lost, or have to be fetched again at once, if it were followed?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        bench.begin("ask once to drop four files", 1);
        let size = shell_bytes(SIZE_BYTES);
        let dir = bench.scratch().path().to_owned();
        let args = [OsStr::new("--size"), OsStr::new(&size), OsStr::new("--dir"), dir.as_os_str()];
        let run = bench.run("dontneed", &args)?;
        bench.done(1)?;
        bench.end();
        Ok(Evidence {
            size_bytes: run.u64("bytes")?,
            pages: run.u64("pages")?,
            clean: tried(&run, ["clean_before_pages", "clean_after_pages", "clean_after_pages"])?,
            written: tried(&run, ["written_before_pages", "written_after_pages", "written_synced_pages"])?,
            mapped: tried(&run, ["mapped_before_pages", "mapped_after_pages", "mapped_unmapped_pages"])?,
            memory: tried(&run, ["memory_before_pages", "memory_after_pages", "memory_synced_pages"])?,
            dirty_pages: run.u64_if_known("written_dirty_pages")?,
        })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        Reveal {
            outcome,
            sentence,
            figures: vec![table(evidence)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats: of_memory(&setting.host),
            try_next: vec![command(), "tutor run evict --size 16M".to_owned()],
            sources: vec![
                "man 2 posix_fadvise (POSIX_FADV_DONTNEED)".to_owned(),
                "mm/truncate.c, mapping_evict_folio (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn tried(run: &Run, [before, after, again]: [&str; 3]) -> Result<Tried, Unavailable> {
    Ok(Tried { before_pages: run.u64(before)?, after_pages: run.u64(after)?, again_pages: run.u64(again)? })
}

fn command() -> String {
    format!("tutor run dontneed --size {}", shell_bytes(SIZE_BYTES))
}

fn files(evidence: &Evidence) -> [(&'static str, &Tried); 4] {
    [
        ("the clean one", &evidence.clean),
        ("the one just written", &evidence.written),
        ("the mapped one", &evidence.mapped),
        ("the one on tmpfs", &evidence.memory),
    ]
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let files = files(evidence);
    if let Some((name, _)) = files.iter().find(|(_, tried)| tried.before_pages == 0) {
        return undecided(format!("{name} was not in memory before the call"));
    }
    let names = |gone: bool| {
        let some = files.iter().filter(|(_, tried)| (tried.after_pages == 0) == gone);
        in_a_row(&some.map(|(name, _)| *name).collect::<Vec<_>>())
    };
    let sentence = match (names(true), names(false)) {
        (None, _) => "The call returned 0 four times, and pages of all four stayed.".to_owned(),
        (_, None) => "All pages of all four went.".to_owned(),
        (Some(gone), Some(stayed)) => {
            format!("All pages of {gone} went. The call returned 0 for {stayed}, too, and pages stayed.")
        }
    };
    match files.map(|(_, tried)| tried.after_pages == 0) {
        [true, true, true, true] => choice("all", sentence),
        [true, true, true, false] => choice("disk", sentence),
        [true, true, false, false] => choice("unmapped", sentence),
        [true, false, false, false] => choice("clean", sentence),
        _ => (Outcome::Undecided("it fits none of the answers".to_owned()), sentence),
    }
}

/// `a`, `a and b`, `a, b and c`; None of nothing.
fn in_a_row(names: &[&str]) -> Option<String> {
    let (last, others) = names.split_last()?;
    Some(if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) })
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let mut causes = Vec::new();
    let let_go = |tried: &Tried| tried.after_pages > 0 && tried.again_pages == 0;
    let Evidence { written, mapped, memory, .. } = evidence;
    if let_go(written) && evidence.dirty_pages.is_none_or(|dirty| dirty > 0) {
        causes.push(Why::DirtyStays { left_pages: written.after_pages, dirty_pages: evidence.dirty_pages });
    }
    if let_go(mapped) {
        causes.push(Why::MappedStays { left_pages: mapped.after_pages });
    }
    if memory.after_pages > 0 && memory.again_pages == memory.before_pages {
        causes.push(Why::MemoryStays { left_pages: memory.again_pages });
    }
    causes
}

fn table(evidence: &Evidence) -> Figure {
    let then = ["", "after fdatasync()", "after munmap()", "after fdatasync()"];
    let rows = files(evidence).into_iter().zip(then).map(|((name, tried), then)| {
        let again = match then {
            "" => String::new(),
            then => format!("{} {then}", format_count(tried.again_pages)),
        };
        row([name.to_owned(), format_count(tried.before_pages), format_count(tried.after_pages), again])
    });
    Figure::Table(Table {
        title: format!("resident pages of {}", format_count(evidence.pages)),
        head: ["file", "before", "after the call", "called again"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "all",
            "All four: the call returned 0",
            "Whoever says all four takes the 0 for success. It only says that the arguments made sense: DONTNEED returns \
             it whatever it did. Whether a page has gone, only a count can tell.",
        ),
        option(
            "disk",
            "All but the one on tmpfs",
            "Whoever says so holds that what a disk has can go. A page that a process has in its page tables cannot be \
             taken from it by advice, though; that would be so if nobody had touched the mapping yet.",
        ),
        option(
            "unmapped",
            "The clean one and the one just written",
            "Whoever says so expects the call to write dirty pages first. It starts that, and does not wait: pages that \
             are still on their way stay. All can go if the disk is faster than the rest of the call.",
        ),
        option(
            "clean",
            "The clean one only",
            "Whoever says so holds that a page can go when the disk has the same bytes and nobody uses it. That is the \
             rule, where the disk is not quick enough to have the written file, too, before the call ends.",
        ),
    ]
}
