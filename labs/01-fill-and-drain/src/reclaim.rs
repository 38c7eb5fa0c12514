//! Act 5: a program needs memory that the cache fills. What gives? In a memory limit of its own, which nobody else feels.

mod figures;

use crate::cause::Why;
use crate::moments::{KEPT, maps};
use crate::notes;
use crate::words::{self, choice, option, undecided};
use instruments::bench::Run;
use instruments::limit::Limit;
use instruments::proc::cgroup::Account;
use instruments::residency_timeline::ResidencyTimeline;
use instruments::size::{format_bytes, shell_bytes};
use instruments::subject::Exit;
use instruments::{Bench, Plan, Unavailable};
use lesson::caveat::of_memory;
use lesson::{Act, Ask, Choice, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// The act.
#[derive(Debug)]
pub struct Reclaim;

/// A memory limit filled with cache, and a program that asks for as much again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The limit.
    pub limit_bytes: u64,
    /// Version of the memory cgroup, 1 or 2.
    pub cgroup_version: u32,
    /// How much of a file was read into the cache, all of it in this limit.
    pub cache_bytes: u64,
    /// How much memory was asked for, and written to.
    pub alloc_bytes: u64,
    /// What the limit held before that.
    pub before: Held,
    /// And after it; None where the program did not live to tell.
    pub after: Option<Held>,
    /// The error of the request itself, `none` where there was none. None where nobody lived to tell.
    pub alloc_error: Option<String>,
    /// The signal that killed the program, if one did.
    pub killed_by: Option<String>,
    /// How often the limit made something go, in all. None where the kernel does not tell.
    pub limit_hits: Option<u64>,
    /// Processes that the out-of-memory killer took. None where the kernel does not tell.
    pub oom_kills: Option<u64>,
    /// The cached file meanwhile.
    pub film: ResidencyTimeline,
}

/// What a memory limit held, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// All that counts against it.
    pub charged_bytes: u64,
    /// Cached file data.
    pub file_bytes: u64,
    /// Memory of the program.
    pub anon_bytes: u64,
    /// Memory of the program on swap. None where the kernel does not tell.
    pub swap_bytes: Option<u64>,
}

/// How long the program takes to write to its memory, so that it can be watched.
const OVER: &str = "1500ms";

/// The limit, and how much of it is filled with cache and asked for again: the limit itself is at most half of the lab's
/// file, so that there is room for all of this on any machine that the lab runs on.
fn sizes(plan: &Plan) -> (u64, u64) {
    const MIB: u64 = 1 << 20;
    let limit = (plan.size_bytes / 2).min(128 * MIB) / MIB * MIB;
    (limit, limit / 4 * 3)
}

impl Act for Reclaim {
    type Evidence = Evidence;
    const ID: &'static str = "reclaim";
    const TITLE: &'static str = "a program needs the memory";
    const SECONDS: u32 = 2;
    const NOTES: Notes = notes::RECLAIM;

    fn question(&self, setting: &Setting) -> Question {
        let (limit, most) = sizes(&setting.plan);
        let [limit_text, text] = [limit, most].map(format_bytes);
        let [limit, size] = [limit, most].map(shell_bytes);
        Question {
            setup: format!(
                "A program may have {limit_text} of memory: a cgroup of its own holds it to that. It reads {text} of a file, \
                 which now fill the cache, and then asks for {text} of memory and writes to all of it. Both do not fit."
            ),
            commands: vec![format!("tutor run --limit {limit} squeeze --size {size} --cold --alloc {size}")],
            ask: "What gives?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "Which of the two could be had again from somewhere else?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let (limit_bytes, most) = sizes(bench.plan());
        let limit = Limit::create(limit_bytes)?;
        let path = bench.data_file()?;
        // A page belongs to the cgroup that brought it in: here it must be the new one.
        bench.make_cold(&path)?;
        let size = shell_bytes(most);
        let args = [
            path.as_os_str(),
            OsStr::new("--cache"),
            OsStr::new(&size),
            OsStr::new("--alloc"),
            OsStr::new(&size),
            OsStr::new("--over"),
            OsStr::new(OVER),
        ];
        bench.begin("fill a memory limit with cache, then ask it for memory", 0);
        let (run, film) = bench.watch(&path, bench.plan().size_bytes, |starter, _| {
            starter.within(&limit).run_to_any_end("squeeze", &args)
        })?;
        bench.end();
        evidence(&limit, &run, film.thinned(KEPT))
    }

    fn reveal(&self, evidence: &Evidence, setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let mut figures = vec![figures::bars(evidence), figures::table(evidence)];
        figures.extend(maps(&evidence.film, "memory is asked for"));
        let [limit, size] = [evidence.limit_bytes, evidence.alloc_bytes].map(shell_bytes);
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes(evidence, setting).into_iter().map(Into::into).collect(),
            caveats: of_memory(&setting.host),
            try_next: vec![
                format!("tutor run --limit {limit} squeeze --size {size} --cold --alloc {limit}"),
                format!(
                    "tutor run --limit {limit} cread --size {}",
                    shell_bytes(evidence.limit_bytes.saturating_mul(2))
                ),
            ],
            sources: vec![
                "man 7 cgroups".to_owned(),
                match evidence.cgroup_version {
                    1 => "Documentation/admin-guide/cgroup-v1/memory.rst (Linux 6.18)".to_owned(),
                    _ => "Documentation/admin-guide/cgroup-v2.rst, memory.stat (Linux 6.18)".to_owned(),
                },
                "mm/vmscan.c (Linux 6.18)".to_owned(),
            ],
        }
    }
}

fn evidence(limit: &Limit, run: &Run, film: ResidencyTimeline) -> Result<Evidence, Unavailable> {
    let held = |prefix: &str| {
        Ok::<_, Unavailable>(Held {
            charged_bytes: run.u64(&format!("{prefix}_charged_bytes"))?,
            file_bytes: run.u64(&format!("{prefix}_file_bytes"))?,
            anon_bytes: run.u64(&format!("{prefix}_anon_bytes"))?,
            swap_bytes: run.u64_if_known(&format!("{prefix}_swap_bytes"))?,
        })
    };
    let (lived, killed_by) = match &run.exit {
        Exit::Code(0) => (true, None),
        Exit::Signal { name, .. } => (false, Some(name.clone())),
        Exit::Code(code) => {
            let why = format!("it ended with exit code {code}");
            return Err(Unavailable::failed(format!("run `{}`", run.command), why, ""));
        }
    };
    let Account { limit_hits, oom_kills, .. } = limit.account()?;
    Ok(Evidence {
        limit_bytes: limit.limit_bytes(),
        cgroup_version: limit.cgroup().version,
        cache_bytes: run.u64("cache_bytes")?,
        alloc_bytes: run.u64("alloc_bytes")?,
        before: held("before")?,
        after: if lived { Some(held("after")?) } else { None },
        alloc_error: if lived { Some(run.text("alloc_error")?.to_owned()) } else { None },
        killed_by,
        limit_hits,
        oom_kills,
        film,
    })
}

/// What had to give for all to fit, bytes; None where all fits.
fn needed(evidence: &Evidence) -> Option<u64> {
    let wanted = evidence.before.charged_bytes.saturating_add(evidence.alloc_bytes);
    wanted.checked_sub(evidence.limit_bytes).filter(|bytes| *bytes > 0)
}

fn swapped(before: &Held, after: &Held) -> u64 {
    after.swap_bytes.unwrap_or(0).saturating_sub(before.swap_bytes.unwrap_or(0))
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let [limit, alloc] = [evidence.limit_bytes, evidence.alloc_bytes].map(format_bytes);
    let before = &evidence.before;
    if before.file_bytes < (evidence.cache_bytes / 4).saturating_mul(3) {
        return undecided(format!(
            "the limit held {} of cache before, not the {} that were read",
            format_bytes(before.file_bytes),
            format_bytes(evidence.cache_bytes)
        ));
    }
    let Some(needed) = needed(evidence) else {
        return undecided(format!("all of it fits into {limit}"));
    };
    if let Some(signal) = &evidence.killed_by {
        return match evidence.oom_kills {
            Some(1..) => choice(
                "killed",
                format!("The program was killed: {signal}, by the out-of-memory killer of its memory limit."),
            ),
            _ => undecided(format!("{signal} killed the program, and nothing shows who sent it")),
        };
    }
    let (Some(after), Some(error)) = (&evidence.after, &evidence.alloc_error) else {
        return undecided("nobody knows how it ended");
    };
    if error != "none" {
        return choice("fails", format!("The request for {alloc} failed at once: {error}."));
    }
    if after.anon_bytes.saturating_add(swapped(before, after)) < evidence.alloc_bytes / 4 * 3 {
        return undecided(format!(
            "the program wrote to {alloc}, and only {} of it are charged to the limit",
            format_bytes(after.anon_bytes)
        ));
    }
    let (lost, swapped) = (before.file_bytes.saturating_sub(after.file_bytes), swapped(before, after));
    let said = format!(
        "The program got its {alloc}. Cache in its limit went from {} to {}",
        format_bytes(before.file_bytes),
        format_bytes(after.file_bytes)
    );
    if lost >= swapped && lost >= needed / 2 {
        choice("shrinks", format!("{said}, without an error and without a word."))
    } else if swapped >= needed / 2 {
        choice("swaps", format!("{said}, and {} of its memory went to swap.", format_bytes(swapped)))
    } else {
        undecided(format!("{} had to give, and nothing shows what did", format_bytes(needed)))
    }
}

fn causes(evidence: &Evidence, setting: &Setting) -> Vec<Why> {
    let Outcome::Choice(id) = decide(evidence).0 else { return Vec::new() };
    match (id.as_str(), &evidence.after) {
        ("shrinks", Some(after)) => {
            let last = evidence.film.frames.last();
            let sum = |frame: &instruments::residency_timeline::Frame| {
                frame.cells.0.iter().map(|bucket| bucket.evicted_pages).sum::<Option<u64>>()
            };
            vec![Why::CacheGaveWay {
                lost_bytes: evidence.before.file_bytes.saturating_sub(after.file_bytes),
                oom_kills: evidence.oom_kills,
                swapped_bytes: after.swap_bytes.map(|_| swapped(&evidence.before, after)),
                remembered_pages: last.and_then(sum),
            }]
        }
        ("killed", _) => vec![Why::OomKilled {
            kills: evidence.oom_kills.unwrap_or(0),
            file_bytes: evidence.before.file_bytes,
            limit_bytes: words::limit_below(evidence.alloc_bytes, setting),
        }],
        ("swaps", Some(after)) => vec![Why::SwappedOut { swapped_bytes: swapped(&evidence.before, after) }],
        ("fails", _) => {
            vec![Why::NotPromised { error: evidence.alloc_error.clone().unwrap_or_default() }]
        }
        _ => Vec::new(),
    }
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "fails",
            "The request fails: there is not enough memory",
            "Whoever says it fails expects to be told at once. A limit of memory does not bound promises: a page counts \
             when it is written to. A request fails where promises are bounded (overcommit_memory = 2, ulimit -v).",
        ),
        option(
            "killed",
            "The program is killed",
            "Whoever says it is killed counts cache as memory in use. The out-of-memory killer comes when nothing else \
             can go: if the program's own memory were larger than its limit, and there were no swap.",
        ),
        option(
            "swaps",
            "A part of its memory goes to swap",
            "Whoever says it swaps has seen a machine do so. Memory of programs goes to swap where there is some, when \
             the kernel holds that memory for less useful than the cache (see swappiness).",
        ),
        option(
            "shrinks",
            "The cache shrinks, silently",
            "Whoever says the cache shrinks knows that clean pages can be had again from the disk. They are the first \
             to go, as long as nobody maps or keeps using them.",
        ),
    ]
}
