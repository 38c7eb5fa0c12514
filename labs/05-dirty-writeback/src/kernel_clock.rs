//! Act 8: when would the kernel have written it by itself? Its own limits, and, for the patient, its own clock.

mod figures;
mod options;

use crate::cause::Why;
use crate::notes;
use crate::stored::command;
use crate::words;
use crate::workloads::count::{background_threshold_bytes, threshold_bytes};
use crate::workloads::flushwatch::{LOOK, Watched, watch};
use instruments::host::DirtySettings;
use instruments::size::{format_bytes, format_ns};
use instruments::{Bench, Unavailable, proc};
use lesson::{Act, Ask, Caveat, Notes, Outcome, Question, Reveal, Setting};
use options::{AT_CLOSE, EXPIRY, INTERVAL, LIMIT, options};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The act.
#[derive(Debug)]
pub struct KernelClock;

/// What the kernel says, and what was seen where the learner had time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// nr_dirty_background_threshold of /proc/vmstat: the kernel's own figure; None where it does not tell.
    pub background_threshold_bytes: Option<u64>,
    /// nr_dirty_threshold, likewise.
    pub threshold_bytes: Option<u64>,
    /// MemAvailable.
    pub available_bytes: u64,
    /// `Dirty` of the whole system now.
    pub system_dirty_bytes: u64,
    /// A small file, watched; None where nobody had asked for it, or where the kernel does not tell.
    pub watched: Option<Watched>,
    /// It was asked for, and the kernel does not tell which pages of the file are dirty.
    pub blind: bool,
}

/// The small file.
const FILE_BYTES: u64 = 1 << 20;

/// Nobody waits longer.
const LONGEST: Duration = Duration::from_secs(300);

const NS_A_CENTISECOND: u64 = 10_000_000;

/// The two clocks, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clocks {
    /// How often the flusher looks; 0: never.
    interval_ns: u64,
    /// How long something must have been dirty for it to be written then.
    expire_ns: u64,
}

impl Clocks {
    fn of(dirty: &DirtySettings) -> Clocks {
        Clocks {
            interval_ns: dirty.writeback_centisecs * NS_A_CENTISECOND,
            expire_ns: dirty.expire_centisecs * NS_A_CENTISECOND,
        }
    }

    /// The flusher looks at intervals that began at any moment: from the expiry to one interval later.
    fn latest_ns(self) -> u64 {
        self.expire_ns.saturating_add(self.interval_ns)
    }
}

impl Act for KernelClock {
    type Evidence = Evidence;
    const ID: &'static str = "kernel-clock";
    const TITLE: &'static str = "when the kernel writes by itself";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::KERNEL_CLOCK;

    fn question(&self, setting: &Setting) -> Question {
        let clocks = Clocks::of(&setting.host.dirty);
        Question {
            setup: format!(
                "A program writes {}, closes the file and ends. Nobody syncs. As long as little is dirty, two of the kernel's settings \
                 count: dirty_writeback_centisecs is {}, dirty_expire_centisecs is {}.",
                format_bytes(FILE_BYTES),
                setting.host.dirty.writeback_centisecs,
                setting.host.dirty.expire_centisecs
            ),
            commands: vec![command("flushwatch", FILE_BYTES, "")],
            ask: "When does the kernel begin to write it to the disk by itself?".to_owned(),
            answer: Ask::Choice(options(clocks.interval_ns, clocks.expire_ns)),
            hint: "A file that is written again a second later need not be written twice. How would you build the \
                   kernel's clock?"
                .to_owned(),
        }
    }

    fn patient_seconds(&self, setting: &Setting) -> Option<u64> {
        Some(at_most(Clocks::of(&setting.host.dirty)).as_secs())
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let memory = proc::meminfo()
            .map_err(|error| Unavailable::failed("read the kernel's memory figures", error, ""))?;
        let mut evidence = Evidence {
            background_threshold_bytes: background_threshold_bytes(),
            threshold_bytes: threshold_bytes(),
            available_bytes: memory.available_bytes,
            system_dirty_bytes: memory.dirty_bytes,
            ..Evidence::default()
        };
        if bench.is_patient() {
            let watched = wait(bench)?;
            let told = watched.looks.first().is_some_and(|look| look.unwritten.dirty_pages.is_some());
            evidence.blind = !told;
            evidence.watched = Some(watched).filter(|_| told);
        }
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence, setting);
        let mut caveats = words::caveats_of_counts(setting);
        if evidence.blind {
            caveats.push(words::dirty_unknown(setting));
        }
        if evidence.watched.is_none() {
            let how = if evidence.blind { "" } else { " With --patient you see it happen." };
            caveats.push(Caveat::Other(format!("This is what the settings say; nothing was watched.{how}")));
        }
        let limited = setting.host.cgroup.as_ref().is_some_and(|cgroup| {
            cgroup.version == 2
                && cgroup.limit_bytes.is_some_and(|bytes| bytes < setting.host.mem_total_bytes)
        });
        if limited {
            caveats.push(Caveat::Other(
                "In a memory limit the kernel applies the same ratios to what the limit leaves: it starts earlier than these \
                 figures say."
                    .to_owned(),
            ));
        }
        Reveal {
            outcome,
            sentence,
            figures: figures::figures(evidence, setting),
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                "tutor lab 5 --step kernel-clock --patient".to_owned(),
                "grep -E '^nr_dirty' /proc/vmstat".to_owned(),
                command("flushwatch", FILE_BYTES, ""),
            ],
            sources: [
                "man 5 proc_sys_vm (dirty_*)",
                "admin-guide/sysctl/vm (kernel documentation)",
                "fs/fs-writeback.c, wb_check_old_data_flush (Linux 6.18)",
                "mm/page-writeback.c, dirty_freerun_ceiling (Linux 6.18)",
                "admin-guide/cgroup-v2 (kernel documentation)",
                "admin-guide/ext4 (kernel documentation)",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

/// How long a patient learner waits.
fn at_most(clocks: Clocks) -> Duration {
    // Twice the interval: the write itself takes a little, and one look may be missed.
    let enough = Duration::from_nanos(clocks.latest_ns() + clocks.interval_ns) + Duration::from_secs(5);
    enough.min(LONGEST)
}

/// Write a small file and look at it until the kernel has written it, with a bar that says how long that may take.
fn wait(bench: &mut Bench<'_>) -> Result<Watched, Unavailable> {
    const NAME: &str = "small";
    let at_most = at_most(Clocks::of(&bench.host().dirty));
    let looks = at_most.as_millis() / LOOK.as_millis();
    let what = format!("wait for the kernel to write a small file, up to {} s", at_most.as_secs());
    bench.begin(&what, looks as u64);
    let path = bench.fresh_file(NAME, FILE_BYTES)?;
    let watched = watch(&path, at_most, || bench.done(1));
    bench.end();
    let watched = watched?;
    bench.scratch().remove(NAME)?;
    Ok(watched)
}

fn decide(evidence: &Evidence, setting: &Setting) -> (Outcome, String) {
    let clocks = Clocks::of(&setting.host.dirty);
    match &evidence.watched {
        Some(watched) => by_watching(watched, clocks),
        None => by_settings(evidence, clocks),
    }
}

/// Clean within this time is at once.
const AT_ONCE_NS: u64 = 1_000_000_000;

/// What a write of a small file may take beyond the moment at which it begins, and a look be late.
const SLACK_NS: u64 = 2_000_000_000;

fn by_watching(watched: &Watched, clocks: Clocks) -> (Outcome, String) {
    let choice = |id: &str, sentence: String| (Outcome::Choice(id.to_owned()), sentence);
    let Some(clean) = watched.clean_after_ns else {
        let sentence = format!(
            "Watched for {}: the kernel did not write it by itself.",
            format_ns(watched.at_most_ns as f64)
        );
        // That is only an answer where the clock would have come round.
        return if clocks.interval_ns == 0 {
            choice(LIMIT, sentence)
        } else if watched.at_most_ns > clocks.latest_ns() + SLACK_NS {
            choice(
                LIMIT,
                format!(
                    "{sentence} Its clock should have come round by then; nothing here tells why it did not."
                ),
            )
        } else {
            (Outcome::Undecided("the wait was shorter than the kernel's own clock".to_owned()), sentence)
        };
    };
    let sentence = format!(
        "Watched: its pages stayed dirty, and after {} they were on the disk.",
        format_ns(clean as f64)
    );
    let within = |from: u64, to: u64| (from..=to).contains(&clean);
    if clean <= AT_ONCE_NS.min(clocks.expire_ns) {
        choice(AT_CLOSE, format!("Watched: it was on the disk after {}.", format_ns(clean as f64)))
    } else if clocks.interval_ns > 0 && within(clocks.expire_ns, clocks.latest_ns() + SLACK_NS) {
        choice(EXPIRY, sentence)
    } else if clocks.interval_ns > 0 && clean <= clocks.interval_ns.saturating_add(SLACK_NS) {
        choice(INTERVAL, sentence)
    } else {
        let why = format!("it was written after {}, which neither clock explains", format_ns(clean as f64));
        (Outcome::Undecided(why), sentence)
    }
}

fn by_settings(evidence: &Evidence, clocks: Clocks) -> (Outcome, String) {
    if clocks.interval_ns == 0 {
        return (
            Outcome::Choice(LIMIT.to_owned()),
            "By the settings, not by the clock: it is switched off. Only too much dirty memory, or a sync, sets the flusher off."
                .to_owned(),
        );
    }
    if evidence.background_threshold_bytes.is_some_and(|limit| evidence.system_dirty_bytes > limit) {
        let why = format!(
            "{} are dirty in the whole system now, above the kernel's limit: it is writing already, and a new file has no \
             time of its own",
            format_bytes(evidence.system_dirty_bytes)
        );
        let sentence = format!("This cannot be told from the settings now: {why}.");
        return (Outcome::Undecided(why), sentence);
    }
    (
        Outcome::Choice(EXPIRY.to_owned()),
        format!("By the settings, after {} to {}.", seconds(clocks.expire_ns), seconds(clocks.latest_ns())),
    )
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let dirty = &setting.host.dirty;
    let clocks = Clocks::of(dirty);
    let outcome = decide(evidence, setting).0;
    let mut causes = Vec::new();
    if outcome == Outcome::Choice(EXPIRY.to_owned()) {
        causes.push(Why::Expiry {
            interval: seconds(clocks.interval_ns),
            expire: seconds(clocks.expire_ns),
            seen_ns: evidence.watched.as_ref().and_then(|watched| watched.clean_after_ns),
        });
    }
    if clocks.interval_ns == 0 && outcome == Outcome::Choice(LIMIT.to_owned()) {
        causes.push(Why::ClockOff);
    }
    if let Some(background_bytes) = evidence.background_threshold_bytes {
        causes.push(Why::Limits {
            background_bytes,
            throttle_bytes: evidence.threshold_bytes,
            system_dirty_bytes: evidence.system_dirty_bytes,
        });
        causes.extend(Why::ratio_of(background_bytes, evidence.available_bytes, dirty));
    }
    causes
}

/// `30 s`, `0.5 s`.
fn seconds(ns: u64) -> String {
    let tenths = ns / 100_000_000;
    if tenths.is_multiple_of(10) {
        format!("{} s", tenths / 10)
    } else {
        format!("{}.{} s", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn seconds_are_short() {
        assert_eq!(seconds(30_000_000_000), "30 s");
        assert_eq!(seconds(500_000_000), "0.5 s");
        assert_eq!(seconds(0), "0 s");
    }
}
