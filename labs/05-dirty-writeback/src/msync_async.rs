//! Act 3: msync(MS_ASYNC), whose name says that it starts the writing.

use crate::cause::Why;
use crate::notes;
use crate::stored::{self, Stored, command, unwritten};
use crate::words::{self, count_or_unknown, many, option, pages_of};
use crate::workloads::count::Unwritten;
use instruments::size::{format_bytes, format_count, format_ns};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct MsyncAsync;

/// One call, with the same rest before and after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// After the last store.
    pub stored: Stored,
    /// How long nothing was done before the call, and again after it, nanoseconds.
    pub rest_ns: u64,
    /// What was not on the disk after the first rest: what happens without the call.
    pub rested: Unwritten,
    /// What the disk took over the first rest, from everybody.
    pub device_rested_bytes: Option<u64>,
    /// How long the call took, nanoseconds.
    pub msync_ns: u64,
    /// What was not on the disk when it had returned.
    pub after: Unwritten,
    /// And after the second rest.
    pub settled: Unwritten,
    /// What the disk took over call and second rest.
    pub device_settled_bytes: Option<u64>,
}

const STARTS: &str = "starts";
const WAITS: &str = "waits";
const NOTHING: &str = "nothing";

impl Act for MsyncAsync {
    type Evidence = Evidence;
    const ID: &'static str = "msync-async";
    const TITLE: &'static str = "what MS_ASYNC starts";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::MSYNC_ASYNC;

    fn question(&self, setting: &Setting) -> Question {
        let size = setting.plan.size_bytes;
        Question {
            setup: format!(
                "{} in {} have been stored into again and are dirty. This time the program calls msync with MS_ASYNC. Its \
                 pages are counted just before, just after, and a moment later.",
                format_bytes(size),
                many(pages_of(size, setting), "page")
            ),
            commands: vec![command("mmapwrite", size, "--msync async")],
            ask: "What has MS_ASYNC done when it returns?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "The kernel knows that these pages are dirty, with the call or without it. What could the call add?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = bench.plan().size_bytes;
        bench.begin("store into a file, then call msync(MS_ASYNC)", 0);
        let run = stored::run(bench, "mmapwrite", size, &["--msync", "async"])?;
        bench.end();
        Ok(Evidence {
            stored: Stored::of(&run)?,
            rest_ns: run.u64("rest_ns")?,
            rested: unwritten(&run, "dirty_rested_pages", "writeback_rested_pages")?,
            device_rested_bytes: run.u64_if_known("device_rested_bytes")?,
            msync_ns: run.u64("msync_ns")?,
            after: unwritten(&run, "dirty_after_pages", "writeback_after_pages")?,
            settled: unwritten(&run, "dirty_settled_pages", "writeback_settled_pages")?,
            device_settled_bytes: run.u64_if_known("device_settled_bytes")?,
        })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let mut caveats = words::caveats_of_counts(setting);
        caveats.extend(stored::unknown_caveat(&evidence.stored, setting));
        let mut causes: Vec<Why> = Vec::new();
        if outcome == Outcome::Choice(NOTHING.to_owned()) && evidence.after.dirty_pages.is_some() {
            causes.push(Why::AsyncIsEmpty { call_ns: evidence.msync_ns, rest_ns: evidence.rest_ns });
        }
        Reveal {
            outcome,
            sentence,
            figures: vec![moments(evidence)],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                command("mmapwrite", evidence.stored.bytes, "--msync async"),
                command("mmapwrite", evidence.stored.bytes, "--msync sync"),
            ],
            sources: vec![
                "man 2 msync (NOTES)".to_owned(),
                "mm/msync.c, its first comment (Linux 6.18)".to_owned(),
                "man 2 sync_file_range".to_owned(),
            ],
        }
    }
}

fn options() -> Vec<Choice> {
    vec![
        option(
            STARTS,
            "it has started the writing, and returned without waiting",
            "You take the name at its word, as POSIX has it: the writes are scheduled. Linux did start them long \
             ago (up to 2.5.67), and other systems do. Where you want that on Linux, sync_file_range(2) or the kernel's own \
             flusher does it.",
        ),
        option(
            WAITS,
            "it has written them all, like MS_SYNC, only in another order",
            "You take every msync for a promise about the disk. Only MS_SYNC gives that promise. It would be so on a \
             filesystem that writes each store through, so that nothing is left for a later call.",
        ),
        option(
            NOTHING,
            "nothing: the pages are dirty as before, and none is on its way",
            "The kernel knows already what is dirty, and writes it in its own time: there is nothing to schedule. It is \
             so on Linux from 2.6.19 on: the call checks its arguments and returns.",
        ),
    ]
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let Evidence { stored, rested, after, settled, .. } = evidence;
    let took = format!("The call took {}", format_ns(evidence.msync_ns as f64));
    let undecided = |why: &str, sentence: String| (Outcome::Undecided(why.to_owned()), sentence);
    let choice = |id: &str, sentence: String| (Outcome::Choice(id.to_owned()), sentence);
    if let Err(why) = stored.was_clean() {
        return undecided(&why, format!("This cannot be told here: {why}."));
    }
    let (Some(dirty_before), Some(dirty_after), Some(dirty_settled)) =
        (rested.dirty_pages, after.dirty_pages, settled.dirty_pages)
    else {
        return by_the_disk(evidence);
    };
    let on_their_way = |moment: &Unwritten| moment.writeback_pages.unwrap_or(0);
    if dirty_before < stored.pages || on_their_way(rested) > 0 {
        let why = "pages left before the call already: somebody else was writing";
        let sentence = format!(
            "{took}, but {why}. Only {} of {} were dirty before it.",
            format_count(dirty_before),
            many(stored.pages, "page")
        );
        return undecided(why, sentence);
    }
    if dirty_after == 0 && on_their_way(after) == 0 {
        return choice(
            WAITS,
            format!("{took}, and then no page was dirty any more: it had written them all."),
        );
    }
    if dirty_after < dirty_before || on_their_way(after) > 0 {
        return choice(
            STARTS,
            format!(
                "{took}. When it returned, {} were still dirty and {} on their way: the writing had begun.",
                many(dirty_after, "page"),
                format_count(on_their_way(after))
            ),
        );
    }
    if dirty_settled < dirty_before || on_their_way(settled) > 0 {
        let why = "pages left after the call had returned, and nothing shows whether it was the call that sent them";
        return undecided(
            why,
            format!(
                "{took}, and all pages were dirty when it returned. {} later, {} were: {why}.",
                format_ns(evidence.rest_ns as f64),
                format_count(dirty_settled)
            ),
        );
    }
    choice(
        NOTHING,
        format!(
            "{took}. All {} were dirty before it, just after it and {} later; none was on its way.",
            many(dirty_before, "page"),
            format_ns(evidence.rest_ns as f64)
        ),
    )
}

/// Without a figure of the file: what the disk took, against the same rest without the call.
fn by_the_disk(evidence: &Evidence) -> (Outcome, String) {
    let bytes = evidence.stored.bytes;
    let took = format!("The call took {}", format_ns(evidence.msync_ns as f64));
    match (evidence.device_rested_bytes, evidence.device_settled_bytes) {
        (Some(rested), Some(settled)) if rested <= bytes / 10 && settled <= bytes / 10 => (
            Outcome::Choice(NOTHING.to_owned()),
            format!(
                "{took}. In {} after it the disk took {} of {}, and {} in the same time before it.",
                format_ns(evidence.rest_ns as f64),
                format_bytes(settled),
                format_bytes(bytes),
                format_bytes(rested)
            ),
        ),
        _ => {
            let why = "the dirty pages of the file are unknown, and the disk is busy or out of sight";
            (Outcome::Undecided(why.to_owned()), format!("{took}, but {why}."))
        }
    }
}

fn moments(evidence: &Evidence) -> Figure {
    let row = |what: &str, unwritten: &Unwritten, disk: Option<u64>| {
        words::row([
            what,
            &count_or_unknown(unwritten.dirty_pages),
            &count_or_unknown(unwritten.writeback_pages),
            &words::bytes_or_unknown(disk),
        ])
    };
    let later = format!("{} later", format_ns(evidence.rest_ns as f64));
    let mut rows = vec![
        row("after the stores", &evidence.stored.unwritten, evidence.stored.device_write_bytes),
        row(&later, &evidence.rested, evidence.device_rested_bytes),
        row("after the call", &evidence.after, None),
        row(&later, &evidence.settled, evidence.device_settled_bytes),
    ];
    // The disk is looked at before the call and after the rest.
    rows[2][3] = String::new();
    Figure::Table(Table {
        title: format!("{} of the file (the disk: everybody's)", many(evidence.stored.pages, "page")),
        head: words::row(["moment", "dirty", "in writeback", "disk took"]),
        rows,
    })
}
