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

#[cfg(test)]
mod tests {
    use super::*;

    const SMAPS: &str = "\
55d0c0a00000-55d0c0a05000 r--p 00000000 fe:00 1835044                    /usr/bin/less
Size:                 20 kB
KernelPageSize:        4 kB
Rss:                  20 kB
Pss:                  10 kB
VmFlags: rd mr mw me
7f2a1c000000-7f2a1c021000 rw-p 00000000 00:00 0 
Rss:                 132 kB
7f2a20000000-7f2a30000000 r--s 00000000 fe:00 2162704                    /var/tmp/with space (deleted)
Size:             262144 kB
Rss:                 768 kB
Pss:                 768 kB
7f2a30000000-7f2a30001000 r--s 0ffff000 fe:00 2162704                    /var/tmp/with space (deleted)
Rss:                   4 kB
7ffd1b5fe000-7ffd1b600000 r-xp 00000000 00:00 0                          [vdso]
Rss:                   8 kB
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
";

    fn identity(device: &str, inode: &str) -> Identity {
        Identity { device: device.into(), inode: inode.into() }
    }

    fn resident(identity: &Identity) -> u64 {
        resident_kib(SMAPS.lines().map(|line| line.as_bytes().to_vec()), identity)
    }

    #[test]
    fn mappings_are_told_from_other_lines() {
        let mappings: Vec<_> = SMAPS.lines().filter_map(|line| parse_mapping(line.as_bytes())).collect();
        assert_eq!(mappings.len(), 6);
        assert_eq!(mappings[0], (0x55d0_c0a0_0000, identity("fe:00", "1835044")));
        assert_eq!(mappings[1], (0x7f2a_1c00_0000, identity("00:00", "0")));
        assert_eq!(mappings[2].1, identity("fe:00", "2162704"));
        assert_eq!(mappings[5].0, 0xffff_ffff_ff60_0000);
    }

    #[test]
    fn a_line_is_read_whatever_bytes_its_path_has() {
        let line = b"7f00-7f10 r--s 00000000 00:27 42     /tmp/\xff\xfe";
        assert_eq!(parse_mapping(line), Some((0x7f00, identity("00:27", "42"))));
        for junk in [&b""[..], b"7f00", b"7f00-7f10 r--s 0", b"Rss:   4 kB", b"\xff-\xfe a b c d"] {
            assert_eq!(parse_mapping(junk), None);
        }
    }

    #[test]
    fn only_the_files_own_mappings_add_up() {
        assert_eq!(resident(&identity("fe:00", "2162704")), 772);
        assert_eq!(resident(&identity("fe:00", "1835044")), 20);
        assert_eq!(resident(&identity("fe:01", "2162704")), 0);
    }
}
