//! The repository's own rules, as a test. Each rule says why it is there; a failure lists all offences at once.

use std::fs;
use std::path::{Path, PathBuf};

/// All that may stand at the top, beside dotfiles and the directory into which Cargo builds.
const TOP: [&str; 9] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "book",
    "labs",
    "tests",
    "tutor",
];

/// What others generate: versions, builds, and the book as HTML.
const GENERATED: [&str; 3] = [".git", "target", "book/book"];

/// The one crate that may speak to the kernel without a safe wrapper.
const MAY_BE_UNSAFE: &str = "labs/instruments/";

const MOST_LINES: usize = 400;

#[test]
fn the_top_holds_only_what_the_plan_names() {
    let offences = entries(Path::new("")).into_iter().filter(|path| {
        let name = path.to_string_lossy();
        !TOP.contains(&&*name) && !GENERATED.contains(&&*name) && !name.starts_with('.')
    });
    refuse("stands at the top, where nobody looks for it", offences.map(shown));
}

/// A test in this directory that no target names would never run, and nobody would notice.
#[test]
fn every_test_file_is_declared() {
    let manifest = text(Path::new("tutor/Cargo.toml"));
    let files = entries(Path::new("tests")).into_iter().filter(|path| has_extension(path, "rs"));
    let offences = files.filter(|path| !manifest.contains(&format!("path = \"../{}\"", path.display())));
    refuse("is no [[test]] of tutor/Cargo.toml", offences.map(shown));
}

/// Whoever knows one lab finds the way in all of them.
#[test]
fn all_labs_have_the_same_parts() {
    let mut offences = Vec::new();
    for lab in labs() {
        for part in ["Cargo.toml", "src/lib.rs"] {
            if !root().join(&lab).join(part).exists() {
                offences.push(format!("{} has no {part}", lab.display()));
            }
        }
        let recordings = entries(&lab.join("recordings"));
        if !recordings.iter().any(|path| has_extension(path, "json")) {
            offences.push(format!("{} has no recording", lab.display()));
        }
        let known = ["Cargo.toml", "src", "recordings", "tests"].map(|part| lab.join(part));
        offences.extend(entries(&lab).iter().filter(|path| !known.contains(path)).map(shown));
    }
    refuse("breaks the shape of a lab crate", offences);
}

/// `labs/02-cold-vs-warm` holds the package `cold-vs-warm`, so that a number can be read and a name can be typed.
#[test]
fn a_lab_is_called_after_its_directory() {
    let offences = labs().into_iter().filter(|lab| {
        let name = lab.file_name().unwrap_or_default().to_string_lossy();
        let slug = name.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-');
        !text(&lab.join("Cargo.toml")).contains(&format!("name = \"{slug}\"\n"))
    });
    refuse("holds a package of another name", offences.map(shown));
}

/// Without this line a crate would be free of all the lints that the workspace sets.
#[test]
fn every_crate_obeys_the_lints() {
    let manifests =
        files().into_iter().filter(|path| path.ends_with("Cargo.toml") && path.components().count() > 1);
    let offences = manifests
        .filter(|path| !path.starts_with(MAY_BE_UNSAFE) && !text(path).contains("[lints]\nworkspace = true"));
    refuse("does not take over the workspace's lints", offences.map(shown));
}

#[test]
fn only_the_instruments_are_unsafe() {
    let offences = rust()
        .into_iter()
        .filter(|path| !path.starts_with(MAY_BE_UNSAFE))
        .filter(|path| is_unsafe(&text(path)));
    refuse("holds unsafe code: that belongs into labs/instruments", offences.map(shown));
}

#[test]
fn nothing_is_left_to_do() {
    let offences = files().into_iter().filter(|path| left_to_do(&text(path)).is_some());
    refuse(
        "is not finished",
        offences.map(|path| format!("{} ({})", path.display(), left_to_do(&text(&path)).unwrap_or(""))),
    );
}

/// The first line tells a newcomer whether to read on.
#[test]
fn every_file_says_what_it_is_for() {
    let offences = rust().into_iter().filter(|path| !text(path).starts_with("//! "));
    refuse("does not say in its first line what it is for", offences.map(shown));
}

#[test]
fn files_are_small() {
    let offences = rust().into_iter().filter(|path| text(path).lines().count() > MOST_LINES);
    refuse("has more than 400 lines: which two things is it for?", offences.map(shown));
}

#[test]
fn no_path_of_the_machine_it_was_written_on() {
    let offences = files().into_iter().filter_map(|path| Some((own_path(&text(&path))?, path)));
    refuse(
        "names a path of somebody's machine",
        offences.map(|(own, path)| format!("{} ({own})", path.display())),
    );
}

#[test]
fn the_rules_find_what_they_look_for() {
    assert!(
        is_unsafe(concat!("let x = uns", "afe { y };")) && is_unsafe(concat!("#![allow(uns", "afe_code)]"))
    );
    assert!(!is_unsafe("// memmap2's constructors are unsafe, since a file may shrink"));
    assert_eq!(left_to_do(concat!("fn f() { to", "do!() }")), Some(UNFINISHED[0]));
    assert_eq!(left_to_do("what is there to do? nothing"), None);
    assert_eq!(own_path(concat!("see /ho", "me/ann/notes")), Some(PRIVATE[0]));
    assert_eq!(own_path(concat!("\"/ho", "me\"")), Some(PRIVATE[0]));
    assert_eq!(own_path("src/workload/target.rs, /var/work, /homepage, book/home/index.html"), None);
    assert!(
        files().iter().any(|path| path.ends_with("tests/tidy.rs")) && rust().len() > 10 && !labs().is_empty()
    );
}

/// Marks of unfinished work, written so that this file has none.
const UNFINISHED: [&str; 5] = [
    concat!("to", "do!"),
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("SKEL", "ETON"),
    concat!("dbg", "!("),
];

/// Directories that only one machine has.
const PRIVATE: [&str; 3] = [concat!("/ho", "me"), concat!("/wo", "rk"), concat!("/ro", "ot")];

fn left_to_do(text: &str) -> Option<&'static str> {
    UNFINISHED.into_iter().find(|mark| text.contains(mark))
}

/// Code, not the word: a lesson may well speak about it.
fn is_unsafe(text: &str) -> bool {
    let code = ["uns", "afe "].concat();
    let used = ["{", "fn ", "impl ", "extern "].iter().any(|next| text.contains(&format!("{code}{next}")));
    used || text.contains(&["uns", "afe_code"].concat())
}

/// An absolute path into a private directory: not the middle of another path, not the start of a longer name.
fn own_path(text: &str) -> Option<&'static str> {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '~' | '}');
    PRIVATE.into_iter().find(|private| {
        text.match_indices(private).any(|(start, found)| {
            let before = text[..start].chars().next_back();
            let after = text[start + found.len()..].chars().next();
            !before.is_some_and(in_name) && !after.is_some_and(in_name)
        })
    })
}

fn refuse(offence: &str, offenders: impl IntoIterator<Item = String>) {
    let offenders: Vec<String> = offenders.into_iter().map(|offender| format!("  {offender}\n")).collect();
    assert!(offenders.is_empty(), "what {offence}:\n{}", offenders.concat());
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tutor lies in the workspace").to_owned()
}

/// The lab crates: directories that start with their number.
fn labs() -> Vec<PathBuf> {
    let numbered = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(|c: char| c.is_ascii_digit()))
    };
    entries(Path::new("labs")).into_iter().filter(numbered).collect()
}

fn rust() -> Vec<PathBuf> {
    files().into_iter().filter(|path| has_extension(path, "rs")).collect()
}

/// Every file of ours, by its path from the top.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut left = entries(Path::new(""));
    while let Some(path) = left.pop() {
        if GENERATED.iter().any(|generated| path == Path::new(generated)) {
            continue;
        }
        if root().join(&path).is_dir() { left.extend(entries(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// What a directory holds, by the path from the top; nothing where there is no such directory.
fn entries(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root().join(dir)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| dir.join(entry.expect("it can be listed").file_name())).collect();
    paths.sort();
    paths
}

/// A file's text; pictures and other binaries have none.
fn text(path: &Path) -> String {
    let bytes = fs::read(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8(bytes).unwrap_or_default()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn shown(path: impl AsRef<Path>) -> String {
    path.as_ref().display().to_string()
}
