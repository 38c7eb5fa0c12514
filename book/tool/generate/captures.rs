//! What other tools said of a real file: kept captures, each with its command, machine and date.

use super::markdown::escaped;
use super::{Files, generated};
use crate::capture::{self, Capture};
use crate::{Fault, Project};

/// One file a capture.
pub fn files(project: &Project) -> Result<Files, Fault> {
    Ok(capture::kept(project)?.iter().map(|capture| (path(capture), text(capture))).collect())
}

fn path(capture: &Capture) -> std::path::PathBuf {
    generated(format!("tools/{}.md", capture.name))
}

fn text(capture: &Capture) -> String {
    let mut shown = format!("```text\n$ {}\n", capture.command);
    shown.push_str(capture.output.trim_end());
    format!("{shown}\n```\n\n*{}*\n", escaped(&capture.label))
}
