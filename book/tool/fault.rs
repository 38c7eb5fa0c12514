//! What can be wrong with the book: mdBook itself passes over most of it.

use std::path::PathBuf;

/// Something that must not be so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Fault {
    /// mdBook could not build it.
    #[error("the book cannot be built: {0}")]
    Build(String),
    /// A file of the book cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A chapter lies there that no reader will find.
    #[error("{chapter} is not in SUMMARY.md")]
    Unlisted {
        /// Its file.
        chapter: String,
    },
    /// An include of a file that is not there.
    #[error("{chapter}: includes {path}, which is not there")]
    MissingInclude {
        /// Where it is included.
        chapter: String,
        /// What.
        path: String,
    },
    /// An include of lines between marks that are not there.
    #[error("{chapter}: {path} has no lines between ANCHOR: {anchor} and ANCHOR_END: {anchor}")]
    MissingAnchor {
        /// Where it is included.
        chapter: String,
        /// From where.
        path: String,
        /// Which.
        anchor: String,
    },
    /// A link that leads nowhere.
    #[error("{page}: the link to {to} leads nowhere")]
    BrokenLink {
        /// The page.
        page: String,
        /// The link as it is written.
        to: String,
    },
    /// A line that the tutor does not understand.
    #[error("{chapter}: `{command}` is not understood: {why}")]
    Command {
        /// Where it stands.
        chapter: String,
        /// The line.
        command: String,
        /// What the tutor says.
        why: String,
    },
    /// A measured figure that somebody typed, so that no recording stands behind it.
    #[error("{chapter}: `{figure}` is typed by hand; include it from a recording")]
    TypedFigure {
        /// Where it stands.
        chapter: String,
        /// The figure.
        figure: String,
    },
    /// A chapter among the labs' whose name no lab has.
    #[error("{chapter} is among the labs' chapters, and there is no such lab")]
    ChapterWithoutLab {
        /// Its file.
        chapter: String,
    },
    /// A lab that the book does not tell of.
    #[error("lab `{lab}` has no chapter")]
    LabWithoutChapter {
        /// Its name.
        lab: String,
    },
    /// An act to which the tutor would send its learners in vain.
    #[error("{chapter} has no section for act `{act}`")]
    ActWithoutSection {
        /// The lab's chapter.
        chapter: String,
        /// The act's id.
        act: String,
    },
    /// A generated file that does not say what its source says today.
    #[error("{file} is stale: `cargo run -p book -- refresh` makes it anew")]
    Stale {
        /// The file.
        file: String,
    },
    /// A drawing that says nothing to those who cannot see it.
    #[error("{page}: a drawing without words ({what})")]
    NoAltText {
        /// The page.
        page: String,
        /// Its tag.
        what: String,
    },
    /// Something that the page would fetch from elsewhere.
    #[error("{page}: fetches {what} from another host")]
    External {
        /// The page or the stylesheet.
        page: String,
        /// The address.
        what: String,
    },
}

impl Fault {
    /// A file that cannot be used, for this reason.
    pub fn file(path: impl Into<PathBuf>, why: impl std::fmt::Display) -> Fault {
        Fault::File { path: path.into(), why: why.to_string() }
    }
}
