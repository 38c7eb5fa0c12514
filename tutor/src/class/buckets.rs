//! Classes of a histogram for numbers that lie orders of magnitude apart: on a log scale, at round values.

use crate::render;
use lesson::{Ask, Prediction, Question, Unit};

/// More classes than this nobody compares.
const MOST: usize = 8;

/// A class: from `low`, up to and without `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    low: f64,
    high: f64,
}

impl Bucket {
    /// Whether a value falls into it.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..self.high).contains(&value) || (value == 0.0 && self.low == 0.0)
    }

    /// `3x to 10x`, in the question's unit; a class of nothing but zero is `0x`.
    pub fn label(&self, question: &Question) -> String {
        let text = |value: f64| render::prediction_text(&Prediction::Quantity(value), question);
        if self.high == 0.0 {
            return text(0.0);
        }
        let low = text(self.low);
        let low = match &question.answer {
            Ask::Quantity(quantity) => match &quantity.unit {
                Unit::Count(things) => low.strip_suffix(&format!(" {things}")).unwrap_or(&low).to_owned(),
                _ => low,
            },
            Ask::Choice(_) => low,
        };
        format!("{low} to {}", text(self.high))
    }
}

/// Classes that hold all these values, without a gap between them; zero has one of its own.
pub fn of(values: &[f64], unit: &Unit) -> Vec<Bucket> {
    if *unit == Unit::Percent {
        return percent(values);
    }
    let zero = values.contains(&0.0).then_some(Bucket { low: 0.0, high: 0.0 });
    let positive = || values.iter().copied().filter(|value| *value > 0.0);
    let (Some(least), Some(greatest)) =
        (positive().min_by(f64::total_cmp), positive().max_by(f64::total_cmp))
    else {
        return zero.into_iter().collect();
    };
    let ladders = ladders(unit);
    let ladder = ladders.iter().find(|ladder| ladder.classes(least, greatest).len() <= MOST);
    let ladder = ladder.or(ladders.last());
    zero.into_iter().chain(ladder.map(|it| it.classes(least, greatest)).unwrap_or_default()).collect()
}

/// Tenths where one of them is not all.
fn percent(values: &[f64]) -> Vec<Bucket> {
    if values.is_empty() {
        return Vec::new();
    }
    let low = (0..10).map(|tenth| f64::from(tenth) * 10.0);
    // All of it belongs to the last tenth.
    low.map(|low| Bucket { low, high: if low == 90.0 { 100.0f64.next_up() } else { low + 10.0 } }).collect()
}

/// Round values that repeat with every power of a base.
struct Ladder {
    base: f64,
    steps: &'static [f64],
}

fn ladders(unit: &Unit) -> Vec<Ladder> {
    let ladder = |base: f64, steps| Ladder { base, steps };
    if *unit == Unit::Bytes {
        let bases = [2, 4, 16, 64, 1024].map(|base| ladder(f64::from(base), &[1.0]));
        bases
            .into_iter()
            .chain([ladder(1024.0_f64.powi(2), &[1.0]), ladder(1024.0_f64.powi(13), &[1.0])])
            .collect()
    } else {
        let powers = [1, 2, 4, 40].map(|power| ladder(10.0_f64.powi(power), &[1.0]));
        [ladder(10.0, &[1.0, 2.0, 5.0]), ladder(10.0, &[1.0, 3.0])].into_iter().chain(powers).collect()
    }
}

impl Ladder {
    fn classes(&self, least: f64, greatest: f64) -> Vec<Bucket> {
        let power = |value: f64| value.log(self.base).floor() as i32;
        let rungs = (power(least) - 1..=power(greatest) + 2)
            .flat_map(|power| self.steps.iter().map(move |step| step * self.base.powi(power)));
        let rungs: Vec<f64> = rungs.collect();
        let pairs = rungs.windows(2).map(|pair| Bucket { low: pair[0], high: pair[1] });
        pairs.filter(|bucket| bucket.high > least && bucket.low <= greatest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fake;

    fn labels(values: &[f64]) -> Vec<String> {
        let question = fake::lab().acts[1].question(&fake::setting());
        of(values, &Unit::Ratio).iter().map(|bucket| bucket.label(&question)).collect()
    }

    #[test]
    fn round_values_without_a_gap() {
        assert_eq!(labels(&[1.2, 6.0]), ["1x to 2x", "2x to 5x", "5x to 10x"]);
        assert_eq!(labels(&[0.0, 1.0]), ["0x", "1x to 2x"]);
        assert_eq!(labels(&[2.0, 900.0]).len(), 8);
        assert_eq!(labels(&[1.0, 2000.0])[..2], ["1x to 3x", "3x to 10x"]);
        assert!(labels(&[]).is_empty());
    }

    #[test]
    fn every_value_has_one_class_however_far_apart_they_are() {
        for unit in [Unit::Ratio, Unit::Bytes, Unit::Count("pages".to_owned())] {
            for values in [vec![1.0, 10.0, 100.0], vec![1e-300, 1e300], vec![0.0, 3e15, 1.0], vec![4096.0]] {
                let buckets = of(&values, &unit);
                assert!(buckets.len() <= 20, "{} classes of {values:?}", buckets.len());
                for value in values {
                    let holding = buckets.iter().filter(|bucket| bucket.holds(value)).count();
                    assert_eq!(holding, 1, "{value} in {buckets:?}");
                }
            }
        }
        let shares = of(&[0.0, 100.0], &Unit::Percent);
        assert!(
            [0.0, 9.9, 10.0, 99.0, 100.0]
                .iter()
                .all(|share| { shares.iter().filter(|bucket| bucket.holds(*share)).count() == 1 })
        );
    }
}
