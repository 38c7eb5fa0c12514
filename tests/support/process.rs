//! Processes that belong to a fixture: found by their environment, which children inherit.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Processes, by number and command line, that have `place` somewhere in their environment.
pub fn of(place: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter(|number| *number != std::process::id())
        .filter(|number| has_in_environment(*number, place.as_os_str().as_bytes()))
        .map(|number| format!("{number}: {}", command_line(number)))
        .collect()
}

// What has ended meanwhile, or is another user's, is not ours. A zombie has no environment any more.
fn has_in_environment(number: u32, wanted: &[u8]) -> bool {
    let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
    environment.windows(wanted.len()).any(|window| window == wanted)
}

fn command_line(number: u32) -> String {
    let bytes = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}
