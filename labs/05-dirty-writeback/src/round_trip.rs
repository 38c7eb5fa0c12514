//! Act 7: stored, never synced, evicted, read back from the disk. Is every byte there?

use crate::cause::Why;
use crate::notes;
use crate::stored::{self, command};
use crate::words::{self, count_or_unknown, many, option, pages_of};
use crate::workloads::count::Unwritten;
use instruments::size::{format_bytes, format_count};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct RoundTrip;

/// What came back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub bytes: u64,
    /// Its pages.
    pub pages: u64,
    /// Not on the disk when the mapping and the file had been closed.
    pub unwritten: Unwritten,
    /// Pages still there after POSIX_FADV_DONTNEED alone; None where nobody can know.
    pub kept_by_advice_pages: Option<u64>,
    /// Pages there just before the file was read back, after a proper eviction.
    pub resident_before_pages: Option<u64>,
    /// What the disk delivered to that read.
    pub device_read_bytes: Option<u64>,
    /// Bytes that were compared.
    pub compared_bytes: u64,
    /// Bytes that differ from what was stored.
    pub mismatches: u64,
    /// Those of them that are as they were before the stores.
    pub old_bytes: u64,
    /// Where the first of them is.
    pub first_mismatch: Option<u64>,
}

impl Evidence {
    /// All bytes were compared, and they came from the disk. Err says what is missing.
    pub fn came_from_the_disk(&self) -> Result<(), String> {
        if self.compared_bytes < self.bytes {
            let (compared, all) = (format_bytes(self.compared_bytes), format_bytes(self.bytes));
            return Err(format!("only {compared} of {all} were compared"));
        }
        match self.resident_before_pages {
            Some(0) => {}
            Some(pages) => return Err(format!("{} were still in memory before it", many(pages, "page"))),
            None => return Err("nobody can know what was still in memory before it".to_owned()),
        }
        match self.device_read_bytes {
            Some(delivered) if delivered < self.bytes / 10 * 9 => Err(format!(
                "the disk delivered only {} of {}",
                format_bytes(delivered),
                format_bytes(self.bytes)
            )),
            _ => Ok(()),
        }
    }
}

const SAME: &str = "same";
const OLD: &str = "old";
const SOME: &str = "some";

impl Act for RoundTrip {
    type Evidence = Evidence;
    const ID: &'static str = "round-trip";
    const TITLE: &'static str = "evicted, read back, compared";
    const SECONDS: u32 = 3;
    const NOTES: Notes = notes::ROUND_TRIP;

    fn question(&self, setting: &Setting) -> Question {
        let size = setting.plan.size_bytes;
        Question {
            setup: format!(
                "A program stores into every byte of a mapped file of {}, unmaps it, closes it, and never calls msync. Then \
                 the file is taken out of the cache, until 0 of its {} are left. It is read back from the disk, and every \
                 byte is compared with what was stored.",
                format_bytes(size),
                many(pages_of(size, setting), "page")
            ),
            commands: vec![command("roundtrip", size, "")],
            ask: "What comes back?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "The pages were dirty. What may the kernel do with a dirty page, and what not?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = bench.plan().size_bytes;
        bench.begin("store, evict, read back from the disk, compare", 0);
        let run = stored::run(bench, "roundtrip", size, &[])?;
        bench.end();
        let first_mismatch =
            if run.text("first_mismatch")? == "none" { None } else { Some(run.u64("first_mismatch")?) };
        Ok(Evidence {
            bytes: run.u64("bytes")?,
            pages: run.u64("pages")?,
            unwritten: stored::unwritten(&run, "dirty_pages", "writeback_pages")?,
            kept_by_advice_pages: run.u64_if_known("kept_by_advice_pages")?,
            resident_before_pages: run.u64_if_known("resident_before_pages")?,
            device_read_bytes: run.u64_if_known("device_read_bytes")?,
            compared_bytes: run.u64("compared_bytes")?,
            mismatches: run.u64("mismatches")?,
            old_bytes: run.u64("old_bytes")?,
            first_mismatch,
        })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let mut caveats = words::caveats(setting);
        if evidence.device_read_bytes.is_none() {
            caveats.push(Caveat::NoDeviceCounter);
        }
        Reveal {
            outcome,
            sentence,
            figures: vec![table(evidence)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![command("roundtrip", evidence.bytes, "")],
            sources: vec![
                "man 2 msync".to_owned(),
                "man 2 posix_fadvise (POSIX_FADV_DONTNEED)".to_owned(),
                "mm/truncate.c, mapping_try_invalidate (Linux 6.18)".to_owned(),
                "filesystems/vfs (kernel documentation)".to_owned(),
            ],
        }
    }
}

fn options() -> Vec<Choice> {
    vec![
        option(
            SAME,
            "every byte as it was stored",
            "You take the kernel to look after dirty pages whoever is gone: none leaves memory before it has been \
             written. It is so as long as the machine runs and the disk takes what it is given. A crash or a power cut \
             in between is another matter, and so is a write that the disk refuses: only a sync that returned without \
             an error excludes them.",
        ),
        option(
            OLD,
            "the old bytes: what was never synced is lost with its mapping",
            "You take msync for what hands the stores over to the file. They are in the file's own pages from the first \
             moment; msync only says when they must be on the disk. It is so with MAP_PRIVATE, whose stores go to copies.",
        ),
        option(
            SOME,
            "a mixture: what the kernel had written in time is new, the rest is old",
            "An eviction looks like a way to throw away what has not been written. It throws away clean pages only. It \
             is so after a power cut.",
        ),
    ]
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    if let Err(why) = evidence.came_from_the_disk() {
        let sentence = format!("{}, but {why}: this proves nothing about the disk.", differ(evidence));
        return (Outcome::Undecided(why), sentence);
    }
    let all = format_count(evidence.bytes);
    match evidence.mismatches {
        0 => (
            Outcome::Choice(SAME.to_owned()),
            format!("Every byte: all {all} were compared, and 0 differ from what was stored."),
        ),
        mismatches if mismatches == evidence.old_bytes => {
            // Old and new content have a byte in 256 in common by chance.
            let id = if mismatches >= evidence.bytes / 10 * 9 { OLD } else { SOME };
            (Outcome::Choice(id.to_owned()), format!("{}: they are as before the stores.", differ(evidence)))
        }
        _ => {
            let why = "some bytes are neither what was stored nor what was there before";
            (
                Outcome::Undecided(why.to_owned()),
                format!("{}, and {why}: this disk gives back other data.", differ(evidence)),
            )
        }
    }
}

/// `0 of 1,000 bytes differ from what was stored`, with the place of the first.
fn differ(evidence: &Evidence) -> String {
    let Evidence { mismatches, compared_bytes, first_mismatch, .. } = evidence;
    let first =
        first_mismatch.map_or_else(String::new, |at| format!(", the first at offset {}", format_count(at)));
    format!(
        "{} of {} differ from what was stored{first}",
        format_count(*mismatches),
        many(*compared_bytes, "byte")
    )
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let mut causes = Vec::new();
    if evidence.came_from_the_disk().is_err() || evidence.mismatches > 0 {
        return causes;
    }
    let Some(unwritten) = evidence.unwritten.of_pages(evidence.pages) else { return causes };
    if unwritten > 0 {
        causes
            .push(Why::WrittenBeforeItLeft { pages: unwritten, delivered_bytes: evidence.device_read_bytes });
        if let Some(kept_pages) = evidence.kept_by_advice_pages {
            causes.push(Why::AdviceDropsTheClean { kept_pages, pages: evidence.pages });
        }
    }
    causes
}

fn table(evidence: &Evidence) -> Figure {
    let first = evidence.first_mismatch.map_or_else(|| "none".to_owned(), format_count);
    let delivered = words::bytes_or_unknown(evidence.device_read_bytes);
    let rows = vec![
        words::row(["dirty pages after unmap and close", &count_or_unknown(evidence.unwritten.dirty_pages)]),
        words::row(["resident after DONTNEED alone", &count_or_unknown(evidence.kept_by_advice_pages)]),
        words::row(["resident after sync and DONTNEED", &count_or_unknown(evidence.resident_before_pages)]),
        words::row(["delivered by the disk", &delivered]),
        words::row(["bytes compared", &format_count(evidence.compared_bytes)]),
        words::row(["bytes that differ", &format_count(evidence.mismatches)]),
        words::row(["first of them at offset", &first]),
    ];
    Figure::Table(Table {
        title: format!("{} in {}", format_bytes(evidence.bytes), many(evidence.pages, "page")),
        head: words::row(["what", "found"]),
        rows,
    })
}
