//! Act 3: the manual page says "non-blocking". How long do the calls take, against reading the file?

use crate::asked::{Asked, Read, figures, judge, whole_piece};
use crate::cause::Why;
use crate::notes;
use crate::words::{self, Standing, nearest, option};
use instruments::sample::interleave;
use instruments::size::{format_bytes, shell_bytes};
use instruments::{Bench, Samples, Unavailable};
use lesson::caveat::of_device;
use lesson::figure::{Bar, Bars};
use lesson::{Act, Ask, Choice, Figure, Notes, Outcome, Question, Reveal, Setting, arms};
use serde::{Deserialize, Serialize};

/// Shares of the cold read's time that the options stand for.
const SHARES: [(&str, f64); 4] = [("1%", 0.01), ("10%", 0.1), ("50%", 0.5), ("100%", 1.0)];

/// The act.
#[derive(Debug)]
pub struct NonBlocking;

/// The file asked for in pieces, and the file read, each time after an eviction, in turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// Bytes of a piece.
    pub piece_bytes: u64,
    /// Asked for, in the order in which it was measured.
    pub asked: Vec<Asked>,
    /// Read, likewise.
    pub read: Vec<Read>,
}

impl Act for NonBlocking {
    type Evidence = Evidence;
    const ID: &'static str = "non-blocking";
    const TITLE: &'static str = "what asking costs";
    const SECONDS: u32 = 3;
    const NOTES: Notes = notes::NON_BLOCKING;

    fn question(&self, setting: &Setting) -> Question {
        let plan = &setting.plan;
        let size = shell_bytes(plan.size_bytes);
        let piece =
            crate::settings::Settings::at_start(&setting.host).map(crate::settings::Settings::larger_bytes);
        let ask = piece
            .map(|piece| format!("tutor run willneed --size {size} --cold --pieces {}", shell_bytes(piece)));
        let read = format!("tutor run cread --size {size} --cold --block {}", shell_bytes(plan.block_bytes));
        Question {
            setup: format!(
                "posix_fadvise(2) says of WILLNEED that it \"initiates a nonblocking read\". The evicted {} are asked for \
                 in pieces, so that all of it comes, and only the calls are timed. In turn with that, the evicted file \
                 is read from start to end.",
                format_bytes(plan.size_bytes)
            ),
            commands: ask.into_iter().chain([read]).collect(),
            ask: "How long do the calls take, as a share of the cold read?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "Somebody has to find memory for every page, enter it into the cache and write the requests for the \
                   disk. Who?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let rounds = bench.plan().trials;
        let mut evidence = Evidence {
            size_bytes: bench.plan().size_bytes,
            piece_bytes: whole_piece(bench, &path)?,
            ..Evidence::default()
        };
        bench.begin("ask for the file and read it, in turn", 2 * u64::from(rounds));
        interleave(2, rounds, |arm, _round| {
            let end = if arm == 0 {
                let asked = Asked::in_pieces(bench, &path, evidence.piece_bytes)?;
                let end = judge(asked.brought_all(), asked.elapsed_ns);
                evidence.asked.push(asked);
                end
            } else {
                let read = Read::cold(bench, &path)?;
                let end = judge(read.was_cold(), read.elapsed_ns);
                evidence.read.push(read);
                end
            };
            bench.done(1)?;
            Ok::<_, Unavailable>(end)
        })?;
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let asked = figures(&evidence.asked, |run| run.elapsed_ns, Asked::brought_all);
        let read = figures(&evidence.read, |run| run.elapsed_ns, Read::was_cold);
        let arms = [("the calls", &asked), ("the cold read", &read)];
        let (outcome, sentence) = decide(&arms);
        let mut caveats = of_device(&setting.host);
        caveats.extend(arms::caveats(setting.plan.trials, &arms));
        caveats.extend(arms::overlap(arms[0], arms[1]));
        let size = shell_bytes(evidence.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures: vec![bars(evidence, &asked, &read)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![format!(
                "tutor run willneed --size {size} --warm --pieces {}",
                shell_bytes(evidence.piece_bytes)
            )],
            sources: vec![
                "man 2 posix_fadvise, man 2 readahead (NOTES)".to_owned(),
                "mm/readahead.c, page_cache_ra_unbounded (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn decide(arms: &[(&str, &Samples); 2]) -> (Outcome, String) {
    if let Some(why) = arms::too_few(arms) {
        return arms::too_few_to_tell(why);
    }
    let [(_, asked), (_, read)] = arms;
    let Some(share) = asked.ratio_to(read) else {
        let why = "the clock saw no time pass".to_owned();
        return (Outcome::Undecided(why.clone()), format!("There is no figure to trust: {why}."));
    };
    let (asked_time, read_time) = (words::time(asked), words::time(read));
    let measured = format!("the calls took {asked_time}, the cold read {read_time}");
    match Standing::of(asked, read) {
        Standing::CannotTell(why) => words::cannot_tell(&measured, why),
        Standing::Tie => {
            (Outcome::Choice("100%".to_owned()), format!("A tie within the spread: {measured}."))
        }
        Standing::Apart => (
            Outcome::Choice(nearest(share, &SHARES).unwrap_or("1%").to_owned()),
            format!(
                "The calls took {} of the time: {asked_time} against {read_time}.",
                words::percent(share)
            ),
        ),
    }
}

/// The middle run of those that count tells whether its time was work or waiting.
fn causes(evidence: &Evidence) -> Vec<Why> {
    let mut runs: Vec<_> = evidence.asked.iter().filter(|run| run.brought_all().is_ok()).collect();
    runs.sort_by_key(|run| run.elapsed_ns);
    let Some(run) = runs.get(runs.len() / 2) else { return Vec::new() };
    let (elapsed_ns, cpu_ns) = (run.elapsed_ns, run.cpu_ns.min(run.elapsed_ns));
    let pages = run.after.known().map_or(0, |state| state.pages);
    let works = Why::SubmittingIsWork { elapsed_ns, cpu_ns, pages, calls: run.calls };
    let slept = Why::CallsSlept { elapsed_ns, cpu_ns };
    let waits_ns = elapsed_ns - cpu_ns;
    // Both where both are a good part of it.
    [(works, cpu_ns), (slept, waits_ns)]
        .into_iter()
        .filter(|(_, part)| part.saturating_mul(4) >= elapsed_ns)
        .map(|(why, _)| why)
        .collect()
}

fn bars(evidence: &Evidence, asked: &Samples, read: &Samples) -> Figure {
    let bar = |label: &str, samples: &Samples, delivered: Vec<Option<u64>>| Bar {
        label: label.to_owned(),
        value: samples.median().unwrap_or(0.0),
        text: words::time(samples),
        note: words::from_device(delivered),
    };
    Figure::Bars(Bars {
        title: format!("time to ask for {} and to read it, evicted", format_bytes(evidence.size_bytes)),
        bars: vec![
            bar("the calls", asked, evidence.asked.iter().map(|run| run.device_read_bytes).collect()),
            bar("cold read", read, evidence.read.iter().map(|run| run.device_read_bytes).collect()),
        ],
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "1%",
            "Next to nothing: about 1%",
            "Whoever says next to nothing takes \"non-blocking\" for \"no work\": others do it later. It would be so if a \
             thread of the kernel did the work, or if all pages were in memory already.",
        ),
        option(
            "10%",
            "A little: about 10%",
            "Whoever says a little counts what the calls have to write down, and leaves the rest to the disk. It would be \
             so on a disk that takes ten times as long as the writing down.",
        ),
        option(
            "50%",
            "A good part: about 50%",
            "About half means that the caller finds memory for each page and submits each request, and only does not \
             wait for the data. It is so where the disk takes about as long as that work, or where its queue is \
             full.",
        ),
        option(
            "100%",
            "All of it: about 100%",
            "Whoever says all expects the calls to return when the data is there. MADV_POPULATE_READ does that. It would \
             also be so where finding and submitting takes longer than the disk.",
        ),
    ]
}
