//! `tutor clean`: remove everything that was ever left on disk, and say what.

use crate::atomic;
use crate::ending::{Ending, Result};
use crate::out::Out;
use crate::state::State;
use instruments::{limit, scratch};
use std::fs;

/// `tutor clean`
pub fn run(all: bool, out: &mut Out) -> Result {
    let state = State::here();
    let mut removed = scratch::collect(&state.remembered_dirs());
    removed.extend(limit::collect());
    let left_behind = ["progress.json.corrupt-", atomic::PREFIX];
    for file in left_behind.iter().flat_map(|prefix| state.files_with_prefix(prefix)) {
        fs::remove_file(&file)
            .map_err(|error| Ending::failed(format_args!("remove {}", file.display()), error))?;
        removed.push(file);
    }
    if all && let Some(dir) = state.path() {
        let gone = state
            .remove()
            .map_err(|error| Ending::failed(format_args!("remove {}", dir.display()), error))?;
        removed.extend(gone.then(|| dir.to_path_buf()));
    }
    for path in &removed {
        out.line(format_args!("removed {}", path.display()))?;
    }
    if removed.is_empty() {
        out.line("Nothing was left on disk.")?;
    }
    match state.path() {
        Some(dir) if dir.exists() => out.line(format_args!(
            "Your progress stays in {}; `tutor clean --all` removes it, too.",
            dir.display()
        )),
        _ => Ok(()),
    }
}
