//! Act 1: a file of one page, opened and read, or opened and mapped.

use crate::cause::Why;
use crate::notes;
use crate::pass::{Pass, arguments, faults_each, judge, times, warm_file};
use crate::words;
use instruments::calls::Counts;
use instruments::sample::interleave;
use instruments::size::{format_bytes, format_count, format_ratio, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use lesson::figure::{Bar, Bars};
use lesson::nearest::nearest;
use lesson::question::Choice;
use lesson::{Act, Ask, Caveat, Figure, Notes, Outcome, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How many times a trial does it: enough for tens of milliseconds, beside which the clock costs nothing.
pub const TIMES: u64 = 20_000;

/// How many times it is done under the system-call counter, which makes each call slow.
const COUNTED_TIMES: u64 = 100;

/// The act.
#[derive(Debug)]
pub struct Tiny;

/// Both ways to a file of one page, in turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file, which is that of a page.
    pub size_bytes: u64,
    /// open, read, close.
    pub read: Vec<Pass>,
    /// open, mmap, touch, munmap, close.
    pub map: Vec<Pass>,
    /// System calls by name of doing each way so many times; None where they could not be counted.
    pub calls: Option<Counted>,
    /// What counting them needs and is missing.
    pub uncounted: Option<String>,
}

/// System calls by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// How many times each way was done.
    pub times: u64,
    /// open, read, close.
    pub read: Counts,
    /// open, mmap, touch, munmap, close.
    pub map: Counts,
}

impl Act for Tiny {
    type Evidence = Evidence;
    const ID: &'static str = "tiny";
    const TITLE: &'static str = "a file of one page";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::TINY;

    fn question(&self, setting: &Setting) -> Question {
        let page = setting.host.page_bytes;
        Question {
            setup: format!(
                "A warm file of one page, {}. One program opens it, reads it with one read() into a buffer that it has \
                 used before, and closes it. The other opens it, maps it, looks at one byte, unmaps and closes it. Each \
                 does so {} times, in batches that are timed as a whole; the batch in the middle counts.",
                format_bytes(page),
                format_count(TIMES)
            ),
            commands: ["openread", "openmap"].map(|name| command(name, page, TIMES)).to_vec(),
            ask: "How does the time of the mapping compare with that of the read?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "One way copies a page. What does the other way have to build, and to take down again?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size_bytes = bench.host().page_bytes;
        let path = warm_file(bench, size_bytes)?;
        let trials = bench.plan().trials;
        let mut evidence = Evidence { size_bytes, ..Evidence::default() };
        bench.begin("open a small file and read it, or map it, in turn", 2 * u64::from(trials) + 1);
        interleave(2, trials, |arm, _round| {
            let (workload, passes) = [("openread", &mut evidence.read), ("openmap", &mut evidence.map)]
                .into_iter()
                .nth(arm)
                .expect("there are two arms");
            bench.warm_up(&path)?;
            let (pass, _) = Pass::measure(bench, workload, &path, &["--times", &TIMES.to_string()])?;
            let end = judge(&pass, 1);
            passes.push(pass);
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        match count(bench, &path) {
            Ok(calls) => evidence.calls = Some(calls),
            Err(Unavailable::Lacking { needs, .. }) => evidence.uncounted = Some(needs),
            Err(error) => return Err(error),
        }
        bench.done(1)?;
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (read, map) = (times(&evidence.read, 1), times(&evidence.map, 1));
        let (outcome, sentence) = decide(&read, &map);
        let causes: Vec<Why> = cause(evidence, &read, &map).into_iter().collect();
        let differ = !matches!(outcome, Outcome::Undecided(_)) && read.is_apart_from(&map);
        let told = if differ { words::unexplained(&causes) } else { "" };
        let mut caveats = words::warm_caveats(setting, evidence.read.iter().chain(&evidence.map));
        let arms = [("read", &read), ("mmap", &map)];
        caveats.extend(arms::caveats(setting.plan.trials, &arms));
        caveats.extend(arms::overlap(arms[0], arms[1]));
        if let Some(needs) = &evidence.uncounted {
            caveats.push(Caveat::NotPermitted("The number of system calls".to_owned(), needs.clone()));
        }
        Reveal {
            outcome,
            sentence: sentence + told,
            figures: vec![bars(evidence, &read, &map)],
            causes: causes.into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                command("openmap", evidence.size_bytes.saturating_mul(64), TIMES),
                format!("{} --steps", command("openread", evidence.size_bytes, TIMES)),
            ],
            sources: [
                "man 2 mmap",
                "man 2 read",
                "mm/filemap.c, filemap_fault and filemap_read (Linux 6.18)",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

/// As the learner types it.
pub fn command(workload: &str, size_bytes: u64, times: u64) -> String {
    format!("tutor run {workload} --size {} --warm --times {times}", shell_bytes(size_bytes))
}

fn count(bench: &mut Bench<'_>, path: &Path) -> Result<Counted, Unavailable> {
    let times = COUNTED_TIMES.to_string();
    let (_, read) = bench.count("openread", &arguments(path, &["--times", &times]))?;
    let (_, map) = bench.count("openmap", &arguments(path, &["--times", &times]))?;
    Ok(Counted { times: COUNTED_TIMES, read: read.workload, map: map.workload })
}

const HALF: &str = "half";
const EQUAL: &str = "equal";
const A_FEW: &str = "a-few";
const TWENTY: &str = "twenty";

/// Each option's own figure: time of the mapping for each unit of time of the read. Two to four times is a range, and
/// its middle on a log scale stands for it.
const FIGURES: [(&str, f64); 4] = [(HALF, 0.5), (EQUAL, 1.0), (A_FEW, 2.828), (TWENTY, 20.0)];

fn options() -> Vec<Choice> {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.to_owned(),
        text: text.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            HALF,
            "the mapping is twice as fast: it copies nothing",
            "You take the copy to be what read() costs. It is so for large blocks, where most of the time goes into \
             copying. A single page is soon copied.",
        ),
        option(
            EQUAL,
            "about equal: each has to get at one page",
            "You take both for the same work in another order. It would be so if building a mapping and taking it down \
             cost what copying one page costs.",
        ),
        option(
            A_FEW,
            "the mapping is 2 to 4 times slower",
            "You count what a mapping needs beside open and close: two system calls that change the address space, and \
             a page fault in between, against one call that copies a page. It is so where each of these costs about \
             what opening a file costs.",
        ),
        option(
            TWENTY,
            "the mapping is about 20 times slower",
            "You take a page fault for something of the order of a wait for a disk. It is, when the page has to come \
             from one. For a page in the cache it takes about as long as a system call or a few; it would be twenty times \
             where something makes faults dear, such as a virtual machine without help from its processor.",
        ),
    ]
}

/// The option nearest to the measured ratio on a log scale; the spread decides whether there is a ratio at all.
fn decide(read: &Samples, map: &Samples) -> (Outcome, String) {
    if let Some(why) = arms::too_few(&[("read", read), ("mmap", map)]) {
        return arms::too_few_to_tell(why);
    }
    let Some((ratio, option)) = map.ratio_to(read).and_then(|ratio| Some((ratio, nearest(ratio, &FIGURES)?)))
    else {
        let why = "the clock saw no time pass".to_owned();
        return (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    };
    let measured =
        format!("Once through read() took {}, through mmap() {}", words::time(read), words::time(map));
    let choice = Outcome::Choice(option.to_owned());
    match (!read.is_apart_from(map), option) {
        (true, EQUAL) => (choice, format!("{measured}: a tie within the spread.")),
        (true, _) => (
            Outcome::Undecided("the spreads of the two overlap".to_owned()),
            format!("{measured}, but the spreads overlap, so nobody can tell which was faster."),
        ),
        (false, _) if ratio >= 1.0 => {
            (choice, format!("{measured}: the mapping took {} as long.", format_ratio(ratio)))
        }
        (false, _) => (choice, format!("{measured}: the mapping was {} faster.", format_ratio(1.0 / ratio))),
    }
}

/// The mapping took longer, and its fault was counted.
fn cause(evidence: &Evidence, read: &Samples, map: &Samples) -> Option<Why> {
    let faults = (faults_each(&evidence.read, 1)?, faults_each(&evidence.map, 1)?);
    let more_ns = map.median()? - read.median()?;
    let one_fault = faults.1.round() >= 1.0 && faults.0.round() < faults.1.round();
    (one_fault && more_ns > 0.0 && read.is_apart_from(map)).then(|| Why::CallsAndAFault {
        calls: evidence
            .calls
            .as_ref()
            .map(|calls| (each(&calls.read, calls.times), each(&calls.map, calls.times))),
        faults: (faults.0.round() as u64, faults.1.round() as u64),
        more_ns,
        page_bytes: evidence.size_bytes,
    })
}

/// Calls in doing it once, by name.
fn each(counts: &Counts, times: u64) -> Counts {
    let each = |count: u64| count.saturating_add(times / 2) / times.max(1);
    counts.iter().map(|(name, count)| (name.clone(), each(*count))).filter(|(_, count)| *count > 0).collect()
}

fn bars(evidence: &Evidence, read: &Samples, map: &Samples) -> Figure {
    let bar = |label: &str, samples: &Samples, passes: &[Pass]| Bar {
        label: label.to_owned(),
        value: samples.median().unwrap_or(0.0),
        text: words::time(samples),
        note: match faults_each(passes, 1) {
            Some(faults) => words::many(faults.round() as u64, "page fault"),
            None => String::new(),
        },
    };
    Figure::Bars(Bars {
        title: format!("time to get at a file of {}, once", format_bytes(evidence.size_bytes)),
        bars: vec![bar("read", read, &evidence.read), bar("mmap", map, &evidence.map)],
    })
}
