//! `cargo run -p book -- build|open|check|refresh`: the book, built with the real mdBook.

use book::{Fault, Project};
use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The course on the Linux page cache, as a book
#[derive(Debug, Parser)]
#[command(name = "book", bin_name = "cargo run -p book --")]
struct Cli {
    #[command(subcommand)]
    wish: Wish,
}

#[derive(Clone, Debug, Subcommand)]
enum Wish {
    /// Build it into book/book: open book/book/index.html, from a USB stick if you like
    Build,
    /// Build it, and show it in your browser
    Open,
    /// Everything that must hold, and that mdBook passes over
    Check,
    /// Make the generated parts anew, from recordings and from the command line
    Refresh {
        /// First run the tools of the field guide on this machine, and keep what they say
        #[arg(long)]
        tools: bool,
    },
}

fn main() -> ExitCode {
    let done = Project::here().map_err(|fault| vec![fault]).and_then(|project| run(&Cli::parse(), &project));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(faults) => {
            faults.iter().for_each(|fault| eprintln!("book: {fault}"));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli, project: &Project) -> Result<(), Vec<Fault>> {
    let one = |fault| vec![fault];
    match cli.wish {
        Wish::Build => build(project).map(|page| println!("{}", page.display())).map_err(one),
        Wish::Open => build(project).and_then(|page| open(&page)).map_err(one),
        Wish::Check => {
            let faults = book::check::all(project);
            if faults.is_empty() { Ok(()) } else { Err(faults) }
        }
        Wish::Refresh { tools } => {
            if tools {
                book::capture::take(project).map_err(one)?;
            }
            // What was just kept is a source of what is made now.
            let project = Project::here().map_err(one)?;
            book::generate::write(&project).map_err(one)
        }
    }
}

fn build(project: &Project) -> Result<PathBuf, Fault> {
    let into = project.book.join("book");
    book::build(project, &into)?;
    Ok(into.join("index.html"))
}

fn open(page: &Path) -> Result<(), Fault> {
    let failed = |why: String| Fault::file(page, format!("cannot be shown by xdg-open: {why}"));
    let status = Command::new("xdg-open").arg(page).status().map_err(|error| failed(error.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(status.to_string())) }
}
