//! The book's generated parts: made from recordings and from the command line, so that no figure is typed.

mod captures;
mod help;
mod markdown;
pub use markdown::html;
mod others;
mod read;
mod session;
mod sources;

use crate::{Fault, Project};
use lesson::Lab;
use std::path::PathBuf;
use tutor::Transcript;

/// Files by their path from the book's directory.
pub type Files = Vec<(PathBuf, String)>;

/// All generated files, as their sources would have them today.
pub fn all(labs: &[Lab], project: &Project) -> Result<Files, Fault> {
    let mut files = Files::new();
    for lab in labs {
        let (name, json) = lab.recordings.first().copied().unwrap_or_default();
        let shown = Transcript::of(lab, json).map_err(|why| Fault::file(name, why))?;
        files.extend(session::files(lab, &shown));
        files.push(others::file(lab, &shown, project)?);
        files.push(sources::file(lab, &shown));
    }
    files.extend(help::files(labs));
    files.extend(captures::files(project)?);
    files.extend(read::files(project)?);
    Ok(files)
}

/// Write them, and remove what has no source any more. The chapters for the terminal are made from the others, so all
/// are made once more when those are in place.
pub fn write(project: &Project) -> Result<(), Fault> {
    put(project)?;
    let second = Project::here()?;
    put(&second)
}

fn put(project: &Project) -> Result<(), Fault> {
    for dir in project.generated_dirs() {
        for file in crate::project::files_below(&dir)? {
            let is_known = project.generated.iter().any(|(path, _)| project.book.join(path) == file);
            if !is_known {
                std::fs::remove_file(&file).map_err(|error| Fault::file(&file, error))?;
            }
        }
    }
    for (path, text) in &project.generated {
        let file = project.book.join(path);
        let written =
            file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&file, text));
        written.map_err(|error| Fault::file(&file, error))?;
    }
    Ok(())
}

/// `src/generated/NAME`
fn generated(name: impl AsRef<std::path::Path>) -> PathBuf {
    PathBuf::from("src/generated").join(name)
}
