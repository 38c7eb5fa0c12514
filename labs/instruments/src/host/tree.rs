//! The tree of files from which facts are read: `/`, or a made-up one in a test.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A root directory. Paths in it are written without a leading slash. What cannot be read is None: a fact that this
/// user may not know.
#[derive(Debug)]
pub(super) struct Tree(PathBuf);

impl Tree {
    pub(super) fn real() -> Tree {
        Tree(PathBuf::from("/"))
    }

    pub(super) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.0.join(path)
    }

    pub(super) fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.path(path).exists()
    }

    /// A file's text without white space around it, nor the NUL with which device-tree properties end.
    pub(super) fn text(&self, path: impl AsRef<Path>) -> Option<String> {
        let text = std::fs::read_to_string(self.path(path)).ok()?;
        Some(text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned())
    }

    pub(super) fn number<T: FromStr>(&self, path: impl AsRef<Path>) -> Option<T> {
        self.text(path)?.parse().ok()
    }

    /// What a directory holds, in alphabetical order; nothing where it cannot be read.
    pub(super) fn entries(&self, dir: impl AsRef<Path>) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.path(dir)) else { return Vec::new() };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths
    }
}

/// A made-up tree, removed when dropped.
#[cfg(test)]
pub(super) mod fake {
    use super::*;

    pub(crate) struct Fake {
        dir: tempfile::TempDir,
        pub(crate) tree: Tree,
    }

    impl Fake {
        /// Files with their text; a directory is a path that ends with a slash.
        pub(crate) fn new(files: &[(&str, &str)]) -> Fake {
            let dir = tempfile::tempdir().expect("a directory for a made-up tree");
            let tree = Tree(dir.path().to_owned());
            for (path, text) in files {
                let path = tree.path(path);
                std::fs::create_dir_all(path.parent().expect("a path below the root")).expect("directories");
                if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                    std::fs::create_dir_all(path).expect("a directory");
                } else {
                    std::fs::write(path, text).expect("a file");
                }
            }
            Fake { dir, tree }
        }

        /// A link to another path of the tree.
        pub(crate) fn link(self, from: &str, to: &str) -> Fake {
            let from = self.tree.path(from);
            std::fs::create_dir_all(from.parent().expect("a path below the root")).expect("directories");
            std::os::unix::fs::symlink(self.dir.path().join(to), from).expect("a link");
            self
        }
    }
}
