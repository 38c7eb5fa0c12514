//! The chapters as a terminal shows them: includes in place, reveals open, drawings in their own words.

use super::Files;
use crate::check::tags;
use crate::project::Chapter;
use crate::{Fault, Project, include};
use std::path::PathBuf;

/// One file a chapter, in the tutor's own crate, and the list of them.
pub fn files(project: &Project) -> Result<Files, Fault> {
    let chapters = project.chapters()?;
    let dir = PathBuf::from("../tutor/chapters");
    let mut files = Files::new();
    for chapter in &chapters {
        files.push((dir.join(format!("{}.md", chapter.name())), plain(project, chapter)));
    }
    let list: String = chapters.iter().map(|chapter| entry(project, chapter)).collect();
    let about = "//! The chapters of the book, for `tutor read`. Made by `cargo run -p book -- refresh`.\n\n";
    let head = "/// Name, title, lab, text.\n#[rustfmt::skip]\npub const CHAPTERS: &[(&str, &str, Option<u32>, &str)] = &[\n";
    files.push((PathBuf::from("../tutor/src/read/chapters.rs"), format!("{about}{head}{list}];\n")));
    Ok(files)
}

fn entry(project: &Project, chapter: &Chapter) -> String {
    let name = chapter.name();
    let lab = project.labs.iter().find(|lab| chapter.is_lab && lab.slug == name).map(|lab| lab.number);
    let title = &chapter.title;
    format!("    ({name:?}, {title:?}, {lab:?}, include_str!(\"../../chapters/{name}.md\")),\n")
}

/// The chapter's Markdown without any HTML.
fn plain(project: &Project, chapter: &Chapter) -> String {
    let (text, _) = include::expand(&chapter.text, &chapter.name(), &project.src());
    let mut out = String::new();
    let mut rest = &*text;
    while let Some(start) = rest.find("<svg") {
        out.push_str(&rest[..start]);
        let end = rest[start..].find("</svg>").map_or(rest.len(), |end| start + end + "</svg>".len());
        out.push_str(&words(&rest[start..end]));
        rest = &rest[end..];
    }
    out.push_str(rest);
    // The title stands on every page already.
    let lines = out.lines().skip_while(|line| line.starts_with("# ")).filter_map(line);
    let lines = lines.collect::<Vec<_>>().join("\n");
    squeezed(&lines)
}

/// A drawing's name and words.
fn words(svg: &str) -> String {
    let tags = tags(svg);
    let name = tags.first().and_then(|tag| tag.get("aria-label")).unwrap_or_default();
    let desc = tags.iter().find(|tag| tag.name == "desc" && !tag.closes).map_or("", |tag| tag.text.trim());
    format!("\n> [drawing: {name}] {desc}\n")
}

/// A line without the tags that only a browser needs; None where nothing else was on it.
fn line(line: &str) -> Option<String> {
    let bare = line.trim();
    if let Some(caption) = bare.strip_prefix("<figcaption>") {
        let at = caption.find("RECORDED")?;
        return Some(format!("\n> {}\n", caption[at..].split('<').next().unwrap_or_default()));
    }
    if let Some(summary) = bare.strip_prefix("<summary>") {
        return Some(format!("**{}**", summary.trim_end_matches("</summary>")));
    }
    let is_tag = ["<details", "</details", "<figure", "</figure", "<div", "</div"];
    (!is_tag.iter().any(|tag| bare.starts_with(tag))).then(|| line.to_owned())
}

/// At most one empty line at a time.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    let mut was_empty = true;
    for line in text.lines() {
        let is_empty = line.trim().is_empty();
        if !(is_empty && was_empty) {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        was_empty = is_empty;
    }
    out
}
