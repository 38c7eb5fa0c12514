//! `tutor clean`: remove everything that was ever left on disk, and say what.

use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::state::State;
use crate::timing;
use instruments::limit;
use std::fs;
use std::path::PathBuf;

/// `tutor clean`
pub fn run(all: bool, out: &mut Out) -> Result {
    let state = State::here();
    let mut removed = state.collect();
    removed.extend(limit::collect());
    removed.extend(own_leftovers(&state, all)?);
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

/// What a killed run left in the state directory; with `all` the directory itself. Without it damaged progress that was
/// set aside stays, too: there is no other copy.
fn own_leftovers(state: &State, all: bool) -> Result<Vec<PathBuf>> {
    let mut removed = Vec::new();
    // A session that was killed says nothing any more; one that runs is still followed.
    let sessions = state.files_with_prefix(timing::PREFIX).into_iter();
    for file in sessions.filter(|file| timing::living(file).is_none()) {
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
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(place: &std::path::Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(place)
            .map(|entries| entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect())
            .unwrap_or_default();
        names.sort();
        names
    }

    #[test]
    fn leftovers_go_and_progress_stays_unless_all_is_wanted() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("state");
        fs::create_dir(&dir).unwrap();
        for name in ["progress.json", "progress.json.corrupt-1", "session-x.json", "scratch-dirs"] {
            fs::write(dir.join(name), "").unwrap();
        }
        let state = State::at(&dir);
        assert_eq!(own_leftovers(&state, false).unwrap(), [dir.join("session-x.json")]);
        assert_eq!(names(&dir), ["progress.json", "progress.json.corrupt-1", "scratch-dirs"]);
        assert_eq!(own_leftovers(&state, true).unwrap(), std::slice::from_ref(&dir));
        assert!(!dir.exists());
        assert!(own_leftovers(&state, true).unwrap().is_empty());
    }
}
