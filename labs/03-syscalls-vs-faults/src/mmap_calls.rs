//! Act `mmap-calls`: how many system calls it takes to visit every page through a mapping.

use crate::cause::Why;
use crate::nearest::nearest;
use crate::notes;
use crate::pass::arguments;
use crate::words::{many, pages_of, unexplained};
use instruments::calls::Calls;
use instruments::size::{format_bytes, format_count, format_ratio, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::question::Choice;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Question, Reveal, Setting, caveat};
use serde::{Deserialize, Serialize};

/// How many system calls it takes to visit every page through a mapping.
#[derive(Clone, Copy, Debug)]
pub struct MmapCalls;

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// What each read() of the other way asked for.
    pub block_bytes: u64,
    /// Pages of the file.
    pub pages: u64,
    /// Pages that the mapping visited.
    pub visited_pages: u64,
    /// All calls of the read() loop's program.
    pub read: Calls,
    /// All calls of the mapping's program.
    pub mmap: Calls,
    /// Page faults of the mapping's program between its marks, minor and major.
    pub mmap_faults: u64,
}

impl Act for MmapCalls {
    type Evidence = Evidence;
    const ID: &'static str = "mmap-calls";
    const TITLE: &'static str = "system calls for a mapping";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::MMAP_CALLS;

    fn question(&self, setting: &Setting) -> Question {
        let plan = &setting.plan;
        Question {
            setup: format!(
                "The same file of {}, now through mmap(). The program opens it, maps it, looks at one byte of each of \
                 its {}, unmaps and closes it. We count again, and a read() loop beside it.",
                format_bytes(plan.size_bytes),
                many(pages_of(setting), "page")
            ),
            commands: vec![
                command(plan.size_bytes),
                format!(
                    "tutor run readsum --size {} --block {}",
                    shell_bytes(plan.size_bytes),
                    shell_bytes(plan.block_bytes)
                ),
            ],
            ask: "How many system calls does that take?".to_owned(),
            answer: Ask::Choice(options(setting)),
            hint: "Which of these steps does a program ask the kernel for, and which happen without asking?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        bench.warm_up(&path)?;
        let (size_bytes, block_bytes) = (bench.plan().size_bytes, bench.plan().block_bytes);
        bench.begin("counting the system calls of readsum and mmapsum", 2);
        let (_, read) = bench.count("readsum", &arguments(&path, &["--block", &shell_bytes(block_bytes)]))?;
        bench.done(1)?;
        let (run, mmap) = bench.count("mmapsum", &arguments(&path, &["--touch"]))?;
        bench.done(1)?;
        bench.end();
        Ok(Evidence {
            size_bytes,
            block_bytes,
            pages: size_bytes.div_ceil(bench.host().page_bytes),
            visited_pages: run.u64("pages")?,
            read,
            mmap,
            mmap_faults: run.u64("minor_faults")? + run.u64("major_faults")?,
        })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let causes = causes(evidence);
        Reveal {
            outcome: outcome(evidence, setting),
            sentence: sentence(evidence) + unexplained(&causes),
            figures: vec![Figure::Table(table(evidence))],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveats(evidence, setting),
            try_next: vec![format!("strace -f -c {}", command(evidence.size_bytes))],
            sources: vec!["man 2 mmap".to_owned(), "man 2 munmap".to_owned()],
        }
    }
}

fn command(size: u64) -> String {
    format!("tutor run mmapsum --size {} --touch", shell_bytes(size))
}

const ONE_A_PAGE: &str = "one-a-page";
const AS_MANY_AS_READ: &str = "as-many-as-read";
const A_DOZEN: &str = "a-dozen";
const NONE: &str = "none";

fn options(setting: &Setting) -> Vec<Choice> {
    figures(setting).iter().map(|(id, calls)| option(id, *calls as u64)).collect()
}

/// Each option's own figure. Where a block is hardly more than a page, `as-many-as-read` would say nothing of its own.
fn figures(setting: &Setting) -> Vec<(&'static str, f64)> {
    let pages = pages_of(setting);
    let reads = setting.plan.size_bytes.div_ceil(setting.plan.block_bytes.max(1)) + 1;
    let mut figures = vec![(ONE_A_PAGE, pages as f64)];
    if reads * 4 < pages {
        figures.push((AS_MANY_AS_READ, reads as f64));
    }
    figures.extend([(A_DOZEN, 12.0), (NONE, 0.0)]);
    figures
}

fn option(id: &str, calls: u64) -> Choice {
    let (text, explanation) = match id {
        ONE_A_PAGE => (
            format!("one a page: {}", format_count(calls)),
            "You take each first look at a page for a request to the kernel. The kernel may well be entered there, \
             but by a page fault that the processor raises. The program calls nothing, so no system call is counted. \
             It would be so if the program called mmap() or madvise() for every page.",
        ),
        AS_MANY_AS_READ => (
            format!("as many as the read() loop: about {}", format_count(calls)),
            "You take a mapping for reading by another name, in blocks. A mapping has no block size: mmap() names the \
             whole range at once. It would be so if the program mapped and unmapped one block after another.",
        ),
        A_DOZEN => (
            "a dozen or fewer, whatever the size".to_owned(),
            "You count what the program asks for: open, find the size, map, unmap, close. It is so whenever one \
             mapping covers the file, and the count stays the same if the file grows.",
        ),
        _ => (
            "none: a mapped file is memory".to_owned(),
            "Once the mapping is there, looking at it makes no call, that is true. But the program has to open the \
             file, map it, and clean up. It would be so for a file that was mapped before the count began.",
        ),
    };
    Choice { id: id.to_owned(), text, explanation: explanation.to_owned() }
}

fn outcome(evidence: &Evidence, setting: &Setting) -> Outcome {
    if !evidence.mmap.marked {
        return Outcome::Undecided(
            "the program set no mark, so its calls cannot be told from the loader's".to_owned(),
        );
    }
    if evidence.pages == 0 {
        return Outcome::Undecided("a file without pages says nothing".to_owned());
    }
    if evidence.visited_pages != evidence.pages {
        let (visited, pages) = (format_count(evidence.visited_pages), format_count(evidence.pages));
        return Outcome::Undecided(format!("the mapping visited {visited} of {pages} pages"));
    }
    match nearest(evidence.mmap.workload_total() as f64, &figures(setting)) {
        Some(id) => Outcome::Choice(id.to_owned()),
        None => Outcome::Undecided("no option is near to what was counted".to_owned()),
    }
}

fn sentence(evidence: &Evidence) -> String {
    if !evidence.mmap.marked || !evidence.read.marked {
        return "The programs set no marks, so their own calls cannot be told from the loader's.".to_owned();
    }
    let (read, mmap) = (evidence.read.workload_total(), evidence.mmap.workload_total());
    let ratio = if mmap > 0 && read > mmap {
        format!(", {} as many", format_ratio(read as f64 / mmap as f64))
    } else {
        String::new()
    };
    format!(
        "{} visited {} through the mapping. The read() loop made {}{ratio}.",
        many(mmap, "system call"),
        many(evidence.visited_pages, "page"),
        many(read, "call")
    )
}

/// What `strace -c` would show of both, less the loader's calls, which have a row of their own.
fn table(evidence: &Evidence) -> Table {
    let Evidence { read, mmap, .. } = evidence;
    let mut names: Vec<&String> = read.workload.keys().chain(mmap.workload.keys()).collect();
    names.sort_unstable();
    names.dedup();
    names
        .sort_by_key(|name| std::cmp::Reverse(read.workload_of(name).saturating_add(mmap.workload_of(name))));
    let outside = |calls: &Calls| {
        calls.startup.values().chain(calls.teardown.values()).copied().fold(0, u64::saturating_add)
    };
    let row =
        |name: &str, read: u64, mmap: u64| vec![name.to_owned(), format_count(read), format_count(mmap)];

    let mut rows: Vec<_> =
        names.into_iter().map(|name| row(name, read.workload_of(name), mmap.workload_of(name))).collect();
    rows.push(row("all of the work", read.workload_total(), mmap.workload_total()));
    rows.push(row("start-up and end", outside(read), outside(mmap)));
    Table {
        title: "system calls, counted as they enter the kernel".to_owned(),
        head: vec!["call".to_owned(), "read() loop".to_owned(), "mmap".to_owned()],
        rows,
    }
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let Evidence { read, mmap, pages, .. } = evidence;
    let mut causes = Vec::new();
    if !read.marked || !mmap.marked || evidence.visited_pages != *pages {
        return causes;
    }
    let reads = read.workload_of("read");
    if reads >= evidence.size_bytes.div_ceil(evidence.block_bytes.max(1)) {
        causes.push(Why::ACallForEachBlock { reads });
    }
    let calls = mmap.workload_total();
    if mmap.workload_of("mmap") > 0 && calls < *pages && evidence.mmap_faults > 0 {
        causes.push(Why::FaultsInsteadOfCalls { calls, pages: *pages });
    }
    causes
}

fn caveats(evidence: &Evidence, setting: &Setting) -> Vec<Caveat> {
    let mut caveats = caveat::of_memory(&setting.host);
    if evidence.visited_pages != evidence.pages {
        caveats.push(Caveat::Other(format!(
            "The file has {}, and the mapping visited {}.",
            many(evidence.pages, "page"),
            format_count(evidence.visited_pages)
        )));
    }
    caveats
}
