//! The `dd` of this machine, run as in countless disk tests, and the line that it prints.

use instruments::residency::Residency;
use instruments::subject::{self, Exit, Watch};
use instruments::{Bench, Reading, Unavailable};
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One run of `dd`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dd {
    /// As typed, without the file's name.
    pub command: String,
    /// The file's pages just before.
    pub before: Reading<Residency>,
    /// Whether it ended with 0.
    pub succeeded: bool,
    /// The last line that it printed: its throughput, or its complaint.
    pub line: String,
}

impl Dd {
    /// Read `bytes` of `path` with `dd` in blocks of the plan, with `flag`, such as `iflag=direct`. None where there
    /// is no `dd`.
    pub fn measure(
        bench: &mut Bench<'_>,
        path: &Path,
        bytes: u64,
        flag: Option<&str>,
    ) -> Result<Option<Dd>, Unavailable> {
        let Some(program) = installed("dd") else { return Ok(None) };
        let block = bench.plan().block_bytes;
        let mut options = vec![format!("bs={block}")];
        if bytes < bench.plan().size_bytes {
            options.push(format!("count={}", bytes / block));
        }
        options.extend(flag.map(str::to_owned));
        let mut input = OsString::from("if=");
        input.push(path);
        let mut args = vec![input, OsString::from("of=/dev/null")];
        args.extend(options.iter().map(OsString::from));
        let args: Vec<_> = args.iter().map(OsString::as_os_str).collect();
        let before = bench.residency(path)?;
        let (outcome, _) = subject::run(&program, &args, Watch::Nothing)?;
        let line = outcome.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
        Ok(Some(Dd {
            command: format!("dd of=/dev/null {}", options.join(" ")),
            before,
            succeeded: outcome.exit == Exit::Code(0),
            // Evidence is shared with others and names no path of this machine.
            line: line.replace(&*path.to_string_lossy(), "FILE"),
        }))
    }

    /// What its line says after the number of bytes: `0.0342 s, 15.7 GB/s`. The whole line where it looks otherwise.
    pub fn throughput(&self) -> &str {
        self.line.split_once(" copied, ").map_or(&*self.line, |(_, throughput)| throughput)
    }
}

fn installed(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|directory| directory.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use instruments::Unknown;

    fn printed(line: &str) -> Dd {
        Dd {
            command: "dd".to_owned(),
            before: Reading::Unknown(Unknown::NotPermitted),
            succeeded: true,
            line: line.to_owned(),
        }
    }

    #[test]
    fn throughput_of_coreutils_and_of_busybox() {
        let coreutils = printed("536870912 bytes (537 MB, 512 MiB) copied, 0.0341859 s, 15.7 GB/s");
        assert_eq!(coreutils.throughput(), "0.0341859 s, 15.7 GB/s");
        let busybox = printed("536870912 bytes (512.0MB) copied, 0.034186 seconds, 14.6GB/s");
        assert_eq!(busybox.throughput(), "0.034186 seconds, 14.6GB/s");
    }

    #[test]
    fn any_other_line_is_shown_whole() {
        let complaint = "dd: failed to open 'data': Invalid argument";
        assert_eq!(printed(complaint).throughput(), complaint);
        assert_eq!(printed("").throughput(), "");
    }
}
