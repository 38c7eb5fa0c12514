//! What can only be seen in the built pages: links, sections, drawings, and what is fetched from where.

use super::tags::{Tag, tags};
use crate::Fault;
use crate::project::{LabName, files_below, read};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// A built page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its tags.
    pub tags: Vec<Tag>,
    ids: BTreeSet<String>,
}

impl Page {
    /// Read it.
    pub fn of(html: &str) -> Page {
        let tags = tags(html);
        let ids = tags.iter().filter_map(|tag| tag.get("id").map(str::to_owned)).collect();
        Page { tags, ids }
    }
}

/// All faults of the book that was built into `dir`.
pub fn check(dir: &Path, labs: &[LabName]) -> Result<Vec<Fault>, Fault> {
    let mut pages = BTreeMap::new();
    let mut faults = Vec::new();
    let files: BTreeSet<PathBuf> = files_below(dir)?
        .iter()
        .filter_map(|file| Some(file.strip_prefix(dir).ok()?.to_path_buf()))
        .collect();
    for file in &files {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("html") => {
                pages.insert(file.clone(), Page::of(&read(&dir.join(file))?));
            }
            Some("css") => {
                let what = elsewhere_in_style(&read(&dir.join(file))?);
                faults.extend(
                    what.into_iter().map(|what| Fault::External { page: file.display().to_string(), what }),
                );
            }
            _ => {}
        }
    }
    for (path, page) in &pages {
        let name = path.display().to_string();
        faults.extend(broken(path, page, &pages, &files));
        faults.extend(wordless(&name, page));
        faults.extend(external(&name, page));
    }
    for lab in labs {
        let chapter = format!("{}.html", lab.slug);
        let Some(page) = pages.get(Path::new(&chapter)) else { continue };
        let missing = lab.acts.iter().filter(|act| !page.ids.contains(*act));
        faults.extend(
            missing.map(|act| Fault::ActWithoutSection { chapter: chapter.clone(), act: act.clone() }),
        );
    }
    Ok(faults)
}

/// Links to files or sections that are not there.
fn broken(
    path: &Path,
    page: &Page,
    pages: &BTreeMap<PathBuf, Page>,
    files: &BTreeSet<PathBuf>,
) -> Vec<Fault> {
    let links = page.tags.iter().filter_map(|tag| match &*tag.name {
        "a" | "link" => tag.get("href"),
        "img" | "script" | "iframe" => tag.get("src"),
        _ => None,
    });
    let leads = |link: &str| {
        if is_elsewhere(link) || link.starts_with("mailto:") || link.starts_with("data:") {
            return true;
        }
        let (file, id) = link.split_once('#').unwrap_or((link, ""));
        let target = if file.is_empty() { path.to_path_buf() } else { resolved(path, file) };
        let is_there = files.contains(&target);
        let has_id = id.is_empty() || pages.get(&target).is_some_and(|page| page.ids.contains(id));
        is_there && has_id
    };
    links
        .filter(|link| !leads(link))
        .map(|link| Fault::BrokenLink { page: path.display().to_string(), to: link.to_owned() })
        .collect()
}

/// `link` from the page at `path`, from the book's top.
fn resolved(path: &Path, link: &str) -> PathBuf {
    let mut parts = Vec::new();
    for part in path.parent().unwrap_or(Path::new("")).join(link).components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(name) => parts.push(name.to_owned()),
            _ => {}
        }
    }
    parts.iter().collect()
}

/// Drawings and pictures without words, outside of mdBook's own buttons.
fn wordless(name: &str, page: &Page) -> Vec<Fault> {
    let is_said = |text: Option<&str>| text.is_some_and(|text| !text.trim().is_empty());
    let mut faults = Vec::new();
    for (at, tag) in page.tags.iter().enumerate().filter(|(_, tag)| !tag.closes) {
        let is_icon = at > 0 && page.tags[at - 1].has_class("fa-svg");
        let has_words = match &*tag.name {
            "img" => is_said(tag.get("alt")),
            "svg" if is_icon || tag.get("aria-hidden") == Some("true") => true,
            "svg" => {
                let inside = page.tags[at + 1..].iter().take_while(|tag| !(tag.name == "svg" && tag.closes));
                let titled =
                    inside.clone().any(|tag| tag.name == "title" && !tag.closes && is_said(Some(&tag.text)));
                tag.get("role") == Some("img") && (is_said(tag.get("aria-label")) || titled)
            }
            _ => true,
        };
        if !has_words {
            let what = tag.get("src").or(tag.get("class")).unwrap_or_default();
            faults.push(Fault::NoAltText { page: name.to_owned(), what: format!("<{} {what}>", tag.name) });
        }
    }
    faults
}

/// What the page would fetch from another host. A link that the reader may follow is no such thing.
fn external(name: &str, page: &Page) -> Vec<Fault> {
    let mut found = Vec::new();
    for tag in &page.tags {
        let fetched: &[&str] = match &*tag.name {
            "a" => &[],
            "link" | "use" | "image" => &["href", "xlink:href"],
            _ => &["src", "srcset", "data", "poster"],
        };
        let values = fetched.iter().filter_map(|attribute| tag.get(attribute));
        found.extend(values.filter(|value| is_elsewhere(value)).map(str::to_owned));
        if let Some(style) = tag.get("style") {
            found.extend(elsewhere_in_style(style));
        }
        if tag.name == "style" && !tag.closes {
            found.extend(elsewhere_in_style(&tag.text));
        }
        if tag.has_class("playground") {
            found.push("what the playground offers (a block of runnable code)".to_owned());
        }
    }
    found.into_iter().map(|what| Fault::External { page: name.to_owned(), what }).collect()
}

fn is_elsewhere(link: &str) -> bool {
    let link = link.trim();
    link.starts_with("http:") || link.starts_with("https:") || link.starts_with("//")
}

/// Addresses in `url(…)` and `@import`.
fn elsewhere_in_style(style: &str) -> Vec<String> {
    let bare = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    let urls = style.split("url(").skip(1).filter_map(|rest| rest.split(')').next()).map(bare);
    let imports = style.split("@import").skip(1).filter_map(|rest| rest.split(';').next()).map(bare);
    urls.chain(imports).filter(|url| is_elsewhere(url)).collect()
}
