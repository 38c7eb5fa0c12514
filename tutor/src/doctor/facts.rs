//! What was found, as facts for a reader: which labs each touches, and what to do where something is to be done.

use super::findings::Findings;
use crate::setting::{self, Room, Wanted};
use instruments::Unavailable;
use instruments::size::format_bytes;
use lesson::Lab;
use serde::Serialize;

mod words;

use words::{
    below, cachestat, damon, device, dirty, fault_around, filesystem, known, machine, memory, memory_limit,
    namespaces, paranoid, privileges, ptrace, read_ahead, terminal, tool_use,
};

/// A fact about the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Stable, for programs.
    pub id: &'static str,
    /// For readers.
    pub name: String,
    /// What is so here.
    pub value: String,
    /// Numbers of the labs that it touches.
    pub labs: Vec<u32>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    #[serde(skip)]
    all: bool,
}

impl Fact {
    /// `2, 3`, `1-6`, `all`, or `none`.
    pub fn labs_text(&self) -> String {
        if self.all {
            return "all".to_owned();
        }
        if self.labs.is_empty() {
            return "none".to_owned();
        }
        let runs = self.labs.chunk_by(|one, next| *next == one + 1);
        let text = runs.map(|run| match run {
            [first, .., last] if run.len() > 2 => format!("{first}-{last}"),
            _ => run.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        });
        text.collect::<Vec<_>>().join(", ")
    }
}

/// Which labs a fact touches.
#[derive(Clone, Copy)]
enum Touches {
    All,
    Some(&'static [u32]),
}

use Touches::{All, Some as Labs};

/// Labs that prove which pages are in memory.
const RESIDENCY: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 9, 10, 11];

/// Everything that a reader should know, in order.
pub fn of(found: &Findings, labs: &[Lab]) -> Vec<Fact> {
    let fact = |id, name: &str, value: String, touches, remedy: Option<&str>| {
        let numbers = labs.iter().map(|lab| lab.card.number);
        Fact {
            id,
            name: name.to_owned(),
            value,
            labs: match touches {
                All => numbers.collect(),
                Labs(touched) => numbers.filter(|number| touched.contains(number)).collect(),
            },
            remedy: remedy.map(str::to_owned),
            all: matches!(touches, All),
        }
    };
    let host = &found.host;
    let mut facts: Vec<Fact> = labs.iter().map(|lab| readiness(found, lab)).collect();
    facts.extend([
        scratch(found, &fact),
        fact("filesystem", "filesystem", filesystem(host), All, None),
        fact("device", "disk", device(host), All, below(host)),
        fact("read_ahead", "readahead", read_ahead(host), Labs(&[2, 4, 6]), None),
        fact("kernel", "kernel", format!("Linux {}, {}", host.kernel, host.arch), All, None),
        fact("page_size", "pages", format!("of {}", format_bytes(host.page_bytes)), All, None),
        fact("processors", "processors", format!("usable: {}", host.cpus), All, None),
        fact("memory", "memory", memory(host), All, None),
        fact("memory_limit", "memory limit", memory_limit(host), All, None),
        fact("machine", "kind of machine", machine(host), All, None),
        fact("cachestat", "cachestat(2)", cachestat(host).0, All, cachestat(host).1),
        counting(found, &fact),
        fact("fault_around", "fault-around", fault_around(host), Labs(&[3, 4]), None),
        fact("huge_pages", "huge pages", known(host.transparent_huge_pages.as_deref()), Labs(&[3]), None),
        fact(
            "shmem_huge_pages",
            "huge pages, tmpfs",
            known(host.shmem_huge_pages.as_deref()),
            Labs(&[7]),
            None,
        ),
        fact("damon", "DAMON", damon(host).0, Labs(RESIDENCY), damon(host).1),
        fact("lru_gen", "multi-gen LRU", known(host.lru_gen.as_deref()), Labs(&[9]), None),
        fact("dirty", "writes by itself", dirty(host), Labs(&[5]), None),
        fact("privileges", "you", privileges(host), All, None),
        fact(
            "user_namespaces",
            "user namespaces",
            namespaces(host).0.to_owned(),
            Labs(&[7]),
            namespaces(host).1,
        ),
        fact("ptrace_scope", "ptrace_scope", ptrace(host).0, Labs(&[3]), ptrace(host).1),
        fact("perf_event_paranoid", "perf_event_paranoid", paranoid(host), Labs(&[]), None),
    ]);
    facts.extend(found.tools.iter().map(|(tool, found)| {
        let value = found.as_ref().map_or_else(|| "not installed".to_owned(), |it| it.words());
        let (touches, what): (&'static [u32], _) = tool_use(tool);
        let remedy = found.is_none().then(|| format!("optional: {what}"));
        fact("tool", tool, value, Labs(touches), remedy.as_deref())
    }));
    facts.extend([
        fact("terminal", "terminal", terminal(found), All, None),
        match &found.state {
            Ok(dir) => fact("progress", "progress", format!("kept in {}", dir.display()), All, None),
            Err(why) => fact(
                "progress",
                "progress",
                format!("not kept: {why}"),
                All,
                Some("set XDG_STATE_HOME to a directory that you may write to"),
            ),
        },
    ]);
    facts
}

type Make<'a> = dyn Fn(&'static str, &str, String, Touches, Option<&str>) -> Fact + 'a;

/// Whether a lab can run, and with what size.
fn readiness(found: &Findings, lab: &Lab) -> Fact {
    let card = &lab.card;
    let (value, remedy) = match &found.scratch {
        Err(_) => ("cannot run here: see scratch files".to_owned(), None),
        Ok((place, free)) => {
            let room = Room::of(&found.host, *free);
            match setting::plan(card, &Wanted::default(), &room, &place.display().to_string()) {
                Ok(planned) => {
                    let size = format_bytes(planned.plan.size_bytes);
                    let smaller = planned.smaller.map(|why| format!(": {why}")).unwrap_or_default();
                    (format!("can run, with a file of {size}{smaller}"), None)
                }
                Err(why) => ("cannot run here".to_owned(), Some(why.to_string())),
            }
        }
    };
    Fact {
        id: "lab",
        name: format!("lab {} {}", card.number, card.slug),
        value,
        labs: vec![card.number],
        remedy,
        all: false,
    }
}

fn scratch(found: &Findings, fact: &Make<'_>) -> Fact {
    match &found.scratch {
        Ok((place, free)) => fact(
            "scratch",
            "scratch files",
            format!("in {}, {} free", place.display(), format_bytes(*free)),
            All,
            None,
        ),
        Err(why) => fact("scratch", "scratch files", "no place found".to_owned(), All, Some(why)),
    }
}

fn counting(found: &Findings, fact: &Make<'_>) -> Fact {
    let (value, remedy) = match &found.counting {
        Ok(()) => ("yes, tried".to_owned(), None),
        Err(Unavailable::Lacking { needs, remedy, .. }) => {
            (format!("no: needs {needs}"), Some(remedy.as_str()))
        }
        Err(other) => (other.to_string(), None),
    };
    fact("count_calls", "counts system calls", value, Labs(&[3]), remedy.filter(|remedy| !remedy.is_empty()))
}

#[cfg(test)]
mod tests;
