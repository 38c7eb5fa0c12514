//! The chapters of the book, for `tutor read`. Made by `cargo run -p book -- refresh`.

/// Name, title, lab, text.
#[rustfmt::skip]
pub const CHAPTERS: &[(&str, &str, Option<u32>, &str)] = &[
    ("why", "Why you should care", None, include_str!("../../chapters/why.md")),
    ("how-to", "How to use this course", None, include_str!("../../chapters/how-to.md")),
    ("your-machine", "What it does to your machine, and what it never does", None, include_str!("../../chapters/your-machine.md")),
    ("fill-and-drain", "1 · Where does memory go when you use a file?", Some(1), include_str!("../../chapters/fill-and-drain.md")),
    ("cold-vs-warm", "2 · Why is the second run fast, and was the first one ever cold?", Some(2), include_str!("../../chapters/cold-vs-warm.md")),
    ("syscalls-vs-faults", "3 · What do read() and mmap() each pay?", Some(3), include_str!("../../chapters/syscalls-vs-faults.md")),
    ("small-file-mmap", "4 · When does mapping cost more than it saves?", Some(4), include_str!("../../chapters/small-file-mmap.md")),
    ("dirty-writeback", "5 · What has a write done when it returns?", Some(5), include_str!("../../chapters/dirty-writeback.md")),
    ("willneed-ignored", "6 · Is a hint a command?", Some(6), include_str!("../../chapters/willneed-ignored.md")),
    ("sigbus-on-truncation", "7 · What happens to a mapping when its file shrinks?", Some(7), include_str!("../../chapters/sigbus-on-truncation.md")),
    ("field-guide", "A field guide to the tools", None, include_str!("../../chapters/field-guide.md")),
    ("folklore", "Folklore, corrected", None, include_str!("../../chapters/folklore.md")),
    ("environments", "Containers, virtual machines, WSL2, macOS", None, include_str!("../../chapters/environments.md")),
    ("instructors", "For instructors", None, include_str!("../../chapters/instructors.md")),
    ("glossary", "Glossary", None, include_str!("../../chapters/glossary.md")),
    ("building", "How it is built, and how to add a lab", None, include_str!("../../chapters/building.md")),
    ("sources", "Sources", None, include_str!("../../chapters/sources.md")),
];
