//! Act `reads`: how many read() calls a file costs.

use crate::cause::Why;
use crate::notes;
use crate::pass::arguments;
use crate::words::{many, unexplained};
use instruments::calls::Calls;
use instruments::size::{format_bytes, format_count, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Quantity, Question, Reveal, Setting, Unit, caveat};
use serde::{Deserialize, Serialize};

/// How many read() calls a file costs.
#[derive(Clone, Copy, Debug)]
pub struct Reads;

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// What each read() asked for.
    pub block_bytes: u64,
    /// Bytes that the loop got.
    pub bytes: u64,
    /// read() calls by the loop's own count.
    pub loop_calls: u64,
    /// read() calls that the kernel saw, in three stretches.
    pub startup_calls: u64,
    /// Between the marks: the loop's.
    pub workload_calls: u64,
    /// After the end mark.
    pub teardown_calls: u64,
    /// Whether the marks were seen; without them all calls stand under start-up.
    pub marked: bool,
}

impl Evidence {
    fn of(size_bytes: u64, block_bytes: u64, bytes: u64, loop_calls: u64, calls: &Calls) -> Evidence {
        let count = |stretch: &instruments::calls::Counts| stretch.get("read").copied().unwrap_or(0);
        Evidence {
            size_bytes,
            block_bytes,
            bytes,
            loop_calls,
            startup_calls: count(&calls.startup),
            workload_calls: count(&calls.workload),
            teardown_calls: count(&calls.teardown),
            marked: calls.marked,
        }
    }

    fn all_calls(&self) -> u64 {
        [self.startup_calls, self.workload_calls, self.teardown_calls]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

impl Act for Reads {
    type Evidence = Evidence;
    const ID: &'static str = "reads";
    const TITLE: &'static str = "read() calls for a file";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::READS;

    fn question(&self, setting: &Setting) -> Question {
        let (size, block) = (setting.plan.size_bytes, setting.plan.block_bytes);
        Question {
            setup: format!(
                "A program reads a file of {} from start to end, {} at a time, until read() says that there is no \
                 more. We count its system calls.",
                format_bytes(size),
                format_bytes(block)
            ),
            commands: vec![command(size, block)],
            ask: "How many read() calls does the loop make?".to_owned(),
            answer: Ask::Quantity(Quantity {
                unit: Unit::Count("read() calls".to_owned()),
                example: "1000".to_owned(),
                hit_factor: 1.05,
                near_factor: 2.0,
            }),
            hint: "Divide. Then think of what a program must do to learn that a file has ended.".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        bench.warm_up(&path)?;
        let (size, block) = (bench.plan().size_bytes, bench.plan().block_bytes);
        bench.begin("counting the system calls of cread", 1);
        let (run, calls) = bench.count("cread", &arguments(&path, &["--block", &shell_bytes(block)]))?;
        bench.done(1)?;
        bench.end();
        Ok(Evidence::of(size, block, run.u64("bytes")?, run.u64("calls")?, &calls))
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let causes = cause(evidence).into_iter().collect::<Vec<_>>();
        Reveal {
            outcome: outcome(evidence),
            sentence: sentence(evidence) + unexplained(&causes),
            figures: vec![Figure::Table(table(evidence))],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats: caveats(evidence, setting),
            try_next: by_hand(evidence).into_iter().chain([command(evidence.size_bytes, 4096)]).collect(),
            sources: vec!["man 2 read".to_owned()],
        }
    }
}

fn command(size: u64, block: u64) -> String {
    format!("tutor run cread --size {} --block {}", shell_bytes(size), shell_bytes(block))
}

/// What was counted, for strace: a file of that size, which need not hold data, and the program that is given its name.
/// With --size the program would first make the file, and read a little more itself.
fn by_hand(evidence: &Evidence) -> [String; 2] {
    let (size, block) = (shell_bytes(evidence.size_bytes), shell_bytes(evidence.block_bytes));
    let file = format!("zeros-{size}.bin");
    [
        format!("truncate -s {size} {file}"),
        format!("strace -f -c -e trace=read tutor run cread {file} --block {block}"),
    ]
}

fn outcome(evidence: &Evidence) -> Outcome {
    if evidence.size_bytes == 0 {
        Outcome::Undecided("a file without bytes says nothing".to_owned())
    } else if evidence.marked {
        Outcome::Quantity(evidence.workload_calls as f64)
    } else {
        Outcome::Undecided(
            "the program set no mark, so its calls cannot be told from the loader's".to_owned(),
        )
    }
}

fn sentence(evidence: &Evidence) -> String {
    if !evidence.marked {
        return format!(
            "The whole program made {}. Which of them were the loop's cannot be told: it set no mark.",
            many(evidence.all_calls(), "read() call")
        );
    }
    format!(
        "The loop made {} for {}. The whole program, given the name of a file, made {}, as strace -f -c would print.",
        many(evidence.workload_calls, "read() call"),
        format_bytes(evidence.bytes),
        format_count(evidence.all_calls())
    )
}

fn table(evidence: &Evidence) -> Table {
    let row = |stretch: &str, calls| vec![stretch.to_owned(), format_count(calls)];
    Table {
        title: "read() calls, counted as they enter the kernel".to_owned(),
        head: vec!["stretch".to_owned(), "calls".to_owned()],
        rows: vec![
            row("before the loop (the loader, checks)", evidence.startup_calls),
            row("the loop", evidence.workload_calls),
            row("after the loop (reading the meters)", evidence.teardown_calls),
            row("all", evidence.all_calls()),
        ],
    }
}

/// Arithmetic on what was counted, and nothing where it does not fit.
fn cause(evidence: &Evidence) -> Option<Why> {
    let Evidence { size_bytes, block_bytes, bytes, workload_calls, .. } = *evidence;
    if !evidence.marked || bytes != size_bytes || block_bytes == 0 {
        return None;
    }
    let least = bytes.div_ceil(block_bytes);
    let full_blocks = bytes / block_bytes;
    match workload_calls.checked_sub(least)? {
        0 => Some(Why::NoCallForTheEnd { least }),
        1 => Some(Why::OneCallABlock { full_blocks, rest_bytes: bytes % block_bytes, block_bytes }),
        more => Some(Why::ShortReads { least, short_calls: more - 1 }),
    }
}

fn caveats(evidence: &Evidence, setting: &Setting) -> Vec<Caveat> {
    let mut caveats = caveat::of_memory(&setting.host);
    if evidence.bytes != evidence.size_bytes {
        caveats.push(Caveat::Other(format!(
            "The file has {}, and the loop got {}: the counts do not belong to the whole file.",
            format_bytes(evidence.size_bytes),
            format_bytes(evidence.bytes)
        )));
    }
    if evidence.marked && evidence.loop_calls != evidence.workload_calls {
        caveats.push(Caveat::Other(format!(
            "The loop says that it made {}, and the kernel saw {}: one of the two counts is wrong.",
            many(evidence.loop_calls, "call"),
            format_count(evidence.workload_calls)
        )));
    }
    let least = evidence.bytes.div_ceil(evidence.block_bytes.max(1));
    if evidence.marked && evidence.workload_calls < least {
        caveats.push(Caveat::Other(format!(
            "{} cannot bring {} in blocks of {}: the figures contradict one another, and explain nothing.",
            many(evidence.workload_calls, "call"),
            format_bytes(evidence.bytes),
            format_bytes(evidence.block_bytes)
        )));
    }
    caveats
}
