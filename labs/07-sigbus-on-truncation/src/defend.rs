//! Act 5: five defences against the same cut, and against a disk that fills up.

mod options;
mod trial;

use crate::cause::Why;
use crate::cut::Cut;
use crate::notes;
use crate::words::row;
use crate::workloads::defend::{Against, How};
use crate::workloads::place;
use instruments::size::{format_bytes, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use trial::{fate, name, word};

pub use trial::Trial;

/// The act.
#[derive(Debug)]
pub struct Defend;

/// One trial for each defence and what it was tried against.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// In the order in which they were run.
    pub trials: Vec<Trial>,
    /// Why there was no full disk to try them on, if there was none.
    pub no_full_disk: Option<String>,
}

const ALL: [How; 5] = [How::Check, How::Handler, How::Copy, How::Seal, How::Reserve];
/// A memfd lies on no disk that could fill up.
const ON_A_DISK: [How; 4] = [How::Check, How::Handler, How::Copy, How::Reserve];

const IN_WORDS: [&str; 6] = ["none", "one", "two", "three", "four", "five"];

impl Act for Defend {
    type Evidence = Evidence;
    const ID: &'static str = "defend";
    const TITLE: &'static str = "five defences";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::DEFEND;

    fn question(&self, setting: &Setting) -> Question {
        let cut = Cut::of(setting);
        Question {
            setup: format!(
                "Five programs go through a file of {} page by page. One checks the file's length before every touch. One \
                 has a SIGBUS handler that maps a page of zeros where there is none. One copies with read(). One keeps its \
                 data in a memfd sealed with F_SEAL_SHRINK. One called fallocate() for the whole file first. Half way \
                 through, when it hurts most, another process cuts the file to a quarter.",
                format_bytes(cut.size_bytes)
            ),
            commands: [How::Check, How::Handler].map(|how| command(how, Against::Cut)).to_vec(),
            ask: "Which of the five does the cut kill?".to_owned(),
            answer: Ask::Choice(options::options()),
            hint: "For each: what keeps the page from going away between the look and the touch?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let mut evidence = Evidence::default();
        bench.begin("try five defences", (ALL.len() + ON_A_DISK.len()) as u64);
        let dir: OsString = bench.scratch().path().into();
        let size: OsString = shell_bytes(bench.plan().size_bytes).into();
        for how in ALL {
            let args = ["--size".into(), size.clone(), "--dir".into(), dir.clone()];
            evidence.trials.push(trial::run(bench, how, Against::Cut, &args)?);
        }
        match place::try_tmpfs(1 << 20, false, "fill a small disk") {
            Ok(()) => {
                for how in ON_A_DISK {
                    evidence.trials.push(trial::run(bench, how, Against::Full, &[])?);
                }
            }
            Err(Unavailable::Lacking { needs, .. }) => evidence.no_full_disk = Some(needs),
            Err(other) => return Err(other),
        }
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, _setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let no_full_disk = evidence.no_full_disk.clone();
        Reveal {
            outcome,
            sentence,
            figures: vec![fates(evidence)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats: no_full_disk
                .map(|needs| Caveat::Other(format!("Not tried on a full disk: it needs {needs}.")))
                .into_iter()
                .collect(),
            try_next: vec![command(How::Check, Against::Cut), command(How::Reserve, Against::Full)],
            sources: [
                "man 2 fcntl (F_ADD_SEALS)",
                "man 2 fallocate",
                "man 2 sigaction",
                "docs.rs/memmap2, Mmap (Safety)",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

fn command(how: How, against: Against) -> String {
    match against {
        Against::Cut => format!("tutor run defend {}", word(how)),
        Against::Full => format!("tutor run defend {} --against full", word(how)),
    }
}

impl Evidence {
    fn of(&self, how: How, against: Against) -> Option<&Trial> {
        self.trials.iter().find(|trial| trial.how == how && trial.against == against)
    }
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let undecided =
        |why: String| (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    let mut killed = Vec::new();
    for how in ALL {
        let Some(trial) = evidence.of(how, Against::Cut) else {
            return undecided(format!("the trial of \"{}\" is missing", name(how)));
        };
        if !trial.was_struck() {
            let error = &trial.strike_error;
            return undecided(format!(
                "in the trial of \"{}\" the file could not be cut ({error})",
                name(how)
            ));
        }
        if trial.death.is_some() {
            killed.push(how);
        }
    }
    let names = listed(&killed);
    let id = match killed.as_slice() {
        [] => "none",
        [How::Check] => "check",
        [How::Check, How::Reserve] => "check-reserve",
        [How::Check, How::Handler, How::Reserve] => "check-handler-reserve",
        _ => return undecided(format!("the cut killed {names}, which is none of the answers")),
    };
    let sentence = match killed.len() {
        0 => "The cut killed none of the five.".to_owned(),
        dead => {
            let (dead, alive) = (IN_WORDS[dead], IN_WORDS[ALL.len() - dead]);
            format!("The cut killed {dead} of the five: {names}. The other {alive} lived.")
        }
    };
    (Outcome::Choice(id.to_owned()), sentence)
}

/// `check first, SIGBUS handler and fallocate()`.
fn listed(all: &[How]) -> String {
    let names: Vec<_> = all.iter().map(|how| name(*how)).collect();
    match names.split_last() {
        Some((last, others @ [_, ..])) => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let mut causes = Vec::new();
    let cut = |how| evidence.of(how, Against::Cut).filter(|trial| trial.was_struck());
    let full = |how| evidence.of(how, Against::Full).filter(|trial| trial.was_struck());
    if let Some(trial) = cut(How::Check).filter(|trial| trial.was_killed_by_it()) {
        let full_too = full(How::Check).is_some_and(Trial::was_killed_by_it);
        causes.push(Why::CheckIsNoLock { page: trial.at_page, full_too });
    }
    if let Some(trial) = cut(How::Handler)
        && let Some(replaced_pages @ 1..) = trial.replaced_pages
    {
        let stored = full(How::Handler).and_then(Trial::stored).map(|(done, all)| (all, done));
        causes.push(Why::HandlerGivesZeros { replaced_pages, pages: trial.pages, stored });
    }
    if let Some(trial) = cut(How::Copy)
        && let Some(pages) = trial.done_pages
        && trial.stopped_by.as_deref() == Some("end_of_file")
    {
        let error =
            full(How::Copy).and_then(|trial| trial.stopped_by.clone()).filter(|error| error == "ENOSPC");
        causes.push(Why::ReadHasAnEnd { pages, write_error: error });
    }
    if let Some(trial) = cut(How::Seal)
        && trial.strike_error == "EPERM"
        && trial.done_pages == Some(trial.pages)
    {
        causes.push(Why::SealRefused { error: trial.strike_error.clone(), pages: trial.pages });
    }
    if let Some(trial) = cut(How::Reserve).filter(|trial| trial.was_killed_by_it()) {
        let stored = full(How::Reserve).and_then(Trial::stored);
        causes.push(Why::RoomIsNotLength { page: trial.at_page, stored });
    }
    if evidence.trials.iter().any(Trial::was_killed_by_it) {
        causes.push(Why::PromiseNobodyCanGive);
    }
    causes
}

fn fates(evidence: &Evidence) -> Figure {
    let fate = |how, against| match evidence.of(how, against) {
        Some(trial) => fate(trial),
        None if (how, against) == (How::Seal, Against::Full) => "on no disk".to_owned(),
        None => "not tried".to_owned(),
    };
    let row = |how| row([name(how), &fate(how, Against::Cut), &fate(how, Against::Full)]);
    Figure::Table(Table {
        title: "who died, or the pages that it read or stored".to_owned(),
        head: crate::words::row(["defence", "file cut short", "disk full"]),
        rows: ALL.into_iter().map(row).collect(),
    })
}
