//! Read many exported files. What is none, or a damaged one, is named with the reason; nothing in it is trusted.

use super::attempt_selection::selected;
use super::export::is_learner;
use super::file::{Answer, Came, Export, KIND, SCHEMA};
use super::invalid_export;
use instruments::Unavailable;
use instruments::open::{self, shown};
use lesson::Prediction;
use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Years of one learner's answers fit into a fraction of this.
const MAX_BYTES: u64 = 1 << 20;
/// More of a foreign file is not quoted.
const MAX_QUOTED: usize = 120;

/// What was found.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Files that were understood, by path.
    pub exports: Vec<(PathBuf, Export)>,
    /// Those that were not, and why.
    pub refused: Vec<(PathBuf, String)>,
}

/// Read these files, and all files in these directories, except hidden ones. Each file once.
pub fn gather(paths: &[PathBuf]) -> Gathered {
    let mut found = Gathered::default();
    let mut files = Vec::new();
    for path in paths {
        match fs::metadata(path).map(|found| found.is_dir()) {
            Ok(true) => match files_in(path) {
                Ok(inside) if inside.is_empty() => found.refuse(path, "the directory holds no file"),
                Ok(inside) => files.extend(inside),
                Err(error) => found.refuse(path, &instruments::unavailable::in_words(error)),
            },
            _ => files.push(path.clone()),
        }
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(fs::canonicalize(file).unwrap_or_else(|_| file.clone())));
    for file in files {
        match read(&file) {
            Ok(mut export) => {
                for rounds in export.labs.values_mut().flat_map(BTreeMap::values_mut) {
                    *rounds = selected(std::mem::take(rounds));
                }
                found.exports.push((file, export));
            }
            Err(why) => found.refuse(&file, &why),
        }
    }
    found.keep_one_of_each_learner();
    found
}

impl Gathered {
    /// Name this file as one that cannot be used.
    pub fn refuse(&mut self, path: &Path, why: &str) {
        self.refused.push((path.to_owned(), printable(why)));
    }

    /// Of several files of one learner the one with the most answers is counted; of equal ones the one that was
    /// exported last, or the first.
    fn keep_one_of_each_learner(&mut self) {
        let mut best: BTreeMap<String, usize> = BTreeMap::new();
        for (at, (_, export)) in self.exports.iter().enumerate() {
            let kept = best.entry(export.learner.clone()).or_insert(at);
            if worth(export) > worth(&self.exports[*kept].1) {
                *kept = at;
            }
        }
        let all = std::mem::take(&mut self.exports);
        let names: Vec<PathBuf> = all.iter().map(|(path, _)| path.clone()).collect();
        for (at, (path, export)) in all.into_iter().enumerate() {
            match best[&export.learner] {
                kept if kept == at => self.exports.push((path, export)),
                kept => {
                    let why = format!("the same learner as in {}, which is counted", shown(&names[kept]));
                    self.refuse(&path, &why);
                }
            }
        }
    }
}

fn worth(export: &Export) -> (usize, &str) {
    (export.labs.values().flat_map(BTreeMap::values).map(Vec::len).sum(), &export.exported_on)
}

fn files_in(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Export, String> {
    let file = open::regular(path).map_err(|error| match error {
        Unavailable::Failed { why, .. } => why,
        other => other.to_string(),
    })?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(instruments::unavailable::in_words)?;
    understand(&bytes)
}

/// The kind and the schema are looked at before the shape: a newer file is not a damaged one.
pub(super) fn understand(bytes: &[u8]) -> Result<Export, String> {
    if bytes.is_empty() {
        return Err("it is empty".to_owned());
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err("it is larger than 1 MiB, which no export is".to_owned());
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text".to_owned())?;
    let value: Value = serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Eof => "it ends too early: cut off, perhaps".to_owned(),
        _ if error.to_string().starts_with("number out of range") => {
            format!("it is damaged: a number out of range in line {}", error.line())
        }
        _ => format!("it is not JSON, from line {}, column {} on", error.line(), error.column()),
    })?;
    if value.get("kind").and_then(Value::as_str) != Some(KIND) {
        return Err("it is no export of this tutor".to_owned());
    }
    match value.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema == u64::from(SCHEMA) => {}
        Some(schema) if schema > u64::from(SCHEMA) => {
            return Err(format!("it has schema {schema}, from a newer tutor; this one reads {SCHEMA}"));
        }
        _ => return Err("it has no schema number that is known".to_owned()),
    }
    let export = Export::deserialize(&value)
        .map_err(|_| format!("it is damaged: {} cannot be understood", invalid_export::place(&value)))?;
    if !is_learner(&export.learner) {
        return Err("it is damaged: `learner` is no number of this tutor".to_owned());
    }
    let all = export.labs.values().flat_map(BTreeMap::values).flatten();
    match all.into_iter().find(|answer| !is_possible(answer)) {
        Some(_) => Err("it is damaged: a quantity below zero".to_owned()),
        None => Ok(export),
    }
}

fn is_possible(answer: &Answer) -> bool {
    let possible = |value: f64| value.is_finite() && value >= 0.0;
    let said = !matches!(answer.prediction, Prediction::Quantity(value) if !possible(value));
    said && !matches!(answer.outcome, Some(Came::Quantity(value)) if !possible(value))
}

/// Text of a foreign file as a terminal may see it: visible ASCII, not too much of it.
pub fn printable(text: &str) -> String {
    let clean = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    let mut out: String = text.chars().take(MAX_QUOTED).map(clean).collect();
    if text.chars().nth(MAX_QUOTED).is_some() {
        out.push_str("...");
    }
    out
}
