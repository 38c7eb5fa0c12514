//! The sources that a lab's reveals name, as links with their version.

use super::generated;
use super::markdown::escaped;
use lesson::Lab;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tutor::Transcript;

/// Where a reveal names a file of the kernel and no version.
const KERNEL: &str = "6.18";

/// The list of one lab.
pub fn file(lab: &Lab, shown: &Transcript) -> (PathBuf, String) {
    let reveals = shown.acts.iter().filter_map(|act| act.reveal.as_ref().ok());
    let named: BTreeSet<String> =
        reveals.flat_map(|reveal| &reveal.sources).flat_map(|source| entries(source)).collect();
    let list: String = named.iter().map(|entry| format!("- {entry}\n")).collect();
    (generated(Path::new(lab.card.slug).join("sources.md")), list)
}

/// `man 2 posix_fadvise, man 2 readahead (NOTES)` are two.
fn entries(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in source.replace(", man ", "; man ").split("; ") {
        found.push(entry(part));
    }
    found
}

fn entry(source: &str) -> String {
    let words: Vec<&str> = source.split_whitespace().collect();
    let first = words.first().map_or("", |word| word.trim_end_matches(','));
    let link = if let ["man", section, page, ..] = words[..] {
        let page = page.trim_end_matches(',');
        format!("https://man7.org/linux/man-pages/man{section}/{page}.{section}.html")
    } else if source.ends_with("(kernel documentation)") {
        let link = format!("https://www.kernel.org/doc/html/v{KERNEL}/{first}.html");
        return format!(
            "[{}]({link})",
            escaped(&source.replace("kernel", &format!("Linux {KERNEL}, kernel")))
        );
    } else if first.starts_with("docs.rs/") {
        return format!("[{}](https://{first})", escaped(source));
    } else if first.contains('/') {
        format!("https://elixir.bootlin.com/linux/v{}/source/{first}", version(source))
    } else {
        return escaped(source);
    };
    let text = if source.starts_with("man ") || source.contains("(Linux ") {
        source.to_owned()
    } else {
        format!("{source} (Linux {KERNEL})")
    };
    format!("[{}]({link})", escaped(&text))
}

/// The version in `(Linux 6.18)`.
fn version(source: &str) -> &str {
    let after = source.split_once("(Linux ").map_or("", |(_, after)| after);
    after.split([')', ' ']).next().filter(|version| !version.is_empty()).unwrap_or(KERNEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_of_every_lab_becomes_a_link() {
        for lab in tutor::labs() {
            let shown = Transcript::of(&lab, lab.recordings[0].1).unwrap();
            let (path, list) = file(&lab, &shown);
            assert!(!list.is_empty(), "{}", path.display());
            for line in list.lines() {
                assert!(line.starts_with("- [") && line.contains("](https://"), "{line}");
            }
        }
    }

    #[test]
    fn a_version_that_is_named_is_kept() {
        assert!(entry("mm/msync.c (Linux 6.18)").contains("/v6.18/source/mm/msync.c"));
        assert!(entry("mm/memory.c, do_fault_around").contains(&format!("/v{KERNEL}/source/mm/memory.c")));
        assert_eq!(entries("man 2 posix_fadvise, man 2 readahead (NOTES)").len(), 2);
    }
}
