//! Generated files say what their sources say today, and none is left over.

use crate::project::files_below;
use crate::{Fault, Project};
use std::collections::BTreeSet;

/// The files that differ, are missing, or have no source any more.
pub fn check(project: &Project) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut known = BTreeSet::new();
    for (path, wanted) in &project.generated {
        let file = project.book.join(path);
        if std::fs::read_to_string(&file).ok().as_ref() != Some(wanted) {
            faults.push(Fault::Stale { file: path.display().to_string() });
        }
        known.insert(file);
    }
    for dir in project.generated_dirs() {
        match files_below(&dir) {
            Ok(found) => {
                let left = found.into_iter().filter(|file| !known.contains(file));
                faults.extend(left.map(|file| Fault::Stale {
                    file: file.strip_prefix(&project.book).unwrap_or(&file).display().to_string(),
                }));
            }
            Err(fault) => faults.push(fault),
        }
    }
    faults
}
