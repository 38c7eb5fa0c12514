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

impl Prices {
    /// A straight line through points of (calls, nanoseconds), all for the same bytes: its slope is the price of a
    /// call, its foot that of the bytes. The squares of the relative errors are made least, since the times span
    /// orders of magnitude. None where the line misses a point, or a price would not be positive.
    pub fn fit(points: &[(f64, f64)]) -> Option<Prices> {
        if points.len() < 3 {
            return None;
        }
        let sum = |term: fn(f64, f64) -> f64| -> f64 { points.iter().map(|(x, y)| term(*x, *y)).sum() };
        let (ones, xs, xx) =
            (sum(|_, y| 1.0 / (y * y)), sum(|x, y| x / (y * y)), sum(|x, y| x * x / (y * y)));
        let (ys, xy) = (sum(|_, y| 1.0 / y), sum(|x, y| x / y));
        let call_ns = (ones * xy - xs * ys) / (ones * xx - xs * xs);
        let bytes_ns = (ys - call_ns * xs) / ones;
        let fits = points.iter().all(|(calls, ns)| agree(bytes_ns + calls * call_ns, *ns));
        (fits && call_ns > 0.0 && bytes_ns > 0.0).then_some(Prices { call_ns, bytes_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(call_ns: f64, bytes_ns: f64) -> Vec<(f64, f64)> {
        [1.0, 32.0, 256.0, 4096.0].iter().map(|calls| (*calls, bytes_ns + calls * call_ns)).collect()
    }

    #[test]
    fn finds_the_prices_that_made_the_times() {
        let prices = Prices::fit(&times(200.0, 90_000.0)).expect("a line");
        assert!((prices.call_ns - 200.0).abs() < 0.01 && (prices.bytes_ns - 90_000.0).abs() < 1.0);
    }

    #[test]
    fn times_that_follow_no_line_have_no_prices() {
        let mut bent = times(200.0, 90_000.0);
        bent[2].1 *= 2.0;
        assert_eq!(Prices::fit(&bent), None);
        assert_eq!(Prices::fit(&times(-5.0, 90_000.0)), None);
        assert_eq!(Prices::fit(&times(200.0, 90_000.0)[..2]), None);
        assert_eq!(Prices::fit(&[(4.0, 9.0); 5]), None);
    }
}
