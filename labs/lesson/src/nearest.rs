//! Which option of a choice a measured figure speaks for, and whether two figures say the same.

/// Two figures agree when neither is more than this many times the other.
pub const AGREEMENT: f64 = 1.1;

/// The option whose figure is nearest to `value` on a log scale. Zero is met only by zero.
pub fn nearest<'a>(value: f64, options: &[(&'a str, f64)]) -> Option<&'a str> {
    let distance = |figure: f64| match (value > 0.0, figure > 0.0) {
        (true, true) => (value / figure).ln().abs(),
        (false, false) => 0.0,
        _ => f64::INFINITY,
    };
    options
        .iter()
        .map(|(id, figure)| (*id, distance(*figure)))
        .filter(|(_, distance)| distance.is_finite())
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .map(|(id, _)| id)
}

/// Whether two counts or times say the same.
pub fn agree(one: f64, other: f64) -> bool {
    one <= other * AGREEMENT && other <= one * AGREEMENT
}

/// Whether `one` is less than `other`, and they do not agree.
pub fn clearly_less(one: f64, other: f64) -> bool {
    one * AGREEMENT < other
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: [(&str, f64); 4] = [("many", 8192.0), ("some", 512.0), ("one", 1.0), ("none", 0.0)];

    #[test]
    fn by_factor_and_not_by_difference() {
        assert_eq!(nearest(2100.0, &OPTIONS), Some("many"));
        assert_eq!(nearest(2000.0, &OPTIONS), Some("some"));
        assert_eq!(nearest(22.0, &OPTIONS), Some("one"));
        assert_eq!(nearest(23.0, &OPTIONS), Some("some"));
    }

    #[test]
    fn zero_is_met_only_by_zero() {
        assert_eq!(nearest(0.0, &OPTIONS), Some("none"));
        assert_eq!(nearest(0.0, &OPTIONS[..3]), None);
        assert_eq!(nearest(0.001, &OPTIONS), Some("one"));
    }

    #[test]
    fn a_tenth_is_the_same() {
        assert!(agree(8192.0, 8800.0) && agree(8800.0, 8192.0));
        assert!(!agree(8192.0, 9100.0));
        assert!(clearly_less(8192.0, 9100.0) && !clearly_less(8192.0, 8800.0));
        assert!(agree(0.0, 0.0) && !agree(0.0, 1.0));
    }
}
