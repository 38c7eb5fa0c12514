//! Act 1: WILLNEED for a whole evicted file. How much of it is resident once it settles?

use crate::asked::{Asked, map_of};
use crate::cause::Why;
use crate::notes;
use crate::settings::{self, Agrees, Settings, agrees, amount};
use crate::words::{self, nearest, option};
use instruments::residency::Residency;
use instruments::size::{format_bytes, format_count, format_ns, shell_bytes};
use instruments::{Bench, Unavailable, proc};
use lesson::figure::Table;
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// A count that comes out the same so often is no accident.
pub const ROUNDS: u32 = 3;

/// Shares of the file that the options stand for. Nothing is met only by nothing, and stands apart.
const SHARES: [(&str, f64); 3] = [("all", 1.0), ("half", 0.5), ("small", 0.05)];

/// The act.
#[derive(Debug)]
pub struct AskAll;

/// One call for all of the file, a few times over.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Size of the file.
    pub size_bytes: u64,
    /// The device's settings just before.
    pub settings: Option<Settings>,
    /// And just after.
    pub settings_after: Option<Settings>,
    /// MemAvailable just before; None where /proc does not tell.
    pub available_bytes: Option<u64>,
    /// One call each.
    pub runs: Vec<Asked>,
    /// Where the pages are after the last one; empty where nobody knows.
    pub map: Vec<Residency>,
}

impl Act for AskAll {
    type Evidence = Evidence;
    const ID: &'static str = "ask";
    const TITLE: &'static str = "one hint for all of it";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::ASK;

    fn question(&self, setting: &Setting) -> Question {
        let bytes = setting.plan.size_bytes;
        let size = format_bytes(bytes);
        Question {
            setup: format!(
                "A file of {size} is evicted: 0 pages are resident. A program calls posix_fadvise(2) once, with \
                 POSIX_FADV_WILLNEED, for all of it; {} of memory are available. Then nobody touches the file, until \
                 the count of its pages no longer changes.",
                format_bytes(setting.host.mem_available_bytes)
            ),
            commands: vec![format!("tutor run willneed --size {} --cold", shell_bytes(bytes))],
            ask: format!("How much of the {size} is resident then?"),
            answer: Ask::Choice(options(bytes)),
            hint: "\"The specified data will be accessed in the near future\", says the manual page. Whose job is it to \
                   decide what follows from that?"
                .to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let path = bench.data_file()?;
        let mut evidence = Evidence {
            size_bytes: bench.plan().size_bytes,
            settings: Settings::now(bench),
            available_bytes: proc::meminfo().ok().map(|memory| memory.available_bytes),
            ..Evidence::default()
        };
        bench.begin("ask for all of the file, and wait until it settles", u64::from(ROUNDS));
        for _ in 0..ROUNDS {
            evidence.runs.push(Asked::cold(bench, &path, &[])?);
            bench.done(1)?;
        }
        bench.end();
        evidence.map = map_of(bench, &path)?;
        evidence.settings_after = Settings::now(bench);
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence, setting);
        let mut caveats = words::caveats_of_counts(setting, &evidence.runs);
        caveats.extend(words::caveat_of_taken(setting, &evidence.runs));
        let changed = settings::change(evidence.settings, evidence.settings_after);
        caveats.extend(changed.map(Caveat::OtherWriters));
        let title = format!("the file after one call for all {}", format_bytes(evidence.size_bytes));
        let map = words::map(&title, evidence.size_bytes, setting, &evidence.map);
        let size = shell_bytes(evidence.size_bytes);
        Reveal {
            outcome,
            sentence,
            figures: map.into_iter().chain([rounds(evidence)]).collect(),
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![format!("tutor run willneed --size {size} --cold --call readahead")],
            sources: vec![
                "man 2 posix_fadvise (POSIX_FADV_WILLNEED)".to_owned(),
                "mm/readahead.c, force_page_cache_ra (Linux 6.18)".to_owned(),
                "mm/backing-dev.c, bdi_alloc (Linux 6.18)".to_owned(),
            ],
        }
    }
}

/// The states after runs that count, and the one that all of them ended in.
fn states<'r>(runs: &'r [Asked], setting: &Setting) -> (Vec<&'r Residency>, Option<&'r Residency>) {
    let states: Vec<_> = runs.iter().filter_map(|run| run.undisturbed(setting.host.page_bytes)).collect();
    let first = states.first().copied();
    let same = first.filter(|first| states.iter().all(|state| state.resident_pages == first.resident_pages));
    (states, same)
}

fn decide(evidence: &Evidence, setting: &Setting) -> (Outcome, String) {
    let (states, same) = states(&evidence.runs, setting);
    let counts = states.iter().map(|state| state.resident_pages);
    let (Some(least), Some(most), Some(pages)) =
        (counts.clone().min(), counts.max(), states.first().map(|state| state.pages))
    else {
        let why = words::none_counts(setting, &evidence.runs);
        return (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    };
    let choice = |resident: u64| match resident {
        0 => "nothing",
        _ => nearest(resident as f64 / pages as f64, &SHARES).unwrap_or("nothing"),
    };
    let page_bytes = setting.host.page_bytes;
    let all = format_bytes(evidence.size_bytes);
    let rounds = words::many(states.len() as u64, "round");
    match same {
        Some(_) if least == pages => (
            Outcome::Choice("all".to_owned()),
            format!(
                "All of it: {} of {} pages, in each of {rounds}.",
                format_count(least),
                format_count(pages)
            ),
        ),
        Some(_) if least == 0 => {
            (Outcome::Choice("nothing".to_owned()), format!("Nothing: 0 of {} pages.", format_count(pages)))
        }
        Some(_) => (
            Outcome::Choice(choice(least).to_owned()),
            format!("Exactly {} of {all}, the same in each of {rounds}.", amount(least, page_bytes)),
        ),
        None if choice(least) == choice(most) => (
            Outcome::Choice(choice(least).to_owned()),
            format!("From {} to {} of {all}.", amount(least, page_bytes), amount(most, page_bytes)),
        ),
        None => {
            let why = format!(
                "the rounds differ: from {} to {}",
                amount(least, page_bytes),
                amount(most, page_bytes)
            );
            (Outcome::Undecided(why.clone()), format!("No single answer: {why}."))
        }
    }
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let (_, Some(state)) = states(&evidence.runs, setting) else { return Vec::new() };
    let steady = evidence.settings == evidence.settings_after;
    let mut causes = Vec::new();
    if steady {
        causes.push(Why::of_one_call(state, evidence.size_bytes, evidence.settings, setting));
    }
    let capped = matches!(
        agrees(state.resident_pages, state.pages, setting.host.page_bytes, evidence.settings),
        Agrees::Larger | Agrees::Neither
    );
    if let Some(available_bytes) = evidence.available_bytes.filter(|_| capped) {
        let available_bytes = words::within_the_limit(available_bytes, setting);
        let evicted = evidence.runs.iter().filter_map(|run| run.after.known()?.evicted_pages).max();
        if available_bytes > evidence.size_bytes && evicted.is_none_or(|evicted| evicted == 0) {
            causes.push(Why::MemoryWasThere {
                available_bytes,
                size_bytes: evidence.size_bytes,
                evicted_pages: evicted,
            });
        }
    }
    causes
}

fn rounds(evidence: &Evidence) -> Figure {
    let row = |(round, run): (usize, &Asked)| {
        let unknown = || "unknown".to_owned();
        let count = |pages: Option<u64>| pages.map_or_else(unknown, format_count);
        let after = run.after.known();
        vec![
            (round + 1).to_string(),
            count(run.before.known().map(|state| state.resident_pages)),
            count(after.map(|state| state.resident_pages)),
            run.device_read_bytes.map_or_else(unknown, format_bytes),
            format_ns(run.elapsed_ns as f64),
        ]
    };
    Figure::Table(Table {
        title: "resident pages around one call for all".to_owned(),
        head: ["round", "before", "after", "from the device", "the call took"].map(str::to_owned).to_vec(),
        rows: evidence.runs.iter().enumerate().map(row).collect(),
    })
}

fn options(size_bytes: u64) -> Vec<Choice> {
    let of = |divisor: u64| format_bytes(size_bytes / divisor);
    vec![
        option(
            "all",
            format!("All of it: {}", of(1)),
            "Whoever says all takes the hint for an order. It would be so if the kernel read on until it has all that was \
             asked for, as MADV_POPULATE_READ does, or if no limit of one call were smaller than the file.",
        ),
        option(
            "half",
            format!("About half: {}", of(2)),
            "Whoever says half expects the kernel to read on until memory gets short, and to drop the rest of the hint \
             then. It would be so in a memory limit of about that size. A file twice as large as what one call may \
             bring in shows the same figure.",
        ),
        option(
            "small",
            format!("A small part: {} or less", of(10)),
            "A small part fits a bound that was chosen without a look at the file, such as one for each call. It is so \
             wherever the file is many times larger than that bound.",
        ),
        option(
            "nothing",
            "Nothing",
            "Whoever says nothing takes a hint for a note about the future: pages come only when somebody reads. It would \
             be so with a filesystem that does not know the hint. SEQUENTIAL and RANDOM are notes of that kind.",
        ),
    ]
}
