//! Act 3: how much of the file did the device deliver in the warm run? And can the counter be trusted?

use crate::cause::Why;
use crate::notes;
use crate::pass::{Pass, judge, warm_up};
use crate::words;
use instruments::evict::Stuck;
use instruments::sample::{Trial, interleave};
use instruments::size::{format_bytes, shell_bytes};
use instruments::{Bench, Reading, Unavailable};
use lesson::figure::{Bar, Bars, Table};
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct Proof;

/// A cold run that shows whether the counter works here, and the warm run that is asked about. Where a state could
/// not be had, the last try stands here, with what was wrong about it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// After an eviction.
    pub control: Option<Pass>,
    /// As the control run left the file.
    pub warm: Option<Pass>,
    /// Why the last eviction left pages, if it did.
    pub stuck: Option<Stuck>,
}

impl Act for Proof {
    type Evidence = Evidence;
    const ID: &'static str = "proof";
    const TITLE: &'static str = "what the device says";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::PROOF;

    fn question(&self, setting: &Setting) -> Question {
        let size = format_bytes(setting.plan.size_bytes);
        let (bytes, block) = (shell_bytes(setting.plan.size_bytes), shell_bytes(setting.plan.block_bytes));
        let command = format!("tutor run cread --size {bytes} --block {block}");
        Question {
            setup: format!(
                "Times can deceive; counters are harder to fool. The kernel counts the bytes that a device delivers \
                 for each process. A cold run shows whether the counter works here. Then {size} are read warm."
            ),
            commands: vec![format!("{command} --cold"), format!("{command} --warm")],
            ask: format!("How many of the {size} does the device deliver in the warm run?"),
            answer: Ask::Choice(options()),
            hint: "When does a read() have to ask the disk?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let mut evidence = Evidence { size_bytes: bench.plan().size_bytes, ..Evidence::default() };
        bench.begin("read the file cold, then warm", 2);
        interleave(2, 1, |arm, _round| {
            let end = if arm == 0 {
                match bench.evict(&path)? {
                    Err(stuck) => {
                        let why = stuck.to_string();
                        evidence.stuck = Some(stuck);
                        Trial::Discarded(why)
                    }
                    Ok(_) => {
                        evidence.stuck = None;
                        let pass = Pass::measure(bench, &path, &[])?;
                        judge(evidence.control.insert(pass), Pass::is_cold)
                    }
                }
            } else {
                warm_up(bench, &path)?;
                let pass = Pass::measure(bench, &path, &[])?;
                judge(evidence.warm.insert(pass), Pass::found_all_resident)
            };
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let runs = [("cold control", &evidence.control), ("warm", &evidence.warm)];
        let runs: Vec<_> = runs.iter().filter_map(|(name, pass)| Some((*name, pass.as_ref()?))).collect();
        Reveal {
            outcome,
            sentence,
            figures: vec![bars(&runs), witnesses(&runs)],
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats: words::caveats(setting, runs.iter().map(|(_, pass)| *pass)),
            try_next: vec![
                format!("tutor run cread --size {} --cold", shell_bytes(evidence.size_bytes)),
                format!("tutor run residency --size {} --warm", shell_bytes(evidence.size_bytes)),
            ],
            sources: vec![
                "man 5 proc_pid_io (read_bytes)".to_owned(),
                "man 2 getrusage (ru_inblock)".to_owned(),
                "block/blk-core.c, submit_bio (Linux 6.18)".to_owned(),
            ],
        }
    }
}

/// The option nearest to the delivered share, once the control run has shown that the counter works.
fn decide(evidence: &Evidence) -> (Outcome, String) {
    let undecided = |why: String| {
        let sentence = format!("This cannot be told here: {why}.");
        (Outcome::Undecided(why), sentence)
    };
    if evidence.size_bytes == 0 {
        return undecided("a file without bytes has nothing to deliver".to_owned());
    }
    let control = match (&evidence.control, &evidence.stuck) {
        (_, Some(stuck)) => return undecided(format!("no cold control run could be made ({stuck})")),
        (None, None) => return undecided("there was no cold control run".to_owned()),
        (Some(control), None) => control,
    };
    if let Err(why) = control.is_cold() {
        return undecided(format!("the control run does not show that the counter works ({why})"));
    }
    let Some(warm) = &evidence.warm else {
        return undecided("there was no warm run".to_owned());
    };
    if let Err(why) = warm.found_all_resident() {
        return undecided(format!("the warm run was not warm ({why})"));
    }
    let Some(delivered) = warm.device_read_bytes else {
        return undecided("nobody counted what the device delivered to the warm run".to_owned());
    };
    let share = delivered as f64 / warm.bytes.max(1) as f64;
    let nearest = match share {
        0.75.. => "all",
        0.25.. => "half",
        _ => "none",
    };
    let sentence = format!(
        "In the warm run the device delivered {} of {}; in the cold control run, {}.",
        format_bytes(delivered),
        format_bytes(warm.bytes),
        format_bytes(control.device_read_bytes.unwrap_or(0)),
    );
    (Outcome::Choice(nearest.to_owned()), sentence)
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let mut causes = Vec::new();
    causes.extend(evidence.stuck.clone().map(Why::NotEvicted));
    let control = evidence.control.as_ref().filter(|_| evidence.stuck.is_none());
    if let Some(control) = control
        && let (Reading::Known(before), Some(counted_bytes)) = (&control.before, control.device_read_bytes)
        && before.resident_pages == 0
        && control.is_cold().is_err()
    {
        causes.push(Why::CounterBlind { bytes: control.bytes, counted_bytes });
    }
    if let Some(warm) = &evidence.warm {
        if let (Reading::Known(before), Some(control)) = (&warm.before, control)
            && control.is_cold().is_ok()
            && warm.is_warm().is_ok()
        {
            let control_bytes = control.device_read_bytes.unwrap_or(0);
            causes.push(Why::ServedFromMemory { pages: before.pages, control_bytes });
        }
        causes.extend(Why::never_warm(std::slice::from_ref(warm), evidence.size_bytes, setting));
    }
    causes
}

fn bars(runs: &[(&str, &Pass)]) -> Figure {
    let bar = |(name, pass): &(&str, &Pass)| Bar {
        label: (*name).to_owned(),
        value: pass.device_read_bytes.unwrap_or(0) as f64,
        text: pass.device_read_bytes.map_or_else(|| "unknown".to_owned(), format_bytes),
        note: format!("of {} read", format_bytes(pass.bytes)),
    };
    Figure::Bars(Bars { title: "bytes from the device".to_owned(), bars: runs.iter().map(bar).collect() })
}

/// Two witnesses side by side: the process itself, and its parent.
fn witnesses(runs: &[(&str, &Pass)]) -> Figure {
    let row = |(name, pass): &(&str, &Pass)| {
        let counted = pass.device_read_bytes.map_or_else(|| "unknown".to_owned(), format_bytes);
        vec![(*name).to_owned(), words::resident(&pass.before), counted, format_bytes(pass.process_in_bytes)]
    };
    Figure::Table(Table {
        title: "who saw what (the whole process includes its start)".to_owned(),
        head: ["run", "resident before", "read_bytes", "ru_inblock × 512"].map(str::to_owned).to_vec(),
        rows: runs.iter().map(row).collect(),
    })
}

fn options() -> Vec<Choice> {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.to_owned(),
        text: text.to_owned(),
        explanation: explanation.to_owned(),
    };
    vec![
        option(
            "all",
            "All of them: the disk is just faster the second time",
            "Whoever says all takes the second run's speed for the disk's own. The device does deliver everything \
             when no page is resident, or when a program goes past the cache with O_DIRECT.",
        ),
        option(
            "half",
            "About half: a part is kept in memory",
            "Whoever says half expects the cache to keep a share of each file. There is no such share: a page stays \
             until something needs its memory. Half is what one sees if that happened to half of the pages.",
        ),
        option(
            "none",
            "None: all of them are in memory",
            "Whoever says none expects read() to copy from pages that are already there. That is so when all pages \
             are resident before the run and nothing takes them away during it.",
        ),
    ]
}
