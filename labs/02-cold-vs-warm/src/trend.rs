//! Whether a row of times keeps falling, or only looks so.

/// How unlikely a row as ordered as this must be by chance: one in a hundred.
const CHANCE: f64 = 0.01;

/// How much the later half must be below the earlier one to be worth a word.
const FALL: f64 = 0.9;

/// Whether `values`, in the order in which they were measured, keep falling: Kendall's test for a trend (exact, one
/// side), and a later half whose mean lies a tenth below the earlier one's. Fewer than five values never do: even if each
/// is below the one before, that happens by chance too often.
pub fn keeps_falling(values: &[f64]) -> bool {
    let count = values.len();
    let not_falling = (0..count)
        .flat_map(|later| (0..later).map(move |earlier| (earlier, later)))
        .filter(|(earlier, later)| values[*later] >= values[*earlier])
        .count();
    let mean = |half: &[f64]| half.iter().sum::<f64>() / half.len() as f64;
    chance_of_at_most(not_falling, count) <= CHANCE
        && mean(&values[count.div_ceil(2)..]) <= FALL * mean(&values[..count / 2])
}

/// The share of all orders of `count` different values that have at most `pairs` pairs out of falling order.
fn chance_of_at_most(pairs: usize, count: usize) -> f64 {
    // shares[k]: of the orders of the first n values, those with k such pairs. The n-th value, put into any of n
    // places, makes 0 to n - 1 more.
    let mut shares = vec![1.0];
    for n in 2..=count {
        let mut next = vec![0.0; shares.len() + n - 1];
        for (pairs, share) in shares.iter().enumerate() {
            next[pairs..pairs + n].iter_mut().for_each(|sum| *sum += share / n as f64);
        }
        shares = next;
    }
    shares.iter().take(pairs + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_counting_all_orders() {
        assert_eq!(chance_of_at_most(0, 1), 1.0);
        assert!((chance_of_at_most(0, 3) - 1.0 / 6.0).abs() < 1e-12);
        assert!((chance_of_at_most(1, 3) - 3.0 / 6.0).abs() < 1e-12);
        assert!((chance_of_at_most(0, 5) - 1.0 / 120.0).abs() < 1e-12);
        assert!((chance_of_at_most(1, 5) - 5.0 / 120.0).abs() < 1e-12);
        assert!((chance_of_at_most(10, 5) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn five_in_falling_order_and_clearly_lower_keep_falling() {
        assert!(keeps_falling(&[400.0, 320.0, 250.0, 210.0, 190.0]));
        assert!(
            !keeps_falling(&[400.0, 399.0, 398.0, 397.0, 396.0]),
            "a fall of one percent is not worth a word"
        );
        assert!(
            !keeps_falling(&[400.0, 320.0, 250.0, 260.0, 190.0]),
            "one pair out of order in five is chance"
        );
        assert!(!keeps_falling(&[190.0, 210.0, 250.0, 320.0, 400.0]), "rising");
        assert!(!keeps_falling(&[300.0; 5]), "flat");
    }

    #[test]
    fn more_values_allow_a_pair_out_of_order() {
        assert!(keeps_falling(&[400.0, 320.0, 250.0, 260.0, 210.0, 190.0, 180.0]));
    }

    #[test]
    fn few_values_never_do() {
        for count in 0..5 {
            let values: Vec<f64> = (0..count).map(|i| 400.0 / f64::from(1 << i)).collect();
            assert!(!keeps_falling(&values), "{count} values");
        }
    }
}
