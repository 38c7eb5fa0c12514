//! Captures for the field guide: what the tools really say on this machine, each kept with command, machine and date.

use crate::project::read;
use crate::{Fault, Project};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

/// What a tool said.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Capture {
    /// Under which the book includes it.
    pub name: String,
    /// What was typed.
    pub command: String,
    /// What it said.
    pub output: String,
    /// Machine and date.
    pub label: String,
}

/// By then a readahead has come to its end.
const READ_UP: Duration = Duration::from_millis(500);

/// Name, the program that must be there, and the line. `half.bin` is made cold before each, and then its first half
/// is read.
const LINES: [(&str, &str, &str); 13] = [
    ("free", "free", "free -m"),
    (
        "meminfo",
        "grep",
        "grep -E '^(MemTotal|MemFree|MemAvailable|Buffers|Cached|SReclaimable|Dirty|Writeback):' /proc/meminfo",
    ),
    ("vmstat", "vmstat", "vmstat -w 1 3"),
    ("proc-io", "dd", "sh -c 'dd if=half.bin of=/dev/null bs=128K status=none; cat /proc/$$/io'"),
    ("fincore", "fincore", "fincore half.bin"),
    ("vmtouch", "vmtouch", "vmtouch half.bin"),
    ("pcstat", "pcstat", "pcstat half.bin"),
    ("residency", "tutor", "tutor run residency half.bin"),
    (
        "strace",
        "strace",
        "strace -c -e trace=openat,read,mmap,munmap dd if=half.bin of=/dev/null bs=128K status=none",
    ),
    ("cread", "tutor", "tutor run cread half.bin --block 128K"),
    ("cread-cold", "tutor", "tutor run cread half.bin --block 128K --cold"),
    (
        "perf",
        "perf",
        "perf stat -e minor-faults,major-faults dd if=half.bin of=/dev/null bs=128K status=none",
    ),
    (
        "fio",
        "fio",
        "fio --name=look --filename=half.bin --readonly --rw=read --bs=128k --direct=1 | grep -E '^  read:|^ +lat .usec.|^   READ:'",
    ),
];

const HALF_MIB: u32 = 32;

/// Run what is installed here, and keep what it says; what is not installed keeps its former capture.
pub fn take(project: &Project) -> Result<(), Fault> {
    let place = tempfile::tempdir_in("/var/tmp").map_err(|error| Fault::file("/var/tmp", error))?;
    let failed = |error: &dyn std::fmt::Display| Fault::file(place.path(), error);
    let host = instruments::Host::probe(place.path()).map_err(|error| failed(&error))?;
    let today = said(place.path(), "date -u +%F")?;
    let kernel = host.kernel.split('-').next().unwrap_or_default();
    let machine =
        host.virtual_machine.as_ref().map_or_else(|| "no VM".to_owned(), |name| format!("VM ({name})"));
    let where_ = format!("Linux {kernel}, {}, {}, {machine}", host.arch, host.filesystem.kind);
    said(
        place.path(),
        &format!("head -c {} /dev/urandom > half.bin && sync half.bin", 2 * HALF_MIB * 1024 * 1024),
    )?;
    std::fs::create_dir_all(dir(project)).map_err(|error| Fault::file(dir(project), error))?;
    for (name, program, command) in LINES {
        if said(place.path(), &format!("command -v {program}")).is_err() {
            eprintln!("book: {program} is not installed here: its former capture stays");
            continue;
        }
        said(place.path(), "tutor run evict half.bin")?;
        said(place.path(), &format!("dd if=half.bin of=/dev/null bs=1M count={HALF_MIB} status=none"))?;
        // What was read ahead is still coming; mincore(2) counts it once it is there.
        thread::sleep(READ_UP);
        let capture = Capture {
            name: name.to_owned(),
            command: command.to_owned(),
            output: said(place.path(), &format!("{command} 2>&1"))?,
            label: format!("CAPTURED {today} · {where_}"),
        };
        let file = dir(project).join(format!("{name}.json"));
        let json = serde_json::to_string_pretty(&capture).map_err(|error| Fault::file(&file, error))?;
        std::fs::write(&file, json + "\n").map_err(|error| Fault::file(&file, error))?;
    }
    Ok(())
}

/// What a line for the shell says; the tutor that was built beside this program is found by its name.
fn said(place: &Path, line: &str) -> Result<String, Fault> {
    let failed = |why: String| Fault::file(place, format!("`{line}` {why}"));
    let own = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let beside = own.parent().unwrap_or(Path::new("")).display().to_string();
    let path = format!("{beside}:{}", std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(place)
        .env("PATH", path)
        .env("LC_ALL", "C")
        .output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(format!("failed: {}", String::from_utf8_lossy(&output.stderr).trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

fn dir(project: &Project) -> PathBuf {
    project.book.join("captures")
}

/// All that are kept, by name.
pub fn kept(project: &Project) -> Result<Vec<Capture>, Fault> {
    let dir = dir(project);
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let files = crate::project::files_below(&dir)?;
    files
        .iter()
        .map(|file| serde_json::from_str(&read(file)?).map_err(|error| Fault::file(file, error)))
        .collect()
}
