//! Figures in words, and the caveats of this machine that matter to writes.

use instruments::size::{format_bytes, format_count};
use lesson::caveat::of_host;
use lesson::{Caveat, Choice, Setting};

pub use lesson::words::{many, middle, time};

/// Pages that hold `bytes` bytes on the machine that was measured.
pub fn pages_of(bytes: u64, setting: &Setting) -> u64 {
    bytes.div_ceil(setting.host.page_bytes.max(1))
}

/// `256 pages`, or `unknown` where there is no figure.
pub fn pages_or_unknown(pages: Option<u64>) -> String {
    pages.map_or_else(|| "unknown".to_owned(), |pages| many(pages, "page"))
}

/// `32 MiB`, or `unknown` where there is no figure.
pub fn bytes_or_unknown(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "unknown".to_owned(), format_bytes)
}

/// `256`, or `unknown` where there is no figure.
pub fn count_or_unknown(count: Option<u64>) -> String {
    count.map_or_else(|| "unknown".to_owned(), format_count)
}

/// An option of a question.
pub fn option(id: &str, text: impl Into<String>, explanation: &str) -> Choice {
    Choice { id: id.to_owned(), text: text.into(), explanation: explanation.to_owned() }
}

/// A row of a table.
pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// What this machine makes uncertain about figures of writes. The shared words about a cache below speak of reads.
pub fn caveats(setting: &Setting) -> Vec<Caveat> {
    of_host(&setting.host)
        .into_iter()
        .map(|caveat| match caveat {
            Caveat::CacheBelow(what) => Caveat::Other(format!(
                "This disk is {what}: what it calls written may still lie in a memory below it. A bare disk may take \
                 longer to say so."
            )),
            other => other,
        })
        .collect()
}

/// The same for figures that are counts of pages: what lies below the disk has no part in them.
pub fn caveats_of_counts(setting: &Setting) -> Vec<Caveat> {
    let mut caveats = of_host(&setting.host);
    caveats.retain(|caveat| !matches!(caveat, Caveat::CacheBelow(_)));
    caveats
}

/// Why the dirty pages of the file are unknown here, where they are.
pub fn dirty_unknown(setting: &Setting) -> Caveat {
    let host = &setting.host;
    let why = if host.cachestat {
        format!("cachestat(2) does not see the pages of this file on {}", host.filesystem.kind)
    } else {
        "only cachestat(2) (Linux 6.5) tells which pages of a file are dirty, and it does not answer here"
            .to_owned()
    };
    Caveat::Other(format!("The dirty pages of the file are unknown: {why}."))
}
