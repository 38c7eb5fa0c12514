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

#[cfg(test)]
mod tests {
    use super::*;

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
