//! Includes, expanded as mdBook does it, except that what is missing is a fault and not a warning.

use crate::Fault;
use std::path::Path;

/// Deeper nesting means that a file includes itself.
const DEEPEST: usize = 10;

/// `text` of a chapter with all its includes in place; what is missing is left out, and told.
pub fn expand(text: &str, chapter: &str, dir: &Path) -> (String, Vec<Fault>) {
    let mut faults = Vec::new();
    let text = expand_at(text, chapter, dir, 0, &mut faults);
    (text, faults)
}

fn expand_at(text: &str, chapter: &str, dir: &Path, depth: usize, faults: &mut Vec<Fault>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end, wanted)) = next(rest) {
        let before = &rest[..start];
        rest = &rest[end..];
        // A backslash before it: it is shown, not done.
        if let Some(shown) = before.strip_suffix('\\') {
            out.push_str(shown);
            out.push_str(&format!("{{{{#include {wanted}}}}}"));
            continue;
        }
        out.push_str(before);
        let (path, anchor) = match wanted.split_once(':') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (wanted.as_str(), None),
        };
        let file = dir.join(path);
        let missing = || Fault::MissingInclude { chapter: chapter.to_owned(), path: path.to_owned() };
        let Ok(found) = std::fs::read_to_string(&file) else {
            faults.push(missing());
            continue;
        };
        let lines = match anchor {
            None => Some(found.trim_end_matches('\n').to_owned()),
            Some(anchor) => between(&found, anchor),
        };
        match lines {
            None => faults.push(Fault::MissingAnchor {
                chapter: chapter.to_owned(),
                path: path.to_owned(),
                anchor: anchor.unwrap_or_default().to_owned(),
            }),
            Some(lines) if depth < DEEPEST => {
                let dir = file.parent().unwrap_or(dir);
                out.push_str(&expand_at(&lines, chapter, dir, depth + 1, faults));
            }
            Some(_) => faults.push(missing()),
        }
    }
    out.push_str(rest);
    out
}

/// The next include: where it begins and ends, and what it asks for.
fn next(text: &str) -> Option<(usize, usize, String)> {
    const OPEN: &str = "{{#include";
    let start = text.find(OPEN)?;
    let inside = &text[start + OPEN.len()..];
    let close = inside.find("}}")?;
    let end = start + OPEN.len() + close + 2;
    Some((start, end, inside[..close].trim().to_owned()))
}

/// The lines between `ANCHOR: name` and `ANCHOR_END: name`, without other marks. None unless both are there, in order,
/// with something in between.
fn between(text: &str, name: &str) -> Option<String> {
    let is_mark = |line: &str, mark: &str| {
        line.split_once(mark).is_some_and(|(_, rest)| rest.split_whitespace().next() == Some(name))
    };
    let mut lines = text.lines().skip_while(|line| !is_mark(line, "ANCHOR: ")).skip(1);
    let mut found = Vec::new();
    loop {
        let line = lines.next()?;
        if is_mark(line, "ANCHOR_END: ") {
            break;
        }
        if !line.contains("ANCHOR: ") && !line.contains("ANCHOR_END: ") {
            found.push(line);
        }
    }
    (!found.is_empty()).then(|| found.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_anchors_take_their_place_and_escaped_ones_stay() {
        let place = tempfile::tempdir().unwrap();
        let code = "a\n// ANCHOR: x\nb\n// ANCHOR: y\nc\n// ANCHOR_END: x\n// ANCHOR: open\nd\n";
        std::fs::write(place.path().join("code.rs"), code).unwrap();
        std::fs::write(place.path().join("deep.md"), "deep {{#include code.rs:x}}\n").unwrap();
        let told = |text: &str| expand(text, "ch.md", place.path());
        assert_eq!(told("1 {{#include deep.md}} 2"), ("1 deep b\nc 2".to_owned(), vec![]));
        assert_eq!(told(r"\{{#include deep.md}}").0, "{{#include deep.md}}");
        let fault = |text: &str| told(text).1;
        assert!(matches!(&fault("{{#include no.md}}")[..], [Fault::MissingInclude { .. }]));
        assert!(matches!(&fault("{{#include code.rs:z}}")[..], [Fault::MissingAnchor { .. }]));
        assert!(matches!(&fault("{{#include code.rs:open}}")[..], [Fault::MissingAnchor { .. }]));
    }

    #[test]
    fn a_file_that_includes_itself_comes_to_an_end() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("self.md"), "{{#include self.md}}").unwrap();
        let (_, faults) = expand("{{#include self.md}}", "ch.md", place.path());
        assert_eq!(faults.len(), 1);
    }
}
