//! Each fact in a few words, and what to do about it where something is to be done; unknown where nothing tells.

use crate::doctor::findings::Findings;
use instruments::Host;
use instruments::size::format_bytes;

pub fn tool_use(tool: &str) -> (&'static [u32], &'static str) {
    match tool {
        "dd" => (&[2], "without it, lab 2 shows its last act without the real dd (package coreutils)"),
        "strace" => (&[3], "with it you can check our counts (package strace)"),
        "fincore" => (&[2], "with it you can check our residency (package util-linux or util-linux-extra)"),
        _ => (&[2], "with it you can check our residency (package vmtouch)"),
    }
}

pub fn known(value: Option<&str>) -> String {
    value.unwrap_or("unknown").to_owned()
}

pub fn filesystem(host: &Host) -> String {
    let kind = &host.filesystem.kind;
    if kind.is_empty() { "unknown".to_owned() } else { kind.clone() }
}

pub fn device(host: &Host) -> String {
    let Some(device) = &host.device else { return "none visible".to_owned() };
    // What a virtual disk says about its platters means nothing.
    let kind = match &device.below {
        Some(below) => below,
        None if device.rotational => "with platters that turn",
        None => "without moving parts",
    };
    format!("{}, {kind}", device.name)
}

pub fn below(host: &Host) -> Option<&'static str> {
    host.device.as_ref()?.below.as_ref()?;
    Some("a cache below this disk may serve cold reads: take cold times with care")
}

pub fn read_ahead(host: &Host) -> String {
    host.device.as_ref().map_or_else(
        || "unknown".to_owned(),
        |device| {
            let (ahead, request) = (device.read_ahead_kb * 1024, device.max_sectors_kb * 1024);
            format!("up to {}, in requests of up to {}", format_bytes(ahead), format_bytes(request))
        },
    )
}

pub fn memory(host: &Host) -> String {
    format!("available: {} of {}", format_bytes(host.mem_available_bytes), format_bytes(host.mem_total_bytes))
}

pub fn memory_limit(host: &Host) -> String {
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

pub fn machine(host: &Host) -> String {
    let virtual_machine = host.virtual_machine.as_ref().map(|name| format!("virtual machine ({name})"));
    let container = host.container.as_ref().map(|name| format!("container ({name})"));
    let kinds: Vec<_> = virtual_machine.into_iter().chain(container).collect();
    if kinds.is_empty() { "neither virtual machine nor container seen".to_owned() } else { kinds.join(", ") }
}

pub fn cachestat(host: &Host) -> (String, Option<&'static str>) {
    if host.cachestat {
        return ("answers".to_owned(), None);
    }
    let remedy = "mincore(2) answers instead, without dirty pages; Linux 6.5 and later have cachestat(2), unless a \
                  container's seccomp filter hides it";
    ("does not answer".to_owned(), Some(remedy))
}

pub fn fault_around(host: &Host) -> String {
    host.fault_around_bytes.map_or_else(
        || "not readable (debugfs); a lab infers it".to_owned(),
        |bytes| format!("of {}", format_bytes(bytes)),
    )
}

pub fn dirty(host: &Host) -> String {
    let dirty = &host.dirty;
    let bound = |bytes: u64, ratio: u64| if bytes > 0 { format_bytes(bytes) } else { format!("{ratio}%") };
    format!(
        "at {} dirty; writers pause from midway to {}",
        bound(dirty.background_bytes, dirty.background_ratio),
        bound(dirty.bytes, dirty.ratio)
    )
}

pub fn privileges(host: &Host) -> String {
    let privileges = &host.privileges;
    let who = if privileges.root { "root" } else { "an ordinary user" };
    let capabilities = match privileges.capabilities.len() {
        0 => "no capability".to_owned(),
        1 => "one capability".to_owned(),
        count => format!("{count} capabilities"),
    };
    format!("{who}, {capabilities}")
}

pub fn terminal(found: &Findings) -> String {
    let size = found.terminal.map_or_else(
        || "no terminal".to_owned(),
        |(columns, lines)| format!("of {columns} columns, {lines} lines"),
    );
    let colour = if found.look.colour { "colour" } else { "no colour" };
    let form = if found.look.plain { ", plain text" } else { "" };
    format!("{size}, {colour}{form}")
}

pub fn namespaces(host: &Host) -> (&'static str, Option<&'static str>) {
    if host.privileges.user_namespaces {
        return ("can be made, tried", None);
    }
    let remedy = "one act of lab 7 needs them; user.max_user_namespaces, a security module or a container forbids them";
    ("cannot be made, tried", Some(remedy))
}

/// Yama's rule, in its own words: Documentation/admin-guide/LSM/Yama.rst of the kernel.
pub fn ptrace(host: &Host) -> (String, Option<&'static str>) {
    let refused = "sysctl kernel.yama.ptrace_scope=1 lets a program watch its own children again";
    match host.privileges.ptrace_scope {
        None => ("no such rule seen".to_owned(), None),
        Some(0) => ("0: any process of yours".to_owned(), None),
        Some(1) => ("1: own children, which is enough".to_owned(), None),
        Some(2) => ("2: administrators only".to_owned(), (!host.privileges.root).then_some(refused)),
        Some(3) => {
            ("3: nobody, until the next boot".to_owned(), Some("it needs a reboot with another setting"))
        }
        Some(other) => (format!("{other}: unknown"), None),
    }
}

/// See perf_event_open(2).
pub fn paranoid(host: &Host) -> String {
    match host.privileges.perf_event_paranoid {
        None => "unknown".to_owned(),
        Some(level @ ..=-1) => format!("{level}: everything is allowed"),
        Some(0) => "0: all but raw tracepoints".to_owned(),
        Some(1) => "1: own processes, the kernel's part too".to_owned(),
        Some(2) => "2: own processes, without the kernel's part".to_owned(),
        Some(level) => format!("{level}: nothing without CAP_PERFMON"),
    }
}

pub fn damon(host: &Host) -> (String, Option<&'static str>) {
    let remedy =
        "nothing: a trial proves its pages and is tried again; a figure may show a few pages missing";
    match &host.damon {
        None => ("unknown: no thread of the kernel can be seen from here".to_owned(), None),
        Some(damon) if damon.threads == 0 => ("does not run".to_owned(), None),
        Some(damon) if damon.actions.is_empty() => {
            ("runs (kdamond); only root can read what it does".to_owned(), Some(remedy))
        }
        Some(damon) if damon.may_evict() => {
            ("runs, and evicts cold file pages (pageout)".to_owned(), Some(remedy))
        }
        Some(damon) => (format!("runs, and evicts nothing ({})", damon.actions.join(", ")), None),
    }
}
