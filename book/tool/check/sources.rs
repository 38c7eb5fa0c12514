//! What can be seen in the chapters' Markdown: includes, and lines that the tutor must understand.

use super::commands;
use crate::project::Chapter;
use crate::{Fault, Project, include};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// All chapters, with their includes expanded.
pub fn check(project: &Project, chapters: &[Chapter]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for chapter in chapters {
        let name = chapter.path.display().to_string();
        let src = project.src().join(&chapter.path);
        let dir = src.parent().unwrap_or(&src);
        let (text, missing) = include::expand(&chapter.text, &name, dir);
        faults.extend(missing);
        let typed = figures(&chapter.text).into_iter();
        faults.extend(typed.map(|figure| Fault::TypedFigure { chapter: name.clone(), figure }));
        for code in codes(&text) {
            if let Err((command, why)) = commands::check(&code, project) {
                faults.push(Fault::Command { chapter: name.clone(), command, why });
            }
        }
    }
    faults
}

/// Code in a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Between backticks in a line of text.
    Inline(String),
    /// A line of a block of things to type.
    Typed(String),
}

/// All code, in order: of blocks only those that are typed, and their lines joined where a `\` ends them.
fn codes(text: &str) -> Vec<Code> {
    let mut codes = Vec::new();
    let mut block: Option<(bool, String)> = None;
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let is_typed =
                    matches!(&kind, pulldown_cmark::CodeBlockKind::Fenced(name) if &**name == "console");
                block = Some((is_typed, String::new()));
            }
            Event::Text(text) => {
                if let Some((_, lines)) = &mut block {
                    lines.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((true, lines)) = block.take() {
                    let joined = lines.replace("\\\n", " ");
                    let typed = joined.lines().filter_map(|line| line.trim().strip_prefix("$ "));
                    codes.extend(typed.map(|line| Code::Typed(line.to_owned())));
                }
                block = None;
            }
            Event::Code(code) => codes.push(Code::Inline(code.into_string())),
            _ => {}
        }
    }
    codes
}

/// Units of what is measured: times, speeds, shares, ratios, and sizes above that of a page.
const MEASURED: [&str; 12] =
    ["ns", "µs", "ms", "s", "x", "%", "MiB", "GiB", "MB/s", "GB/s", "MiB/s", "GiB/s"];

/// Figures in the running text of a chapter that has nothing expanded: there should be none.
fn figures(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Text(text) if !in_block => {
                let mut last = "";
                for word in text.split_whitespace() {
                    let word = word.trim_matches(['(', ')', ',', ';', ':', '.', '"', '*']);
                    found.extend(figure(last, word));
                    last = word;
                }
            }
            _ => {}
        }
    }
    found
}

/// `12ms`, or `12` and then `ms`.
fn figure(last: &str, word: &str) -> Option<String> {
    let is_number = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
    };
    let end = word.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(word.len());
    let (number, unit) = word.split_at(end);
    if is_number(number) && MEASURED.contains(&unit) {
        return Some(word.to_owned());
    }
    (is_number(last) && MEASURED.contains(&word)).then(|| format!("{last} {word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_in_text_and_not_in_code() {
        let found = figures("It took 12 ms, 3.5x as long (7%), or 1,024 MiB. Pages of 4 KiB, lab 3.");
        assert_eq!(found, ["12 ms", "3.5x", "7%", "1,024 MiB"]);
        assert!(figures("`--size 512M`\n\n```text\n12 ms\n```\n\nIn 3 steps, with 2 disks.").is_empty());
    }

    #[test]
    fn code_is_found_in_lines_and_in_blocks_that_are_typed() {
        let text = "Say `tutor list`.\n\n```console\n$ tutor lab 3 \\\n    --json\noutput\n```\n\n```text\n$ no\n```\n";
        let inline = |text: &str| Code::Inline(text.to_owned());
        let found = codes(text);
        assert_eq!(found[0], inline("tutor list"));
        assert!(matches!(&found[1], Code::Typed(line) if line.split_whitespace().count() == 4), "{found:?}");
        assert_eq!(found.len(), 2);
    }
}
