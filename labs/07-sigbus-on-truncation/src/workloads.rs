//! The programs that this lab runs as children, and the learner by hand. Some of them are meant to die.

pub mod defend;
pub mod holestore;
pub mod mapcut;
pub mod place;
pub mod readcut;

use instruments::other_process::{self, OtherProcess};
use instruments::size::{format_bytes, parse_bytes};
use instruments::{Unavailable, sigbus};
use lesson::Workload;
use lesson::workload::Line;
use std::fs::File;
use std::io::{self, Write};

/// All of them.
pub fn all() -> Vec<Workload> {
    vec![
        Workload::new("readcut", "Read on in a file that another process cuts short", readcut::run),
        Workload::new("mapcut", "Touch a mapping whose file another process cuts short", mapcut::run),
        Workload::new(
            "holestore",
            "Store into a hole of a file on a full disk, a small one of its own",
            holestore::run,
        ),
        Workload::new("defend", "Try a defence against a file cut short, or a full disk", defend::run),
    ]
}

/// A larger file shows nothing more, and takes room on somebody's disk.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Parse the size of a file.
fn parse_size(text: &str) -> Result<u64, String> {
    match parse_bytes(text)? {
        bytes @ 1..=MAX_FILE_BYTES => Ok(bytes),
        _ => Err(format!("a file here has from 1 B to {}", format_bytes(MAX_FILE_BYTES))),
    }
}

/// What the files are filled with.
pub const OLD: u8 = b'A';
/// What is stored over it.
pub const NEW: u8 = b'B';

/// `bytes` bytes of [`OLD`].
fn fill(file: &mut File, bytes: u64) -> Result<(), Unavailable> {
    static PIECE: [u8; 64 << 10] = [OLD; 64 << 10];
    let mut left = bytes;
    while left > 0 {
        let piece = left.min(PIECE.len() as u64);
        file.write_all(&PIECE[..piece as usize]).map_err(|why| failed("fill the file", why))?;
        left -= piece;
    }
    Ok(())
}

/// Another process sets the file's length.
fn cut(file: &File, keep: u64) -> Result<OtherProcess, Unavailable> {
    other_process::truncate(file, keep).map_err(|why| failed("let another process cut the file", why))
}

/// Print what is known before a step that may kill, so that it is known afterwards; and leave no core file if it does.
fn announce(line: &Line) -> Result<(), Unavailable> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .and_then(|()| sigbus::leave_no_core_file())
        .map_err(|why| failed("say what comes next", why))
}

fn failed(what: &str, why: io::Error) -> Unavailable {
    Unavailable::failed(what, why, "")
}

/// The name of an error for a field; `none` where there was none.
fn error_name<T>(result: &io::Result<T>) -> String {
    match result {
        Ok(_) => "none".to_owned(),
        Err(error) => error.raw_os_error().map_or_else(|| "other".to_owned(), other_process::error_name),
    }
}
