//! Places in a file, in no order, and the same each time for the same seed.

/// The places.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    state: u64,
    bytes: u64,
}

impl Places {
    /// Places in a file of `bytes` bytes.
    pub fn new(seed: u64, bytes: u64) -> Places {
        Places { state: seed, bytes }
    }

    /// The next place. What the program found at the place before may have a say in it: then no look can begin before
    /// the one before it has ended. The numbers are those of SplitMix64.
    pub fn after(&mut self, found: u8) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(found));
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * u128::from(self.bytes)) >> 64) as u64
    }
}

/// The pages of the first `count` places, when nothing found has a say in them.
pub fn pages(seed: u64, count: u64, bytes: u64, page_bytes: u64) -> Vec<u64> {
    let mut places = Places::new(seed, bytes);
    (0..count).map(|_| places.after(0) / page_bytes.max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_places_inside_the_file() {
        let bytes = 1000;
        let run = |seed| {
            let mut places = Places::new(seed, bytes);
            (0..100).map(|_| places.after(0)).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(1).iter().all(|place| *place < bytes));
        assert!(
            run(1).iter().any(|place| *place < bytes / 2) && run(1).iter().any(|place| *place > bytes / 2)
        );
    }

    #[test]
    fn what_was_found_changes_what_follows() {
        let (mut one, mut other) = (Places::new(1, 1 << 40), Places::new(1, 1 << 40));
        assert_ne!(one.after(0), other.after(1));
    }
}
