//! The book's workshop: builds it with the real mdBook, makes its generated parts, and checks what mdBook does not.
//!
//! - [`project`]: where the book lies, and what it belongs to.
//! - [`generate`]: question, reveal and figures of every act from recordings, help from the command line; [`svg`]
//!   draws the figures.
//! - [`include`]: includes expanded, so that they can be looked at, and read in a terminal.
//! - [`check`]: everything that must hold, each thing that does not as a [`Fault`] of its own.

pub mod capture;
pub mod check;
pub mod fault;
pub mod generate;
pub mod include;
pub mod project;
pub mod svg;

pub use fault::Fault;
pub use project::Project;

use mdbook_driver::MDBook;
use std::path::Path;

/// Build the book into `into`.
pub fn build(project: &Project, into: &Path) -> Result<(), Fault> {
    let failed = |error: mdbook_driver::errors::Error| {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        Fault::Build(causes.join(": "))
    };
    let mut book = MDBook::load(&project.book).map_err(failed)?;
    book.config.build.build_dir = into.to_path_buf();
    book.build().map_err(failed)
}
