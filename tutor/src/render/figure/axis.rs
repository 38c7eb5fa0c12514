//! Axes: from values to places between 0 and 1, and where ticks stand.

use crate::render::number;
use lesson::figure::{Axis, Scale};

/// Values beyond this would overflow on the way to a place.
const LARGEST: f64 = 1e300;

/// An axis with the range of its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    scale: Scale,
    log: bool,
    min: f64,
    max: f64,
}

impl Range {
    /// The range that holds all finite `values`. A logarithmic axis that would have to show zero or less becomes
    /// linear, since there is no place for them on it; a linear one begins at zero where `from_zero`.
    pub(super) fn of(axis: &Axis, values: impl Iterator<Item = f64>, from_zero: bool) -> Range {
        let values = values.filter(|value| value.is_finite()).map(|value| value.clamp(-LARGEST, LARGEST));
        let (min, max) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), v| (min.min(v), max.max(v)));
        let (min, max) = if min > max { (0.0, 1.0) } else { (min, max) };
        let log = axis.log && min > 0.0;
        let (min, max) = match (log, from_zero) {
            (false, true) => (min.min(0.0), max.max(0.0)),
            _ => (min, max),
        };
        let (min, max) = match (min < max, log) {
            (true, _) => (min, max),
            (false, true) => (min / 2.0, max * 2.0),
            (false, false) => (min - 1.0, max + 1.0),
        };
        Range { scale: axis.scale, log, min, max }
    }

    /// The range widened to round values, so that its ends can be read.
    pub(super) fn rounded(self) -> Range {
        let (down, up) = if self.log {
            let round = |value: f64, up: bool| round_log(value, up, self.binary());
            (round(self.min, false), round(self.max, true))
        } else {
            let step = round_step((self.max - self.min) / 4.0, self.binary());
            ((self.min / step).floor() * step, (self.max / step).ceil() * step)
        };
        if down.is_finite() && up.is_finite() && down < up {
            Range { min: down, max: up, ..self }
        } else {
            self
        }
    }

    /// Whether places are logarithmic after all.
    pub(super) fn is_log(&self) -> bool {
        self.log
    }

    /// Where `value` stands, 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.min, self.max);
        if self.log {
            (value / self.min).ln() / (self.max / self.min).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        }
    }

    /// Both ends.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.min, self.max]
    }

    /// A tick's text.
    pub(super) fn text(&self, value: f64) -> String {
        number::tick(self.scale, value)
    }

    /// Ticks at round values, the finest set for which `fits` holds; both ends where none of at least two does.
    pub(super) fn ticks(&self, fits: impl Fn(&[f64]) -> bool) -> Vec<f64> {
        let sets = if self.log { self.log_sets() } else { self.linear_sets() };
        let inside = |set: Vec<f64>| -> Vec<f64> {
            set.into_iter().filter(|value| *value >= self.min && *value <= self.max).collect()
        };
        sets.into_iter()
            .map(inside)
            .find(|set| set.len() >= 2 && fits(set))
            .unwrap_or_else(|| vec![self.min, self.max])
    }

    fn binary(&self) -> bool {
        matches!(self.scale, Scale::Bytes | Scale::BytesPerSecond)
    }

    fn log_sets(&self) -> Vec<Vec<f64>> {
        let base: f64 = if self.binary() { 2.0 } else { 10.0 };
        let (from, to) = (self.min.log(base).floor() as i32, self.max.log(base).ceil() as i32);
        let powers = |stride: i32| -> Vec<f64> {
            (from..=to).filter(|power| power.rem_euclid(stride) == 0).map(|power| base.powi(power)).collect()
        };
        let mut sets = Vec::new();
        if !self.binary() {
            let steps = |digits: &[f64]| -> Vec<f64> {
                (from..=to)
                    .flat_map(|power| digits.iter().map(move |digit| digit * 10_f64.powi(power)))
                    .collect()
            };
            sets.push(steps(&[1.0, 2.0, 5.0]));
        }
        sets.extend((1..=to.saturating_sub(from).max(1)).map(powers));
        sets
    }

    fn linear_sets(&self) -> Vec<Vec<f64>> {
        let span = self.max - self.min;
        let set = |count: u32| {
            let step = round_step(span / f64::from(count), self.binary());
            let first = (self.min / step).ceil();
            (0..=count).map(|n| (first + f64::from(n)) * step).collect()
        };
        [10, 8, 6, 5, 4, 3, 2].into_iter().map(set).collect()
    }
}

/// The next round value on a logarithmic axis.
fn round_log(value: f64, up: bool, binary: bool) -> f64 {
    if binary {
        let power = value.log2();
        return 2_f64.powf(if up { power.ceil() } else { power.floor() });
    }
    let power = 10_f64.powf(value.log10().floor());
    let rounds = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0].map(|digit| digit * power);
    let found = if up {
        rounds.into_iter().find(|round| *round >= value * 0.999)
    } else {
        rounds.into_iter().rev().find(|round| *round <= value * 1.001)
    };
    found.unwrap_or(value)
}

/// The next round number: 1, 2 or 5 times a power of ten; a power of two for bytes.
fn round_step(step: f64, binary: bool) -> f64 {
    if binary {
        return 2_f64.powf(step.log2().ceil());
    }
    let power = 10_f64.powf(step.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= step * 0.999).unwrap_or(10.0);
    digit * power
}
