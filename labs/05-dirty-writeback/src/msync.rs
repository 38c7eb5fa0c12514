//! Act 2: msync(MS_SYNC) brings it to the disk. How long does that take beside the stores, and what is dirty then?

use crate::cause::Why;
use crate::notes;
use crate::stored::{self, Stored, command, unwritten};
use crate::words::{self, many, pages_of};
use crate::workloads::count::Unwritten;
use instruments::size::{format_bytes, format_count, format_ratio};
use instruments::{Bench, Samples, Unavailable};
use lesson::caveat::of_spreads;
use lesson::figure::{Bar, Bars, Table};
use lesson::{Act, Ask, Figure, Notes, Outcome, Quantity, Question, Reveal, Setting, Unit, arms};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct Msync;

/// Rounds of storing and syncing, each on a file of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// In the order in which they were measured.
    pub rounds: Vec<Round>,
}

/// A mapping stored into and synced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// After the last store, before msync(2).
    pub stored: Stored,
    /// How long msync(MS_SYNC) took, nanoseconds.
    pub msync_ns: u64,
    /// What was not on the disk after it.
    pub after: Unwritten,
    /// What the disk took over the call, from everybody; None where no disk is visible.
    pub device_write_bytes: Option<u64>,
}

impl Round {
    /// All pages were dirty before the call: it had all the work still to do. Err says what was wrong.
    pub fn had_all_to_do(&self) -> Result<(), String> {
        self.stored.was_clean()?;
        let pages = self.stored.pages;
        match self.stored.unwritten.dirty_pages {
            Some(dirty) if dirty < pages => {
                Err(format!("only {} of {} were dirty before it", format_count(dirty), many(pages, "page")))
            }
            _ => Ok(()),
        }
    }
}

/// The file of this act: a part of the lab's size, since it is written twice a round.
fn size_of(setting_bytes: u64) -> u64 {
    setting_bytes / 4
}

impl Act for Msync {
    type Evidence = Evidence;
    const ID: &'static str = "msync";
    const TITLE: &'static str = "what MS_SYNC waits for";
    const SECONDS: u32 = 4;
    const NOTES: Notes = notes::MSYNC;

    fn question(&self, setting: &Setting) -> Question {
        let size = size_of(setting.plan.size_bytes);
        Question {
            setup: format!(
                "The same with a file of {}: all {} stored into, and dirty. Then the program calls msync with MS_SYNC, \
                 which returns when the disk has them. Stores and call are timed apart, {} times.",
                format_bytes(size),
                many(pages_of(size, setting), "page"),
                setting.plan.trials
            ),
            commands: vec![command("mmapwrite", size, "--msync sync")],
            ask: "How many times as long as the stores does msync take?".to_owned(),
            answer: Ask::Quantity(Quantity {
                unit: Unit::Ratio,
                example: "10x".to_owned(),
                hit_factor: 1.5,
                near_factor: 3.0,
            }),
            hint: "The stores change memory, and stumble over each clean page once. How many bytes a second does this \
                   machine's disk take?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size = size_of(bench.plan().size_bytes);
        let (wanted, mut kept) = (bench.plan().trials, 0);
        let mut rounds = Vec::new();
        bench.begin("store into a file and sync it, again and again", u64::from(wanted));
        // A round that was disturbed is made up for, but not for ever.
        while kept < wanted && (rounds.len() as u32) < 2 * wanted {
            let run = stored::run(bench, "mmapwrite", size, &["--msync", "sync"])?;
            let round = Round {
                stored: Stored::of(&run)?,
                msync_ns: run.u64("msync_ns")?,
                after: unwritten(&run, "dirty_after_pages", "writeback_after_pages")?,
                device_write_bytes: run.u64_if_known("device_after_bytes")?,
            };
            if round.had_all_to_do().is_ok() {
                kept += 1;
                bench.done(1)?;
            }
            rounds.push(round);
        }
        bench.end();
        Ok(Evidence { rounds })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (stores, syncs) =
            (times(evidence, |round| round.stored.store_ns), times(evidence, |round| round.msync_ns));
        let (outcome, sentence) = decide(evidence, &stores, &syncs);
        let mut caveats = words::caveats(setting);
        caveats.extend(arms::caveats(setting.plan.trials, &[("the stores", &stores)]));
        caveats.extend(of_spreads(&[("msync", &syncs)]));
        caveats
            .extend(evidence.rounds.first().and_then(|round| stored::unknown_caveat(&round.stored, setting)));
        let size = size_of(setting.plan.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures: vec![bars(evidence, &stores, &syncs), before_and_after(evidence)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                command("mmapwrite", size, "--msync sync"),
                "tutor run dwrite --size 64M --way fdatasync".to_owned(),
            ],
            sources: vec!["man 2 msync".to_owned(), "mm/msync.c (Linux 6.18)".to_owned()],
        }
    }
}

/// The rounds that count.
fn kept(evidence: &Evidence) -> Vec<&Round> {
    evidence.rounds.iter().filter(|round| round.had_all_to_do().is_ok()).collect()
}

fn times(evidence: &Evidence, figure: impl Fn(&Round) -> u64) -> Samples {
    Samples::of(&evidence.rounds, Round::had_all_to_do, |round| figure(round) as f64)
}

fn decide(evidence: &Evidence, stores: &Samples, syncs: &Samples) -> (Outcome, String) {
    let kept = kept(evidence);
    if let Some(why) = arms::too_few(&[("rounds", stores)]) {
        return arms::too_few_to_tell(why);
    }
    let Some(ratio) = syncs.ratio_to(stores) else {
        let why = "the clock saw no time pass".to_owned();
        let sentence = format!("There is no figure to trust: {why}.");
        return (Outcome::Undecided(why), sentence);
    };
    let left: Option<u64> = kept
        .iter()
        .map(|round| round.after.of_pages(round.stored.pages))
        .try_fold(0, |most, left| Some(left?.max(most)));
    let afterwards = match left {
        Some(0) => " Afterwards no page was dirty.".to_owned(),
        Some(left) => format!(" Afterwards up to {} were still not on the disk.", many(left, "page")),
        None => String::new(),
    };
    let measured = format!("stores {}, msync {}", words::time(stores), words::time(syncs));
    if !stores.is_apart_from(syncs) {
        let sentence =
            format!("A tie on this machine, now: {measured}, and the spreads overlap.{afterwards}");
        return (Outcome::Undecided("the spreads overlap".to_owned()), sentence);
    }
    let sentence =
        format!("msync took {} the time of the stores ({measured}).{afterwards}", format_ratio(ratio));
    (Outcome::Quantity(ratio), sentence)
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let kept = kept(evidence);
    let mut causes = Vec::new();
    let waited = |round: &&&Round| {
        round.after.of_pages(round.stored.pages) == Some(0)
            && round.device_write_bytes.is_some_and(|bytes| bytes >= round.stored.bytes / 10 * 9)
    };
    if !kept.is_empty() && kept.iter().all(|round| waited(&round)) {
        let round = kept[kept.len() / 2];
        causes.push(Why::SyncWaits {
            pages: round.stored.pages,
            device_bytes: round.device_write_bytes.unwrap_or(0),
        });
    }
    if let Some(round) = kept.get(kept.len() / 2) {
        causes.extend(Why::a_fault_marks(&round.stored));
    }
    causes
}

fn bars(evidence: &Evidence, stores: &Samples, syncs: &Samples) -> Figure {
    let kept = kept(evidence);
    let bytes = kept.first().map_or(0, |round| round.stored.bytes);
    let middle = |figure: fn(&Round) -> Option<u64>| {
        let all: Vec<u64> = kept.iter().filter_map(|round| figure(round)).collect();
        words::bytes_or_unknown(words::middle(&all))
    };
    let bar = |label: &str, samples: &Samples, note: String| Bar {
        label: label.to_owned(),
        value: samples.median().unwrap_or(0.0),
        text: words::time(samples),
        note: format!("disk took {note}"),
    };
    Figure::Bars(Bars {
        title: format!("{} through a mapping", format_bytes(bytes)),
        bars: vec![
            bar("stores", stores, middle(|round| round.stored.device_write_bytes)),
            bar("MS_SYNC", syncs, middle(|round| round.device_write_bytes)),
        ],
    })
}

fn before_and_after(evidence: &Evidence) -> Figure {
    let row = |(at, round): (usize, &Round)| {
        words::row([
            &(at + 1).to_string(),
            &words::count_or_unknown(round.stored.unwritten.dirty_pages),
            &words::count_or_unknown(round.after.dirty_pages),
            &words::count_or_unknown(round.after.writeback_pages),
        ])
    };
    Figure::Table(Table {
        title: "pages of the file".to_owned(),
        head: words::row(["round", "dirty before", "dirty after", "in writeback after"]),
        rows: evidence.rounds.iter().enumerate().map(row).collect(),
    })
}
