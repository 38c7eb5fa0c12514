//! Every fault that the check must find, each in a broken copy of a small book that is sound otherwise.

use book::project::LabName;
use book::{Fault, Project, check};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const CHAPTER: &str = "# The lab\n\n## Pick {#pick}\n\nType `tutor lab 2 --json`, then look at [why](why.md#why).\n\n\
    ```rust\n{{#include ../code.rs:part}}\n```\n\n{{#include generated/said.md}}\n\n\
    <figure>\n<svg role=\"img\" aria-label=\"a line\" viewBox=\"0 0 9 9\"><line x1=\"0\" y1=\"0\" x2=\"9\" y2=\"9\"></line></svg>\n</figure>\n\n\
    ![a dot](dot.png)\n\n[The source](https://man7.org/linux/man-pages/man2/read.2.html).\n";
const SAID: &str = "The recorded machine said so.\n";

struct Small {
    place: TempDir,
    project: Project,
}

impl Small {
    fn sound() -> Small {
        let place = tempfile::tempdir().unwrap();
        let generated = (PathBuf::from("src/generated/said.md"), SAID.to_owned());
        let lab = LabName { number: 2, slug: "cold-vs-warm".to_owned(), acts: vec!["pick".to_owned()] };
        let book = place.path().to_path_buf();
        let small = Small { project: Project { book, labs: vec![lab], generated: vec![generated] }, place };
        small.write("book.toml", "[book]\ntitle = \"Small\"\n[build]\ncreate-missing = false\n[output.html]\ninput-404 = \"\"\nplayground.runnable = false\n");
        small.write("code.rs", "// ANCHOR: part\nfn part() {}\n// ANCHOR_END: part\n");
        small.write(
            "src/SUMMARY.md",
            "# Summary\n\n[Why](why.md)\n\n# The labs\n\n- [The lab](cold-vs-warm.md)\n",
        );
        small.write("src/why.md", "# Why\n\nBecause.\n");
        small.write("src/cold-vs-warm.md", CHAPTER);
        small.write("src/dot.png", "no real picture");
        small.write("src/generated/said.md", SAID);
        small
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The chapter with something else in place of `old`, which must be there.
    fn instead(old: &str, new: &str) -> Small {
        assert!(CHAPTER.contains(old), "{old}");
        let small = Small::sound();
        small.write("src/cold-vs-warm.md", &CHAPTER.replace(old, new));
        small
    }

    /// The chapter with something more at its end.
    fn with(more: &str) -> Small {
        let small = Small::sound();
        small.write("src/cold-vs-warm.md", &format!("{CHAPTER}\n{more}\n"));
        small
    }

    /// The one kind of fault that is found.
    #[track_caller]
    fn has(&self, is_it: fn(&Fault) -> bool) {
        let faults = check::all(&self.project);
        assert!(!faults.is_empty(), "nothing was found");
        assert!(faults.iter().all(is_it), "{faults:#?}");
    }
}

#[test]
fn a_sound_book_has_none() {
    assert_eq!(check::all(&Small::sound().project), []);
}

#[test]
fn a_missing_include() {
    let is = |fault: &Fault| matches!(fault, Fault::MissingInclude { path, .. } if path == "../gone.rs");
    Small::instead("../code.rs:part", "../gone.rs:part").has(is);
}

#[test]
fn a_missing_anchor() {
    let is = |fault: &Fault| matches!(fault, Fault::MissingAnchor { anchor, .. } if anchor == "gone");
    Small::instead("code.rs:part", "code.rs:gone").has(is);
}

#[test]
fn a_link_to_a_chapter_that_is_not_there() {
    let is = |fault: &Fault| matches!(fault, Fault::BrokenLink { .. });
    Small::instead("why.md#why", "gone.md").has(is);
}

#[test]
fn a_link_to_a_section_that_is_not_there() {
    let is = |fault: &Fault| matches!(fault, Fault::BrokenLink { .. });
    Small::instead("why.md#why", "why.md#gone").has(is);
}

#[test]
fn a_command_or_a_flag_or_a_lab_or_an_act_that_is_not_there() {
    let is = |fault: &Fault| matches!(fault, Fault::Command { .. });
    for command in [
        "`tutor frobnicate`",
        "`tutor lab 2 --frob`",
        "`tutor lab 99`",
        "`tutor lab 2 --step gone`",
        "`--frob`",
        "`cargo run --release -- lsit`",
        "```console\n$ tutor run cread --frob\n```",
        "```console\n$ tutor run\n```",
        "```console\n$ sudo true && tutor list --frob\n```",
    ] {
        Small::with(command).has(is);
    }
}

#[test]
fn commands_that_are_there_are_understood() {
    for command in [
        "`tutor`",
        "`tutor run`",
        "`tutor lab N --size 512M --dir DIR`",
        "`--json`",
        "`strace -c`",
        "```console\n$ tutor run cread FILE --cold # proven to be\n$ ls --frob\n```",
        "```text\n$ tutor frobnicate\n```",
    ] {
        assert_eq!(check::all(&Small::with(command).project), [], "{command}");
    }
}

#[test]
fn a_measured_figure_that_was_typed() {
    let is = |fault: &Fault| matches!(fault, Fault::TypedFigure { figure, .. } if figure == "25x");
    Small::with("The second run is 25x faster.").has(is);
}

#[test]
fn a_lab_without_a_chapter() {
    let mut small = Small::sound();
    small.project.labs.push(LabName { number: 3, slug: "new".to_owned(), acts: vec![] });
    small.has(|fault| matches!(fault, Fault::LabWithoutChapter { lab } if lab == "new"));
}

#[test]
fn a_chapter_without_a_lab() {
    let small = Small::sound();
    small.write(
        "src/SUMMARY.md",
        "# Summary\n\n[Why](why.md)\n\n# The labs\n\n- [The lab](cold-vs-warm.md)\n- [Old](old.md)\n",
    );
    small.write("src/old.md", "# Old\n");
    small.has(|fault| matches!(fault, Fault::ChapterWithoutLab { chapter } if chapter == "old.md"));
}

#[test]
fn an_act_without_a_section() {
    let is = |fault: &Fault| matches!(fault, Fault::ActWithoutSection { act, .. } if act == "pick");
    Small::instead(" {#pick}", " {#other}").has(is);
}

#[test]
fn a_chapter_that_nobody_finds() {
    let small = Small::sound();
    small.write("src/lost.md", "# Lost\n");
    small.has(|fault| matches!(fault, Fault::Unlisted { chapter } if chapter == "lost.md"));
}

#[test]
fn a_generated_file_that_is_stale_or_missing_or_left_over() {
    let is = |fault: &Fault| matches!(fault, Fault::Stale { .. });
    let mut small = Small::sound();
    small.project.generated[0].1 = "It says something else by now.\n".to_owned();
    small.has(is);
    let mut small = Small::sound();
    small.project.generated.push((PathBuf::from("src/generated/new.md"), String::new()));
    small.has(is);
    let small = Small::sound();
    small.write("src/generated/old.md", "x");
    small.has(is);
}

#[test]
fn a_drawing_without_words() {
    let is = |fault: &Fault| matches!(fault, Fault::NoAltText { .. });
    Small::instead(" aria-label=\"a line\"", "").has(is);
    Small::instead(" role=\"img\"", "").has(is);
    Small::instead("![a dot]", "![]").has(is);
    Small::with("<img src=\"dot.png\">").has(is);
}

#[test]
fn something_from_another_host() {
    let is = |fault: &Fault| matches!(fault, Fault::External { .. });
    for more in [
        "![a picture](https://example.org/x.png)",
        "<script src=\"https://example.org/x.js\"></script>",
        "<link rel=\"stylesheet\" href=\"//example.org/x.css\">",
        "<iframe src=\"http://example.org/\"></iframe>",
        "<style>@import \"https://example.org/x.css\";</style>",
        "<p style=\"background: url(https://example.org/x.png)\">x</p>",
    ] {
        Small::with(more).has(is);
    }
}

#[test]
fn a_stylesheet_that_fetches_from_another_host() {
    let small = Small::sound();
    let toml = fs::read_to_string(small.path("book.toml")).unwrap();
    small.write("book.toml", &format!("{toml}additional-css = [\"x.css\"]\n"));
    small.write("x.css", "body { background: url('https://example.org/x.png') }");
    small.has(|fault| matches!(fault, Fault::External { page, .. } if page.contains(".css")));
}

#[test]
fn code_that_a_playground_would_run() {
    let small = Small::sound();
    let toml = fs::read_to_string(small.path("book.toml")).unwrap();
    small.write("book.toml", &toml.replace("playground.runnable = false\n", ""));
    small.has(|fault| matches!(fault, Fault::External { .. }));
}

#[test]
fn a_book_that_cannot_be_built() {
    let small = Small::sound();
    small.write("src/SUMMARY.md", "# Summary\n\n[Gone](gone.md)\n");
    small.has(|fault| matches!(fault, Fault::Build(_)));
}
