//! Look at the machine: host facts, a place for scratch files, tools, the terminal.

use super::tool::Tool;
use crate::capabilities::Capabilities;
use crate::exit::Result;
use crate::state::State;
use instruments::scratch::Scratch;
use instruments::subject::{self, Watch};
use instruments::{Host, Unavailable};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Tools that a lab runs, or that a learner can compare our figures with.
pub const TOOLS: [&str; 4] = ["dd", "strace", "fincore", "vmtouch"];

/// What was found.
#[derive(Debug)]
pub struct Findings {
    /// Facts about the machine and about the disk below the scratch directory.
    pub host: Host,
    /// Where scratch files go and how much is free there, or why none can.
    pub scratch: std::result::Result<(PathBuf, u64), String>,
    /// Whether a child's system calls can be counted: tried.
    pub counting: std::result::Result<(), Unavailable>,
    /// Where each of [`TOOLS`] is, where it is.
    pub tools: Vec<(&'static str, Option<Tool>)>,
    /// Columns and lines, of a terminal.
    pub terminal: Option<(u16, u16)>,
    /// What the terminal gets.
    pub look: Capabilities,
    /// Where progress is kept, or why nowhere.
    pub state: std::result::Result<PathBuf, String>,
}

impl Findings {
    /// Look. `dir` is where the scratch files would go.
    pub fn on_this_machine(dir: Option<&Path>, look: Capabilities) -> Result<Findings> {
        let scratch = Scratch::create(dir);
        let (host, scratch) = match &scratch {
            Ok(scratch) => (Host::probe(scratch.path())?, Ok((place(scratch), scratch.free_bytes()?))),
            // The rest of the machine can still be looked at.
            Err(why) => {
                (Host::probe(dir.filter(|dir| dir.is_dir()).unwrap_or(Path::new("/")))?, Err(why.to_string()))
            }
        };
        let version = OsStr::new("--version");
        let counting = subject::run(Path::new("/proc/self/exe"), &[version], Watch::Calls).map(drop);
        let state = State::here();
        Ok(Findings {
            host,
            scratch,
            counting,
            tools: TOOLS.map(|tool| (tool, Tool::find(tool))).into(),
            terminal: console::Term::stdout().size_checked().map(|(lines, columns)| (columns, lines)),
            look,
            state: state.make().map(Path::to_path_buf),
        })
    }
}

fn place(scratch: &Scratch) -> PathBuf {
    scratch.path().parent().unwrap_or(scratch.path()).to_path_buf()
}
