//! An axis: where values stand, and where there are ticks.

use lesson::figure::{Axis, Scale};

/// An axis with the range of its values.
pub struct Range {
    scale: Scale,
    log: bool,
    min: f64,
    max: f64,
}

impl Range {
    /// The range that holds all finite values; a linear one begins at zero where `from_zero`.
    pub fn of(axis: &Axis, values: impl Iterator<Item = f64>, from_zero: bool) -> Range {
        let values = values.filter(|value| value.is_finite());
        let (mut min, mut max) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), v| (min.min(v), max.max(v)));
        if min > max {
            (min, max) = (0.0, 1.0);
        }
        let log = axis.log && min > 0.0;
        if !log && from_zero {
            (min, max) = (min.min(0.0), max.max(0.0));
        }
        if min == max {
            (min, max) = if log { (min / 2.0, max * 2.0) } else { (min - 1.0, max + 1.0) };
        }
        Range { scale: axis.scale, log, min, max }
    }

    /// Where `value` stands, 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.min, self.max);
        if self.log {
            (value / self.min).ln() / (self.max / self.min).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        }
    }

    /// A tick's text.
    pub fn text(&self, value: f64) -> String {
        tutor::tick(self.scale, value)
    }

    /// At most `most` ticks at round values.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let binary = matches!(self.scale, Scale::Bytes | Scale::BytesPerSecond);
        let inside = |values: Vec<f64>| -> Vec<f64> {
            let slack = if self.log { self.min * 1e-9 } else { (self.max - self.min) * 1e-9 };
            values.into_iter().filter(|v| *v >= self.min - slack && *v <= self.max + slack).collect()
        };
        let mut stride = 1;
        loop {
            let found =
                inside(if self.log { self.powers(binary, stride) } else { self.steps(binary, stride) });
            if found.len() <= most {
                return if found.len() >= 2 { found } else { vec![self.min, self.max] };
            }
            stride += 1;
        }
    }

    /// Every `stride`th power; between powers of ten, where few are inside, 2 and 5 of them.
    fn powers(&self, binary: bool, stride: i32) -> Vec<f64> {
        let base: f64 = if binary { 2.0 } else { 10.0 };
        let (from, to) = (self.min.log(base).floor() as i32, self.max.log(base).ceil() as i32);
        if !binary && stride == 1 && to - from <= 2 {
            let digits = [1.0, 2.0, 5.0];
            return (from..=to).flat_map(|power| digits.map(|digit| digit * 10_f64.powi(power))).collect();
        }
        let stride = if !binary && to - from <= 2 { stride - 1 } else { stride }.max(1);
        (from..=to).filter(|power| (power - from) % stride == 0).map(|power| base.powi(power)).collect()
    }

    /// Round steps, larger with `stride`.
    fn steps(&self, binary: bool, stride: i32) -> Vec<f64> {
        let rough = (self.max - self.min) / 10.0 * f64::from(stride);
        let step = if binary {
            2_f64.powf(rough.log2().ceil())
        } else {
            let power = 10_f64.powf(rough.log10().floor());
            [1.0, 2.0, 5.0, 10.0]
                .map(|digit| digit * power)
                .into_iter()
                .find(|s| *s >= rough)
                .unwrap_or(rough)
        };
        let first = (self.min / step).ceil();
        (0..=20).map(|n| (first + f64::from(n)) * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_few_and_inside() {
        let axis = |scale, log| Axis { label: String::new(), scale, log };
        let ticks = |scale, log, values: [f64; 2], most| {
            Range::of(&axis(scale, log), values.into_iter(), true).ticks(most)
        };
        assert_eq!(ticks(Scale::Number, false, [0.0, 87.0], 6), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(ticks(Scale::Number, true, [1.0, 1000.0], 6), [1.0, 10.0, 100.0, 1000.0]);
        let bytes = ticks(Scale::Bytes, true, [512.0, 4_194_304.0], 5);
        assert!(bytes.len() >= 3 && bytes.len() <= 5 && bytes[0] == 512.0, "{bytes:?}");
        assert_eq!(ticks(Scale::Number, true, [3.0, 3.5], 6).len(), 2);
    }
}
