//! Act 4: a store into a hole of a file, on a disk that another process has filled.

use crate::cause::Why;
use crate::ended::{Ended, byte, run_to_death, value_or_death};
use crate::notes;
use crate::words::{self, option, row};
use crate::workloads::{NEW, place};
use instruments::size::{format_bytes, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// The act.
#[derive(Debug)]
pub struct Full;

/// What a full disk answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the disk.
    pub disk_bytes: u64,
    /// What the other process's last write was told: it wrote until then.
    pub fill_error: String,
    /// Bytes free after it.
    pub free_bytes: u64,
    /// What a store into the page that had its room before left there.
    pub old_page_value: u8,
    /// The error of a write() into the hole.
    pub write_error: String,
    /// The page of the hole, counted from 0.
    pub hole_page: u64,
    /// What a store into the hole came to: the value that a load found there, or a death.
    pub ended: Ended,
}

const DISK_BYTES: u64 = 1 << 20;

impl Act for Full {
    type Evidence = Evidence;
    const ID: &'static str = "full";
    const TITLE: &'static str = "a store on a full disk";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::FULL;

    fn question(&self, _setting: &Setting) -> Question {
        let disk = format_bytes(DISK_BYTES);
        Question {
            setup: format!(
                "A program maps a file of two pages. The first has its room on the disk; the second is a hole, which nobody \
                 ever wrote. Another process fills the disk to the last byte (a tmpfs of {disk}, which only this child \
                 sees). The program stores one byte into the hole."
            ),
            commands: vec![command()],
            ask: "What does the store come to?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "When does the kernel look for room: when you map, when you store, or when you sync?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let what = "show what a full disk does to a mapping";
        place::try_tmpfs(DISK_BYTES, false, what)?;
        bench.begin("fill a small disk, and store into a hole", 1);
        let (run, death) =
            run_to_death(bench, "holestore", &["--disk", &shell_bytes(DISK_BYTES)].map(OsStr::new))?;
        bench.done(1)?;
        bench.end();
        Ok(Evidence {
            disk_bytes: run.u64("disk_bytes")?,
            fill_error: run.text("fill_error")?.to_owned(),
            free_bytes: run.u64("free_bytes")?,
            old_page_value: byte(&run, "old_page_value")?,
            write_error: run.text("write_error")?.to_owned(),
            hole_page: run.u64("at_bytes")? / run.u64("page_bytes")?.max(1),
            ended: value_or_death(&run, death)?,
        })
    }

    fn reveal(&self, evidence: &Evidence, _setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        Reveal {
            outcome,
            sentence,
            figures: vec![answers(evidence)],
            causes: why(evidence).into_iter().map(Into::into).collect(),
            caveats: vec![Caveat::Other(
                "This disk was a tmpfs. Others look for room at a first store too, but may have some in reserve, and those \
                 behind a network may find out later."
                    .to_owned(),
            )],
            try_next: vec![command()],
            sources: ["man 5 tmpfs", "man 2 fallocate", "mm/shmem.c, shmem_fault (Linux 6.18)"]
                .map(str::to_owned)
                .to_vec(),
        }
    }
}

fn command() -> String {
    format!("tutor run holestore --disk {}", shell_bytes(DISK_BYTES))
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let undecided =
        |why: String| (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    if evidence.fill_error != "ENOSPC" {
        return undecided(format!(
            "the disk did not become full (the last write said {})",
            evidence.fill_error
        ));
    }
    if evidence.free_bytes != 0 {
        return undecided(format!("{} were still free on the disk", format_bytes(evidence.free_bytes)));
    }
    let write = match evidence.write_error.as_str() {
        "none" => "write() at the same place had worked.".to_owned(),
        error => format!("write() at the same place had returned {error}."),
    };
    match &evidence.ended {
        Ended::Killed(death) if death.signal == "SIGBUS" => {
            (Outcome::Choice("sigbus".to_owned()), format!("The store killed the process: {death}. {write}"))
        }
        Ended::Killed(death) => {
            undecided(format!("{} killed the process, and nothing shows why", death.signal))
        }
        Ended::Value(NEW) => {
            (Outcome::Choice("later".to_owned()), format!("The store worked, on a full disk. {write}"))
        }
        Ended::Value(other) => {
            undecided(format!("after the store there was {}, which nobody stored", words::byte(*other)))
        }
    }
}

fn why(evidence: &Evidence) -> Option<Why> {
    let Ended::Killed(death) = &evidence.ended else { return None };
    let proven = death.is_missing_page(evidence.hole_page)
        && evidence.fill_error == "ENOSPC"
        && evidence.free_bytes == 0
        && evidence.write_error == "ENOSPC"
        && evidence.old_page_value == NEW;
    proven.then_some(Why::NoRoomForTheHole { page: evidence.hole_page, free_bytes: evidence.free_bytes })
}

fn answers(evidence: &Evidence) -> Figure {
    let old = if evidence.old_page_value == NEW { "worked" } else { "left nothing there" };
    let write = if evidence.write_error == "none" { "worked" } else { &evidence.write_error };
    let hole = match &evidence.ended {
        Ended::Value(NEW) => "worked".to_owned(),
        Ended::Value(other) => format!("left {}", words::byte(*other)),
        Ended::Killed(death) => death.short(),
    };
    Figure::Table(Table {
        title: format!("{} free of {}", format_bytes(evidence.free_bytes), format_bytes(evidence.disk_bytes)),
        head: row(["on the full disk", "it"]),
        rows: vec![
            row(["store into the page that has room", old]),
            row(["write() into the hole", write]),
            row(["store into the hole", &hole]),
        ],
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "later",
            "The store works; msync() or close() reports ENOSPC later",
            "Whoever says later takes memory for the only thing a store needs. But a page of a file that is stored to must \
             have a place to go, and a local filesystem looks for it at the first store. Later is when a disk is told of \
             it that has promised more room than it has: a thin volume, or a server behind a network.",
        ),
        option(
            "sigbus",
            "SIGBUS: there is no room for the page, and no other way to say it",
            "It is the same as past the end: the address is valid, the kernel cannot put a \
             page there, and a store returns no error.",
        ),
        option(
            "oom",
            "The OOM killer ends the process",
            "Whoever says the OOM killer thinks of memory that ran out. That would be so if a tmpfs without a limit had \
             eaten all of it. Here a limit is reached that has nothing to do with the machine's memory.",
        ),
        option(
            "waits",
            "It waits until there is room",
            "Whoever says it waits thinks of writers that are slowed down when too much is dirty: those wait for a disk that \
             is working. For room, somebody would have to delete a file, and the kernel does not wait for that.",
        ),
    ]
}
