//! `tutor tally PATH…`: what a class predicted, what its machines did, what to discuss.

use super::count::{self, Counted};
use super::discuss::{self, Discussion};
use super::export::destination;
use super::gather::{Gathered, gather};
use super::invalid_entries::Known;
use super::{html, text};
use crate::capabilities::Capabilities;
use crate::document::SCHEMA;
use crate::exit::{Ending, Result, complain};
use crate::out::Out;
use crate::{atomic, course};
use clap::Args;
use instruments::open::shown;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Count what a class exported: predictions, outcomes by kind of machine, surprises
#[derive(Args, Debug)]
pub struct TallyArgs {
    /// Exported files, or directories of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// One JSON document on standard output
    #[arg(long)]
    json: bool,
    /// A page for the projector, in one file; - is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Replace a page that is there already
    #[arg(long, requires = "html")]
    force: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    learners: usize,
    skipped_files: Vec<Skipped>,
    unknown: &'a [String],
    damaged: &'a [String],
    #[serde(flatten)]
    discussion: Discussion,
    questions: &'a [Counted],
}

#[derive(Serialize)]
struct Skipped {
    file: String,
    reason: String,
}

/// `tutor tally`
pub fn run(args: &TallyArgs, out: &mut Out) -> Result {
    let page = args.html.as_deref().filter(|file| *file != Path::new("-"));
    let page = page.map(|file| destination(file, args.force)).transpose()?;
    let labs = course::labs();
    let mut gathered = gather(&args.paths);
    let known = Known::of(&labs);
    let told = set_invalid_aside(&mut gathered, &known);
    told.unknown.iter().chain(&told.damaged).for_each(complain);
    for (path, why) in &gathered.refused {
        complain(format_args!("skipped {}: {why}", shown(path)));
    }
    let exports: Vec<_> = gathered.exports.iter().map(|(_, export)| export.clone()).collect();
    if exports.is_empty() {
        return Err(Ending::Failed("no export could be read; `tutor export FILE` writes one".to_owned()));
    }
    let questions = count::questions(&labs, &known, &exports);
    match (&args.html, page) {
        (Some(file), Some(path)) => {
            let failed = |error| Ending::failed(format_args!("write {}", shown(file)), error);
            atomic::write(&path, html::page(exports.len(), &questions).as_bytes(), 0o666).map_err(failed)?;
            out.line(format_args!("Wrote {}: {}.", shown(file), text::head(exports.len(), &questions)))?;
        }
        (Some(_), None) => out.text(html::page(exports.len(), &questions))?,
        (None, _) if args.json => {
            let skipped =
                |(path, why): &(PathBuf, String)| Skipped { file: shown(path), reason: why.clone() };
            out.json(&Document {
                schema: SCHEMA,
                learners: exports.len(),
                skipped_files: gathered.refused.iter().map(skipped).collect(),
                unknown: &told.unknown,
                damaged: &told.damaged,
                discussion: discuss::of(&questions),
                questions: &questions,
            })?;
        }
        (None, _) => out.lines(text::lines(exports.len(), &questions, &Capabilities::here().canvas()))?,
    }
    let whole = gathered.refused.is_empty() && told.damaged.is_empty();
    if whole { Ok(()) } else { Err(Ending::Told) }
}

/// One line a file.
#[derive(Default)]
struct SetAside {
    unknown: Vec<String>,
    damaged: Vec<String>,
}

/// What this tutor does not know is told, and so is what no question can have been answered with. A file of nothing
/// else is refused.
fn set_invalid_aside(gathered: &mut Gathered, known: &Known<'_>) -> SetAside {
    let mut told = SetAside::default();
    for (path, export) in std::mem::take(&mut gathered.exports) {
        let invalid = known.invalid_entries(&export);
        let unknown = (!invalid.unknown.is_empty())
            .then(|| format!("{} (from another version?)", first_few(&invalid.unknown)));
        let damaged = (!invalid.damaged.is_empty())
            .then(|| format!("it is damaged: unknown answer {}", first_few(&invalid.damaged)));
        if !invalid.any {
            let unknown = unknown.map(|words| format!("unknown: {words}"));
            let why: Vec<String> = damaged.into_iter().chain(unknown).collect();
            let why = if why.is_empty() { "it holds no answer".to_owned() } else { why.join("; ") };
            gathered.refuse(&path, &why);
            continue;
        }
        told.unknown.extend(unknown.map(|words| format!("not counted of {}: {words}", shown(&path))));
        told.damaged.extend(damaged.map(|words| format!("{}: {words}; the rest is counted", shown(&path))));
        gathered.exports.push((path, export));
    }
    told
}

/// A few of many words, and how many more there are.
fn first_few(words: &BTreeSet<String>) -> String {
    const FEW: usize = 3;
    let more = words.len().saturating_sub(FEW);
    let named = words.iter().take(FEW).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{named} and {more} more") } else { named }
}
