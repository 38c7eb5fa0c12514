//! Everything that must hold, and that mdBook passes over: it exits with 0 on a missing include or a broken link.

mod commands;
mod coverage;
mod pages;
mod sources;
mod stale;
mod tags;

pub use pages::Page;
pub use tags::{Tag, tags};

use crate::{Fault, Project};

/// All that is wrong, sorted, each thing once.
pub fn all(project: &Project) -> Vec<Fault> {
    let mut faults = match project.chapters() {
        Ok(chapters) => {
            let mut faults = sources::check(project, &chapters);
            faults.extend(coverage::check(project, &chapters));
            faults
        }
        Err(fault) => return vec![fault],
    };
    faults.extend(stale::check(project));
    match built(project) {
        Ok(found) => faults.extend(found),
        Err(fault) => faults.push(fault),
    }
    faults.sort();
    faults.dedup();
    faults
}

/// What is wrong with the pages of a build made for this.
fn built(project: &Project) -> Result<Vec<Fault>, Fault> {
    let place = tempfile::tempdir().map_err(|error| Fault::file("a temporary directory", error))?;
    crate::build(project, place.path())?;
    pages::check(place.path(), &project.labs)
}
