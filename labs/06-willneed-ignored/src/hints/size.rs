//! How much can be looked at in the time that there is.

use instruments::size::shell_bytes;
use instruments::{Bench, Unavailable, pages};
use std::ffi::OsStr;
use std::path::Path;

/// The slice is as long as what this allows.
const SLICE_MS: &str = "200";

/// All looks under RANDOM together may take so long: they are the slow ones.
const RANDOM_NS: f64 = 2.5e9;

/// The call that loads all it is asked for may take so long.
const LOAD_NS: f64 = 1e9;

/// What the act looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    file_bytes: u64,
    pub(super) part_bytes: u64,
}

impl Size {
    /// Read a small slice under RANDOM, and walk through a smaller one, to see how fast that goes.
    pub(super) fn by_slice(bench: &mut Bench<'_>, path: &Path, rounds: u32) -> Result<Size, Unavailable> {
        let page = pages::page_bytes();
        let file_bytes = bench.plan().size_bytes;
        let args = |extra: &[&str]| -> Vec<std::ffi::OsString> {
            let all = ["--advice", "random"].iter().chain(extra).map(std::ffi::OsString::from);
            std::iter::once(path.as_os_str().to_owned()).chain(all).collect()
        };
        let mut pace = |extra: &[&str]| {
            bench.make_cold(path)?;
            let args = args(extra);
            let args: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
            let run = bench.run("hinted", &args)?;
            let bytes = run.u64("bytes")?.max(1);
            Ok::<_, Unavailable>((bytes, run.u64("elapsed_ns")? as f64 / bytes as f64))
        };
        let (bytes, read_ns_per_byte) = pace(&["--for", SLICE_MS])?;
        let walked = shell_bytes((bytes / 4 / page * page).max(page));
        let (_, walk_ns_per_byte) = pace(&["--mapped", "--bytes", &walked])?;
        let a_round = RANDOM_NS / f64::from(rounds.max(1));
        let affordable = (a_round / (read_ns_per_byte + walk_ns_per_byte)) as u64;
        Ok(Size { file_bytes, part_bytes: part(affordable, file_bytes, page) })
    }

    /// How much each call is asked for: as much as a read without a hint brings in in its time, which `normal_ns`
    /// says of the part.
    pub(super) fn asked_bytes(self, normal_ns: Option<f64>) -> u64 {
        let ns_per_byte = normal_ns.unwrap_or(LOAD_NS) / self.part_bytes as f64;
        ((LOAD_NS / ns_per_byte) as u64).clamp(pages::page_bytes(), self.file_bytes)
    }
}

/// At most half of the file, so that what is read ahead has room behind it; at least a page. Whole MiB where it is
/// more than one, for the learner's eyes.
fn part(affordable: u64, file_bytes: u64, page: u64) -> u64 {
    let most = affordable.min(file_bytes / 2);
    let unit = if most >= 1 << 20 { 1 << 20 } else { page };
    (most / unit * unit).max(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_whole_and_never_more_than_half() {
        const MIB: u64 = 1 << 20;
        assert_eq!(part(u64::MAX, 256 * MIB, 4096), 128 * MIB);
        assert_eq!(part(50 * MIB + 5, 256 * MIB, 4096), 50 * MIB);
        assert_eq!(part(10_000, 256 * MIB, 4096), 8192);
        assert_eq!(part(0, 256 * MIB, 4096), 4096);
        assert_eq!(part(u64::MAX, 16 * MIB, 65_536), 8 * MIB);
    }

    #[test]
    fn a_slow_disk_is_asked_for_less() {
        let size = Size { file_bytes: 256 << 20, part_bytes: 1 << 20 };
        assert_eq!(size.asked_bytes(Some(1e6)), 256 << 20);
        assert_eq!(size.asked_bytes(Some(1e8)), 10 << 20);
        assert_eq!(size.asked_bytes(Some(1e12)), pages::page_bytes());
    }
}
