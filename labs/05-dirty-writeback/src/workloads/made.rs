//! The scratch file on which a workload works: on the disk, clean, and all in the cache.

use clap::Args;
use instruments::host::device_below;
use instruments::scratch::Scratch;
use instruments::size::parse_bytes;
use instruments::{Unavailable, open, state};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// How large it is and where it goes. Flatten it into a workload's arguments.
#[derive(Args, Clone, Debug)]
pub struct Place {
    /// Size of the scratch file, which is removed afterwards
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = at_least_a_byte)]
    size: u64,
    /// Where it goes: a directory on a real disk
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// A scratch file, removed when this is dropped.
#[derive(Debug)]
pub struct Made {
    /// Open for reading and writing.
    pub file: File,
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The kernel's name of the disk below, where one is visible.
    pub device: Option<String>,
    _scratch: Scratch,
}

impl Place {
    /// Make the file as any program would: written, and dirty.
    pub fn dirty(&self) -> Result<Made, Unavailable> {
        let scratch = Scratch::create(self.dir.as_deref())?;
        let path = scratch.write("data", self.size, &mut |_| ())?;
        let file = File::options()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| failed("open", &path, error))?;
        let device = device_below(scratch.path()).map(|device| device.name);
        Ok(Made { file, path, bytes: self.size, device, _scratch: scratch })
    }

    /// Make it, bring it to the disk, and have all of it in the cache.
    pub fn clean(&self) -> Result<Made, Unavailable> {
        let made = self.dirty()?;
        made.file.sync_data().map_err(|error| failed("write to the disk", &made.path, error))?;
        state::make_warm(&made.file, &made.path)?;
        Ok(made)
    }

    /// Make it, bring it to the disk, and take it out of the cache.
    pub fn cold(&self) -> Result<Made, Unavailable> {
        let made = self.dirty()?;
        state::make_cold(&made.file, &made.path)?;
        Ok(made)
    }
}

impl Made {
    /// A failure of `what` on this file.
    pub fn failed(&self, what: &str, error: io::Error) -> Unavailable {
        failed(what, &self.path, error)
    }
}

fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> Unavailable {
    Unavailable::failed(format!("{what} {}", open::shown(path)), error, "")
}

fn at_least_a_byte(text: &str) -> Result<u64, String> {
    match parse_bytes(text)? {
        0 => Err("a file of 0 bytes has no page to look at: give at least 1".into()),
        bytes => Ok(bytes),
    }
}
