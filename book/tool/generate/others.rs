//! What the same lab said elsewhere: the real recordings beside the one that the chapter shows.

use super::generated;
use super::markdown::escaped;
use crate::Fault;
use crate::project::{Project, read};
use lesson::Lab;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tutor::Transcript;

/// One item for each other real recording and each of its acts that the chapter's own did not explain so.
pub fn file(lab: &Lab, own: &Transcript, project: &Project) -> Result<(PathBuf, String), Fault> {
    let name = format!("{:02}-{}", lab.card.number, lab.card.slug);
    let dir = project.book.join("../labs").join(name).join("recordings");
    let readme = read(&dir.join("README.md"))?;
    let first = lab.recordings.first().map(|(name, _)| *name).unwrap_or_default();
    let mut out = String::new();
    let mut known = real(&readme);
    // What the lab carries with it is real, too: that is what `--replay` shows.
    for (name, _) in lab.recordings {
        known.entry((*name).to_owned()).or_insert_with(|| (*name).to_owned());
    }
    for (name, story) in known {
        if name == first {
            continue;
        }
        let file = dir.join(format!("{name}.json"));
        let shown = Transcript::of(lab, &read(&file)?).map_err(|why| Fault::file(&file, why))?;
        let items = differences(own, &shown);
        if !items.is_empty() {
            out += &format!("**{}** ({})\n\n{}\n", heading(&story), escaped(&shown.label), items);
        }
    }
    if out.is_empty() {
        "The course has no other real recording of this lab yet: yours may be the first.\n"
            .clone_into(&mut out);
    }
    Ok((generated(Path::new(lab.card.slug).join("others.md")), out))
}

/// `In a memory limit of 48 MiB`
fn heading(story: &str) -> String {
    let story = story.trim_start_matches("the same machine").trim_start_matches([',', ' ']);
    // These are written small, also at the start of a line.
    if ["ext4", "xfs", "btrfs"].iter().any(|name| story.starts_with(name)) {
        return story.to_owned();
    }
    let mut letters = story.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// Acts that this recording has, and that it explains by another cause or answers in another way.
fn differences(own: &Transcript, other: &Transcript) -> String {
    let mut out = String::new();
    for (own, other) in own.acts.iter().zip(&other.acts) {
        let (Ok(was), Ok(reveal)) = (&own.reveal, &other.reveal) else { continue };
        let known: Vec<&str> = was.causes.iter().map(|cause| &*cause.id).collect();
        let new: Vec<_> = reveal.causes.iter().filter(|cause| !known.contains(&&*cause.id)).collect();
        let is_same_choice = std::mem::discriminant(&was.outcome) == std::mem::discriminant(&reveal.outcome)
            && (was.outcome == reveal.outcome || matches!(was.outcome, lesson::Outcome::Quantity(_)));
        if new.is_empty() && is_same_choice {
            continue;
        }
        let why: Vec<String> = new.iter().map(|cause| escaped(&cause.text)).collect();
        out += &format!("- [{}](#{}): {} {}\n", other.id, other.id, escaped(&reveal.sentence), why.join(" "));
    }
    out
}

/// Names and stories of the recordings that were not constructed, by the directory's README.
fn real(readme: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [names, story, ..] = cells[..] else { continue };
        let Some(story) = story.strip_prefix("real: ") else { continue };
        let names = names.split(',').map(|name| name.trim().trim_matches('`').to_owned());
        found.extend(names.map(|name| (name, story.trim_end_matches('|').trim().to_owned())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_measured_is_told() {
        let readme = "| recording | from |\n|---|---|\n| `a` | real: the same machine, on xfs |\n| `b` | constructed from `a`: x |\n";
        let found = real(readme);
        assert_eq!(found.len(), 1);
        assert_eq!(heading(&found["a"]), "On xfs");
    }
}
