//! Who is faster at which size, and where that changes.

use instruments::Samples;
use instruments::sample::Standing;
use lesson::nearest::clearly_less;

/// Who is faster at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faster {
    /// read(), beyond the spread and by more than a tenth.
    Read,
    /// The mapping, likewise.
    Map,
    /// Neither.
    Nobody,
    /// Too few trials of one of the two count.
    Unknown,
}

impl Faster {
    /// Of these times.
    pub fn of(read: &Samples, map: &Samples) -> Faster {
        let Some((read_ns, map_ns)) = read.median().zip(map.median()) else { return Faster::Unknown };
        match read.against(map) {
            Standing::TooFew => Faster::Unknown,
            Standing::Apart if clearly_less(read_ns, map_ns) => Faster::Read,
            Standing::Apart if clearly_less(map_ns, read_ns) => Faster::Map,
            Standing::Apart | Standing::Overlapping => Faster::Nobody,
        }
    }
}

/// Who is faster, by rising size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course(pub Vec<(u64, Faster)>);

impl Course {
    /// The smallest size at which the mapping is faster, if read() is faster at no larger one.
    pub fn catches_up(&self) -> Option<u64> {
        let first = self.first(Faster::Map)?;
        self.last(Faster::Read).is_none_or(|read| read < first).then_some(first)
    }

    /// The smallest size at which it is so.
    pub fn first(&self, faster: Faster) -> Option<u64> {
        self.0.iter().find(|(_, who)| *who == faster).map(|(bytes, _)| *bytes)
    }

    /// The largest size at which it is so.
    pub fn last(&self, faster: Faster) -> Option<u64> {
        self.0.iter().rfind(|(_, who)| *who == faster).map(|(bytes, _)| *bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::Faster::*;
    use super::*;

    fn course(who: &[Faster]) -> Course {
        Course(who.iter().enumerate().map(|(at, who)| (1 << at, *who)).collect())
    }

    #[test]
    fn catches_up_where_it_is_faster_and_stays_so() {
        assert_eq!(course(&[Read, Read, Nobody, Map, Map]).catches_up(), Some(8));
        assert_eq!(course(&[Map, Map, Nobody]).catches_up(), Some(1));
        assert_eq!(course(&[Read, Map, Read, Map]).catches_up(), None, "it falls behind again");
        assert_eq!(course(&[Read, Nobody, Nobody]).catches_up(), None);
        assert_eq!(course(&[]).catches_up(), None);
    }

    #[test]
    fn faster_means_beyond_the_spread_and_by_a_tenth() {
        let of = |values: &[f64]| Samples { values: values.to_vec(), ..Samples::default() };
        assert_eq!(Faster::of(&of(&[1.0; 5]), &of(&[2.0; 5])), Read);
        assert_eq!(Faster::of(&of(&[2.0; 5]), &of(&[1.0; 5])), Map);
        assert_eq!(Faster::of(&of(&[1.0, 2.0, 3.0, 9.0, 9.0]), &of(&[2.0, 2.0, 3.0, 3.0, 3.0])), Nobody);
        assert_eq!(Faster::of(&of(&[100.0; 5]), &of(&[105.0; 5])), Nobody);
        assert_eq!(Faster::of(&of(&[]), &of(&[1.0; 5])), Unknown);
        assert_eq!(Faster::of(&of(&[1.0; 4]), &of(&[2.0; 5])), Unknown, "too few for a verdict");
    }
}
