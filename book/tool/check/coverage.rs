//! A chapter for each lab, a lab for each of their chapters, no chapter that nobody finds.

use crate::project::{Chapter, files_below};
use crate::{Fault, Project};
use std::path::Path;

/// What is missing on either side.
pub fn check(project: &Project, chapters: &[Chapter]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let of_labs: Vec<&Chapter> = chapters.iter().filter(|chapter| chapter.is_lab).collect();
    for chapter in &of_labs {
        if !project.labs.iter().any(|lab| lab.slug == chapter.name()) {
            faults.push(Fault::ChapterWithoutLab { chapter: chapter.path.display().to_string() });
        }
    }
    for lab in &project.labs {
        if !of_labs.iter().any(|chapter| chapter.name() == lab.slug) {
            faults.push(Fault::LabWithoutChapter { lab: lab.slug.clone() });
        }
    }
    faults.extend(unlisted(project, chapters).unwrap_or_else(|fault| vec![fault]));
    faults
}

/// Markdown that is neither listed nor generated.
fn unlisted(project: &Project, chapters: &[Chapter]) -> Result<Vec<Fault>, Fault> {
    let src = project.src();
    let known = |path: &Path| {
        path == Path::new("SUMMARY.md")
            || path.starts_with("generated")
            || path.starts_with("drawings")
            || chapters.iter().any(|chapter| chapter.path == path)
    };
    let found = files_below(&src)?;
    let found = found.iter().filter_map(|file| file.strip_prefix(&src).ok());
    Ok(found
        .filter(|path| path.extension().is_some_and(|extension| extension == "md") && !known(path))
        .map(|path| Fault::Unlisted { chapter: path.display().to_string() })
        .collect())
}
