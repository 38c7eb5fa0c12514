//! Figures in words, as every lab says them.

use instruments::Samples;
use instruments::size::{format_count, format_ns};

/// `1 page`, `131,072 pages`: a count with its thing, in the plural where it has one.
pub fn many(count: u64, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {thing}{s}", format_count(count))
}

/// `381 ms ±12.0 ms`; `381 ms (one trial)` where there is no spread; `no trial` where none was kept.
pub fn time(samples: &Samples) -> String {
    with_spread(samples, format_ns)
}

/// The same of figures that are printed in another way.
pub fn with_spread(samples: &Samples, print: impl Fn(f64) -> String) -> String {
    match (samples.median(), samples.half_spread()) {
        (Some(median), Some(spread)) => format!("{} ±{}", print(median), print(spread)),
        (Some(only), None) => format!("{} (one trial)", print(only)),
        (None, _) => "no trial".to_owned(),
    }
}

/// `33%`.
pub fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The middle one, which says what most of them are; None of nothing.
pub fn middle(figures: &[u64]) -> Option<u64> {
    let mut sorted = figures.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_its_thing_in_the_right_number() {
        assert_eq!([0, 1, 131_072].map(|count| many(count, "page")), ["0 pages", "1 page", "131,072 pages"]);
    }

    #[test]
    fn a_time_has_its_spread_and_no_trial_has_none() {
        let samples = Samples { values: vec![3e6, 1e6, 2e6], ..Samples::default() };
        assert_eq!(time(&samples), "2.00 ms ±500 µs");
        assert_eq!(time(&Samples { values: vec![3e6], ..Samples::default() }), "3.00 ms (one trial)");
        assert_eq!(time(&Samples::default()), "no trial");
    }

    proptest::proptest! {
        #[test]
        fn a_spread_is_told_only_of_two_trials_or_more(values in proptest::collection::vec(1.0..1e9, 0..9)) {
            let samples = Samples { values, ..Samples::default() };
            proptest::prop_assert_eq!(time(&samples).contains('±'), samples.values.len() >= 2);
        }
    }

    #[test]
    fn a_share_is_rounded() {
        assert_eq!([0.0, 0.333, 0.996].map(percent), ["0%", "33%", "100%"]);
    }

    #[test]
    fn the_middle_one_is_the_one_most_are_near() {
        assert_eq!(middle(&[512, 1, 512]), Some(512));
        assert_eq!(middle(&[2, 1]), Some(2));
        assert_eq!(middle(&[]), None);
    }
}
