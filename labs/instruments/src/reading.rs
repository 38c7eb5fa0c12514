//! A figure, or the reason for which there is none: "unknown" is never written as a number.

use serde::{Deserialize, Serialize};

/// A measured figure, or why it cannot be had here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading<T> {
    /// The kernel said so.
    Known(T),
    /// Nobody can say, and this is why.
    Unknown(Unknown),
}

impl<T> Reading<T> {
    /// The figure, where there is one.
    pub fn known(&self) -> Option<&T> {
        match self {
            Reading::Known(figure) => Some(figure),
            Reading::Unknown(_) => None,
        }
    }

    /// The reason, where there is no figure.
    pub fn why_unknown(&self) -> Option<&Unknown> {
        match self {
            Reading::Known(_) => None,
            Reading::Unknown(why) => Some(why),
        }
    }
}

/// Why residency cannot be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Unknown {
    /// cachestat(2) said EPERM, and mincore(2) would claim that every page is resident (kernel 5.2 on).
    #[error("the kernel tells residency only to those who own the file or may write to it")]
    NotPermitted,
    /// The file lives on a filesystem whose cache is not the page cache, or is kept elsewhere.
    #[error("{0} does not keep its data in the page cache in a way that can be asked for")]
    Filesystem(String),
    /// Neither system call exists or answers.
    #[error("{0}")]
    Kernel(String),
}
