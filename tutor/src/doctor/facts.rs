//! What was found, as facts for a reader: which labs each touches, and what to do where something is to be done.

use super::look::Found;
use crate::setting::{self, Room, Wanted};
use instruments::size::format_bytes;
use instruments::{Host, Unavailable};
use lesson::Lab;
use serde::Serialize;

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
    /// `2, 3`, or `all`.
    pub fn labs_text(&self) -> String {
        if self.all {
            return "all".to_owned();
        }
        self.labs.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// Which labs a fact touches.
#[derive(Clone, Copy)]
enum Touches {
    All,
    Some(&'static [u32]),
}

use Touches::{All, Some as Labs};

/// Everything that a reader should know, in order.
pub fn of(found: &Found, labs: &[Lab]) -> Vec<Fact> {
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
        fact("lru_gen", "multi-gen LRU", known(host.lru_gen.as_deref()), Labs(&[9]), None),
        fact("dirty", "writes by itself", dirty(host), Labs(&[5]), None),
        fact("privileges", "you", privileges(host), All, None),
    ]);
    facts.extend(found.tools.iter().map(|(tool, path)| {
        let value =
            path.as_ref().map_or_else(|| "not installed".to_owned(), |path| path.display().to_string());
        let (touches, what): (&'static [u32], _) = tool_use(tool);
        let remedy = path.is_none().then(|| format!("optional: {what}"));
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
    facts.retain(|fact| !fact.labs.is_empty());
    facts
}

type Make<'a> = dyn Fn(&'static str, &str, String, Touches, Option<&str>) -> Fact + 'a;

/// Whether a lab can run, and with what size.
fn readiness(found: &Found, lab: &Lab) -> Fact {
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

fn scratch(found: &Found, fact: &Make<'_>) -> Fact {
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

fn counting(found: &Found, fact: &Make<'_>) -> Fact {
    let (value, remedy) = match &found.counting {
        Ok(()) => ("yes, tried".to_owned(), None),
        Err(Unavailable::Lacking { needs, remedy, .. }) => {
            (format!("no: needs {needs}"), Some(remedy.as_str()))
        }
        Err(other) => (other.to_string(), None),
    };
    fact("count_calls", "counts system calls", value, Labs(&[3]), remedy.filter(|remedy| !remedy.is_empty()))
}

fn tool_use(tool: &str) -> (&'static [u32], &'static str) {
    match tool {
        "dd" => (&[2], "without it, lab 2 shows its last act without the real dd (package coreutils)"),
        "strace" => (&[3], "with it you can check our counts (package strace)"),
        "fincore" => (&[2], "with it you can check our residency (package util-linux or util-linux-extra)"),
        _ => (&[2], "with it you can check our residency (package vmtouch)"),
    }
}

fn known(value: Option<&str>) -> String {
    value.unwrap_or("unknown").to_owned()
}

fn filesystem(host: &Host) -> String {
    let kind = &host.filesystem.kind;
    if kind.is_empty() { "unknown".to_owned() } else { kind.clone() }
}

fn device(host: &Host) -> String {
    let Some(device) = &host.device else { return "none visible".to_owned() };
    // What a virtual disk says about its platters means nothing.
    let kind = match &device.below {
        Some(below) => below,
        None if device.rotational => "with platters that turn",
        None => "without moving parts",
    };
    format!("{}, {kind}", device.name)
}

fn below(host: &Host) -> Option<&'static str> {
    host.device.as_ref()?.below.as_ref()?;
    Some("a cache below this disk may serve cold reads: take cold times with care")
}

fn read_ahead(host: &Host) -> String {
    host.device.as_ref().map_or_else(
        || "unknown".to_owned(),
        |device| {
            let (ahead, request) = (device.read_ahead_kb * 1024, device.max_sectors_kb * 1024);
            format!("up to {}, in requests of up to {}", format_bytes(ahead), format_bytes(request))
        },
    )
}

fn memory(host: &Host) -> String {
    format!("available: {} of {}", format_bytes(host.mem_available_bytes), format_bytes(host.mem_total_bytes))
}

fn memory_limit(host: &Host) -> String {
    match &host.cgroup {
        None => "no cgroup visible".to_owned(),
        Some(cgroup) => {
            let limit = cgroup
                .limit_bytes
                .map_or_else(|| "none".to_owned(), |bytes| format!("of {}", format_bytes(bytes)));
            format!("{limit} (cgroup v{})", cgroup.version)
        }
    }
}

fn machine(host: &Host) -> String {
    let virtual_machine = host.virtual_machine.as_ref().map(|name| format!("virtual machine ({name})"));
    let container = host.container.as_ref().map(|name| format!("container ({name})"));
    let kinds: Vec<_> = virtual_machine.into_iter().chain(container).collect();
    if kinds.is_empty() { "neither virtual machine nor container seen".to_owned() } else { kinds.join(", ") }
}

fn cachestat(host: &Host) -> (String, Option<&'static str>) {
    if host.cachestat {
        return ("answers".to_owned(), None);
    }
    let remedy = "mincore(2) answers instead, without dirty pages; Linux 6.5 and later have cachestat(2), unless a \
                  container's seccomp filter hides it";
    ("does not answer".to_owned(), Some(remedy))
}

fn fault_around(host: &Host) -> String {
    host.fault_around_bytes.map_or_else(
        || "not readable (debugfs); a lab infers it".to_owned(),
        |bytes| format!("of {}", format_bytes(bytes)),
    )
}

fn dirty(host: &Host) -> String {
    let dirty = &host.dirty;
    let bound = |bytes: u64, ratio: u64| if bytes > 0 { format_bytes(bytes) } else { format!("{ratio}%") };
    format!(
        "at {} dirty; writers wait at {}",
        bound(dirty.background_bytes, dirty.background_ratio),
        bound(dirty.bytes, dirty.ratio)
    )
}

fn privileges(host: &Host) -> String {
    let privileges = &host.privileges;
    let who = if privileges.root { "root" } else { "an ordinary user" };
    let namespaces = if privileges.user_namespaces { "user namespaces" } else { "no user namespaces" };
    format!("{who}, {} capabilities, {namespaces}", privileges.capabilities.len())
}

fn terminal(found: &Found) -> String {
    let size = found.terminal.map_or_else(
        || "no terminal".to_owned(),
        |(columns, lines)| format!("of {columns} columns, {lines} lines"),
    );
    let colour = if found.look.colour { "colour" } else { "no colour" };
    format!("{size}, {colour}")
}

#[cfg(test)]
mod tests;
