//! Trials: interleaved, with median and spread, and whether two spreads overlap.
//!
//! A figure is printed as `7.05 ms ±1.11 ms`: the median, and half the distance between the quartiles. What is printed is
//! what decides: two figures tie where the ranges that can be read off them overlap. One value alone has no spread, and
//! fewer than [`VERDICT_TRIALS`] an arm decide nothing: that is "too few to tell", and no tie.

use serde::{Deserialize, Serialize};

/// Kept trials that each of two arms needs before anything is said about which of them is more.
pub const VERDICT_TRIALS: usize = 5;

/// Kept trials from which on a spread is known.
const SPREAD_TRIALS: usize = 2;

/// How two arms stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Fewer than [`VERDICT_TRIALS`] were kept in one of them, or in both.
    TooFew,
    /// Their spreads meet: no verdict.
    Overlapping,
    /// Their spreads do not meet: the medians decide.
    Apart,
}

/// The kept values of one arm, in the order in which they were measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// One value a kept trial; the field that holds the samples names the unit.
    pub values: Vec<f64>,
    /// Trials thrown away because the state was not what it had to be.
    pub discarded: u32,
    /// Why the last one was thrown away.
    pub discarded_why: Option<String>,
}

/// One trial's end.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// Its value counts.
    Kept(f64),
    /// The state was wrong, for this reason: counted, never averaged in.
    Discarded(String),
}

impl Samples {
    /// Figures of the trials that keep a rule, in their order; the others are counted as discarded, with what the rule
    /// says of the last of them.
    pub fn of<T>(
        trials: &[T],
        rule: impl Fn(&T) -> Result<(), String>,
        figure: impl Fn(&T) -> f64,
    ) -> Samples {
        let mut samples = Samples::default();
        for trial in trials {
            match rule(trial) {
                Ok(()) => samples.values.push(figure(trial)),
                Err(why) => samples.discard(why),
            }
        }
        samples
    }

    /// The middle value; None when no trial was kept.
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// First and third quartile (linear interpolation): the spread. None of fewer than two values.
    pub fn quartiles(&self) -> Option<(f64, f64)> {
        (self.values.len() >= SPREAD_TRIALS).then(|| Some((self.quantile(0.25)?, self.quantile(0.75)?)))?
    }

    /// Half the distance between the quartiles: the ± beside a median. About half of the trials lie within it.
    pub fn half_spread(&self) -> Option<f64> {
        self.quartiles().map(|(first, third)| (third - first) / 2.0)
    }

    /// From the median less [`Samples::half_spread`] to the median and as much more: what `7.05 ms ±1.11 ms` says.
    pub fn range(&self) -> Option<(f64, f64)> {
        let (median, half) = (self.median()?, self.half_spread()?);
        Some((median - half, median + half))
    }

    /// Whether the spread is so wide that the median says only roughly what the arm takes: more than a quarter of it to
    /// either side.
    pub fn is_wide(&self) -> bool {
        self.median().zip(self.half_spread()).is_some_and(|(median, half)| half > median.abs() / 4.0)
    }

    /// How this arm stands to another one. They overlap where the printed ranges meet, or the quartile ranges: the second
    /// catches an arm that lies to one side of its own median.
    pub fn against(&self, other: &Samples) -> Standing {
        if self.values.len().min(other.values.len()) < VERDICT_TRIALS {
            return Standing::TooFew;
        }
        let meet = |one: Option<(f64, f64)>, other: Option<(f64, f64)>| match (one, other) {
            (Some((least, most)), Some((other_least, other_most))) => {
                least <= other_most && other_least <= most
            }
            _ => true,
        };
        if meet(self.range(), other.range()) || meet(self.quartiles(), other.quartiles()) {
            Standing::Overlapping
        } else {
            Standing::Apart
        }
    }

    /// Whether a difference between the two is proven: enough trials, and spreads that do not meet.
    pub fn is_apart_from(&self, other: &Samples) -> bool {
        self.against(other) == Standing::Apart
    }

    /// Median of self over median of other; None when either is missing or other's is 0.
    pub fn ratio_to(&self, other: &Samples) -> Option<f64> {
        let divisor = other.median().filter(|median| *median != 0.0)?;
        Some(self.median()? / divisor)
    }

    fn quantile(&self, share: f64) -> Option<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let position = share * sorted.len().checked_sub(1)? as f64;
        let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
        Some(below + (above - below) * position.fract())
    }

    fn discard(&mut self, why: String) {
        self.discarded += 1;
        self.discarded_why = Some(why);
    }
}

/// Run `rounds` kept trials of each of `arms` arms, interleaved (0 1 2, 2 1 0, 0 1 2, …), so that a drift of the
/// machine meets all alike. A discarded trial is tried again at once, at most `rounds` extra times an arm in all.
/// `trial` gets the arm and the round. A value that is not finite is a discarded trial: it could not be recorded.
pub fn interleave<E>(
    arms: usize,
    rounds: u32,
    mut trial: impl FnMut(usize, u32) -> Result<Trial, E>,
) -> Result<Vec<Samples>, E> {
    let mut samples = vec![Samples::default(); arms];
    let mut extra_left = vec![rounds; arms];
    for round in 0..rounds {
        for step in 0..arms {
            let arm = if round.is_multiple_of(2) { step } else { arms - 1 - step };
            loop {
                match trial(arm, round)? {
                    Trial::Kept(value) if value.is_finite() => {
                        samples[arm].values.push(value);
                        break;
                    }
                    Trial::Kept(value) => samples[arm].discard(format!("it gave {value}, not a figure")),
                    Trial::Discarded(why) => samples[arm].discard(why),
                }
                if extra_left[arm] == 0 {
                    break;
                }
                extra_left[arm] -= 1;
            }
        }
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn of(values: &[f64]) -> Samples {
        Samples { values: values.to_vec(), ..Samples::default() }
    }

    #[test]
    fn known_values() {
        let odd = of(&[9.0, 1.0, 5.0, 3.0, 7.0]);
        assert_eq!(odd.median(), Some(5.0));
        assert_eq!(odd.quartiles(), Some((3.0, 7.0)));
        assert_eq!(odd.half_spread(), Some(2.0));

        let even = of(&[4.0, 1.0, 2.0, 3.0]);
        assert_eq!(even.median(), Some(2.5));
        assert_eq!(even.quartiles(), Some((1.75, 3.25)));

        assert_eq!(
            (of(&[8.0]).median(), of(&[8.0]).quartiles(), of(&[8.0]).half_spread()),
            (Some(8.0), None, None)
        );
        assert_eq!(of(&[]).median(), None);
        assert_eq!(of(&[]).quartiles(), None);
        assert_eq!(of(&[]).half_spread(), None);
    }

    #[test]
    fn spreads_that_touch_give_no_verdict() {
        use Standing::{Apart, Overlapping};
        let low = of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(low.against(&low), Overlapping);
        assert_eq!(low.against(&of(&[3.0, 4.0, 5.0, 6.0, 7.0])), Overlapping, "3 ±1 and 5 ±1 meet at 4");
        assert_eq!(of(&[3.0, 4.0, 5.0, 6.0, 7.0]).against(&low), Overlapping);
        assert_eq!(low.against(&of(&[3.1, 4.1, 5.1, 6.1, 7.1])), Apart);
        assert_eq!(of(&[3.1, 4.1, 5.1, 6.1, 7.1]).against(&low), Apart);
        assert_eq!(low.against(&of(&[0.0, 0.0, 3.0, 9.0, 9.0])), Overlapping, "one range inside the other");
    }

    #[test]
    fn what_is_printed_is_what_decides() {
        // 11 ±7.91 and 7.05 ±1.11 by what is printed; the quartiles of the first are 9 and 24.8.
        let (first, second) = (of(&[8.0, 9.0, 11.0, 24.82, 30.0]), of(&[5.0, 6.0, 7.05, 8.22, 9.0]));
        assert!(first.quartiles() > second.quartiles() && first.quartiles().map(|it| it.0) > Some(8.22));
        assert_eq!(second.range(), Some((7.05 - 1.1100000000000003, 7.05 + 1.1100000000000003)));
        assert_eq!([first.against(&second), second.against(&first)], [Standing::Overlapping; 2]);
        assert!(first.is_wide() && !second.is_wide());
    }

    proptest::proptest! {
        #[test]
        fn two_figures_tie_where_their_printed_ranges_meet(
            one in proptest::collection::vec(0.0..100.0, VERDICT_TRIALS..9),
            other in proptest::collection::vec(0.0..100.0, VERDICT_TRIALS..9),
        ) {
            let (one, other) = (of(&one), of(&other));
            let printed = |it: &Samples| it.median().zip(it.half_spread()).expect("there are trials");
            let ((a, half_a), (b, half_b)) = (printed(&one), printed(&other));
            // Nothing is said about ranges that meet but for the last bit of a figure.
            let gap = (a - b).abs() - (half_a + half_b);
            if gap.abs() > 1e-9 {
                // The quartiles may still meet, where trials lie to one side of their median.
                proptest::prop_assert!(gap > 0.0 || one.against(&other) == Standing::Overlapping);
            }
        }

        #[test]
        fn one_value_has_no_spread_few_decide_nothing_and_disjoint_ranges_are_no_tie(
            one in proptest::collection::vec(0.0..100.0, 0..9),
            other in proptest::collection::vec(0.0..100.0, 0..9),
            far in 101.0..1000.0,
        ) {
            let far = of(&other.iter().map(|value| value + far).collect::<Vec<_>>());
            let one = of(&one);
            for arm in [&one, &far] {
                proptest::prop_assert_eq!(arm.half_spread().is_some(), arm.values.len() >= 2);
                proptest::prop_assert_eq!(arm.range().is_some(), arm.values.len() >= 2);
            }
            let enough = one.values.len().min(far.values.len()) >= VERDICT_TRIALS;
            let expected = if enough { Standing::Apart } else { Standing::TooFew };
            proptest::prop_assert_eq!([one.against(&far), far.against(&one)], [expected; 2]);
        }
    }

    #[test]
    fn an_arm_that_lies_to_one_side_of_its_median_ties_with_what_its_quartiles_reach() {
        let mixed = of(&[10.0, 11.0, 200.0, 201.0, 202.0]);
        let other = of(&[10.0, 11.0, 12.0, 11.0, 10.0]);
        let (least, _) = mixed.range().expect("there are trials");
        assert!(least > 12.0, "what is printed does not meet");
        assert_eq!(mixed.against(&other), Standing::Overlapping);
    }

    #[test]
    fn trials_are_sorted_by_a_rule() {
        let rule = |trial: &u32| if *trial < 10 { Ok(()) } else { Err(format!("{trial} is too large")) };
        let samples = Samples::of(&[3, 12, 5, 30], rule, |trial| f64::from(*trial));
        let why = Some("30 is too large".to_owned());
        assert_eq!(samples, Samples { values: vec![3.0, 5.0], discarded: 2, discarded_why: why });
    }

    #[test]
    fn ratios_of_medians() {
        assert_eq!(of(&[10.0, 30.0, 20.0]).ratio_to(&of(&[4.0])), Some(5.0));
        assert_eq!(of(&[1.0]).ratio_to(&of(&[0.0])), None);
        assert_eq!(of(&[1.0]).ratio_to(&of(&[])), None);
        assert_eq!(of(&[]).ratio_to(&of(&[1.0])), None);
    }

    #[test]
    fn rounds_go_forwards_and_backwards() {
        let mut order = Vec::new();
        let samples = interleave::<Infallible>(3, 3, |arm, round| {
            order.push((round, arm));
            Ok(Trial::Kept(arm as f64))
        });
        assert_eq!(order, [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0), (2, 0), (2, 1), (2, 2)]);
        assert_eq!(samples, Ok(vec![of(&[0.0; 3]), of(&[1.0; 3]), of(&[2.0; 3])]));
    }

    #[test]
    fn a_discarded_trial_is_tried_again_and_counted() {
        let mut tries = 0;
        let Ok(samples) = interleave::<Infallible>(1, 5, |_, _| {
            tries += 1;
            Ok(if tries % 2 == 0 { Trial::Discarded(format!("try {tries}")) } else { Trial::Kept(1.0) })
        });
        assert_eq!(tries, 9);
        assert_eq!(samples[0].values.len(), 5);
        assert_eq!((samples[0].discarded, samples[0].discarded_why.as_deref()), (4, Some("try 8")));
    }

    #[test]
    fn an_arm_that_never_works_ends_all_the_same() {
        let mut tries = [0, 0];
        let Ok(samples) = interleave::<Infallible>(2, 5, |arm, _| {
            tries[arm] += 1;
            Ok(if arm == 0 { Trial::Discarded("never cold".into()) } else { Trial::Kept(f64::NAN) })
        });
        assert_eq!(tries, [10, 10]);
        assert!(samples.iter().all(|arm| arm.values.is_empty() && arm.discarded == 10));
        assert_eq!(samples[1].discarded_why.as_deref(), Some("it gave NaN, not a figure"));
    }

    #[test]
    fn an_error_ends_it_and_nothing_to_do_is_nothing() {
        assert_eq!(
            interleave(2, 5, |_, round| if round == 1 { Err("stop") } else { Ok(Trial::Kept(1.0)) }),
            Err("stop")
        );
        assert_eq!(interleave::<Infallible>(2, 0, |_, _| unreachable!()), Ok(vec![Samples::default(); 2]));
        assert_eq!(interleave::<Infallible>(0, 5, |_, _| unreachable!()), Ok(Vec::new()));
    }
}
