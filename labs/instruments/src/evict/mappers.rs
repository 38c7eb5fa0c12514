//! Which processes keep pages of a file mapped, as far as /proc tells.

use crate::pages::page_bytes;
use memmap2::MmapOptions;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// Looking through all processes stops here: a name for the cause is not worth more.
const PATIENCE: Duration = Duration::from_secs(2);
/// Names enough.
const ENOUGH: usize = 8;

/// Processes that have pages of `file` in their page tables, lowest PID first; empty where none can be seen.
pub(super) fn of(file: &File) -> Vec<u32> {
    let Some(identity) = identity(file) else { return Vec::new() };
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let mut pids: Vec<u32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    pids.sort_unstable();
    let started = Instant::now();
    pids.into_iter()
        .take_while(|_| started.elapsed() < PATIENCE)
        .filter(|&pid| keeps_pages(pid, &identity))
        .take(ENOUGH)
        .collect()
}

/// A file as /proc/PID/maps names it: device (major:minor in hexadecimal) and inode number.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    device: Vec<u8>,
    inode: Vec<u8>,
}

/// The device and inode that stat(2) gives are not those of maps on btrfs and overlayfs. So the file is mapped here, and
/// looked up in the same table.
fn identity(file: &File) -> Option<Identity> {
    let mapping = MmapOptions::new().len(page_bytes() as usize).map_raw_read_only(file).ok()?;
    let address = mapping.as_ptr() as u64;
    lines(Path::new("/proc/self/maps"))
        .find_map(|line| parse_mapping(&line).filter(|(start, _)| *start == address))
        .map(|(_, identity)| identity)
}

/// A mapping alone keeps nothing; a page in the page table does. smaps counts those, and costs more: asked second.
fn keeps_pages(pid: u32, identity: &Identity) -> bool {
    let proc = format!("/proc/{pid}");
    let mapped = lines(&Path::new(&proc).join("maps"))
        .any(|line| parse_mapping(&line).is_some_and(|(_, of)| of == *identity));
    mapped && resident_kib(lines(&Path::new(&proc).join("smaps")), identity) > 0
}

/// Sum of the Rss lines below the mappings of `identity`, in KiB. See proc_pid_smaps(5).
fn resident_kib(smaps: impl Iterator<Item = Vec<u8>>, identity: &Identity) -> u64 {
    let mut ours = false;
    let mut sum = 0;
    for line in smaps {
        if let Some((_, of)) = parse_mapping(&line) {
            ours = of == *identity;
        } else if ours && let Some(rest) = line.strip_prefix(b"Rss:") {
            let text = String::from_utf8_lossy(rest);
            sum += text.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0);
        }
    }
    sum
}

/// The start address and the file of a mapping's line; None for any other line. See proc_pid_maps(5).
fn parse_mapping(line: &[u8]) -> Option<(u64, Identity)> {
    let mut fields = line.split(|&byte| byte == b' ').filter(|field| !field.is_empty());
    let (start, _) = std::str::from_utf8(fields.next()?).ok()?.split_once('-')?;
    let start = u64::from_str_radix(start, 16).ok()?;
    let (_permissions, _offset) = (fields.next()?, fields.next()?);
    let (device, inode) = (fields.next()?, fields.next()?.trim_ascii_end());
    Some((start, Identity { device: device.to_owned(), inode: inode.to_owned() }))
}

/// The lines of a /proc file; none where it may not be read or its process has gone.
fn lines(path: &Path) -> impl Iterator<Item = Vec<u8>> {
    let file: Box<dyn Read> = match File::open(path) {
        Ok(file) => Box::new(file),
        Err(_) => Box::new(std::io::empty()),
    };
    BufReader::new(file).split(b'\n').map_while(Result::ok)
}
