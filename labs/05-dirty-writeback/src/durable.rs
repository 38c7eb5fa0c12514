//! Act 5: the same blocks written in six ways. How fast is each, and which of them are durable when they return?

mod tables;
mod trial;

pub use trial::{Arm, Trial, trial};

use crate::cause::Why;
use crate::notes;
use crate::stored::command;
use crate::words;
use crate::workloads::dwrite::{DEFAULT_BLOCK_BYTES, Way};
use instruments::size::{format_bytes, format_count, format_ratio, shell_bytes};
use instruments::{Bench, Samples, Unavailable, direct};
use lesson::caveat::of_spreads;
use lesson::{Act, Ask, Caveat, Notes, Outcome, Quantity, Question, Reveal, Setting, Unit, arms};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct Durable;

/// Six ways, in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// One a way, in the order of [`WAYS`]; those with O_DIRECT are missing where it is refused.
    pub arms: Vec<Arm>,
    /// Why O_DIRECT cannot be had here, in the system's words.
    pub direct_refused: Option<String>,
}

impl Evidence {
    /// The arm of this way, where it was measured.
    pub fn of(&self, way: Way) -> Option<&Arm> {
        let name = way.name();
        self.arms.iter().find(|arm| arm.way == name)
    }
}

/// The ways in the order in which they are shown.
pub const WAYS: [Way; 6] =
    [Way::Buffered, Way::Fdatasync, Way::Dsync, Way::Sync, Way::Direct, Way::DirectDsync];

/// A trial stops after so many milliseconds, so that a slow disk does not take minutes.
const AT_MOST_MS: &str = "200";

/// The file of this act.
fn size_of(setting_bytes: u64) -> u64 {
    setting_bytes / 16
}

impl Act for Durable {
    type Evidence = Evidence;
    const ID: &'static str = "durable";
    const TITLE: &'static str = "six ways to write, and what each promises";
    const SECONDS: u32 = 6;
    const NOTES: Notes = notes::DURABLE;

    fn question(&self, setting: &Setting) -> Question {
        let (size, block) = (size_of(setting.plan.size_bytes), setting.plan.block_bytes);
        let line = |way: Way| line(size, block, way);
        Question {
            setup: format!(
                "A program writes over a file of {} in blocks of {}. Once with plain write() calls; once with the file \
                 opened with O_DSYNC, where each write() returns only when the disk has its data. Four further ways are \
                 measured beside them.",
                format_bytes(size),
                format_bytes(block)
            ),
            commands: vec![line(Way::Buffered), line(Way::Dsync)],
            ask: "How many times faster are the plain writes?".to_owned(),
            answer: Ask::Quantity(Quantity {
                unit: Unit::Ratio,
                example: "10x".to_owned(),
                hit_factor: 1.5,
                near_factor: 3.0,
            }),
            hint: "How long does this disk take to say that it has a block? How long does the processor take to copy one?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let (size, rounds) = (size_of(bench.plan().size_bytes), bench.plan().trials);
        let direct_refused = direct_refused(bench)?;
        let ways: Vec<Way> =
            WAYS.into_iter().filter(|way| direct_refused.is_none() || !way.goes_past_the_cache()).collect();
        let mut arms: Vec<Arm> = ways.iter().map(|way| Arm::of(*way)).collect();
        bench.begin("write in six ways, in turn", ways.len() as u64 * u64::from(rounds));
        instruments::sample::interleave(ways.len(), rounds, |at, _round| {
            let trial = trial(bench, size, ways[at], AT_MOST_MS)?;
            let speed = trial.bytes_per_second();
            arms[at].trials.push(trial);
            bench.done(1)?;
            Ok::<_, Unavailable>(instruments::sample::Trial::Kept(speed))
        })?;
        bench.end();
        Ok(Evidence { arms, direct_refused })
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let mut caveats = words::caveats(setting);
        caveats.extend(evidence.direct_refused.as_ref().map(|why| {
            Caveat::Other(format!(
                "The two ways with O_DIRECT are missing: this filesystem refuses it ({why})."
            ))
        }));
        caveats.extend(of_the_drive(setting));
        let two = [("plain writes", Way::Buffered), ("O_DSYNC", Way::Dsync)]
            .map(|(name, way)| (name, evidence.of(way).map(speeds).unwrap_or_default()));
        caveats.extend(of_spreads(&[(two[0].0, &two[0].1), (two[1].0, &two[1].1)]));
        if evidence.of(Way::Buffered).is_some_and(|arm| arm.most_dirty().is_none()) {
            caveats.push(words::dirty_unknown(setting));
        }
        Reveal {
            outcome,
            sentence,
            figures: vec![tables::speed_bars(evidence), tables::what_is_where(evidence, setting)],
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                "tutor run dwrite --way direct --block 4K".to_owned(),
                "tutor run dwrite --way dsync --block 1M".to_owned(),
            ],
            sources: [
                "man 2 open (O_DSYNC, O_SYNC, O_DIRECT)",
                "man 2 fdatasync",
                "block/writeback_cache_control (kernel documentation)",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

/// The line that the learner types for one way.
pub fn line(size_bytes: u64, block_bytes: u64, way: Way) -> String {
    let block = match block_bytes {
        DEFAULT_BLOCK_BYTES => String::new(),
        other => format!(" --block {}", shell_bytes(other)),
    };
    command("dwrite", size_bytes, &format!("--way {}{block}", way.name()))
}

/// Why O_DIRECT does not work on a file in the scratch directory; None where it does.
fn direct_refused(bench: &mut Bench<'_>) -> Result<Option<String>, Unavailable> {
    const NAME: &str = "direct";
    let path = bench.fresh_file(NAME, 1 << 20)?;
    let refused = direct::open_to_write(&path, 0).err().map(|error| error.to_string());
    bench.scratch().remove(NAME)?;
    Ok(refused)
}

/// What the drive says about itself.
fn of_the_drive(setting: &Setting) -> Option<Caveat> {
    let cache = setting.host.device.as_ref()?.write_cache.as_deref()?;
    (cache == "write back").then(|| {
        Caveat::Other(
            "The drive says that it has a volatile write cache. Whether it keeps what it was told to flush, only a power \
             cut would show."
                .to_owned(),
        )
    })
}

/// Bytes a second of each trial.
fn speeds(arm: &Arm) -> Samples {
    Samples { values: arm.trials.iter().map(Trial::bytes_per_second).collect(), ..Samples::default() }
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let undecided = |why: String| {
        let sentence = format!("This cannot be told here: {why}.");
        (Outcome::Undecided(why), sentence)
    };
    let (Some(plain), Some(dsync)) = (evidence.of(Way::Buffered), evidence.of(Way::Dsync)) else {
        return undecided("one of the two ways was not measured".to_owned());
    };
    let (plain_speed, dsync_speed) = (speeds(plain), speeds(dsync));
    if let Some(why) = arms::too_few(&[("plain writes", &plain_speed), ("O_DSYNC", &dsync_speed)]) {
        return arms::too_few_to_tell(why);
    }
    let Some(ratio) = plain_speed.ratio_to(&dsync_speed).filter(|ratio| *ratio > 0.0) else {
        return undecided("the clock saw no time pass".to_owned());
    };
    if let Some(left) = dsync.most_dirty().filter(|left| *left > 0) {
        return undecided(format!(
            "O_DSYNC returned with {} not on the disk, so it kept no promise that could be timed",
            words::many(left, "page")
        ));
    }
    let measured = format!("plain {}, O_DSYNC {}", tables::speed(&plain_speed), tables::speed(&dsync_speed));
    if !plain_speed.is_apart_from(&dsync_speed) {
        let sentence = format!("A tie on this machine, now: {measured}, and the spreads overlap.");
        return (Outcome::Undecided("the spreads overlap".to_owned()), sentence);
    }
    let sentence = if ratio > 1.0 {
        format!("The plain writes were {} faster ({measured}).", format_ratio(ratio))
    } else {
        format!("The plain writes were slower: the ratio is {} ({measured}).", format_ratio(ratio))
    };
    (Outcome::Quantity(ratio), sentence)
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let mut causes = Vec::new();
    if let Some(dsync) = evidence.of(Way::Dsync)
        && dsync.reached_the_disk()
    {
        causes.push(Why::EachWriteWaits {
            write_ns: dsync.middle_write_ns(),
            flushes: dsync.flushes_a_write(),
        });
        if let Some(grouped) = evidence.of(Way::Fdatasync)
            && grouped.reached_the_disk()
            && let Some(faster) = speeds(grouped).ratio_to(&speeds(dsync))
            && faster > 1.0
            && speeds(grouped).is_apart_from(&speeds(dsync))
        {
            causes.push(Why::OneWaitForAll { faster });
        }
    }
    if let Some(plain) = evidence.of(Way::Buffered)
        && plain.trials.iter().all(|trial| trial.unwritten.of_pages(trial.pages) == Some(trial.pages))
    {
        causes.push(Why::PlainOwesAll { pages: plain.trials.first().map_or(0, |trial| trial.pages) });
    }
    causes.extend(direct_without_flush(evidence, setting));
    causes
}

/// O_DIRECT handed its bytes over; whether that is enough depends on the drive's own cache.
fn direct_without_flush(evidence: &Evidence, setting: &Setting) -> Option<Why> {
    let direct = evidence.of(Way::Direct)?;
    if !direct.reached_the_disk() {
        return None;
    }
    let device = setting.host.device.as_ref()?;
    let counted = evidence.of(Way::Dsync).and_then(Arm::flushes_a_write).filter(|flushes| *flushes > 0.5);
    match device.write_cache.as_deref() {
        // A count is proof only where O_DSYNC shows that this disk counts.
        Some("write back") => {
            let flushes = direct.flushes_a_write().filter(|flushes| counted.is_some() && *flushes < 0.1);
            Some(Why::DirectIsNoFlush { no_flush_seen: flushes.is_some() })
        }
        Some("write through") => {
            let filesystem = setting.host.filesystem.kind.clone();
            OVERWRITES_IN_PLACE.contains(&&*filesystem).then_some(Why::NoVolatileCache { filesystem })
        }
        _ => None,
    }
}

/// Filesystems that write over the blocks which a file of its own has. Others give each overwrite new blocks, and
/// where those are is on the disk only after a sync.
const OVERWRITES_IN_PLACE: [&str; 4] = ["ext2", "ext3", "ext4", "xfs"];

/// `512 of 512 pages`, for a table.
fn of_all(pages: Option<u64>, all: u64) -> String {
    match pages {
        Some(0) => "0".to_owned(),
        Some(pages) if pages == all => format!("all {}", format_count(all)),
        Some(pages) => format!("{} of {}", format_count(pages), format_count(all)),
        None => "unknown".to_owned(),
    }
}
