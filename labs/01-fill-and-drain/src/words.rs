//! Figures in words, and the caveats that they call for.

use crate::change::{Drift, Line};
use instruments::Reading;
use instruments::residency::Residency;
use instruments::size::{format_bytes, format_count, format_ns};
use lesson::{Caveat, Choice, Outcome, Setting};

/// `+256 MiB`, `-1.20 MiB`, `0 B`.
pub fn signed(bytes: f64) -> String {
    let rounded = bytes.round() as i64;
    let sign = match rounded {
        0 => "",
        1.. => "+",
        _ => "-",
    };
    format!("{sign}{}", format_bytes(rounded.unsigned_abs()))
}

/// `Cached grew by 256 MiB`, `MemFree fell by 1.20 MiB`, `Buffers did not move`.
pub fn moved(name: &str, bytes: f64) -> String {
    let rounded = bytes.round() as i64;
    let size = format_bytes(rounded.unsigned_abs());
    match rounded {
        0 => format!("{name} did not move"),
        1.. => format!("{name} grew by {size}"),
        _ => format!("{name} fell by {size}"),
    }
}

/// `1 page`, `65,536 pages`.
pub fn pages(count: u64) -> String {
    format!("{} page{}", format_count(count), if count == 1 { "" } else { "s" })
}

/// `65,536 of 65,536`, or `unknown`.
pub fn resident(state: &Reading<Residency>) -> String {
    match state {
        Reading::Known(state) => {
            format!("{} of {}", format_count(state.resident_pages), format_count(state.pages))
        }
        Reading::Unknown(_) => "unknown".to_owned(),
    }
}

/// An option of a question.
pub fn option(id: &str, text: &str, explanation: &str) -> Choice {
    Choice { id: id.to_owned(), text: text.to_owned(), explanation: explanation.to_owned() }
}

/// The option of this id, and the sentence that says so.
pub fn choice(id: &str, sentence: String) -> (Outcome, String) {
    (Outcome::Choice(id.to_owned()), sentence)
}

/// Why the machine did not decide.
pub fn undecided(why: impl Into<String>) -> (Outcome, String) {
    let why = why.into();
    let sentence = format!("This cannot be told here: {why}.");
    (Outcome::Undecided(why), sentence)
}

/// A row of a table.
pub fn row<const N: usize>(cells: [String; N]) -> Vec<String> {
    cells.into()
}

/// The memory limit that we live in, where it is below `bytes`.
pub fn limit_below(bytes: u64, setting: &Setting) -> Option<u64> {
    setting.host.cgroup.as_ref()?.limit_bytes.filter(|limit| *limit < bytes)
}

/// That others moved a line by more than a twentieth of what was done, if they did.
pub fn busy(drift: &Drift<'_>, lines: &[Line], size_bytes: u64) -> Option<Caveat> {
    let floors = lines.iter().filter_map(|line| Some((*line, drift.floor(*line)?)));
    let (line, floor) = floors.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let longest = drift.idle.windows.iter().map(|change| change.elapsed_ns).max()?;
    (floor > size_bytes as f64 / 20.0).then(|| {
        Caveat::OtherWriters(format!(
            "{} often moved by as much as {} in {}, with nothing done here",
            line.name(),
            format_bytes(floor as u64),
            format_ns(longest as f64)
        ))
    })
}

/// Why nothing can be said where others move the counters too much.
pub fn too_loud((line, noise): (Line, f64)) -> (Outcome, String) {
    undecided(format!(
        "other programs use this machine, and move {} by as much as {} themselves",
        line.name(),
        format_bytes(noise as u64)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_always_shows_but_at_zero() {
        assert_eq!(signed(268_435_456.0), "+256 MiB");
        assert_eq!(signed(-1_258_291.2), "-1.20 MiB");
        assert_eq!(signed(0.0), "0 B");
        assert_eq!(signed(-0.0), "0 B");
        assert_eq!(moved("Cached", -1024.0), "Cached fell by 1 KiB");
        assert_eq!(moved("Cached", 0.2), "Cached did not move");
    }
}
