//! Act 2: the first byte after the new end, in the same page, through a mapping.

use crate::cause::Why;
use crate::cut::Cut;
use crate::ended::{Ended, byte, run_to_death, value_or_death};
use crate::notes;
use crate::words::{self, option, row};
use crate::workloads::OLD;
use instruments::bench::Run;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// The act.
#[derive(Debug)]
pub struct Tail;

/// The byte before and after the cut, and what became of a store there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// The file and the cut.
    pub cut: Cut,
    /// What the other process was told; `none` where it cut the file.
    pub cut_error: String,
    /// The byte before the cut.
    pub before_value: u8,
    /// The last byte that the file kept, before the cut.
    pub last_kept_before_value: u8,
    /// And after it.
    pub last_kept_value: u8,
    /// What a load of the byte gave after the cut.
    pub ended: Ended,
    /// What became of a store there; None where the load had killed.
    pub store: Option<Store>,
}

/// A store past the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Store {
    /// What was stored.
    pub stored_value: u8,
    /// What a load gave after it.
    pub loaded_back_value: u8,
    /// What read() returned there.
    pub read_returned_bytes: u64,
    /// What read() found there after the file was made longer again.
    pub regrown_value: u8,
}

impl Act for Tail {
    type Evidence = Evidence;
    const ID: &'static str = "tail";
    const TITLE: &'static str = "the byte after the new end";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::TAIL;

    fn question(&self, setting: &Setting) -> Question {
        let cut = Cut::of(setting);
        let (size, kept) = (format_bytes(cut.size_bytes), format_count(cut.kept_bytes));
        Question {
            setup: format!(
                "Now a program has mapped such a file of {size}, full of the letter A, and touched every page. Another \
                 process cuts it to {kept} bytes. The end lies inside page {} of the mapping, counted from 0: the \
                 beginning of that page still is the file's.",
                cut.last_page()
            ),
            commands: vec![command(&cut)],
            ask: format!("What does a load of byte {kept} give, the first one past the end?"),
            answer: Ask::Choice(options()),
            hint: "What is the smallest piece that a mapping can lose?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let cut = Cut::new(bench.plan().size_bytes, bench.host().page_bytes);
        bench.begin("touch a mapping whose file another process cuts", 1);
        let dir = bench.scratch().path().to_owned();
        let (size, keep) = (shell_bytes(cut.size_bytes), shell_bytes(cut.kept_bytes));
        let args = ["--size", &size, "--keep", &keep, "--at", &keep, "--store", "--dir"].map(OsStr::new);
        let (run, death) = run_to_death(bench, "mapcut", &[&args[..], &[dir.as_os_str()]].concat())?;
        bench.done(1)?;
        bench.end();
        Ok(Evidence {
            cut,
            cut_error: run.text("cut_error")?.to_owned(),
            before_value: byte(&run, "value_before")?,
            last_kept_before_value: byte(&run, "last_kept_before")?,
            last_kept_value: byte(&run, "last_kept_value")?,
            store: if death.is_none() { Some(store(&run)?) } else { None },
            ended: value_or_death(&run, death)?,
        })
    }

    fn reveal(&self, evidence: &Evidence, _setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        Reveal {
            causes: causes(evidence, &outcome).into_iter().map(Into::into).collect(),
            outcome,
            sentence,
            figures: vec![bytes(evidence)],
            caveats: Vec::new(),
            try_next: vec![
                command(&evidence.cut),
                "tutor run mapcut --at 500000 --keep 500000 --store --own-tmpfs 16M".to_owned(),
            ],
            sources: [
                "man 2 mmap (NOTES, BUGS)",
                "man 2 truncate",
                "mm/truncate.c, truncate_pagecache (Linux 6.18)",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

fn command(cut: &Cut) -> String {
    let (size, keep) = (shell_bytes(cut.size_bytes), cut.kept_bytes);
    format!("tutor run mapcut --size {size} --keep {keep} --at {keep} --store")
}

fn store(run: &Run) -> Result<Store, Unavailable> {
    Ok(Store {
        stored_value: byte(run, "stored_value")?,
        loaded_back_value: byte(run, "loaded_back_value")?,
        read_returned_bytes: run.u64("read_returned")?,
        regrown_value: byte(run, "regrown_value")?,
    })
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let undecided =
        |why: String| (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    if let Some(why) = words::not_cut(&evidence.cut_error) {
        return undecided(why);
    }
    let kept = format_count(evidence.cut.kept_bytes);
    if evidence.before_value != OLD {
        let value = words::byte(evidence.before_value);
        return undecided(format!("byte {kept} was {value} before the cut, where 'A' had been written"));
    }
    let (id, sentence) = match &evidence.ended {
        Ended::Value(0) => {
            ("zero", format!("Byte {kept} was 'A' before the cut, and is 0 after it. No signal came."))
        }
        Ended::Value(OLD) => ("old", format!("Byte {kept} still was 'A' after the cut. No signal came.")),
        Ended::Value(other) => {
            return undecided(format!("byte {kept} became {}, which nobody wrote", words::byte(*other)));
        }
        Ended::Killed(death) if matches!(death.signal.as_str(), "SIGBUS" | "SIGSEGV") => {
            ("signal", format!("The load of byte {kept} killed the process: {death}."))
        }
        Ended::Killed(death) => {
            return undecided(format!("{} killed the process, which no load raises", death.signal));
        }
    };
    (Outcome::Choice(id.to_owned()), sentence)
}

fn causes(evidence: &Evidence, outcome: &Outcome) -> Vec<Why> {
    let mut causes = Vec::new();
    let zero = *outcome == Outcome::Choice("zero".to_owned());
    if zero
        && evidence.last_kept_value == OLD
        && evidence.cut.last_page() == evidence.cut.page_of(evidence.cut.kept_bytes)
    {
        let (kept_bytes, last_kept_value) = (evidence.cut.kept_bytes, evidence.last_kept_value);
        causes.push(Why::RestOfPageZeroed { kept_bytes, last_kept_value });
    }
    if let Some(Store { stored_value, loaded_back_value, read_returned_bytes: 0, regrown_value }) =
        evidence.store
        && loaded_back_value == stored_value
    {
        causes.push(match regrown_value {
            value if value == stored_value => Why::StoreCameBack { stored_value },
            regrown_value => Why::StoreLost { stored_value, regrown_value },
        });
    }
    causes
}

fn bytes(evidence: &Evidence) -> Figure {
    let kept = evidence.cut.kept_bytes;
    let last = format!("{}, the last one kept", format_count(kept.saturating_sub(1)));
    let first = format!("{}, the first past the end", format_count(kept));
    let mut rows = vec![
        row([&last, &words::byte(evidence.last_kept_before_value), &words::byte(evidence.last_kept_value)]),
        row([&first, &words::byte(evidence.before_value), &words::ended(&evidence.ended)]),
    ];
    if let Some(store) = evidence.store {
        let stored = format!("the same, {} stored there", words::byte(store.stored_value));
        rows.push(row([&stored, "", &words::byte(store.loaded_back_value)]));
        rows.push(row(["the same, once the file grew again", "", &words::byte(store.regrown_value)]));
    }
    Figure::Table(Table {
        title: format!("page {} through the mapping", evidence.cut.last_page()),
        head: row(["byte", "before the cut", "after it"]),
        rows,
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "old",
            "'A', the old byte: its page is still mapped",
            "Whoever says 'A' expects a cut to change the file's length and nothing else. The kernel also clears what is \
             left of the last page: otherwise the old bytes would be there again when the file grows.",
        ),
        option(
            "zero",
            "Zero",
            "A mapping has and loses whole pages. The page with the new end stays, and its \
             rest is cleared. So a mapping shows up to a page less one byte that the file does not have.",
        ),
        option(
            "signal",
            "Nothing: a signal kills the process",
            "Whoever says a signal expects the kernel to watch single bytes. The processor knows pages only: a byte past \
             the end of the file, in a page that is there, looks like any other. It would be so if the file ended at \
             the end of a page.",
        ),
    ]
}
