//! What is said of arms of trials: how many were kept, whether they can be compared, and what must stand beside them.

use crate::{Caveat, Outcome};
use instruments::Samples;
use instruments::sample::{Standing, VERDICT_TRIALS};
use instruments::size::format_count;

/// An arm by its name.
pub type Arm<'a> = (&'a str, &'a Samples);

/// Why nothing can be told about these arms: fewer than [`VERDICT_TRIALS`] were kept in one of them. It says of each how
/// many were kept, of how many, and what was wrong with the last one that was not.
pub fn too_few(arms: &[Arm<'_>]) -> Option<String> {
    let short = arms.iter().any(|(_, samples)| samples.values.len() < VERDICT_TRIALS);
    let kept: Vec<String> = arms.iter().map(|arm| kept(*arm)).collect();
    short.then(|| format!("too few trials count ({})", kept.join("; ")))
}

/// The outcome where [`too_few`] has a reason, and the sentence for it.
pub fn too_few_to_tell(why: String) -> (Outcome, String) {
    let sentence = format!("Nothing can be told: {why}.");
    (Outcome::Undecided(why), sentence)
}

/// `cold: 1 of 10, since …`
fn kept((name, samples): Arm<'_>) -> String {
    let kept = samples.values.len() as u64;
    let tried = kept.saturating_add(samples.discarded.into());
    match &samples.discarded_why {
        _ if tried == 0 => format!("{name}: none was measured"),
        Some(why) => format!("{name}: {} of {}, since {why}", format_count(kept), format_count(tried)),
        None => format!("{name}: {} of {}", format_count(kept), format_count(tried)),
    }
}

/// What must be said beside the medians of these arms: trials thrown away, too few kept, and those that lie far apart.
pub fn caveats(wanted: u32, arms: &[Arm<'_>]) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    for (name, samples) in arms {
        if let Some(why) = &samples.discarded_why {
            caveats.push(Caveat::Discarded(samples.discarded, format!("{name}: {why}")));
        }
    }
    let fewest = arms.iter().map(|(_, samples)| samples.values.len() as u32).min().unwrap_or(0);
    if (1..wanted).contains(&fewest) {
        caveats.push(Caveat::FewTrials(fewest, wanted));
    }
    caveats.extend(crate::caveat::of_spreads(arms));
    caveats
}

/// That there is no verdict between these two, where their spreads overlap.
pub fn overlap(one: Arm<'_>, other: Arm<'_>) -> Option<Caveat> {
    (one.1.against(other.1) == Standing::Overlapping)
        .then(|| Caveat::SpreadsOverlap(one.0.to_owned(), other.0.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: usize, discarded: u32) -> Samples {
        let why = (discarded > 0).then(|| "only 3 of 4 pages were resident before it".to_owned());
        Samples { values: vec![1.0; count], discarded, discarded_why: why }
    }

    #[test]
    fn too_few_names_every_arm_and_what_spoiled_it() {
        let (all, some, none) = (of(5, 0), of(1, 9), of(0, 0));
        assert_eq!(too_few(&[("cold", &all), ("warm", &all)]), None);
        assert_eq!(
            too_few(&[("cold", &all), ("warm", &some)]).as_deref(),
            Some(
                "too few trials count (cold: 5 of 5; warm: 1 of 10, since only 3 of 4 pages were resident before it)"
            )
        );
        assert!(too_few(&[("cold", &none)]).is_some_and(|why| why.contains("cold: none was measured")));
    }

    #[test]
    fn an_overlap_is_told_only_of_arms_with_enough_trials() {
        let (enough, few) = (of(5, 0), of(4, 0));
        assert!(overlap(("a", &enough), ("b", &enough)).is_some());
        assert_eq!(overlap(("a", &enough), ("b", &few)), None);
    }

    #[test]
    fn thrown_away_and_few_are_told() {
        let arms = [("a", &of(4, 2)), ("b", &of(5, 0))];
        assert!(
            matches!(&*caveats(5, &arms), [Caveat::Discarded(2, why), Caveat::FewTrials(4, 5)] if why.starts_with("a: only 3"))
        );
        assert_eq!(caveats(5, &arms[1..]), []);
    }
}
