//! The file that a workload works on, and the state in which it is wanted.

use clap::Args;
use instruments::scratch::Scratch;
use instruments::{Unavailable, open, size, state};
use std::path::PathBuf;

/// The file that a workload works on: one of the learner's (opened read-only, never changed), or a scratch file
/// made for this run and removed after it. Flatten it into a workload's arguments.
#[derive(Args, Clone, Debug)]
pub struct Target {
    /// A regular file, only read
    #[arg(value_name = "FILE", required_unless_present = "size", conflicts_with = "size")]
    pub file: Option<PathBuf>,
    /// Work on a scratch file of this size instead, removed afterwards
    #[arg(long, value_name = "SIZE", value_parser = at_least_a_byte)]
    pub size: Option<u64>,
    /// Where the scratch file goes
    #[arg(long, value_name = "DIR", requires = "size", conflicts_with = "file")]
    pub dir: Option<PathBuf>,
    /// Evict the file first, and prove it
    #[arg(long, conflicts_with = "warm")]
    pub cold: bool,
    /// Read the file through first, and prove it
    #[arg(long)]
    pub warm: bool,
}

/// A target made ready: the file is there, in the state that was asked for. Removes a scratch file when dropped.
#[derive(Debug)]
pub struct Ready {
    /// What to open.
    pub path: PathBuf,
    /// Its size.
    pub size_bytes: u64,
    _scratch: Option<Scratch>,
}

impl Target {
    /// Make the file if it has to be made, refuse pipes and directories in one line, bring it into the wanted state.
    pub fn ready(&self) -> Result<Ready, Unavailable> {
        let (path, scratch) = match (&self.file, self.size) {
            (Some(file), _) => (file.clone(), None),
            (None, Some(bytes)) => {
                let (path, scratch) = self.scratch_file(bytes)?;
                (path, Some(scratch))
            }
            (None, None) => {
                return Err(Unavailable::failed(
                    "find a file to work on",
                    "none was named",
                    "name one, or give --size",
                ));
            }
        };
        let failed =
            |what: &str, error| Unavailable::failed(format!("{what} {}", open::shown(&path)), error, "");
        let file = open::regular(&path)?;
        let size_bytes = file.metadata().map_err(|error| failed("ask for the size of", error))?.len();
        if scratch.is_some() {
            // Otherwise the kernel would write it at some moment of its own, in the middle of a measurement.
            file.sync_data().map_err(|error| failed("write to the disk", error))?;
        }
        if self.cold {
            state::make_cold(&file, &path)?;
        }
        if self.warm {
            state::make_warm(&file, &path)?;
        }
        Ok(Ready { path, size_bytes, _scratch: scratch })
    }

    fn scratch_file(&self, bytes: u64) -> Result<(PathBuf, Scratch), Unavailable> {
        if bytes == 0 {
            return Err(Unavailable::failed("make a scratch file", NOTHING, ""));
        }
        let scratch = Scratch::create(self.dir.as_deref())?;
        let path = scratch.write("data", bytes, &mut |_| ())?;
        Ok((path, scratch))
    }
}

/// Why there is no scratch file of no bytes.
const NOTHING: &str = "a file of 0 bytes has no page to look at: give at least 1";

fn at_least_a_byte(text: &str) -> Result<u64, String> {
    match size::parse_bytes(text)? {
        0 => Err(NOTHING.into()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests;
