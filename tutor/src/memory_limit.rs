//! `tutor run --limit SIZE`: a workload inside of a memory limit, and what that limit saw of it.

use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::state::State;
use instruments::limit::{self, Limit};
use instruments::scratch;
use instruments::subject::{Exit, Watch, run_in};
use lesson::workload::Line;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Run the same command without its `--limit`, as a child in a memory cgroup of its own.
pub fn run(limit_bytes: u64, workload: &str, out: &mut Out) -> Result {
    limit::collect();
    let limit = Limit::create(limit_bytes)?;
    let args = without_limit(env::args_os(), workload);
    let args: Vec<&OsStr> = args.iter().map(OsString::as_os_str).collect();
    let (outcome, _) = run_in(Path::new("/proc/self/exe"), &args, Watch::Nothing, Some(&limit))?;
    out.text(&outcome.stdout)?;
    let account = limit.account()?;
    out.line(
        Line::new("limit")
            .with("limit_bytes", limit_bytes)
            .with("charged_bytes", account.charged_bytes)
            .with("file_bytes", account.file_bytes)
            .with("anon_bytes", account.anon_bytes)
            .with_known("swap_bytes", account.swap_bytes)
            .with_known("limit_hits", account.limit_hits)
            .with_known("oom_kills", account.oom_kills),
    )?;
    out.flush()?;
    match outcome.exit {
        Exit::Code(0) => Ok(()),
        Exit::Code(code) => {
            let last = outcome.stderr.lines().rfind(|line| !line.trim().is_empty());
            let why = last.map_or_else(|| format!("{workload} ended with exit code {code}"), str::to_owned);
            Err(Ending::Failed(why.strip_prefix("tutor: ").unwrap_or(&why).to_owned()))
        }
        Exit::Signal { name, .. } => {
            // It could not remove its scratch file any more.
            scratch::collect(&State::here().remembered_dirs());
            Err(Ending::failed(format_args!("finish {workload}"), name + " killed it"))
        }
    }
}

/// `run WORKLOAD ARGS…`, of a whole command line. No size is a workload's name, so the first such word is it.
fn without_limit(all: impl Iterator<Item = OsString>, workload: &str) -> Vec<OsString> {
    let rest = all.skip(1).skip_while(|word| word != workload);
    std::iter::once(OsString::from("run")).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_left_out_however_it_was_typed() {
        for typed in ["tutor run --limit 128M cread f --size 1", "tutor run --limit=128M cread f --size 1"] {
            let words = typed.split(' ').map(OsString::from);
            assert_eq!(without_limit(words, "cread"), ["run", "cread", "f", "--size", "1"]);
        }
    }
}
