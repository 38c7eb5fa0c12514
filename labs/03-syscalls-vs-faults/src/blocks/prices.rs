//! What a call costs, and what the bytes cost that it brings.

use crate::nearest::agree;

/// The two prices, where they alone explain all times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Nanoseconds for each call.
    pub call_ns: f64,
    /// Nanoseconds for all bytes of a pass.
    pub bytes_ns: f64,
}

/// The time that so many calls took, for the same bytes. Nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// How many.
    pub calls: f64,
    /// The middle time.
    pub median_ns: f64,
    /// First and third quartile.
    pub quartiles_ns: (f64, f64),
}

impl Timing {
    /// Whether the spread of the times, or a tenth around the middle one, holds this figure.
    fn allows(&self, ns: f64) -> bool {
        agree(ns, self.median_ns) || (self.quartiles_ns.0..=self.quartiles_ns.1).contains(&ns)
    }
}

impl Prices {
    /// A straight line through the middle times: its slope is the price of a call, its foot that of the bytes. The
    /// squares of the relative errors are made least, since the times span orders of magnitude. None where the line
    /// misses one of the times, or a price would not be positive.
    pub fn fit(timings: &[Timing]) -> Option<Prices> {
        if timings.len() < 3 {
            return None;
        }
        let sum = |term: fn(f64, f64) -> f64| -> f64 {
            timings.iter().map(|timing| term(timing.calls, timing.median_ns)).sum()
        };
        let (ones, xs, xx) =
            (sum(|_, y| 1.0 / (y * y)), sum(|x, y| x / (y * y)), sum(|x, y| x * x / (y * y)));
        let (ys, xy) = (sum(|_, y| 1.0 / y), sum(|x, y| x / y));
        let call_ns = (ones * xy - xs * ys) / (ones * xx - xs * xs);
        let bytes_ns = (ys - call_ns * xs) / ones;
        let fits = timings.iter().all(|timing| timing.allows(bytes_ns + timing.calls * call_ns));
        (fits && call_ns > 0.0 && bytes_ns > 0.0).then_some(Prices { call_ns, bytes_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(call_ns: f64, bytes_ns: f64) -> Vec<Timing> {
        let timing = |calls: f64| {
            let ns = bytes_ns + calls * call_ns;
            Timing { calls, median_ns: ns, quartiles_ns: (ns, ns) }
        };
        [1.0, 32.0, 256.0, 4096.0].map(timing).to_vec()
    }

    #[test]
    fn finds_the_prices_that_made_the_times() {
        let prices = Prices::fit(&times(200.0, 90_000.0)).expect("a line");
        assert!((prices.call_ns - 200.0).abs() < 0.01 && (prices.bytes_ns - 90_000.0).abs() < 1.0);
    }

    #[test]
    fn times_that_follow_no_line_have_no_prices() {
        let mut bent = times(200.0, 90_000.0);
        bent[2].median_ns *= 2.0;
        bent[2].quartiles_ns = (bent[2].median_ns, bent[2].median_ns);
        assert_eq!(Prices::fit(&bent), None);
        bent[2].quartiles_ns.0 /= 2.0;
        assert!(Prices::fit(&bent).is_some(), "its spread reaches down to the line");
        assert_eq!(Prices::fit(&times(-5.0, 90_000.0)), None);
        assert_eq!(Prices::fit(&times(200.0, 90_000.0)[..2]), None);
        assert_eq!(Prices::fit(&[times(200.0, 90_000.0)[0]; 5]), None);
    }
}
