//! Act 6: O_DSYNC waits for the disk. Does it leave the cache out?

use crate::cause::Why;
use crate::durable::{Trial, line, trial};
use crate::notes;
use crate::stored::command;
use crate::words::{self, many, option};
use crate::workloads::dwrite::Way;
use instruments::size::{format_bytes, format_count};
use instruments::{Bench, Unavailable, direct};
use lesson::figure::Table;
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct DsyncCache;

/// One trial with O_DSYNC, and one with O_DIRECT beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// O_DSYNC.
    pub dsync: Trial,
    /// O_DIRECT; None where it is refused.
    pub direct: Option<Trial>,
}

const NONE: &str = "none";
const CLEAN: &str = "clean";
const DIRTY: &str = "dirty";

const AT_MOST_MS: &str = "200";

/// Trials until one found all pages, or none.
const ROUNDS: u32 = 3;

fn size_of(setting_bytes: u64) -> u64 {
    setting_bytes / 16
}

impl Act for DsyncCache {
    type Evidence = Evidence;
    const ID: &'static str = "dsync-cache";
    const TITLE: &'static str = "what O_DSYNC leaves in the cache";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::DSYNC_CACHE;

    fn question(&self, setting: &Setting) -> Question {
        let (size, block) = (size_of(setting.plan.size_bytes), setting.plan.block_bytes);
        Question {
            setup: format!(
                "A file of {} is evicted: 0 of its pages are in the cache. A program opens it with O_DSYNC and writes over it \
                 in blocks of {}; each write() returns when the disk has its data. Then the pages are counted.",
                format_bytes(size),
                format_bytes(block)
            ),
            commands: vec![line(size, block, Way::Dsync), line(size, block, Way::Direct)],
            ask: "What is in the cache of the pages that were written?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "O_DSYNC says when write() returns. Does it say which way the data goes?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        const NAME: &str = "direct";
        let size = size_of(bench.plan().size_bytes);
        bench.begin("write with O_DSYNC and with O_DIRECT", 2);
        let dsync = all_or_none(|| trial(bench, size, Way::Dsync, AT_MOST_MS))?;
        bench.done(1)?;
        let path = bench.fresh_file(NAME, 1 << 20)?;
        let refused = direct::open_to_write(&path, 0).is_err();
        bench.scratch().remove(NAME)?;
        let direct = if refused { None } else { Some(trial(bench, size, Way::Direct, AT_MOST_MS)?) };
        bench.end();
        Ok(Evidence { dsync, direct })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(&evidence.dsync);
        let mut caveats = words::caveats_of_counts(setting);
        if evidence.dsync.unwritten.dirty_pages.is_none() {
            caveats.push(words::dirty_unknown(setting));
        }
        let size = size_of(setting.plan.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures: vec![table(evidence)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                command("dwrite", size, "--way sync"),
                command("dwrite", size, "--way direct-dsync"),
            ],
            sources: vec!["man 2 open (O_DSYNC, O_DIRECT)".to_owned()],
        }
    }
}

/// Where a part of what was written is in the cache and a part is not, others may have taken pages meanwhile: then it is done
/// again, a few times.
fn all_or_none(mut trial: impl FnMut() -> Result<Trial, Unavailable>) -> Result<Trial, Unavailable> {
    let in_part = |done: &Trial| done.resident_pages.is_some_and(|pages| (1..done.pages).contains(&pages));
    let mut done = trial()?;
    for _ in 1..ROUNDS {
        if !in_part(&done) {
            break;
        }
        done = trial()?;
    }
    Ok(done)
}

fn options() -> Vec<Choice> {
    vec![
        option(
            NONE,
            "nothing: synchronous writes go past the cache, straight to the disk",
            "You take waiting for the disk and going past the cache for one thing. They are two: O_DSYNC is about when \
             write() returns, O_DIRECT about which way the data goes. It is so with O_DIRECT.",
        ),
        option(
            CLEAN,
            "all of them, and clean",
            "The data goes its ordinary way through the cache, and then on to the disk at once, before write() \
             returns. It is so wherever O_DSYNC writes through the cache.",
        ),
        option(
            DIRTY,
            "all of them, and dirty until the next flush",
            "You take O_DSYNC for a hint to be quick about it. The flag is a promise: the data is on the disk at the \
             return. It would be so where a filesystem ignores the flag.",
        ),
    ]
}

fn decide(dsync: &Trial) -> (Outcome, String) {
    let undecided = |why: String| {
        let sentence = format!("This cannot be told here: {why}.");
        (Outcome::Undecided(why), sentence)
    };
    let choice = |id: &str, sentence: String| (Outcome::Choice(id.to_owned()), sentence);
    let Some(resident) = dsync.resident_pages else {
        return undecided("nobody can know what is in the cache".to_owned());
    };
    let pages = many(dsync.pages, "page");
    let left = dsync.unwritten.of_pages(dsync.pages);
    match (resident, left) {
        (_, _) if dsync.pages == 0 => undecided("nothing was written".to_owned()),
        (0, _) => choice(NONE, format!("None of the {pages} that were written is in the cache.")),
        (resident, Some(0)) if resident >= dsync.pages => {
            choice(CLEAN, format!("All {pages} that were written are in the cache, and none is dirty."))
        }
        (resident, Some(left)) if resident >= dsync.pages => choice(
            DIRTY,
            format!(
                "All {pages} that were written are in the cache, and {} of them are dirty.",
                format_count(left)
            ),
        ),
        (resident, None) if resident >= dsync.pages => {
            undecided(format!("all {pages} are in the cache, but nobody can know whether they are dirty"))
        }
        (resident, _) => undecided(format!("{} of {pages} are in the cache", format_count(resident))),
    }
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let dsync = &evidence.dsync;
    let mut causes = Vec::new();
    if decide(dsync).0 == Outcome::Choice(CLEAN.to_owned()) {
        causes.push(Why::ThroughTheCache { pages: dsync.pages, device_bytes: dsync.device_write_bytes });
    }
    if let Some(direct) = &evidence.direct
        && direct.resident_pages == Some(0)
        && direct.pages > 0
    {
        causes.push(Why::DirectLeavesNone { pages: direct.pages });
    }
    causes
}

fn table(evidence: &Evidence) -> Figure {
    let row = |name: &str, trial: &Trial| {
        words::row([
            name,
            &format_count(trial.pages),
            &words::count_or_unknown(trial.resident_pages),
            &words::count_or_unknown(trial.unwritten.of_pages(trial.pages)),
            &words::bytes_or_unknown(trial.device_write_bytes),
        ])
    };
    let mut rows = vec![row("O_DSYNC", &evidence.dsync)];
    rows.extend(evidence.direct.as_ref().map(|trial| row("O_DIRECT", trial)));
    Figure::Table(Table {
        title: "pages after the last write()".to_owned(),
        head: words::row(["way", "written", "cached", "dirty", "disk took"]),
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many trials are made where they leave so many of ten pages, and how many the last one left.
    fn trials(left: &[Option<u64>]) -> (usize, Option<u64>) {
        let mut made = 0;
        let one = |resident_pages| Trial { pages: 10, resident_pages, ..Trial::default() };
        let done = all_or_none(|| {
            made += 1;
            Ok(one(left[made - 1]))
        });
        (made, done.expect("nothing can fail").resident_pages)
    }

    #[test]
    fn only_a_part_is_tried_again() {
        for clear in [Some(10), Some(0), None] {
            assert_eq!(trials(&[clear]), (1, clear));
            assert_eq!(trials(&[Some(9), clear]), (2, clear));
        }
        assert_eq!(trials(&[Some(9), Some(8), Some(7)]), (3, Some(7)), "that is what is told then");
    }
}
