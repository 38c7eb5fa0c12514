//! Act 1: the first read of a file that was just written. Was it ever cold?

use crate::cause::Why;
use crate::notes;
use crate::pass::{Pass, times};
use crate::words;
use instruments::size::{format_bytes, format_count, format_ratio, shell_bytes};
use instruments::{Bench, Plan, Samples, Unavailable};
use lesson::figure::{Bar, Bars, Table};
use lesson::nearest::AGREEMENT;
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};

/// What is offered, and the ratio that each option stands for.
const OPTIONS: [(&str, f64); 4] = [("1x", 1.0), ("5x", 5.0), ("25x", 25.0), ("100x", 100.0)];

/// The act.
#[derive(Debug)]
pub struct Trap;

/// A fresh file a round, read twice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of each file.
    pub size_bytes: u64,
    /// The first read of each, in the order in which they were measured.
    pub first: Vec<Pass>,
    /// The second, likewise.
    pub second: Vec<Pass>,
}

impl Act for Trap {
    type Evidence = Evidence;
    const ID: &'static str = "trap";
    const TITLE: &'static str = "a file just written";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::TRAP;

    fn question(&self, setting: &Setting) -> Question {
        let size = file_bytes(&setting.plan);
        let smaller = if size < setting.plan.size_bytes {
            let whole = format_bytes(setting.plan.size_bytes);
            format!(" It is smaller than this lab's file of {whole}, since every round writes a new one.")
        } else {
            String::new()
        };
        let block = shell_bytes(setting.plan.block_bytes);
        let command = format!("tutor run cread --size {} --block {block}", shell_bytes(size));
        Question {
            setup: format!(
                "A program writes a new file of {} and closes it. At once another reads it from start to end, then \
                 once more in the same way. The two reads are timed, on a fresh file each round.{smaller}",
                format_bytes(size)
            ),
            commands: vec![command.clone(), format!("{command} --warm")],
            ask: "How much faster is the second read than the first?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "Where are the bytes when the write returns? And where does the first read find them?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let size_bytes = file_bytes(bench.plan());
        let rounds = bench.plan().trials;
        let mut evidence = Evidence { size_bytes, first: Vec::new(), second: Vec::new() };
        bench.begin("write a file, read it twice", u64::from(rounds));
        for _ in 0..rounds {
            let path = bench.fresh_file("just-written", size_bytes)?;
            evidence.first.push(Pass::measure(bench, &path, &[])?);
            evidence.second.push(Pass::measure(bench, &path, &[])?);
            bench.done(1)?;
        }
        bench.end();
        bench.scratch().remove("just-written")?;
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        // No state is asked for here, so every read counts: the state is the answer.
        let (first, second) = (times(&evidence.first, |_| Ok(())), times(&evidence.second, |_| Ok(())));
        let (outcome, sentence) = decide(&first, &second);
        let mut caveats = words::caveats(setting, evidence.first.iter().chain(&evidence.second));
        let arms = [("the first read", &first), ("the second", &second)];
        caveats.extend(arms::caveats(setting.plan.trials, &arms));
        if matches!(outcome, Outcome::Undecided(_)) {
            caveats.extend(arms::overlap(arms[0], arms[1]));
        }
        Reveal {
            outcome,
            sentence,
            figures: vec![bars(evidence, &first, &second), states(evidence)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![
                format!("tutor run residency --size {}", shell_bytes(evidence.size_bytes)),
                format!("tutor run cread --size {} --cold", shell_bytes(evidence.size_bytes)),
            ],
            sources: vec![
                "man 2 write (NOTES)".to_owned(),
                "mm/filemap.c, generic_perform_write (Linux 6.18)".to_owned(),
            ],
        }
    }
}

/// Small beside the lab's file, since it is written anew each round; large enough for a clock.
fn file_bytes(plan: &Plan) -> u64 {
    (plan.size_bytes / 8).max(8 << 20).min(plan.size_bytes)
}

/// The option nearest to the measured ratio on a log scale; the spread decides whether there is a ratio at all.
fn decide(first: &Samples, second: &Samples) -> (Outcome, String) {
    if let Some(why) = arms::too_few(&[("first reads", first), ("second reads", second)]) {
        return arms::too_few_to_tell(why);
    }
    let Some(ratio) = first.ratio_to(second).filter(|ratio| *ratio > 0.0) else {
        let why = "the clock saw no time pass".to_owned();
        return (Outcome::Undecided(why), "The clock saw no time pass.".to_owned());
    };
    let distance = |option: f64| (ratio.ln() - option.ln()).abs();
    let (nearest, _) = OPTIONS
        .into_iter()
        .min_by(|(_, a), (_, b)| distance(*a).total_cmp(&distance(*b)))
        .expect("there are options");
    let measured = format!(
        "The first read took {}, the second {}: a ratio of {}",
        words::time(first),
        words::time(second),
        format_ratio(ratio)
    );
    let choice = Outcome::Choice(nearest.to_owned());
    match (!first.is_apart_from(second), nearest) {
        (true, "1x") => (choice, format!("{measured}, a tie within the spread.")),
        (true, _) => (
            Outcome::Undecided("the spreads of the two reads overlap".to_owned()),
            format!("{measured}, but the spreads overlap, so nobody can tell which was faster."),
        ),
        (false, "1x") if (1.0 / AGREEMENT..=AGREEMENT).contains(&ratio) => {
            (choice, format!("{measured}. That is about 1x."))
        }
        (false, _) => (choice, format!("{measured}. {}", how_near(ratio, nearest, first, second))),
    }
}

/// How far the answer is from the ratio, where the reader could take the one for the other.
fn how_near(ratio: f64, nearest: &str, first: &Samples, second: &Samples) -> String {
    let compared = match nearest {
        "1x" if ratio > 1.0 => format!("The second was {} faster, and of the answers", format_ratio(ratio)),
        "1x" => format!("The first was {} faster, and of the answers", format_ratio(1.0 / ratio)),
        _ => "Of the answers".to_owned(),
    };
    let rough = if first.is_wide() || second.is_wide() {
        " The trials lie too far apart for anything finer."
    } else {
        ""
    };
    format!("{compared} {nearest} is the nearest.{rough}")
}

/// Which of the rounds found the file resident, and which had to fetch from the device.
fn causes(evidence: &Evidence) -> Vec<Why> {
    let all = evidence.first.len();
    let before = |pass: &&Pass| pass.before.known().copied();
    let warmed: Vec<_> = evidence
        .first
        .iter()
        .filter(|pass| pass.found_all_resident().is_ok() && pass.device_read_bytes.unwrap_or(0) == 0)
        .collect();
    let missing: Vec<_> = evidence
        .first
        .iter()
        .filter(|pass| before(pass).is_some_and(|state| state.resident_pages < state.pages))
        .filter(|pass| pass.device_read_bytes.is_some_and(|bytes| bytes > 0))
        .collect();
    let mut causes = Vec::new();
    if let Some(pages) = warmed.iter().filter_map(before).map(|state| state.pages).max() {
        let unwritten =
            |pass| Some(before(pass)?.dirty_pages?.saturating_add(before(pass)?.writeback_pages?));
        let unwritten_pages = warmed.iter().filter_map(unwritten).min();
        let counted = warmed.iter().all(|pass| pass.device_read_bytes.is_some());
        causes.push(Why::WritingWarmedIt { rounds: (warmed.len(), all), pages, unwritten_pages, counted });
    }
    if let Some(least) = missing.iter().filter_map(before).min_by_key(|state| state.resident_pages) {
        causes.push(Why::WritingDidNotWarmIt {
            rounds: (missing.len(), all),
            resident_pages: least.resident_pages,
            pages: least.pages,
            delivered_bytes: missing.iter().filter_map(|pass| pass.device_read_bytes).max().unwrap_or(0),
            second_bytes: evidence.second.iter().filter_map(|pass| pass.device_read_bytes).max(),
        });
    }
    causes
}

fn bars(evidence: &Evidence, first: &Samples, second: &Samples) -> Figure {
    let bar = |label: &str, passes: &[Pass], samples: &Samples| Bar {
        label: label.to_owned(),
        value: samples.median().unwrap_or(0.0),
        text: words::time(samples),
        note: words::from_device(&passes.iter().collect::<Vec<_>>()),
    };
    Figure::Bars(Bars {
        title: format!("time to read {}", format_bytes(evidence.size_bytes)),
        bars: vec![bar("first", &evidence.first, first), bar("second", &evidence.second, second)],
    })
}

/// The state before the first read of every round: what the trap hides. Rounds that follow each other with the same
/// figures share a row.
fn states(evidence: &Evidence) -> Figure {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut from = 1;
    for (round, pass) in (1..).zip(&evidence.first) {
        let figures = figures_of(pass);
        match rows.last_mut() {
            Some(last) if last[1..] == figures => last[0] = format!("{from} to {round}"),
            _ => {
                from = round;
                rows.push([vec![round.to_string()], figures].concat());
            }
        }
    }
    Figure::Table(Table {
        title: "pages before the first read".to_owned(),
        head: ["round", "resident", "dirty", "then from the device"].map(str::to_owned).to_vec(),
        rows,
    })
}

fn figures_of(pass: &Pass) -> Vec<String> {
    let unknown = || "unknown".to_owned();
    let dirty = pass.before.known().and_then(|state| state.dirty_pages);
    vec![
        words::resident(&pass.before),
        dirty.map_or_else(unknown, format_count),
        pass.device_read_bytes.map_or_else(unknown, format_bytes),
    ]
}

fn options() -> Vec<Choice> {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.to_owned(),
        text: text.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            "1x",
            "Not faster: about 1x",
            "Whoever says 1x expects the first read to find its pages in memory, where the write put them. That is so \
             when the file fits into memory and nothing takes the pages away before the read. The same ratio comes out \
             where neither read finds them.",
        ),
        option(
            "5x",
            "About 5x",
            "Whoever says 5x takes the first run for a cold one, on a fast disk. That would be so if the write left \
             nothing in memory, and the disk delivered a fifth of what memory does.",
        ),
        option(
            "25x",
            "About 25x",
            "Whoever says 25x takes the first run for a cold one, on a slower disk. That would be so if the write left \
             nothing in memory, and the disk delivered one part in 25 of what memory does.",
        ),
        option(
            "100x",
            "About 100x",
            "Whoever says 100x takes the first run for a cold one, on a disk as slow as a spinning one. That would be \
             so if the write left nothing in memory, and the disk delivered a hundredth of what memory does.",
        ),
    ]
}
