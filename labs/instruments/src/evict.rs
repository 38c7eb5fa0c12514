//! Make a file cold, and prove it. posix_fadvise(2) DONTNEED returns 0 whatever it did, so the count decides.

mod mappers;

use crate::residency::{self, Residency};
use crate::size::format_count;
use crate::{Reading, interrupt, magic, unavailable};
use nix::errno::Errno;
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use nix::unistd::fdatasync;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What an eviction that worked has done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evicted {
    /// Resident pages before.
    pub before_pages: u64,
    /// Rounds of fdatasync + DONTNEED that it took; 0 where nothing was resident.
    pub rounds: u32,
    /// Wall time, nanoseconds.
    pub elapsed_ns: u64,
}

/// Why pages stayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Stuck {
    /// tmpfs or ramfs: memory is where the file lives.
    #[error("the file lives in memory ({0}): there is nothing to evict it to")]
    InMemory(String),
    /// Pages still dirty or in writeback after all rounds.
    #[error("{} {} still dirty or being written", in_words(*pages), if *pages == 1 { "is" } else { "are" })]
    Dirty {
        /// How many.
        pages: u64,
    },
    /// Mapped by some process (found in /proc/PID/maps where readable).
    #[error("{} {} mapped{}", in_words(*pages), if *pages == 1 { "stays because it is" } else { "stay because they are" }, .pids.first().map(|p| format!(" by process {p}")).unwrap_or_default())]
    Mapped {
        /// How many pages stay.
        pages: u64,
        /// Processes seen to map the file; may be empty where /proc does not tell.
        pids: Vec<u32>,
    },
    /// They stay and nothing visible explains it.
    #[error("{} {} and nothing visible explains it", in_words(*pages), if *pages == 1 { "stays" } else { "stay" })]
    Unexplained {
        /// How many.
        pages: u64,
    },
    /// Residency cannot be known, so the eviction cannot be proven.
    #[error("nobody can prove it: {0}")]
    Unprovable(crate::Unknown),
    /// A system call failed.
    #[error("{0}")]
    Failed(String),
}

/// `1 page`, `16,384 pages`.
fn in_words(pages: u64) -> String {
    format!("{} page{}", format_count(pages), if pages == 1 { "" } else { "s" })
}

/// Rounds without fewer pages than ever before, after which it is over.
const FRUITLESS_ROUNDS: u32 = 8;
/// The pause after the first fruitless round; each further one is twice as long (128 ms before the last).
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// Rounds that gain ground may go on for so long: a slow disk that writes without telling (a volatile overlay) takes
/// its time.
const PATIENCE: Duration = Duration::from_secs(30);

/// fdatasync, DONTNEED for the whole file, count, retry a few times; 0 resident pages or a named failure.
///
/// sync_file_range(2) instead of fdatasync(2) took as long in a comparison and does nothing on overlayfs, where the
/// dirty pages hang on a file of the layer below.
///
/// Works on a file that is only open for reading, and on one that belongs to somebody else (but then nobody can prove
/// it). See fdatasync(2), posix_fadvise(2).
pub fn evict(file: &File) -> Result<Evicted, Stuck> {
    let started = Instant::now();
    if let Some(kind) = magic::in_memory(magic::of(file).map_err(failed("ask for its filesystem"))?) {
        return Err(Stuck::InMemory(kind.to_owned()));
    }
    let before_pages = match count(file)? {
        Reading::Known(residency) => residency.resident_pages,
        Reading::Unknown(why) => {
            drop_pages(file)?;
            return Err(Stuck::Unprovable(why));
        }
    };
    let mut fewest = before_pages;
    let mut rounds = 0;
    let mut fruitless = 0;
    while fewest > 0 {
        if interrupt::requested() {
            return Err(Stuck::Failed("interrupted".to_owned()));
        }
        drop_pages(file)?;
        rounds += 1;
        let left = match count(file)? {
            Reading::Known(left) => left,
            Reading::Unknown(why) => return Err(Stuck::Unprovable(why)),
        };
        fruitless = if left.resident_pages < fewest { 0 } else { fruitless + 1 };
        fewest = fewest.min(left.resident_pages);
        if fruitless == FRUITLESS_ROUNDS || (fewest > 0 && started.elapsed() > PATIENCE) {
            return Err(why_they_stay(file, &left));
        }
        if fewest > 0 {
            sleep(FIRST_PAUSE * 2u32.pow(fruitless.saturating_sub(1)));
        }
    }
    let elapsed_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
    Ok(Evicted { before_pages, rounds, elapsed_ns })
}

fn count(file: &File) -> Result<Reading<Residency>, Stuck> {
    residency::of_file(file).map_err(failed("count its pages"))
}

// ANCHOR: drop
/// One round: dirty pages would stay, so they are written first.
fn drop_pages(file: &File) -> Result<(), Stuck> {
    match fdatasync(file) {
        // A filesystem that is never written (squashfs, erofs, a read-only mount) has nothing to sync.
        Ok(()) | Err(Errno::EINVAL | Errno::EROFS) => (),
        Err(errno) => return Err(failed("write its dirty pages with fdatasync(2)")(errno.into())),
    }
    posix_fadvise(file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED)
        .map_err(|errno| failed("advise DONTNEED with posix_fadvise(2)")(errno.into()))
}
// ANCHOR_END: drop

fn failed(what: &'static str) -> impl Fn(std::io::Error) -> Stuck {
    move |error| Stuck::Failed(format!("cannot {what}: {}", unavailable::in_words(error)))
}

/// The cause that the evidence proves. Dirty pages explain themselves and no others; a mapping explains clean pages only
/// if it holds some.
fn why_they_stay(file: &File, left: &Residency) -> Stuck {
    let pages = left.resident_pages;
    let busy = left.dirty_pages.unwrap_or(0) + left.writeback_pages.unwrap_or(0);
    if busy < pages {
        let pids = mappers::of(file);
        if !pids.is_empty() {
            return Stuck::Mapped { pages, pids };
        }
    }
    if busy > 0 { Stuck::Dirty { pages: busy.min(pages) } } else { Stuck::Unexplained { pages } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residency::Method;

    fn left(resident: u64, dirty: Option<u64>, writeback: Option<u64>) -> Residency {
        Residency {
            pages: 100,
            resident_pages: resident,
            dirty_pages: dirty,
            writeback_pages: writeback,
            evicted_pages: None,
            recently_evicted_pages: None,
            method: Method::Cachestat,
        }
    }

    #[test]
    fn a_cause_is_named_only_where_the_count_proves_it() -> std::io::Result<()> {
        let nobody_maps_it = tempfile::tempfile()?;
        nobody_maps_it.set_len(10)?;
        let cause = |left| why_they_stay(&nobody_maps_it, &left);
        assert_eq!(cause(left(10, Some(6), Some(4))), Stuck::Dirty { pages: 10 });
        assert_eq!(cause(left(10, Some(0), Some(3))), Stuck::Dirty { pages: 3 });
        // A page may be dirty again while it is being written.
        assert_eq!(cause(left(10, Some(10), Some(10))), Stuck::Dirty { pages: 10 });
        assert_eq!(cause(left(10, Some(0), Some(0))), Stuck::Unexplained { pages: 10 });
        assert_eq!(cause(left(10, None, None)), Stuck::Unexplained { pages: 10 });
        Ok(())
    }

    #[test]
    fn every_cause_is_one_plain_sentence() {
        let mapped = |pids: &[u32]| Stuck::Mapped { pages: 7, pids: pids.to_vec() }.to_string();
        assert_eq!(mapped(&[12, 13]), "7 pages stay because they are mapped by process 12");
        assert_eq!(mapped(&[]), "7 pages stay because they are mapped");
        assert_eq!(
            Stuck::Dirty { pages: 16_384 }.to_string(),
            "16,384 pages are still dirty or being written"
        );
        assert_eq!(Stuck::Dirty { pages: 1 }.to_string(), "1 page is still dirty or being written");
        assert_eq!(
            Stuck::Unexplained { pages: 1024 }.to_string(),
            "1,024 pages stay and nothing visible explains it"
        );
        assert_eq!(
            Stuck::Unprovable(crate::Unknown::NotPermitted).to_string(),
            "nobody can prove it: the kernel tells residency only to those who own the file or may write to it"
        );
    }
}
