//! Act 1: another process cuts a file short, and a reader goes on past the new end.

use crate::cause::Why;
use crate::cut::Cut;
use crate::ended::byte;
use crate::notes;
use crate::words::{self, option, row};
use crate::workloads::readcut::ACROSS;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// The act.
#[derive(Debug)]
pub struct ShrinkRead;

/// What the calls of `readcut` returned.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// The file and the cut.
    pub cut: Cut,
    /// How far the reader had come: past the new end.
    pub place_bytes: u64,
    /// What the other process was told; `none` where it cut the file.
    pub cut_error: String,
    /// The file's length after it, as the reader sees it.
    pub size_after_bytes: u64,
    /// Bytes asked for by a read across the new end.
    pub across_asked_bytes: u64,
    /// What it returned; None where it failed.
    pub across_returned_bytes: Option<u64>,
    /// What the next read() returned; None where it failed.
    pub read_returned_bytes: Option<u64>,
    /// Its error; `none` where it did not fail.
    pub read_error: String,
    /// The byte that it returned, if it did.
    pub read_value: Option<u8>,
    /// The byte at that place after the file was made long again.
    pub regrown_value: u8,
}

impl Act for ShrinkRead {
    type Evidence = Evidence;
    const ID: &'static str = "shrink-read";
    const TITLE: &'static str = "read() past the new end";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::SHRINK_READ;

    fn question(&self, setting: &Setting) -> Question {
        let cut = Cut::of(setting);
        let (size, kept) = (format_bytes(cut.size_bytes), format_count(cut.kept_bytes));
        Question {
            setup: format!(
                "A program has read the first three quarters of a file of {size}; all of it is in the page cache. \
                 Another process cuts the file to {kept} bytes: the reader's place now lies past the end. First it asks for \
                 {ACROSS} bytes across the new end, half of them before it. Then it reads on at its place."
            ),
            commands: vec![command(&cut)],
            ask: "What does the read() past the end say?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "Does read() know how long the file was when it was opened?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let cut = Cut::new(bench.plan().size_bytes, bench.host().page_bytes);
        bench.begin("read a file that another process cuts", 1);
        let dir = bench.scratch().path().to_owned();
        let (size, keep) = (shell_bytes(cut.size_bytes), shell_bytes(cut.kept_bytes));
        let args = ["--size", &size, "--keep", &keep, "--dir"].map(OsStr::new);
        let run = bench.run("readcut", &[&args[..], &[dir.as_os_str()]].concat())?;
        bench.done(1)?;
        bench.end();
        let value = run.u64_if_known("read_value")?.map(|_| byte(&run, "read_value")).transpose()?;
        Ok(Evidence {
            cut,
            place_bytes: run.u64("place_bytes")?,
            cut_error: run.text("cut_error")?.to_owned(),
            size_after_bytes: run.u64("size_after_bytes")?,
            across_asked_bytes: run.u64("across_asked")?,
            across_returned_bytes: run.u64_if_known("across_returned")?,
            read_returned_bytes: run.u64_if_known("read_returned")?,
            read_error: run.text("read_error")?.to_owned(),
            read_value: value,
            regrown_value: byte(&run, "regrown_value")?,
        })
    }

    fn reveal(&self, evidence: &Evidence, _setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        Reveal {
            causes: causes(evidence, &outcome).into_iter().map(Into::into).collect(),
            outcome,
            sentence,
            figures: vec![calls(evidence)],
            caveats: Vec::new(),
            try_next: vec![command(&evidence.cut), "tutor run readcut --own-tmpfs 16M".to_owned()],
            sources: ["man 2 read", "man 2 truncate", "mm/filemap.c, filemap_read (Linux 6.18)"]
                .map(str::to_owned)
                .to_vec(),
        }
    }
}

fn command(cut: &Cut) -> String {
    format!("tutor run readcut --size {} --keep {}", shell_bytes(cut.size_bytes), cut.kept_bytes)
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let undecided =
        |why: String| (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    if evidence.cut.size_bytes == 0 {
        return undecided("a file without bytes cannot be cut".to_owned());
    }
    if let Some(why) = words::not_cut(&evidence.cut_error) {
        return undecided(why);
    }
    if evidence.size_after_bytes != evidence.cut.kept_bytes {
        let (found, kept) = (format_count(evidence.size_after_bytes), format_count(evidence.cut.kept_bytes));
        return undecided(format!("after the cut the file had {found} bytes instead of {kept}"));
    }
    let old = crate::workloads::OLD;
    let (id, sentence) =
        match (evidence.read_returned_bytes, evidence.read_error.as_str(), evidence.read_value) {
            (Some(0), "none", None) => (
                "eof",
                "read() returned 0, and no error: to it, a place past the end is the end of the file."
                    .to_owned(),
            ),
            (Some(1..), "none", Some(value)) if value == old => {
                ("old-data", "read() returned the old data, though the file no longer has it.".to_owned())
            }
            (None, "EIO", None) => ("eio", "read() failed with EIO.".to_owned()),
            (None, "none", _) => return undecided("read() neither returned nor failed".to_owned()),
            (None, error, _) => {
                return undecided(format!("read() failed with {error}, which is none of the answers"));
            }
            (Some(1..), "none", Some(value)) => {
                let value = words::byte(value);
                return undecided(format!("read() returned a byte, {value}, which nobody wrote"));
            }
            (Some(count), error, _) => {
                return undecided(format!("read() returned {count}, with error {error} and no byte"));
            }
        };
    (Outcome::Choice(id.to_owned()), sentence)
}

fn causes(evidence: &Evidence, outcome: &Outcome) -> Vec<Why> {
    let mut causes = Vec::new();
    if *outcome != Outcome::Choice("eof".to_owned()) {
        return causes;
    }
    let asked = evidence.across_asked_bytes;
    if let Some(returned) = evidence.across_returned_bytes.filter(|returned| *returned < asked) {
        causes.push(Why::LengthIsAsked { across: (asked, returned) });
    }
    if evidence.regrown_value == 0 {
        causes.push(Why::OldDataGone);
    }
    causes
}

fn calls(evidence: &Evidence) -> Figure {
    let returned = |count: Option<u64>| count.map_or_else(|| "-1".to_owned(), format_count);
    let (kept, place) = (format_count(evidence.cut.kept_bytes), format_count(evidence.place_bytes));
    let cut = if evidence.cut_error == "none" { "0" } else { "-1" };
    let across_error = if evidence.across_returned_bytes.is_some() { "none" } else { "failed" };
    let across = format!("read {} bytes across {kept}", evidence.across_asked_bytes);
    Figure::Table(Table {
        title: "what the calls returned".to_owned(),
        head: row(["call", "returned", "error"]),
        rows: vec![
            row([&format!("another process: cut to {kept}"), cut, &evidence.cut_error]),
            row([&across, &returned(evidence.across_returned_bytes), across_error]),
            row([
                &format!("read on at {place}"),
                &returned(evidence.read_returned_bytes),
                &evidence.read_error,
            ]),
        ],
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "eof",
            "0, as at the end of any file, and no error",
            "read() asks for the file's length each time it is called. A place at or past the \
             end is the end: there are no bytes to give, and nothing went wrong.",
        ),
        option(
            "eio",
            "An error, EIO: what should be there is gone",
            "Whoever says EIO expects the kernel to remember what the file once had. It does not. EIO is for bytes that \
             the file has and the device fails to deliver, so it is what a broken disk says.",
        ),
        option(
            "old-data",
            "The old data: it was in the page cache",
            "Whoever says old data expects cached pages to outlive the file's own bytes. Cutting a file throws its pages \
             out of the cache before it returns. It would be so if the reader had copied them before, as buffered \
             readers do.",
        ),
    ]
}
