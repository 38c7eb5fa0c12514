//! Where the book lies, and the course that it belongs to.

use crate::Fault;
use mdbook_driver::MDBook;
use mdbook_driver::book::BookItem;
use std::path::{Path, PathBuf};

/// The part of the summary whose chapters are the labs'.
pub const LABS: &str = "The labs";

/// A book and its course.
#[derive(Clone, Debug)]
pub struct Project {
    /// Directory with book.toml.
    pub book: PathBuf,
    /// The labs that must have a chapter each.
    pub labs: Vec<LabName>,
    /// What the generated files should say, by their path from the book's directory.
    pub generated: Vec<(PathBuf, String)>,
}

/// A lab, as far as the book has to name it.
#[derive(Clone, Debug)]
pub struct LabName {
    /// Its number.
    pub number: u32,
    /// Its name: the chapter's, too.
    pub slug: String,
    /// Its acts: the chapter's anchors.
    pub acts: Vec<String>,
}

/// A chapter.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Its title in the summary.
    pub title: String,
    /// Its file, from `src`.
    pub path: PathBuf,
    /// Its Markdown, with nothing expanded.
    pub text: String,
    /// Whether it stands in the part of the labs.
    pub is_lab: bool,
}

impl Chapter {
    /// `cold-vs-warm` of `cold-vs-warm.md`.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl Project {
    /// This book, and the course that the tutor tells.
    pub fn here() -> Result<Project, Fault> {
        let book = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let labs = tutor::labs();
        let name = |lab: &lesson::Lab| LabName {
            number: lab.card.number,
            slug: lab.card.slug.to_owned(),
            acts: lab.acts.iter().map(|act| act.id().to_owned()).collect(),
        };
        let names = labs.iter().map(name).collect();
        let mut project = Project { book, labs: names, generated: Vec::new() };
        project.generated = crate::generate::all(&labs, &project)?;
        Ok(project)
    }

    /// The chapters' directory.
    pub fn src(&self) -> PathBuf {
        self.book.join("src")
    }

    /// Directories that hold generated files and nothing else, where they exist.
    pub fn generated_dirs(&self) -> Vec<PathBuf> {
        let dirs = [self.src().join("generated"), self.book.join("../tutor/chapters")];
        dirs.into_iter().filter(|dir| dir.exists()).collect()
    }

    /// The chapters, in the order of the summary.
    pub fn chapters(&self) -> Result<Vec<Chapter>, Fault> {
        let book = MDBook::load(&self.book)
            .map_err(|error| Fault::Build(format!("{error:#}").replace('\n', " ")))?;
        let mut chapters = Vec::new();
        let mut is_lab = false;
        for item in book.iter() {
            match item {
                BookItem::PartTitle(title) => is_lab = title == LABS,
                BookItem::Separator => is_lab = false,
                BookItem::Chapter(chapter) => {
                    let Some(path) = &chapter.path else { continue };
                    chapters.push(Chapter {
                        title: chapter.name.clone(),
                        path: path.clone(),
                        text: chapter.content.clone(),
                        is_lab,
                    });
                }
            }
        }
        Ok(chapters)
    }
}

/// A file's text, or which file cannot be read and why.
pub fn read(path: &Path) -> Result<String, Fault> {
    std::fs::read_to_string(path).map_err(|error| Fault::file(path, error))
}

/// Every file below `dir`, sorted.
pub fn files_below(dir: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    let mut left = vec![dir.to_path_buf()];
    while let Some(dir) = left.pop() {
        let entries = std::fs::read_dir(&dir).map_err(|error| Fault::file(&dir, error))?;
        for entry in entries {
            let path = entry.map_err(|error| Fault::file(&dir, error))?.path();
            if path.is_dir() { left.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}
