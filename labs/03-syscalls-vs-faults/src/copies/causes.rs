//! Why one way took longer than another, where the times tell; and what they cannot tell.

use crate::cause::Why;
use crate::copies::Evidence;
use crate::copies::ways::{READ, Times, Way};
use crate::nearest::{agree, clearly_less};
use crate::pass::Pass;
use crate::words::time;
use instruments::size::format_bytes;
use lesson::Setting;
use std::cmp::Ordering::Equal;

/// All that the times prove.
pub fn causes(warm: &Times<'_>, cold: &Times<'_>) -> Vec<Why> {
    [warm_cause(warm), populate_cause(warm), cold_cause(cold)].into_iter().flatten().collect()
}

/// What each of the two took more than the adding alone, where the slower one clearly took more.
fn warm_cause(warm: &Times<'_>) -> Option<Why> {
    let (_, slower) = warm.verdict()?;
    if without_a_baseline(warm).is_some() {
        return None;
    }
    let adding_ns = warm.adding.elapsed.median()?;
    let more = |way: &Way<'_>| {
        let more = way.elapsed.median()? - adding_ns;
        way.elapsed.is_apart_from(&warm.adding.elapsed).then_some(more)
    };
    more(slower)?;
    let (read_ns, mmap_ns) = (more(&warm.read), more(&warm.mmap));
    let faults = warm.mmap.median(|pass| pass.minor_faults);
    if slower.name == READ {
        Some(Why::CopyingCosts { adding_ns, read_ns, mmap_ns, faults })
    } else {
        let more_faults = faults > warm.read.median(|pass| pass.minor_faults);
        more_faults.then_some(Why::FaultsCost { adding_ns, read_ns, mmap_ns, faults })
    }
}

/// Each way adds up the bytes too, so the adding alone cannot take longer. Where it came out slower, nothing can be
/// derived from it.
pub fn without_a_baseline(warm: &Times<'_>) -> Option<String> {
    let adding = warm.adding.elapsed.median()?;
    let quicker = [&warm.read, &warm.mmap]
        .into_iter()
        .filter(|way| way.elapsed.median().is_some_and(|median| median < adding))
        .min_by(|one, other| one.elapsed.median().partial_cmp(&other.elapsed.median()).unwrap_or(Equal))?;
    Some(format!(
        "The adding alone came out slower ({}) than {} ({}), which does the same adding and more. So this run has no \
         baseline, and what copying or faults cost cannot be told from it.",
        time(&warm.adding.elapsed),
        quicker.name,
        time(&quicker.elapsed)
    ))
}

/// A part was read cold, and the device delivered more than the part.
pub fn read_further(evidence: &Evidence, cold: &Times<'_>, setting: &Setting) -> Option<String> {
    let most = cold.all().filter_map(Way::device_bytes).max()?;
    let further = most.checked_sub(evidence.cold_bytes).filter(|bytes| *bytes > 0)?;
    if evidence.cold_bytes >= evidence.warm_bytes {
        return None;
    }
    let readahead = setting.host.device.as_ref().map(|device| device.read_ahead_kb.saturating_mul(1024));
    let why = match readahead.filter(|bytes| further <= *bytes) {
        Some(bytes) => format!("readahead, of up to {} here, went on past the part", format_bytes(bytes)),
        None => "nothing here tells why".to_owned(),
    };
    Some(format!(
        "The cold passes read the first {} of a larger file, and the device delivered up to {} more: {why}.",
        format_bytes(evidence.cold_bytes),
        format_bytes(further)
    ))
}

/// What MAP_POPULATE did to the count of faults, and whether it showed in the time.
fn populate_cause(warm: &Times<'_>) -> Option<Why> {
    let faults = warm.mmap.median(|pass| pass.minor_faults);
    let populated = warm.populate.median(|pass| pass.minor_faults);
    let ratio = warm.mmap.elapsed.ratio_to(&warm.populate.elapsed)?;
    let faster = warm.mmap.elapsed.is_apart_from(&warm.populate.elapsed).then_some(ratio);
    if faults > 0 && agree(faults as f64, populated as f64) {
        Some(Why::PopulateCountsAlike { faults, populated, faster })
    } else if clearly_less(populated as f64, faults as f64) {
        Some(Why::PopulateSavesFaults { faults, populated, faster })
    } else {
        None
    }
}

/// Where the two differ cold: in waiting, or in work of the processor.
fn cold_cause(cold: &Times<'_>) -> Option<Why> {
    let (faster, slower) = cold.verdict()?;
    let bytes = faster.device_bytes()?.min(slower.device_bytes()?);
    if !agree(faster.device_bytes()? as f64, slower.device_bytes()? as f64) {
        return None;
    }
    let difference = slower.elapsed.median()? - faster.elapsed.median()?;
    let more = |figure: fn(&Pass) -> Option<u64>| {
        let told = |way: &Way<'_>| way.kept.iter().all(|pass| figure(pass).is_some());
        if !told(faster) || !told(slower) {
            return None;
        }
        let figure = |pass: &Pass| figure(pass).unwrap_or(0);
        let (less, more) = (faster.samples(figure), slower.samples(figure));
        let median = (less.median()?, more.median()?);
        (!more.is_wide() && more.is_apart_from(&less) && median.1 - median.0 >= difference / 2.0)
            .then_some(median)
    };
    let major_faults = cold.mmap.median(|pass| pass.major_faults);
    if let Some((less, more)) = more(Pass::waited_ns) {
        return Some(Why::WaitedLonger {
            slower: slower.name,
            faster: faster.name,
            waited_ns: (more as u64, less as u64),
            bytes,
            major_faults,
        });
    }
    let (less, more) = more(|pass| Some(pass.cpu_ns))?;
    Some(Why::WorkedLonger {
        slower: slower.name,
        faster: faster.name,
        worked_ns: (more as u64, less as u64),
        bytes,
    })
}
