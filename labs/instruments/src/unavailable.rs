//! Why something could not be measured: what failed, on what, why, and what to do.

use std::fmt;

/// One clear line instead of a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// INT, TERM or HUP arrived: stop in order, say nothing more.
    Interrupted,
    /// This machine or this user cannot do it; other acts can go on. `needs` names the privilege or feature.
    Lacking {
        /// What could not be done, such as "count the system calls of cread".
        what: String,
        /// The privilege, feature or tool that is missing.
        needs: String,
        /// What the learner can do about it.
        remedy: String,
    },
    /// It should have worked and did not: the session ends with exit code 1.
    Failed {
        /// What failed and on what, such as "write /var/tmp/…/data".
        what: String,
        /// Why, in the system's words or ours.
        why: String,
        /// What to do about it; may be empty where nothing can be advised.
        remedy: String,
    },
}

impl Unavailable {
    /// A failure of `what` for the reason `why`, with `remedy`. An [`std::io::Error`] is told in the system's words alone.
    pub fn failed(what: impl Into<String>, why: impl fmt::Display, remedy: impl Into<String>) -> Self {
        Unavailable::Failed { what: what.into(), why: in_words(why), remedy: remedy.into() }
    }

    /// `what` needs `needs`, which is not here; `remedy` says how to get it.
    pub fn lacking(what: impl Into<String>, needs: impl Into<String>, remedy: impl Into<String>) -> Self {
        Unavailable::Lacking { what: what.into(), needs: needs.into(), remedy: remedy.into() }
    }

    /// What became of `what` by the last line of a child: what a child lacks, its parent lacks; all else is a failure.
    pub fn of_child(what: impl Into<String>, line: &str) -> Self {
        match line.strip_prefix("cannot ").and_then(|line| line.split_once(": needs ")) {
            Some((_, needs)) => Unavailable::lacking(what, needs, ""),
            None => Unavailable::failed(what, line, ""),
        }
    }
}

/// An error as a person reads it: without what Rust puts behind the system's words, a number, and tempfile a path.
pub fn in_words(error: impl fmt::Display) -> String {
    let mut text = error.to_string();
    for (opening, closing) in [(" (os error ", ')'), (" at path \"", '"')] {
        while let Some(start) = text.find(opening) {
            let inside = start + opening.len();
            let Some(length) = text[inside..].find(closing) else { break };
            text.replace_range(start..=inside + length, "");
        }
    }
    text
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = match self {
            Unavailable::Interrupted => return f.write_str("interrupted"),
            Unavailable::Lacking { what, needs, remedy } => {
                write!(f, "cannot {what}: needs {needs}")?;
                remedy
            }
            Unavailable::Failed { what, why, remedy } => {
                write!(f, "cannot {what}: {why}")?;
                remedy
            }
        };
        if remedy.is_empty() { Ok(()) } else { write!(f, "; {remedy}") }
    }
}

impl std::error::Error for Unavailable {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn what_a_child_lacks_its_parent_lacks_in_the_same_words() {
        let of_child = |error: Unavailable| Unavailable::of_child("run x", &error.to_string());
        assert_eq!(
            of_child(Unavailable::lacking("make f cold", "its pages to go", "try again")),
            Unavailable::lacking("run x", "its pages to go; try again", "")
        );
        let failed = Unavailable::failed("open f", "it is a pipe", "");
        assert_eq!(of_child(failed), Unavailable::failed("run x", "cannot open f: it is a pipe", ""));
    }

    #[test]
    fn errors_are_told_in_the_systems_words() {
        let gone = || Error::from_raw_os_error(libc::ENOENT);
        assert_eq!(
            Unavailable::failed("map x", gone(), "").to_string(),
            "cannot map x: No such file or directory"
        );
        assert_eq!(
            in_words(format!("cannot a: {}; and b: {}", gone(), gone())),
            "cannot a: No such file or directory; and b: No such file or directory"
        );
        let of_tempfile = tempfile::tempdir_in("/no/such/place").expect_err("it is not there");
        assert_eq!(in_words(of_tempfile), "No such file or directory");
        assert_eq!(in_words("an (os error that never ends"), "an (os error that never ends");
        assert_eq!(in_words("nothing of the kind (3)"), "nothing of the kind (3)");
    }
}
